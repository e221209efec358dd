import Controls
import Gamepad
import UICore

/// What gamepads send, for those who look at it.
protocol GamepadWatching: AnyObject {
  /// Called when a gamepad sends something, comes or goes; nil while nobody looks, and then looking costs nothing.
  var onReadings: (() -> Void)? { get set }
  /// What they send, in the order in which they came; empty while nobody looks.
  var readings: [GamepadReading] { get }
}

/// A page of the inspector: every axis and button of each gamepad by the kernel's names, where it is, and what the cockpit makes of it.
///
/// It is updated at most ten times a second, and watches only while it is in a tree.
final class GamepadTable: View {
  private static let interval = Duration.milliseconds(100)
  private static let (margin, headingHeight, axisHeight, buttonHeight, footHeight) = (16.0, 60.0, 52.0, 28.0, 12.0)

  private weak var source: (any GamepadWatching)?
  private var lastLook: MonotonicTime?
  private var nextLook: WakeUp?
  private(set) var readings: [GamepadReading] = [] {
    didSet {
      guard readings != oldValue else { return }
      if height(of: readings) != height(of: oldValue) { setNeedsLayout() }
      setNeedsDisplay()
    }
  }

  init() {
    super.init(frame: .zero)
    name = "gamepads"
    isUserInteractionEnabled = false
  }

  /// Shows what the gamepads of `source` send.
  func follow(_ source: (any GamepadWatching)?) {
    stop()
    self.source = source
    begin()
  }

  override func didMoveToRoot() { if root == nil { stop() } else { begin() } }

  private func begin() {
    guard root != nil, let source else { return }
    source.onReadings = { [weak self] in self?.somethingHappened() }
    look()
  }

  private func stop() {
    nextLook?.cancel()
    (nextLook, lastLook) = (nil, nil)
    source?.onReadings = nil
    readings = []
  }

  private func somethingHappened() {
    guard let root, nextLook?.isWaiting != true else { return }
    guard let lastLook, root.now - lastLook < Self.interval else { return look() }
    nextLook = root.wake(at: lastLook + Self.interval) { [weak self] in self?.look() }
  }

  private func look() {
    nextLook?.cancel()
    (nextLook, lastLook) = (nil, root?.now)
    readings = source?.readings ?? []
  }

  // MARK: Layout

  private func height(of readings: [GamepadReading]) -> Double {
    readings.reduce(8) { sum, pad in
      sum + Self.headingHeight + Double(pad.axes.count) * Self.axisHeight
        + Double(pad.buttons.count) * Self.buttonHeight + Self.footHeight
    }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: max(height(of: readings), 120))
  }

  override var accessibilityRole: AccessibilityRole { .label }
  override var accessibilityTitle: String { readings.map(\.name).joined(separator: ", ") }

  // MARK: Drawing

  override func draw(_ canvas: Canvas) {
    guard !readings.isEmpty else {
      let limits = TextLimits(
        width: max(bounds.width - 2 * Self.margin, 0), alignment: .center, direction: effectiveLayoutDirection)
      let text = TextLayout("No gamepad is connected.", font: theme.font(.caption), limits: limits)
      return canvas.draw(text, at: Point(x: bounds.midX, y: 56), theme.secondaryLabel, anchor: .center)
    }
    var y = 8.0
    func row(_ height: Double) -> Rect {
      defer { y += height }
      return Rect(x: Self.margin, y: y, width: max(bounds.width - 2 * Self.margin, 1), height: height)
    }
    for pad in readings {
      drawHeading(pad, row(Self.headingHeight), canvas)
      for axis in pad.axes { draw(axis, row(Self.axisHeight), canvas) }
      for button in pad.buttons { draw(button, row(Self.buttonHeight), canvas) }
      y += Self.footHeight
    }
  }

  private func drawHeading(_ pad: GamepadReading, _ place: Rect, _ canvas: Canvas) {
    let name = line(pad.name, theme.font(.caption, weight: .semibold), width: place.width)
    draw(name, leading: place.minX, y: place.minY + 8, theme.accent, on: canvas)
    let text = line(GamepadTable.summary(of: pad), theme.font(.caption), width: place.width)
    draw(text, leading: place.minX, y: place.minY + 14 + name.size.height, theme.label, on: canvas)
  }

  /// What a gamepad asks for, in words.
  static func summary(of pad: GamepadReading) -> String {
    let state = pad.state
    if !pad.knowsRests { return "\(pad.kind.title): let both pedals go once" }
    guard state.isHeld || state.handbrake > 0 else { return "\(pad.kind.title): asks for nothing" }
    let parts = [
      ("steering", state.steering), ("throttle", state.throttle), ("brake", state.brake),
      ("handbrake", state.handbrake),
    ]
    let texts = parts.filter { $0.1 != 0 }.map { "\($0.0) \(Int(($0.1 * 100).rounded())) %" }
    return "\(pad.kind.title): " + (texts.isEmpty ? "held" : texts.joined(separator: ", "))
  }

  /// An axis: its name, what it commands and its number, and below them its way with the dead zone, the learnt rest and the value.
  private func draw(_ axis: GamepadReading.Axis, _ place: Rect, _ canvas: Canvas) {
    let hasRole = axis.role != nil
    drawTexts(
      axis.name, GamepadTable.words(axis.role, isBlocked: axis.isBlocked), "\(axis.value)",
      Rect(x: place.minX, y: place.minY, width: place.width, height: 28), isDim: !hasRole, canvas)
    let track = Rect(x: place.minX, y: place.minY + 32, width: place.width, height: 8)
    canvas.fill(Path(roundedRect: track, cornerRadius: 4), theme.track)
    let span = Double(axis.maximum) - Double(axis.minimum)
    guard span != 0 else { return }
    func x(_ value: Double) -> Double {
      track.minX + ((value - Double(axis.minimum)) / span).clamped(to: 0...1) * track.width
    }
    func band(_ range: ClosedRange<Double>?, _ color: Color, inset: Double) {
      guard let range else { return }
      let ends = [x(range.lowerBound), x(range.upperBound)].sorted()
      let area = Rect(
        x: ends[0], y: track.minY + inset, width: max(ends[1] - ends[0], 1), height: track.height - 2 * inset)
      canvas.saved {
        canvas.clip(to: Path(roundedRect: track, cornerRadius: 4))
        canvas.fill(mirrored(area), color)
      }
    }
    band(axis.deadZone, theme.secondaryLabel.withAlpha(0.45), inset: 0)
    band(axis.rest, theme.attention, inset: 2.5)
    let isActive = hasRole && !axis.isBlocked && axis.deadZone.map { !$0.contains(Double(axis.value)) } == true
    let mark = Rect(x: x(Double(axis.value)) - 2, y: track.minY - 4, width: 4, height: track.height + 8)
    canvas.fill(Path(roundedRect: mirrored(mark), cornerRadius: 2), isActive ? theme.accent : theme.label)
  }

  private func draw(_ button: GamepadReading.Button, _ place: Rect, _ canvas: Canvas) {
    drawTexts(
      button.name, GamepadTable.words(button.role, isBlocked: button.isBlocked), button.isDown ? "down" : "up", place,
      isDim: button.role == nil, isLit: button.isDown, canvas)
  }

  private func drawTexts(
    _ name: String, _ words: String, _ value: String, _ place: Rect, isDim: Bool, isLit: Bool = false, _ canvas: Canvas
  ) {
    func draw(_ text: TextLayout, at x: Double, _ color: Color) {
      self.draw(text, leading: x, y: place.minY + (place.height - text.size.height) / 2, color, on: canvas)
    }
    let font = theme.font(.caption)
    let value = line(value, theme.font(.caption, weight: isLit ? .semibold : .regular), width: place.width * 0.3)
    let name = line(name, font, width: place.width * 0.42)
    let words = line(words, font, width: place.width - name.size.width - value.size.width - 24)
    draw(name, at: place.minX, isDim ? theme.secondaryLabel : theme.label)
    draw(words, at: place.minX + name.size.width + 12, theme.secondaryLabel)
    draw(value, at: place.maxX - value.size.width, isLit ? theme.accent : isDim ? theme.secondaryLabel : theme.label)
  }

  /// What a control commands, in words; empty for nothing.
  static func words(_ role: GamepadReading.Role?, isBlocked: Bool) -> String {
    guard let role else { return "" }
    return (role.title) + (isBlocked ? ", let go first" : "")
  }
}

nonisolated extension GamepadReading.Role {
  var title: String {
    switch self {
    case .steering: "steering"
    case .throttle: "throttle"
    case .brake: "brake"
    case .clutch: "clutch"
    case .handbrake: "handbrake"
    case .channel: "channel"
    case .button(let buttons):
      switch buttons {
      case .grip: "dead-man"
      case .stop: "STOP"
      case .horn: "horn"
      case .shiftUp: "shift up"
      case .shiftDown: "shift down"
      default: ""
      }
    }
  }
}

nonisolated extension GamepadLayout.Kind {
  fileprivate var title: String {
    switch self {
    case .pad: "Pad"
    case .numberedPad: "Pad with numbers"
    case .wheel: "Wheel"
    case .handbrake: "Handbrake"
    }
  }
}
