import Controls
import UICore

/// Arms a vehicle by a touch that is held for a time, and disarms it by a touch.
///
/// It only asks: `DriveOutput` measures the hold by its own clock, and decides. Neither layout file nor inspector changes it, keys and assistive
/// technology may disarm only.
final class ArmButton: Control {
  private static let holdKey = "hold"

  /// How long a touch must be held.
  let hold: Duration
  /// True while the vehicle is armed, as the line says.
  @Redraws var isArmed = false
  /// True while arming is possible: nothing drives, and the vehicle can be reached.
  @Redraws var isReady = true
  /// The touch that is held to arm, and since when; nil without one.
  private(set) var holding: (touch: Touch, since: MonotonicTime)?
  /// The elapsed part of the hold, 0 to 1.
  @Redraws private(set) var progress = 0.0
  /// Called when the vehicle shall be disarmed.
  var onDisarm: (() -> Void)?
  private var end: WakeUp?

  init(hold: Duration) {
    self.hold = hold
    super.init(frame: .zero)
    name = "arm"
  }

  /// Empty, so that neither a layout file nor the inspector can change it.
  override class var inspectables: [AnyProperty] { [] }

  override var inspection: Inspection { super.inspection.adding(["isArmed": .bool(isArmed)]) }

  override func sizeThatFits(_ size: Size) -> Size? {
    let widths = [Language.current.armed, Language.current.arm].map {
      FontLibrary.shared.layout($0, font: Self.font).size.width
    }
    return Size(width: (widths.max() ?? 0).rounded(.up) + 28, height: 44)
  }

  // MARK: Holding

  override func beginTracking(_ touch: Touch) -> Bool {
    guard let root else { return false }
    if isArmed {
      onDisarm?()
    } else if holding == nil, isReady, !root.isInBackground {
      holding = (touch, root.now)
      // What decides is woken when the time is over, whether or not a frame is drawn then.
      end = root.wake(at: root.now + hold) {}
      let animation = Animation(duration: hold, curve: .linear, removal: .reset)
      addAnimation(animation, forKey: Self.holdKey, apply: { [weak self] in self?.progress = $0 }, completion: { _ in })
    }
    return true
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    if holding?.touch === touch, !point(inside: touch.location(in: self)) { endHold() }
    return true
  }

  override func endTracking(_ touch: Touch) { if holding?.touch === touch { endHold() } }
  override func cancelTracking(_ touch: Touch?) { endHold() }

  /// Forgets what is held: it was long enough, or counts no longer. The touch must come anew to be held again.
  func endHold() {
    guard holding != nil else { return }
    holding = nil
    end?.cancel()
    end = nil
    removeAnimation(forKey: Self.holdKey)
    progress = 0
  }

  override func handleKey(_ event: KeyEvent) -> Bool {
    guard takesKey(event), event.key == .enter || event.key == .space, isArmed else { return false }
    if event.phase == .down { onDisarm?() }
    return true
  }

  // MARK: Assistive technology

  override var accessibilityRole: AccessibilityRole { .toggle }
  override var accessibilityTitle: String { Language.current.arm }
  override var accessibilityIsOn: Bool? { isArmed }
  /// Disarming is always allowed; only a hand may arm.
  override var accessibilityActions: [AccessibilityAction] {
    guard isArmed else { return [] }
    return [AccessibilityAction("disarm", title: Language.current.disarm) { [unowned self] in onDisarm?() }]
  }

  // MARK: Look

  private static let font = Font(builtIn: 15, weight: .bold)
  override var focusRingCornerRadius: Double? { 10 }

  override func draw(_ canvas: Canvas) {
    let palette = palette
    let shape = Path(roundedRect: bounds.insetBy(dx: 1, dy: 1), cornerRadius: 10)
    let ground = isArmed ? palette.amber : palette.panel
    canvas.fill(shape, ground)
    canvas.stroke(shape, isArmed ? palette.amber : isReady ? palette.text : palette.hairline, width: 2)
    if progress > 0 {
      let room = bounds.insetBy(dx: 6, dy: 0)
      canvas.fill(
        Path(
          roundedRect: Rect(x: room.minX, y: bounds.maxY - 10, width: room.width * progress, height: 4), cornerRadius: 2
        ),
        palette.amber)
    }
    let ink = isArmed ? palette.panel : isReady ? palette.text : palette.quietText
    let word = isArmed ? Language.current.armed : Language.current.arm
    canvas.draw(word, at: bounds.center, font: Self.font, ink, anchor: .center)
  }
}
