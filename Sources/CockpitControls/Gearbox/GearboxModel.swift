import UICore

/// A lever in a gate: its gear, and how touches, steps and code change it.
///
/// Every function that may change the gear returns true if and only if it did.
///
/// **The rule of R.** The lever never goes from a forward gear to R in one step, whatever the finger does:
///
/// 1. A touch that begins on R engages it only if the lever rests in R or N. If a touch or a step brought the lever to N, it
///    must have been there for at least `reverseDwell`. From a forward gear, the touch puts the lever in N: it brakes.
/// 2. A drag from a forward gear engages R only after the finger was *seen* in N's band and stayed there for `reverseDwell`
///    before the event that shows it in R's band. Motion between two events is not guessed. A drag whose events jump over N, or
///    cross it faster, puts the lever in N, where it stays even if the finger then rests on R. To engage R, the finger must
///    return to N's band, stay, and go down again, or be lifted and touch R again.
/// 3. Steps follow the first rule, and a key's automatic repeats stop at N.
nonisolated public struct GearboxModel: Sendable {
  /// The gate that the lever moves in. If it changes under a finger, the lever stays in its gear and the finger takes hold of
  /// it again where it is, without a jump.
  public var geometry: GearboxGeometry {
    didSet {
      guard geometry != oldValue else { return }
      let clamped = gear.clamped(toGears: geometry.gearCount)
      if clamped != gear { (gear, origin) = (clamped, .code) }
      grip?.offset = nil
      if geometry.gearCount != oldValue.gearCount { place = nil }
    }
  }
  /// The effect of lifting the finger; like the article's lever, it latches by default.
  public var releasePolicy = ReleasePolicy.latch
  /// The effect of losing the finger (cancel, focus lost, window hidden): neutral by default, because no hand drives.
  public var cancelPolicy = ReleasePolicy.neutral
  /// Whether `throttle` follows the position between the forward gears that a finger moved the lever to; gears stay discrete.
  public var followsFinger = false
  /// The time that the lever must have been in N before R opens; negative counts as 0.
  public var reverseDwell = Duration.milliseconds(120)

  /// The gear; N from every initialiser.
  public private(set) var gear = Gear.neutral
  /// Who put the lever where it is.
  public private(set) var origin = ValueOrigin.rest
  /// The lever's position in article points, as a finger moved it or left it; nil in R and N, and if a step or code put the
  /// lever in its gear.
  private var place: Double?
  private var grip: Grip?
  /// The pedal that a gamepad presses, 0 to 1, which scales the gear's throttle; nil if none has the lever.
  private var pedal: (value: Double, isHeld: Bool, origin: ValueOrigin)?
  /// When the lever came to N by hand; nil if code put it there, or it never left.
  private var neutralSince: MonotonicTime?

  private struct Grip: Sendable {
    /// The offset from the finger to the lever in article points, kept for the whole drag; nil until the next event shows it.
    var offset: Double?
    /// False once code or a step has taken the lever from the finger; the rest of the touch then moves nothing.
    var holds = true
    /// Whether R may be engaged at once: the lever was in R or rested in N when the touch began, or R opened during the touch,
    /// and the lever has been in no forward gear since.
    var opensReverse: Bool
    /// The time since which the finger has been in N's band without a break.
    var inNeutralSince: MonotonicTime?
    /// Who moves the finger.
    var origin: ValueOrigin
  }

  /// A lever in neutral.
  public init(geometry: GearboxGeometry = GearboxGeometry(size: GearboxGeometry.articleSize)) {
    self.geometry = geometry
  }

  /// The throttle that the lever commands: -1 (reverse) through 0 (neutral) to 1 (the highest gear).
  public var throttle: Double {
    if let pedal { return gear.throttle(ofGears: geometry.gearCount) * pedal.value }
    guard followsFinger, gear.isForward, let place else {
      return gear.throttle(ofGears: geometry.gearCount)
    }
    let neutral = geometry.articleY(ofRow: geometry.gearCount - 1) + 20
    return ((neutral - place) / 20 / Double(geometry.gearCount)).clamped(to: 0...1)
  }

  /// The row that the knob is in.
  public var row: Int { geometry.row(of: gear) }

  /// True from a touch's beginning to its end, even after the finger lost its grip.
  public var isHeld: Bool { grip != nil }

  /// True while a gamepad has the lever, from `press` to `letGo` or `loseGrip`. Fingers and keys then move nothing.
  public var isPressed: Bool { pedal?.isHeld ?? false }

  /// True while the lever follows a finger that holds it, until a step or code takes it from the finger.
  public var obeysTouch: Bool { grip?.holds ?? false }

  // MARK: Touch

  /// A finger touches the gate at `y` (logical points). At the knob's height, across the whole width, it takes hold of the
  /// lever without moving it. Anywhere else the lever jumps to the touched gear, but to R only by the rule of R.
  ///
  /// A `y` that is not finite is ignored. `origin` is whose finger it is.
  @discardableResult
  public mutating func grab(y: Double, at time: MonotonicTime, by origin: ValueOrigin = .input(nil)) -> Bool {
    guard y.isFinite, geometry.unit.height > 0, !isPressed else { return false }
    pedal = nil
    grip = Grip(opensReverse: gear == .reverse || isRested(at: time), origin: origin)
    let knob = geometry.knob(inRow: row)
    if y >= knob.minY, y < knob.maxY {
      let offset = restingPlace - geometry.articleY(y)
      grip?.offset = offset
      if gear == .neutral { grip?.inNeutralSince = time }
      return false
    }
    grip?.offset = 0
    return move(to: geometry.articleY(y), at: time)
  }

  /// The finger moved to `y` (logical points). Outside the gate the lever waits at the gate's end, where a returning finger
  /// picks it up again. A `y` that is not finite changes nothing.
  @discardableResult
  public mutating func drag(y: Double, at time: MonotonicTime) -> Bool {
    guard y.isFinite, geometry.unit.height > 0, let grip, grip.holds else { return false }
    let finger = geometry.articleY(y)
    guard let offset = grip.offset else {
      let offset = restingPlace - finger
      self.grip?.offset = offset
      return false
    }
    return move(to: finger + offset, at: time)
  }

  /// The finger was lifted: applies the release policy. A lever that latches keeps its throttle.
  @discardableResult
  public mutating func release(at time: MonotonicTime) -> Bool {
    defer { grip = nil }
    guard let grip, grip.holds, releasePolicy == .neutral else { return false }
    return put(.neutral, at: time, by: grip.origin)
  }

  /// The finger was cancelled: applies the cancel policy, even if the finger had lost its grip.
  @discardableResult
  public mutating func cancel(at time: MonotonicTime) -> Bool {
    defer { grip = nil }
    guard let grip, cancelPolicy == .neutral else { return false }
    return put(.neutral, at: time, by: grip.origin)
  }

  // MARK: Pedals

  /// A gamepad takes the lever, or goes on: its throttle is that of the gear times `value`, 0 to 1. NaN counts as 0. `origin` is whose hand or
  /// foot it is. Returns true if the throttle changed; while a finger holds the lever nothing does.
  @discardableResult
  public mutating func press(_ value: Double, by origin: ValueOrigin) -> Bool {
    guard grip == nil else { return false }
    let old = throttle
    pedal = (value > 0 ? min(value, 1) : 0, true, origin)
    if gear != .neutral, throttle != old { self.origin = origin }
    return throttle != old
  }

  /// The gamepad lets the lever go: applies the release policy. A lever that latches keeps its gear without throttle, until another hand takes it.
  @discardableResult
  public mutating func letGo(at time: MonotonicTime) -> Bool { endPress(releasePolicy, at: time) }

  /// The gamepad is gone, or counts no longer: applies the cancel policy.
  @discardableResult
  public mutating func loseGrip(at time: MonotonicTime) -> Bool { endPress(cancelPolicy, at: time) }

  private mutating func endPress(_ policy: ReleasePolicy, at time: MonotonicTime) -> Bool {
    guard let pedal, pedal.isHeld else { return false }
    let old = throttle
    if policy == .neutral {
      self.pedal = nil
      return put(.neutral, at: time, by: pedal.origin)
    }
    self.pedal = (0, false, pedal.origin)
    return throttle != old
  }

  // MARK: Steps and code

  /// One step towards the highest gear: R, N, 1, 2 and so on, which `origin` makes. A finger on the lever loses its grip.
  @discardableResult
  public mutating func shiftUp(at time: MonotonicTime, by origin: ValueOrigin = .code) -> Bool {
    takeStep()
    return put(geometry.gear(atRow: max(row - 1, 0)), at: time, by: origin)
  }

  /// One step towards R. By the rule of R, a key's automatic repeat does not engage it, and the lever must have rested in N. A
  /// finger on the lever loses its grip.
  @discardableResult
  public mutating func shiftDown(
    at time: MonotonicTime, isRepeat: Bool = false, by origin: ValueOrigin = .code
  ) -> Bool {
    takeStep()
    if gear == .neutral, isRepeat || !isRested(at: time) { return false }
    return put(geometry.gear(atRow: row + 1), at: time, by: origin)
  }

  /// A step takes the lever from a finger, and from a gamepad that let it go.
  private mutating func takeStep() {
    grip?.holds = false
    if !isPressed { pedal = nil }
  }

  /// Neutral at once, from any gear. A finger on the lever loses its grip.
  @discardableResult
  public mutating func brake(at time: MonotonicTime) -> Bool {
    grip?.holds = false
    return put(.neutral, at: time, by: .code)
  }

  /// What became of a request by `ask`.
  public enum Answer: Hashable, Sendable {
    /// The gear was changed to the requested one.
    case changed
    /// The lever was in that gear.
    case same
    /// A finger holds the lever.
    case held
    /// The lever has not rested in N, so R stays shut.
    case reverseShut
  }

  /// A user requests a gear without touch, by assistive technology. N is engaged at once, as by `brake`. Any other gear is
  /// refused while a finger holds the lever, and R opens only as for a touch.
  public mutating func ask(for newGear: Gear, at time: MonotonicTime) -> Answer {
    let asked = newGear.clamped(toGears: geometry.gearCount)
    if asked == .neutral { return brake(at: time) ? .changed : .same }
    guard !isHeld, !isPressed else { return .held }
    pedal = nil
    guard asked != gear else { return .same }
    if asked == .reverse, !isRested(at: time) { return .reverseShut }
    return put(asked, at: time, by: .code) ? .changed : .same
  }

  /// Code chooses a gear, clamped to those that exist; the rule of R does not apply. If the gear changes, a finger on the lever
  /// loses its grip, so that its next tremble does not undo what code decided.
  @discardableResult
  public mutating func set(_ newGear: Gear) -> Bool {
    let clamped = newGear.clamped(toGears: geometry.gearCount)
    guard clamped != gear else { return false }
    takeStep()
    place = nil
    (gear, origin) = (clamped, .code)
    neutralSince = nil
    return true
  }

  // MARK: The rule of R

  /// Whether the lever is in N and has been there long enough to open R.
  private func isRested(at time: MonotonicTime) -> Bool {
    guard gear == .neutral else { return false }
    guard let neutralSince else { return true }
    return time - neutralSince >= max(reverseDwell, .zero)
  }

  /// The position, in article points, at which a finger takes hold of the lever without moving it.
  private var restingPlace: Double { max(place ?? geometry.articleY(ofRow: row), geometry.articleY(ofRow: 0)) }

  /// The finger moves the lever to `place` (article points).
  private mutating func move(to place: Double, at time: MonotonicTime) -> Bool {
    let asked = geometry.gear(atRow: geometry.row(atArticleY: place))
    switch asked {
    case .forward:
      grip?.opensReverse = false
      grip?.inNeutralSince = nil
      return put(asked, at: time, by: grip?.origin ?? .code, place: place)
    case .neutral:
      if grip?.inNeutralSince == nil { grip?.inNeutralSince = time }
      return put(asked, at: time, by: grip?.origin ?? .code)
    case .reverse:
      let stayed = grip?.inNeutralSince.map { time - $0 >= max(reverseDwell, .zero) } ?? false
      let opens = gear == .reverse || (gear == .neutral && (stayed || grip?.opensReverse == true))
      grip?.inNeutralSince = nil
      if opens { grip?.opensReverse = true }
      return put(opens ? .reverse : .neutral, at: time, by: grip?.origin ?? .code)
    }
  }

  private mutating func put(
    _ newGear: Gear, at time: MonotonicTime, by newOrigin: ValueOrigin, place newPlace: Double? = nil
  ) -> Bool {
    if newGear != gear || newPlace != place { origin = newOrigin }
    place = newPlace
    guard newGear != gear else { return false }
    gear = newGear
    neutralSince = newGear == .neutral ? time : nil
    return true
  }
}

/// The behaviour of a lever once no finger holds it any more.
nonisolated public enum ReleasePolicy: String, CaseIterable, Hashable, Sendable, InspectableValue {
  /// It stays where it was left.
  case latch
  /// It returns to neutral, like a dead-man's switch.
  case neutral
}
