/// An area on which a finger chooses a colour: a plane of one hue, from white and black to the colour itself, or a bar of all
/// hues or all opacities. It does not mirror, because colours have no reading direction.
final class ColorField: Control {
  enum Part {
    /// Saturation to the right, brightness upwards.
    case plane
    /// The hue, from left to right.
    case hue
    /// The opacity, from left to right.
    case alpha
  }

  let part: Part
  private static let knobRadius = 11.0
  private static let thickness = 18.0

  var value = HSBColor(hue: 0, saturation: 0, brightness: 0) {
    didSet {
      guard value != oldValue else { return }
      if value.hue != oldValue.hue, part == .plane { setNeedsStaticDisplay() }
      setNeedsDisplay()
    }
  }

  init(_ part: Part) {
    self.part = part
    super.init(frame: .zero)
    name = "\(part)"
  }

  override var staysHighlightedOutside: Bool { true }
  override var dragAxes: Axes { part == .plane ? super.dragAxes : isEnabled ? .horizontal : [] }

  /// The area of the colours, inset so that a knob at an edge stays within the bounds.
  private var area: Rect {
    let side = Self.knobRadius + 1
    guard part != .plane else { return bounds.insetBy(dx: side, dy: side) }
    return Rect(
      x: side, y: ((bounds.height - Self.thickness) / 2).rounded(), width: max(bounds.width - 2 * side, 0),
      height: Self.thickness)
  }

  /// The position of the colour in the area: from the left and, in a plane, from the bottom, each 0...1.
  private var place: Point {
    switch part {
    case .plane: Point(x: value.saturation, y: value.brightness)
    case .hue: Point(x: value.hue / 360, y: 0.5)
    case .alpha: Point(x: value.alpha, y: 0.5)
    }
  }

  /// Chooses the colour at `place` on behalf of the user.
  private func choose(_ place: Point) {
    let new =
      switch part {
      case .plane: value.with(saturation: place.x, brightness: place.y)
      case .hue: value.with(hue: place.x * 360)
      case .alpha: value.with(alpha: place.x)
      }
    guard new != value else { return }
    value = new
    sendActions(for: .valueChanged)
  }

  // MARK: Accessibility

  override var accessibilityRole: AccessibilityRole { .slider }
  /// The horizontal position, with the colour as text. The vertical position in a plane is set by touch or keys only.
  override var accessibilityValue: AccessibilityValue? {
    AccessibilityValue(place.x, in: 0...1, step: 0.01, text: value.color.hexString)
  }

  override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    guard !isTracking else { throw AccessibilityRefusal(AccessibilityWords.current.isHeld) }
    choose(Point(x: number, y: place.y))
  }

  // MARK: Fingers and keys

  override var isBeingEdited: Bool { isTracking }

  override func beginTracking(_ touch: Touch) -> Bool { continueTracking(touch) }

  override func continueTracking(_ touch: Touch) -> Bool {
    let (area, point) = (area, touch.location(in: self))
    if !area.isEmpty {
      choose(Point(x: (point.x - area.minX) / area.width, y: (area.maxY - point.y) / area.height))
    }
    return true
  }

  override func handleKey(_ event: KeyEvent) -> Bool {
    guard takesKey(event) else { return false }
    // One degree of hue, or a hundredth; ten times as much with Shift.
    let step = (part == .hue ? 1.0 / 360 : 0.01) * (event.modifiers.contains(.shift) ? 10 : 1)
    // On a bar, up and down move like right and left.
    let up = part == .plane ? \Point.y : \Point.x
    var goal = place
    switch event.key {
    case .left: goal.x -= step
    case .right: goal.x += step
    case .down: goal[keyPath: up] -= step
    case .up: goal[keyPath: up] += step
    case .home: goal.x = 0
    case .end: goal.x = 1
    case .pageUp: goal[keyPath: up] += 0.1
    case .pageDown: goal[keyPath: up] -= 0.1
    default: return false
    }
    if event.phase == .down || event.phase == .repeated { choose(goal) }
    return true
  }

  override func stateDidChange(from old: State) {
    if state.contains(.disabled) != old.contains(.disabled), part == .plane { setNeedsStaticDisplay() }
    setNeedsDisplay()
  }

  // MARK: Drawing

  /// True for the plane: while the hue stays the same, only its knob changes.
  override var hasStaticDrawing: Bool { part == .plane }

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
    if part != .plane { drawBar(on: canvas) }
    guard isEnabled else { return }
    let shown = part == .hue ? HSBColor(hue: value.hue, saturation: 1, brightness: 1) : value.with(alpha: 1)
    let center = Point(x: area.minX + area.width * place.x, y: area.maxY - area.height * place.y)
    canvas.fill(Path(circleAt: center, radius: Self.knobRadius + 1), .black.withAlpha(0.35))
    canvas.fill(Path(circleAt: center, radius: Self.knobRadius), .white)
    canvas.fill(Path(circleAt: center, radius: Self.knobRadius - (isHighlighted ? 2 : 3)), shown.color)
  }

  private func drawBar(on canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let bar = area.insetBy(dx: -Self.thickness / 2, dy: 0)
    let shape = Path(roundedRect: bar, cornerRadius: Self.thickness / 2)
    let (start, end) = (Point(x: area.minX, y: 0), Point(x: area.maxX, y: 0))
    if part == .hue {
      let stops = (0...6).map { step in
        Gradient.Stop(
          Double(step) / 6, HSBColor(hue: Double(step) * 60, saturation: 1, brightness: 1).color)
      }
      canvas.fill(shape, .linear(from: start, to: end, stops: stops))
    } else {
      let color = value.with(alpha: 1).color
      Checkerboard.draw(canvas, bar, shape)
      canvas.fill(shape, .linear(from: start, to: end, color.withAlpha(0), color))
    }
    canvas.stroke(
      Path(roundedRect: bar.insetBy(dx: 0.5, dy: 0.5), cornerRadius: Self.thickness / 2 - 0.5), theme.hairline,
      width: 1)
  }
}
