/// A lever in a gate: which gear it is in, and what touches, steps and code make of it.
///
/// Every function that may change the gear returns true when it did, and only then (G-D1, G-D2).
///
/// **The rule of R** (G-D6). The lever never goes from a forward gear to R in one step, whatever the finger does:
///
/// 1. A touch that begins on R engages it only when the lever rests in R or N: N for at least `reverseDwell` if a touch or
///    a step brought it there. From a forward gear, the touch puts the lever in N: it brakes.
/// 2. A drag from a forward gear engages R only after the finger was *seen* in N's band and stayed there for
///    `reverseDwell` before the event that shows it in R's band. Motion between two events is not guessed: a drag whose
///    events jump over N, or cross it faster, puts the lever in N, and there it stays, also when the finger then rests on
///    R, until the finger comes back to N's band, stays, and goes down again, or is lifted and touches R anew.
/// 3. Steps follow the first rule, and a key's automatic repeats stop at N.
nonisolated public struct GearboxModel: Sendable {
  /// The gate that the lever moves in. When it changes under a finger, the lever stays in its gear and the finger takes
  /// it again where it is, without a jump.
  public var geometry: GearboxGeometry {
    didSet {
      guard geometry != oldValue else { return }
      gear = gear.clamped(toGears: geometry.gearCount)
      grip?.offset = nil
      grip?.place = nil
    }
  }
  /// What lifting the finger does: the article's lever latches (G28).
  public var releasePolicy = ReleasePolicy.latch
  /// What losing the finger does (cancel, focus lost, window hidden): neutral, because nobody drives (G-D7).
  public var cancelPolicy = ReleasePolicy.neutral
  /// True when `throttle` is the finger's place between the forward gears, as long as it has the lever; gears stay as they are.
  public var followsFinger = false
  /// How long the lever must have been in N before R opens (G-D6); negative counts as 0.
  public var reverseDwell = Duration.milliseconds(120)

  /// The gear: N from every initialiser (G-D9).
  public private(set) var gear = Gear.neutral
  /// The finger on the lever.
  private var grip: Grip?
  /// When the lever came to N by hand; nil if code put it there, or it never left.
  private var neutralSince: MonotonicTime?

  /// The hold of a finger on the lever.
  private struct Grip: Sendable {
    /// From the finger to the lever in article points, kept for the whole drag (G-D3); nil until the next event shows it.
    var offset: Double?
    /// The lever's place under the finger, in article points; nil where it is not known.
    var place: Double?
    /// False after code or a step took the lever out of the finger's hand: the rest of the touch moves nothing.
    var holds = true
    /// True while R may be entered at once: the lever rested in N or R when the touch began, and was in no forward gear since.
    var opensReverse: Bool
    /// Since when the finger has been seen in N's band without a break.
    var inNeutralSince: MonotonicTime?
  }

  /// A lever in neutral.
  public init(geometry: GearboxGeometry = GearboxGeometry(size: GearboxGeometry.articleSize)) {
    self.geometry = geometry
  }

  /// What the lever asks of the engine: -1 (reverse) through 0 (neutral) to 1 (the highest gear).
  public var throttle: Double {
    guard followsFinger, gear.isForward, let grip, grip.holds, let place = grip.place else {
      return gear.throttle(ofGears: geometry.gearCount)
    }
    let neutral = geometry.articleY(ofRow: geometry.gearCount - 1) + 20
    return min(max((neutral - place) / 20 / Double(geometry.gearCount), 0), 1)
  }

  /// The row that the knob is in.
  public var row: Int { geometry.row(of: gear) }

  /// True from a touch's begin to its end, also after it lost its grip.
  public var isHeld: Bool { grip != nil }

  /// True while the lever follows a finger: one is on it, and nothing has taken it out of the finger's hand since.
  public var obeysTouch: Bool { grip?.holds ?? false }

  // MARK: Touch

  /// A finger touches the gate at `y` (logical points). On the knob's height, across the whole width, it takes the lever
  /// without moving it (G26, G-D3); anywhere else the lever jumps to the touched gear (G27), R by its rule.
  ///
  /// A `y` that isn't finite is no touch.
  @discardableResult
  public mutating func grab(y: Double, at time: MonotonicTime) -> Bool {
    guard y.isFinite, geometry.unit.height > 0 else { return false }
    grip = Grip(opensReverse: gear == .reverse || isRested(at: time))
    let knob = geometry.knob(inRow: row)
    if y >= knob.minY, y < knob.maxY {
      let place = geometry.articleY(ofRow: row)
      let offset = place - geometry.articleY(y)
      grip?.offset = offset
      grip?.place = place
      if gear == .neutral { grip?.inNeutralSince = time }
      return false
    }
    let place = geometry.articleY(y)
    grip?.offset = 0
    grip?.place = place
    return move(toRow: geometry.row(atArticleY: geometry.articleY(y)), at: time)
  }

  /// The finger moved to `y` (logical points); outside the gate the lever waits at the gate's end, where a finger that
  /// comes back finds it again (G-D5). A `y` that isn't finite changes nothing.
  @discardableResult
  public mutating func drag(y: Double, at time: MonotonicTime) -> Bool {
    guard y.isFinite, geometry.unit.height > 0, let grip, grip.holds else { return false }
    let finger = geometry.articleY(y)
    guard let offset = grip.offset else {
      let place = geometry.articleY(ofRow: row)
      self.grip?.offset = place - finger
      self.grip?.place = place
      return false
    }
    self.grip?.place = finger + offset
    return move(toRow: geometry.row(atArticleY: finger + offset), at: time)
  }

  /// The finger was lifted: the release policy holds.
  @discardableResult
  public mutating func release(at time: MonotonicTime) -> Bool {
    defer { grip = nil }
    guard let grip, grip.holds, releasePolicy == .neutral else { return false }
    return put(.neutral, at: time)
  }

  /// The finger was taken away: the cancel policy holds, whatever it had done (G-D7).
  @discardableResult
  public mutating func cancel(at time: MonotonicTime) -> Bool {
    defer { grip = nil }
    guard grip != nil, cancelPolicy == .neutral else { return false }
    return put(.neutral, at: time)
  }

  // MARK: Steps and code

  /// One step towards the highest gear: R, N, 1, 2 and so on. A finger on the lever loses its grip.
  @discardableResult
  public mutating func shiftUp(at time: MonotonicTime) -> Bool {
    grip?.holds = false
    return put(geometry.gear(atRow: max(row - 1, 0)), at: time)
  }

  /// One step towards R, which opens by its rule: not by a key's automatic repeat, and not before the lever has rested in
  /// N. A finger on the lever loses its grip.
  @discardableResult
  public mutating func shiftDown(at time: MonotonicTime, isRepeat: Bool = false) -> Bool {
    grip?.holds = false
    if gear == .neutral, isRepeat || !isRested(at: time) { return false }
    return put(geometry.gear(atRow: row + 1), at: time)
  }

  /// Neutral at once, from any gear. A finger on the lever loses its grip.
  @discardableResult
  public mutating func brake(at time: MonotonicTime) -> Bool {
    grip?.holds = false
    return put(.neutral, at: time)
  }

  /// The answer to `ask`.
  public enum Answer: Hashable, Sendable {
    /// The gear is the one asked for, and was another before.
    case changed
    /// The lever was in that gear.
    case same
    /// A finger holds the lever.
    case held
    /// R is shut: the lever has not rested in N.
    case reverseShut
  }

  /// A person asks for a gear without a hand, by assistive technology. N is engaged at once, as by `brake`. Any other gear is
  /// refused while a finger holds the lever, and R opens only as to a touch.
  public mutating func ask(for newGear: Gear, at time: MonotonicTime) -> Answer {
    let asked = newGear.clamped(toGears: geometry.gearCount)
    if asked == .neutral { return brake(at: time) ? .changed : .same }
    guard !isHeld else { return .held }
    guard asked != gear else { return .same }
    if asked == .reverse, !isRested(at: time) { return .reverseShut }
    return put(asked, at: time) ? .changed : .same
  }

  /// Code chooses a gear, clamped to those that exist; the rule of R doesn't bind it. When that changes the gear, a finger
  /// on the lever loses its grip, so that its next tremble doesn't undo what code decided.
  @discardableResult
  public mutating func set(_ newGear: Gear) -> Bool {
    let clamped = newGear.clamped(toGears: geometry.gearCount)
    guard clamped != gear else { return false }
    grip?.holds = false
    gear = clamped
    neutralSince = nil
    return true
  }

  // MARK: The rule of R

  /// True when the lever is in N, and has been for long enough to open R.
  private func isRested(at time: MonotonicTime) -> Bool {
    guard gear == .neutral else { return false }
    guard let neutralSince else { return true }
    return time - neutralSince >= max(reverseDwell, .zero)
  }

  /// The finger asks for `row`.
  private mutating func move(toRow row: Int, at time: MonotonicTime) -> Bool {
    let asked = geometry.gear(atRow: row)
    switch asked {
    case .forward:
      grip?.opensReverse = false
      grip?.inNeutralSince = nil
      return put(asked, at: time)
    case .neutral:
      if grip?.inNeutralSince == nil { grip?.inNeutralSince = time }
      return put(asked, at: time)
    case .reverse:
      let stayed = grip?.inNeutralSince.map { time - $0 >= max(reverseDwell, .zero) } ?? false
      let opens = gear == .reverse || (gear == .neutral && (stayed || grip?.opensReverse == true))
      grip?.inNeutralSince = nil
      if opens { grip?.opensReverse = true }
      return put(opens ? .reverse : .neutral, at: time)
    }
  }

  private mutating func put(_ newGear: Gear, at time: MonotonicTime) -> Bool {
    guard newGear != gear else { return false }
    gear = newGear
    neutralSince = newGear == .neutral ? time : nil
    return true
  }
}

/// What a lever does when nothing holds it any more (G28, G-D7).
nonisolated public enum ReleasePolicy: String, CaseIterable, Hashable, Sendable, InspectableValue {
  /// It stays where it was left.
  case latch
  /// It returns to neutral: a dead-man's lever.
  case neutral
}
