import CockpitControls
import Controls
import Glibc
import UICore

/// The emergency stop of a vehicle: a white word on a dark disc, which latches with the first touch, and which only a touch or key
/// held for a second releases. It is not red on yellow: those are the colours of devices that stop without any software.
///
/// No layout file positions it and no inspector changes it. `DriveOutput` determines its effect on the vehicle and checks it
/// with every event.
final class EmergencyStop: Control {
  /// The time for which a touch or key must be held to release the stop.
  static let releaseTime = Duration.seconds(1)
  private static let releaseKey = "release"
  /// The least diameter, and the height of its band if there is no other space.
  static let (leastSide, band) = (48.0, 56.0)

  private(set) var isPressed = false {
    didSet {
      setNeedsDisplay()
      let words = Language.current
      root?.announce(isPressed ? words.stopPressed : words.stopReleased)
    }
  }
  /// True while the consumer says that an emergency stop is latched there which is not pressed here. A touch or key held for a second then
  /// releases it; a shorter one presses.
  var isLatchedElsewhere = false {
    didSet {
      // What the driver holds to release is gone: it was meant as a stop at least.
      if oldValue, !isLatchedElsewhere, isLifting { endRelease() }
    }
  }
  /// How often such a stop was released here.
  private(set) var liftCount = 0
  private var isLifting = false
  /// The elapsed fraction of a release, 0 to 1.
  @Redraws private(set) var progress = 0.0
  /// The key that pressed it or is releasing it.
  private var heldKey: Key?

  init() {
    super.init(frame: .zero)
    name = "stop"
  }

  /// Empty, so that neither a layout file nor the inspector can change it.
  override class var inspectables: [AnyProperty] { [] }

  override var inspection: Inspection { super.inspection.adding(["isPressed": .bool(isPressed)]) }

  // MARK: Pressing and releasing

  /// Stops the vehicle, until it is released.
  func press() {
    if !isPressed { isPressed = true }
  }

  /// Begins to release the stop, which happens after the touch or key was held for `releaseTime`.
  private func beginRelease() {
    // Not in the background: without frames the progress would not be visible.
    guard let root, !root.isInBackground else { return }
    let animation = Animation(duration: EmergencyStop.releaseTime, curve: .linear, removal: .reset)
    addAnimation(
      animation, forKey: EmergencyStop.releaseKey, apply: { [weak self] in self?.progress = $0 },
      completion: { [weak self] isOver in
        self?.progress = 0
        if isOver { self?.release() }
      })
  }

  private func release() {
    if isLifting {
      isLifting = false
      liftCount += 1
      root?.announce(Language.current.stopReleased)
    } else {
      isPressed = false
    }
  }

  private func endRelease() {
    removeAnimation(forKey: EmergencyStop.releaseKey)
    guard isLifting else { return }
    isLifting = false
    press()
  }

  private func pressOrRelease() {
    guard !isPressed else { return beginRelease() }
    // In the background no release can begin.
    guard isLatchedElsewhere, let root, !root.isInBackground else { return press() }
    isLifting = true
    beginRelease()
  }

  override func beginTracking(_ touch: Touch) -> Bool {
    pressOrRelease()
    return true
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    if !point(inside: touch.location(in: self)) { endRelease() }
    return true
  }

  override func endTracking(_ touch: Touch) { endRelease() }
  override func cancelTracking(_ touch: Touch?) { endRelease() }

  /// Handles the keys that stop wherever the focus is: Pause, Break, and Control with Space. Returns true for an event of one
  /// of them.
  func takeKey(_ event: KeyEvent) -> Bool {
    let isStop =
      event.key == .pause || event.key == .breakKey || (event.key == .space && event.modifiers.contains(.control))
    switch event.phase {
    case .down:
      guard isStop else { return false }
      heldKey = event.key
      pressOrRelease()
    case .repeated: return event.key == heldKey
    case .up, .cancelled:
      guard event.key == heldKey else { return false }
      heldKey = nil
      endRelease()
    }
    return true
  }

  /// Treats Enter like Pause while the stop has the focus.
  override func handleKey(_ event: KeyEvent) -> Bool {
    guard event.key == .enter, event.phase != .down || event.modifiers.isEmpty else { return false }
    var other = event
    other.key = .pause
    return takeKey(other)
  }

  // MARK: Assistive technology

  override var accessibilityRole: AccessibilityRole { .toggle }
  override var accessibilityTitle: String { Language.current.stop }
  override var accessibilityIsOn: Bool? { isPressed }
  /// Stopping is always allowed; only a hand may release.
  override var accessibilityActions: [AccessibilityAction] {
    guard !isPressed else { return [] }
    return [AccessibilityAction("press", title: AccessibilityWords.current.press) { [unowned self] in press() }]
  }

  // MARK: Look

  override var focusRingCornerRadius: Double? { bounds.height / 2 }

  /// True in the disc.
  override func point(inside point: Point) -> Bool {
    let (dx, dy) = (point.x - bounds.midX, point.y - bounds.midY)
    return (dx * dx + dy * dy).squareRoot() <= min(bounds.width, bounds.height) / 2
  }

  /// The same colours in every theme, so that it looks the same everywhere.
  private static let ground = Color(hex: 0x0a0d11)
  private static let lit = Color(hex: 0x2b333d)
  private static let light = Color(hex: 0xf4f7fa)

  override func draw(_ canvas: Canvas) {
    let (center, radius) = (bounds.center, min(bounds.width, bounds.height) / 2)
    guard radius > 4 else { return }
    let edge = max(radius * 0.07, 2)
    // Dark beyond the light edge too, so that the edge is seen on every ground.
    canvas.fill(Path(circleAt: center, radius: radius), EmergencyStop.ground)
    canvas.fill(Path(circleAt: center, radius: radius - 1), EmergencyStop.light)
    canvas.fill(Path(circleAt: center, radius: radius - 1 - edge), EmergencyStop.ground)
    // Pressed, the disc is light and the word dark.
    if isPressed {
      canvas.fill(Path(circleAt: center, radius: radius - 1 - 2 * edge), EmergencyStop.light)
    } else if isHighlighted {
      canvas.fill(Path(circleAt: center, radius: radius - 1 - edge), EmergencyStop.lit)
    }
    if progress > 0 {
      let width = max(radius * 0.1, 3)
      let ring = Arc(
        center: center, radius: radius - 1 - 2 * edge - width / 2, width: width, start: -.pi / 2, sweep: 2 * .pi)
      canvas.fill(ring.path(from: 0, to: progress), isPressed ? EmergencyStop.ground : EmergencyStop.light)
    }
    let letters = max((radius * 0.4).rounded(), 12)
    canvas.draw(
      Language.current.stopSign, at: center, font: Font(builtIn: letters, weight: .bold),
      isPressed ? EmergencyStop.ground : EmergencyStop.light, anchor: .center)
  }
}

extension Key {
  /// Pause, the key that stops.
  nonisolated static let pause = Key(rawValue: 0xff13)
  /// Break, which is Pause with Control.
  nonisolated static let breakKey = Key(rawValue: 0xff6b)
}
