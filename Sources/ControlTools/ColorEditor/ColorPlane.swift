/// A plane of one hue, from white and black to the colour itself. It does not mirror: colours have no direction of reading.
final class ColorPlane: Control {
  static let knobRadius = 11.0

  /// The colour chosen.
  var value = HSBColor(hue: 0, saturation: 0, brightness: 0) {
    didSet {
      guard value != oldValue else { return }
      if value.hue != oldValue.hue { setNeedsStaticDisplay() }
      setNeedsDisplay()
    }
  }

  override var staysHighlightedOutside: Bool { true }

  /// Where the colours change: a knob at an edge stays within the bounds.
  private var area: Rect { bounds.insetBy(dx: Self.knobRadius + 1, dy: Self.knobRadius + 1) }

  private func place(of value: HSBColor) -> Point {
    Point(x: area.minX + area.width * value.saturation, y: area.maxY - area.height * value.brightness)
  }

  // MARK: Fingers and keys

  override var isBeingEdited: Bool { isTracking }

  override func beginTracking(_ touch: Touch) -> Bool {
    take(touch)
    return true
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    take(touch)
    return true
  }

  private func take(_ touch: Touch) {
    guard !area.isEmpty else { return }
    let point = touch.location(in: self)
    change(
      to: value.with(
        saturation: (point.x - area.minX) / area.width, brightness: (area.maxY - point.y) / area.height))
  }

  private func change(to new: HSBColor) {
    guard new != value else { return }
    value = new
    sendActions(for: .valueChanged)
  }

  override func handleKey(_ event: KeyEvent) -> Bool {
    guard isEnabled, event.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return false }
    let step = event.modifiers.contains(.shift) ? 0.1 : 0.01
    var (saturation, brightness) = (value.saturation, value.brightness)
    switch event.key {
    case .left: saturation -= step
    case .right: saturation += step
    case .up: brightness += step
    case .down: brightness -= step
    case .home: saturation = 0
    case .end: saturation = 1
    case .pageUp: brightness += 0.1
    case .pageDown: brightness -= 0.1
    default: return false
    }
    if event.phase == .down || event.phase == .repeated {
      change(to: value.with(saturation: saturation, brightness: brightness))
    }
    return true
  }

  override func stateDidChange(from old: State) {
    if state.contains(.disabled) != old.contains(.disabled) { setNeedsStaticDisplay() }
    setNeedsDisplay()
  }

  // MARK: Drawing

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let shape = Path(roundedRect: bounds, cornerRadius: 8)
    let full = HSBColor(hue: value.hue, saturation: 1, brightness: 1).color
    canvas.fill(
      shape, .linear(from: Point(x: area.minX, y: 0), to: Point(x: area.maxX, y: 0), .white, full))
    canvas.fill(
      shape,
      .linear(
        from: Point(x: 0, y: area.minY), to: Point(x: 0, y: area.maxY), .black.withAlpha(0), .black))
    canvas.stroke(Path(roundedRect: bounds.insetBy(dx: 0.5, dy: 0.5), cornerRadius: 7.5), theme.hairline, width: 1)
  }

  override func draw(_ canvas: Canvas) {
    if isEnabled { ColorKnob.draw(canvas, at: place(of: value), value.withAlpha(1).color, isHeld: isHighlighted) }
  }
}

/// What a finger holds in planes and bars of colours.
enum ColorKnob {
  static func draw(_ canvas: Canvas, at center: Point, _ color: Color, isHeld: Bool) {
    let radius = ColorPlane.knobRadius
    canvas.fill(Path(circleAt: center, radius: radius + 1), .black.withAlpha(0.35))
    canvas.fill(Path(circleAt: center, radius: radius), .white)
    canvas.fill(Path(circleAt: center, radius: radius - (isHeld ? 2 : 3)), color)
  }
}

/// A bar of all hues, or of all opacities of one colour, from left to right. It does not mirror: colours have no direction of
/// reading.
final class ColorBar: Control {
  /// What is chosen.
  enum Part {
    case hue
    case alpha
  }

  let part: Part
  private static let thickness = 18.0

  /// The colour chosen.
  var value = HSBColor(hue: 0, saturation: 0, brightness: 0) {
    didSet { if value != oldValue { setNeedsDisplay() } }
  }

  init(_ part: Part) {
    self.part = part
    super.init(frame: .zero)
  }

  override var staysHighlightedOutside: Bool { true }
  override var dragAxes: Axes { isEnabled ? .horizontal : [] }

  /// Where the colours are: a knob at an end stays within the bounds.
  private var area: Rect {
    let side = ColorPlane.knobRadius + 1
    return Rect(
      x: side, y: ((bounds.height - Self.thickness) / 2).rounded(), width: max(bounds.width - 2 * side, 0),
      height: Self.thickness)
  }

  private var fraction: Double {
    get { part == .hue ? value.hue / 360 : value.alpha }
    set { change(to: part == .hue ? value.withHue(newValue * 360) : value.withAlpha(newValue)) }
  }

  private func change(to new: HSBColor) {
    guard new != value else { return }
    value = new
    sendActions(for: .valueChanged)
  }

  // MARK: Fingers and keys

  override var isBeingEdited: Bool { isTracking }

  override func beginTracking(_ touch: Touch) -> Bool {
    take(touch)
    return true
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    take(touch)
    return true
  }

  private func take(_ touch: Touch) {
    if !area.isEmpty { fraction = (touch.location(in: self).x - area.minX) / area.width }
  }

  override func handleKey(_ event: KeyEvent) -> Bool {
    guard isEnabled, event.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return false }
    // A degree, or a hundredth.
    let step = (part == .hue ? 1.0 / 360 : 0.01) * (event.modifiers.contains(.shift) ? 10 : 1)
    let goal: Double
    switch event.key {
    case .left, .down: goal = fraction - step
    case .right, .up: goal = fraction + step
    case .home: goal = 0
    case .end: goal = 1
    case .pageUp: goal = fraction + 0.1
    case .pageDown: goal = fraction - 0.1
    default: return false
    }
    if event.phase == .down || event.phase == .repeated { fraction = goal }
    return true
  }

  // MARK: Drawing

  override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let area = area
    let bar = area.insetBy(dx: -Self.thickness / 2, dy: 0)
    let shape = Path(roundedRect: bar, cornerRadius: Self.thickness / 2)
    let (start, end) = (Point(x: area.minX, y: 0), Point(x: area.maxX, y: 0))
    switch part {
    case .hue:
      let stops = (0...6).map { step in
        Gradient.Stop(
          Double(step) / 6, HSBColor(hue: Double(step) * 60, saturation: 1, brightness: 1).color)
      }
      canvas.fill(shape, .linear(from: start, to: end, stops: stops))
    case .alpha:
      let color = value.withAlpha(1).color
      Checkerboard.drawGround(canvas, bar, shape)
      canvas.fill(shape, .linear(from: start, to: end, color.withAlpha(0), color))
    }
    canvas.stroke(
      Path(roundedRect: bar.insetBy(dx: 0.5, dy: 0.5), cornerRadius: Self.thickness / 2 - 0.5), theme.hairline,
      width: 1)
    guard isEnabled else { return }
    let shown = part == .hue ? HSBColor(hue: value.hue, saturation: 1, brightness: 1) : value.withAlpha(1)
    ColorKnob.draw(
      canvas, at: Point(x: area.minX + area.width * fraction, y: area.midY), shown.color, isHeld: isHighlighted)
  }
}
