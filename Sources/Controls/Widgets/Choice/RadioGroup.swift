/// One of a few names, all visible, each with a circle that is filled for the chosen one.
///
/// A tap on a name chooses it when the finger is lifted; arrows, Home and End choose at once. Only a changed choice by the user sends
/// `valueChanged`.
@ListsProperties
public final class RadioGroup: SelectionControl {
  /// Whether the names are below each other or beside each other.
  @Inspectable(.layout, group: "Choices") public var axis = Axis.vertical
  /// The colour of the chosen circle; nil for the theme's accent.
  @Inspectable(.display) public var tintColor: Color?

  private var pressedIndex: Int? { didSet { if pressedIndex != oldValue { setNeedsDisplay() } } }

  // MARK: Geometry

  private var font: Font { theme.font(.body) }

  private var sizes: [Size] {
    titles.map { MarkGeometry.size(name: FontLibrary.shared.layout($0, font: font).size) }
  }

  private var geometry: RadioGeometry {
    RadioGeometry(sizes: sizes, size: bounds.size, axis: axis, direction: effectiveLayoutDirection)
  }

  public override func sizeThatFits(_ size: Size) -> Size {
    let wanted = RadioGeometry.size(of: sizes, axis: axis)
    return Size(width: max(wanted.width, MarkGeometry.side), height: max(wanted.height, Self.minimumTouchSide))
  }

  // MARK: Fingers and keys

  /// A choice is tapped, not dragged.
  public override var dragAxes: Axes { [] }

  public override func beginTracking(_ touch: Touch) -> Bool { continueTracking(touch) }

  public override func continueTracking(_ touch: Touch) -> Bool {
    press(touch)
    return true
  }

  public override func endTracking(_ touch: Touch) {
    press(touch)
    let index = pressedIndex
    pressedIndex = nil
    if let index { choose(index) }
  }

  public override func cancelTracking(_ touch: Touch?) { pressedIndex = nil }

  private func press(_ touch: Touch) {
    let point = touch.location(in: self)
    pressedIndex = self.point(inside: point) ? geometry.index(at: point) : nil
  }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard takesKey(event) else { return false }
    switch event.key {
    case .left, .right, .up, .down, .home, .end: break
    default: return false
    }
    if event.phase == .down || event.phase == .repeated {
      let current = selectedTitle == nil ? nil : selectedIndex
      if let index = geometry.index(after: current, key: event.key) { choose(index) }
    }
    return true
  }

  public override var focusRingCornerRadius: Double? { 8 }

  // MARK: Drawing

  public override func draw(_ canvas: Canvas) {
    guard !bounds.isEmpty else { return }
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    for (index, (title, frame)) in zip(titles, geometry.frames).enumerated() {
      let parts = MarkGeometry(in: frame, direction: effectiveLayoutDirection)
      MarkPainter(theme: theme, color: tintColor, isPressed: index == pressedIndex)
        .drawCircle(in: parts.mark, isSet: index == selectedIndex, on: canvas)
      drawName(title, font, in: parts.name, on: canvas)
    }
  }
}
