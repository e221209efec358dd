struct SliderPainter {
  /// The points by which a thumb is smaller than its square, on each side.
  static let thumbInset = 2.0

  let theme: Theme
  var isEnabled = true
  var curvaceousness = 1.0

  /// Draws a track: filled, its ends round, or `image` stretched over it.
  func drawTrack(_ track: Rect, _ color: Color, _ image: Picture? = nil, on canvas: Canvas) {
    let track = canvas.onWholePixels(track)
    if let image { return draw(image, in: track, isPressed: false, on: canvas) }
    canvas.fill(Path(roundedRect: track, cornerRadius: radius(track)), shown(color))
  }

  /// A fine line along the edge of a track, inside of it.
  func drawEdge(of track: Rect, opacity: Double, on canvas: Canvas) {
    let track = canvas.onWholePixels(track)
    let width = max(0.5, 1 / canvas.scale.factor)
    let middle = track.insetBy(dx: width / 2, dy: width / 2)
    let color = shown(theme.thumbOutline)
    canvas.stroke(
      Path(roundedRect: middle, cornerRadius: radius(middle)), color.withAlpha(color.alpha * opacity * 0.6),
      width: width)
  }

  /// Draws the lit part of a track, with straight ends except where the track's own are round, so that nothing lies outside. If
  /// there is an `image`, draws the same part of it instead; it is as large as the track.
  func drawPart(
    _ part: Rect, of track: Rect, _ color: Color, _ image: Picture? = nil, isPressed: Bool, on canvas: Canvas
  ) {
    let (part, track) = (canvas.onWholePixels(part), canvas.onWholePixels(track))
    guard !part.isEmpty else { return }
    canvas.saved {
      if let image {
        canvas.clip(to: part)
        return draw(image, in: track, isPressed: isPressed, on: canvas)
      }
      let radius = radius(track)
      let straight =
        track.width > track.height ? track.insetBy(dx: radius, dy: 0) : track.insetBy(dx: 0, dy: radius)
      let isInside =
        part.minX >= straight.minX && part.maxX <= straight.maxX && part.minY >= straight.minY
        && part.maxY <= straight.maxY
      if !isInside { canvas.clip(to: Path(roundedRect: track, cornerRadius: radius)) }
      canvas.fill(part, shown(color))
      if isPressed { canvas.fill(part, theme.pressed) }
    }
  }

  func draw(_ image: Picture, in rect: Rect, isPressed: Bool, on canvas: Canvas) {
    canvas.saved {
      if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
      canvas.draw(image, in: rect)
      if isPressed { canvas.draw(image, in: rect, tint: theme.pressed) }
    }
  }

  /// Draws a thumb in its square: filled, with a shadow below, an outline, and a lit rim while it is pressed.
  func drawThumb(in square: Rect, _ color: Color, isPressed: Bool, on canvas: Canvas) {
    let body = square.insetBy(dx: Self.thumbInset, dy: Self.thumbInset)
    guard !body.isEmpty else { return }
    if isEnabled {
      // One point of blur: two layers, one of them wider.
      for growth in [0.4, 1.0] {
        let shade = body.insetBy(dx: -growth + 0.2, dy: -growth + 0.2).offsetBy(dx: 0, dy: 1)
        let color = theme.shadow.withAlpha(theme.shadow.alpha / 2)
        canvas.fill(Path(roundedRect: shade, cornerRadius: radius(body) + growth), color)
      }
    }
    let outline = Path(roundedRect: body, cornerRadius: radius(body))
    canvas.fill(outline, isEnabled ? color : color.mixed(with: theme.track, 1 - theme.disabledAlpha))
    let line = isEnabled ? theme.thumbOutline : theme.thumbOutline.mixed(with: theme.track, 1 - theme.disabledAlpha)
    let width = max(0.5, 1 / canvas.scale.factor)
    let middle = body.insetBy(dx: width / 2, dy: width / 2)
    canvas.stroke(Path(roundedRect: middle, cornerRadius: radius(middle)), line, width: width)
    guard isPressed else { return }
    canvas.fill(outline, theme.pressed)
    let rim = body.insetBy(dx: 1, dy: 1)
    if !rim.isEmpty { canvas.stroke(Path(roundedRect: rim, cornerRadius: radius(rim)), theme.trackHighlight, width: 2) }
  }

  private func radius(_ rect: Rect) -> Double { min(rect.width, rect.height) * curvaceousness / 2 }

  private func shown(_ color: Color) -> Color {
    isEnabled ? color : color.withAlpha(color.alpha * theme.disabledAlpha)
  }
}

/// A thumb in front of its slider's track. When it moves, its old and new frames are repainted from its cached drawing.
///
/// It takes no touches: the slider knows which thumb a finger means. A thumb of a range takes the keyboard focus, and is an
/// accessibility element.
final class SliderThumb: View {
  struct Look: Equatable {
    var color: Color?
    var curvaceousness = 1.0
    var isHighlighted = false
    var isEnabled = true
    var image = ImageSource()
    var pressedImage = ImageSource()
  }

  let end: RangeSlider.Thumb
  @Redraws var look = Look()

  init(_ end: RangeSlider.Thumb, name: String) {
    self.end = end
    super.init(frame: .zero)
    self.name = name
  }

  /// The thumb's value for inspection.
  var value = 0.0
  private var range: RangeSlider? { superview as? RangeSlider }

  /// Moves the thumb to `square`, in its slider's coordinates, or the nearest position that begins on a whole pixel.
  func place(_ square: Rect) {
    let factor = root?.scale.factor ?? 1
    let origin = superview?.windowOrigin ?? .zero
    func snapped(_ value: Double, _ origin: Double) -> Double {
      ((value + origin) * factor).rounded() / factor - origin
    }
    frame = Rect(
      x: snapped(square.minX, origin.x), y: snapped(square.minY, origin.y), width: square.width, height: square.height)
  }

  override func point(inside point: Point) -> Bool { false }

  override var canBecomeFirstResponder: Bool { range != nil && look.isEnabled }

  override var accessibilityRole: AccessibilityRole { range == nil ? .none : .slider }
  override var accessibilityTitle: String { range?.title(of: end) ?? name }
  override var accessibilityValue: AccessibilityValue? {
    range.map { AccessibilityValue($0.values[end], in: $0.minimumValue...$0.maximumValue) }
  }
  override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    // Assistive technology may hold a thumb for longer than its slider lives.
    guard let range else { throw AccessibilityRefusal(AccessibilityWords.current.isImpossible) }
    try range.setByAssistance(end, number)
  }

  override var focusRingCornerRadius: Double? { bounds.height * look.curvaceousness / 2 }

  override func handleKey(_ event: KeyEvent) -> Bool { range?.handleKey(event, on: end) ?? false }

  override func draw(_ canvas: Canvas) {
    let painter = SliderPainter(theme: theme, isEnabled: look.isEnabled, curvaceousness: look.curvaceousness)
    let pressed = look.isHighlighted ? look.pressedImage.picture : nil
    if let image = pressed ?? look.image.picture {
      let place = ContentMode.aspectFit.rect(for: image.size, in: bounds)
      painter.draw(image, in: place, isPressed: look.isHighlighted && pressed == nil, on: canvas)
    } else {
      painter.drawThumb(in: bounds, look.color ?? theme.thumb, isPressed: look.isHighlighted, on: canvas)
    }
  }

  override var inspection: Inspection {
    var states = [String]()
    if look.isHighlighted { states.append("highlighted") }
    if !look.isEnabled { states.append("disabled") }
    if isFirstResponder { states.append("focused") }
    return Inspection(state: states.isEmpty ? ["normal"] : states, values: ["value": .number(value)])
  }
}

/// A part of a slider that can be replaced by an image.
nonisolated public enum SliderImagePart: String, CaseIterable, Hashable, Sendable {
  /// The whole track, stretched over it.
  case track
  /// The lit track: as large as the track, and visible between the thumbs.
  case trackHighlight
  /// The lit track while a finger holds the bar.
  case trackHighlightPressed
  /// A thumb, as large as it can be in its square.
  case thumb
  /// The thumb while a finger holds it.
  case thumbPressed
}

/// The images of one slider: `images[.thumb].file`, or `.picture` for one made by code. Parts without an image are drawn.
public struct SliderImages {
  private var sources: [SliderImagePart: ImageSource] = [:]

  /// The image of `part`, with its file.
  public subscript(part: SliderImagePart) -> ImageSource {
    get { sources[part] ?? ImageSource() }
    set { sources[part] = newValue }
  }
}
