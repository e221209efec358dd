import UICore

/// A button of the title bar, with a sign of lines.
final class DecorationButton: Control {
  /// What the button does.
  enum Action: String {
    case minimize, maximize, restore, close
  }

  /// What it does; another one is another sign.
  var action: Action {
    didSet { if action != oldValue { setNeedsDisplay() } }
  }
  /// The sign is quiet while the window is not the one that is used.
  var isQuiet = false {
    didSet { if isQuiet != oldValue { setNeedsDisplay() } }
  }

  init(_ action: Action) {
    self.action = action
    super.init(frame: .zero)
    name = "window \(action.rawValue)"
  }

  override var hasPrimaryAction: Bool { true }
  /// Keys are the content's.
  override var canBecomeFirstResponder: Bool { false }
  override var cursor: CursorShape { .arrow }
  override func hoverDidChange() { setNeedsDisplay() }
  override func themeDidChange() { setNeedsDisplay() }

  override func draw(_ canvas: Canvas) {
    let center = canvas.onWholePixels(Rect(x: bounds.midX - 5, y: bounds.midY - 5, width: 10, height: 10)).center
    let isDown = isHighlighted
    if isDown || isHovered {
      let strength = isDown ? 1.0 : 0.6
      let ground = action == .close ? theme.stop.withAlpha(strength) : theme.label.withAlpha(0.14 * strength)
      canvas.fill(Path(circleAt: center, radius: 16), ground)
    }
    let color =
      action == .close && (isDown || isHovered) ? Color.white : isQuiet ? theme.secondaryLabel : theme.label
    var sign = Path()
    let arm = 5.0
    switch action {
    case .minimize:
      sign.append(Path(from: Point(x: center.x - arm, y: center.y), to: Point(x: center.x + arm, y: center.y)))
    case .maximize:
      sign.append(Path(roundedRect: Rect(x: center.x - arm, y: center.y - arm, width: 10, height: 10), cornerRadius: 2))
    case .restore:
      sign.append(
        Path(roundedRect: Rect(x: center.x - arm, y: center.y - arm + 3, width: 7, height: 7), cornerRadius: 1.5))
      var behind = Path()
      behind.move(to: Point(x: center.x - arm + 3, y: center.y - arm))
      behind.line(to: Point(x: center.x + arm, y: center.y - arm))
      behind.line(to: Point(x: center.x + arm, y: center.y + arm - 3))
      sign.append(behind)
    case .close:
      sign.append(
        Path(from: Point(x: center.x - arm, y: center.y - arm), to: Point(x: center.x + arm, y: center.y + arm)))
      sign.append(
        Path(from: Point(x: center.x + arm, y: center.y - arm), to: Point(x: center.x - arm, y: center.y + arm)))
    }
    canvas.stroke(sign, color, StrokeStyle(width: 1.5, cap: .round, join: .round))
  }
}
