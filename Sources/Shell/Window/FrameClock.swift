/// The frame rule: draw if and only if something is dirty and no frame callback is pending, and then at once, unless fresher
/// input is about to arrive.
///
/// If frames were painted straight from the callback, one late frame would make every later one miss that refresh's motion: it
/// would be painted before the motion is read. So a frame that is due at a callback waits for the motion that the rhythm of the
/// last refreshes promises, if there is still time to paint after it; it is drawn as soon as that motion arrives.
///
/// Waiting must not cost a refresh that painting at once would have made. So a frame waits only if even the longest painting that
/// is to be expected (`PaintTimes`) ends before the latest commit that is known to be in time (`CommitDeadline`), counted from the
/// refresh and not from a callback that was read late (`RefreshCycle`). On a machine that is slow or busy, that is never. The type is
/// pure: it answers events and times, but draws and waits for nothing itself.
nonisolated struct FrameClock: Sendable {
  /// The caller's next step.
  enum Decision: Equatable {
    case nothing
    case draw
    /// Ask again at this time, or when anything happens.
    case wait(until: MonotonicTime)
  }

  private struct Pending {
    var committed: MonotonicTime
    /// The callback before it: the start of the refresh that the commit belongs to. Nil after idle time.
    var cycleStart: MonotonicTime?
    /// True if the frame waited for input.
    var wasHeld = false
  }

  /// The tolerated lateness of expected input: its times are whole milliseconds.
  private static let tolerance: Duration = .microseconds(1500)
  /// How much the times of a steady stream of refreshes and motions differ.
  private static let unevenness: Duration = .microseconds(1)

  /// The time between refreshes, from the output's mode or the presentation feedback; 60 Hz by default.
  var refresh: Duration = .nanoseconds(16_666_667)
  private var presentations = PresentationTimes()
  private var pending: Pending?
  private var lastCallback: MonotonicTime?
  /// The refresh that the last callback began.
  private var cycle = RefreshCycle()
  private var holdUntil: MonotonicTime?
  private var hasFreshInput = false
  private var rhythm = InputRhythm()
  private var deadline = CommitDeadline()
  private var paints = PaintTimes()
  /// True once the caller was asked to wait with the frame that is due.
  private var isHeld = false

  /// The time of the commit whose callback is pending; nil if no callback is.
  var pendingSince: MonotonicTime? { pending?.committed }

  /// The time at which the coming frame will be visible: the next refresh by recent presentation feedback, otherwise the one
  /// after the refresh that the last callback began.
  func predictedPresentation(now: MonotonicTime) -> MonotonicTime {
    if let next = presentations.nextRefresh(after: now) { return next }
    guard let lastCallback, now - lastCallback < refresh * 2 else { return now + refresh }
    var next = lastCallback + refresh
    while next <= now { next = next + refresh }
    return next
  }

  /// What to do at `now`; `needsFrame` is true if something is dirty.
  mutating func decide(now: MonotonicTime, needsFrame: Bool) -> Decision {
    guard needsFrame, pending == nil else { return .nothing }
    guard let holdUntil, now < holdUntil, !hasFreshInput else { return .draw }
    isHeld = true
    return .wait(until: holdUntil)
  }

  /// Records input at `time` that may change the content.
  mutating func noteInput(at time: MonotonicTime) {
    hasFreshInput = true
    rhythm.note(time)
  }

  /// A frame was committed at `now` with a frame callback, after `painting` of work.
  mutating func noteCommit(now: MonotonicTime, painting: Duration) {
    // The refresh of a frame that waited is that of the callback, however late it is.
    let isInCycle = lastCallback.map { isHeld || now - $0 < refresh } ?? false
    pending = Pending(committed: now, cycleStart: isInCycle ? cycle.start : nil, wasHeld: isHeld)
    paints.note(min(painting, refresh))
    isHeld = false
    holdUntil = nil
    hasFreshInput = false
  }

  /// A commit without anything new was made at `now`, with a frame callback.
  mutating func noteEmptyCommit(now: MonotonicTime) { pending = Pending(committed: now, cycleStart: nil) }

  mutating func noteCallback(now: MonotonicTime) {
    cycle.note(callback: now, refresh: refresh)
    if let pending { learn(from: pending, now: cycle.start) }
    pending = nil
    lastCallback = now
    hasFreshInput = false
    holdUntil = nil
    isHeld = false
    guard let coming = rhythm.next(after: now, refresh: refresh), let painting = paints.expected else { return }
    let latest = cycle.start + deadline.latest(refresh: refresh) - painting + FrameClock.unevenness
    // Do not wait for input that arrives too late to be painted for this refresh.
    if coming <= latest { holdUntil = min(coming + FrameClock.tolerance, latest) }
  }

  /// Records that a frame became visible; arguments and result are those of `PresentationTimes.note`.
  @discardableResult
  mutating func notePresented(
    seconds: UInt64, nanoseconds: UInt32, offset: Duration, refresh: Duration, now: MonotonicTime
  ) -> MonotonicTime? {
    let time = presentations.note(
      seconds: seconds, nanoseconds: nanoseconds, offset: offset, refresh: refresh, now: now)
    if let known = presentations.refresh { self.refresh = known }
    return time
  }

  /// The window is visible again, or its surface is new: callbacks requested before may never arrive.
  mutating func reset() {
    pending = nil
    lastCallback = nil
    holdUntil = nil
    isHeld = false
  }

  private mutating func learn(from pending: Pending, now: MonotonicTime) {
    guard let start = pending.cycleStart else { return }
    let isMissed = now - start > refresh * 3 / 2
    deadline.note(pending.committed - start, isMissed: isMissed, refresh: refresh)
    if isMissed, pending.wasHeld { paints.noteHarm() }
  }
}

/// Finds the rhythm of a stream of input against the refresh. Input that arrived in each of the last two refreshes at about the
/// same phase will arrive again one refresh later.
nonisolated struct InputRhythm: Sendable {
  /// The greatest phase difference of two arrivals that still count as the same phase.
  static let tolerance: Duration = .milliseconds(2)
  /// Enough for two refreshes at several hundred events a second; faster streams keep the latest events.
  private static let memory = 32
  private var arrivals: [MonotonicTime] = []

  /// Records input at `time`; several at the same time count once.
  mutating func note(_ time: MonotonicTime) {
    if let last = arrivals.last, time - last < .microseconds(200) { return }
    if arrivals.count == InputRhythm.memory { arrivals.removeFirst() }
    arrivals.append(time)
  }

  /// The time of the first input expected after `now`; nil without a rhythm.
  func next(after now: MonotonicTime, refresh: Duration) -> MonotonicTime? {
    // One pass over times that rise, in nanoseconds: `earlier` is the first arrival that is not too early for the present one's phase.
    let (now, refresh) = (now.nanoseconds, refresh.inNanoseconds)
    let tolerance = InputRhythm.tolerance.inNanoseconds
    var earlier = 0
    for arrival in arrivals where arrival.nanoseconds > now &- refresh {
      let arrival = arrival.nanoseconds
      if arrival >= now { break }
      while arrivals[earlier].nanoseconds < arrival &- refresh &- tolerance { earlier += 1 }
      let candidate = arrivals[earlier].nanoseconds
      if candidate < arrival, candidate <= arrival &- refresh &+ tolerance {
        return MonotonicTime(nanoseconds: arrival &+ refresh)
      }
    }
    return nil
  }
}

/// Predicts when a frame will be visible from the times of earlier frames (wp_presentation_feedback.presented).
nonisolated struct PresentationTimes: Sendable {
  /// The farthest that a time may lie in the future. A compositor may report a refresh that is still to come, by two refreshes
  /// of a panel at 20 Hz with a safety factor of two.
  private static let lead = Duration.milliseconds(200)
  /// The farthest that a time may lie in the past: a second of stalled frames.
  private static let lag = Duration.seconds(1)

  private var lastSeen: MonotonicTime?
  private(set) var refresh: Duration?

  /// Records that a frame was visible at a time from the wire, and returns that time on the clock of `now`, which differs by
  /// `offset`. `refresh` is zero if the compositor does not know it. Returns nil and ignores the time and its refresh if it is
  /// too far from `now`.
  @discardableResult
  mutating func note(
    seconds: UInt64, nanoseconds: UInt32, offset: Duration = .zero, refresh: Duration, now: MonotonicTime
  ) -> MonotonicTime? {
    // 146 years: the nanoseconds fit 63 bits.
    guard seconds < UInt64(Int64.max / 2_000_000_000) else { return nil }
    let time = MonotonicTime(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds)) + offset
    guard time - now < PresentationTimes.lead, now - time < PresentationTimes.lag else { return nil }
    lastSeen = time
    if PresentationTimes.isRefresh(refresh) { self.refresh = refresh }
    return time
  }

  /// True if a display can have this time between refreshes; false for zero, which means a variable one.
  static func isRefresh(_ duration: Duration) -> Bool { duration > .milliseconds(1) && duration < .milliseconds(200) }

  /// The first refresh after `now`; nil without recent feedback.
  func nextRefresh(after now: MonotonicTime) -> MonotonicTime? {
    guard let lastSeen, let refresh, now - lastSeen < PresentationTimes.lag else { return nil }
    let (passed, interval) = ((now - lastSeen).inNanoseconds, refresh.inNanoseconds)
    // Rounds down for negative numbers too, if the last frame is still to be shown.
    let whole = passed >= 0 ? passed / interval : -((interval - 1 - passed) / interval)
    return lastSeen + refresh * Int(whole + 1)
  }
}
