// When a window draws. Pure: told what happened and the time, it answers; it draws and waits for nothing itself.

import Interface

/// The frame rule: draw if and only if something is dirty and no frame callback is pending; then as late as it is safe,
/// but at once for input.
///
/// Painting straight from the frame callback locks a client that was late once into being a refresh late for good: it
/// paints before it has read that refresh's motion. So a frame due after a callback is *held* for fresher input, for a
/// time that is learnt: it grows while commits make their refresh and shrinks at once when one is missed.
nonisolated struct FrameClock: Sendable {
  /// What to do now.
  enum Decision: Equatable {
    case nothing
    case draw
    /// Ask again at this time, or when anything happens.
    case wait(until: MonotonicTime)
  }

  /// A commit that waits for its frame callback.
  private struct Pending {
    var committed: MonotonicTime
    var held: Duration
    /// The callback before it: the start of the refresh that the commit belongs to. Nil after idle time.
    var cycleStart: MonotonicTime?
  }

  /// The time between refreshes; from the output's mode or the presentation feedback, else a 60 Hz one's.
  var refresh: Duration = .nanoseconds(16_666_667)
  private var pending: Pending?
  private var lastCallback: MonotonicTime?
  private var holdUntil: MonotonicTime?
  private var hasFreshInput = false
  /// How long a frame may be held after a callback.
  private(set) var hold: Duration = .milliseconds(4)
  private var ceiling: Duration = .milliseconds(8)
  private var hits = 0
  /// How long the latest frames took to paint and commit, smoothed.
  private(set) var paintTime: Duration = .milliseconds(2)

  init() {}

  /// True while a frame callback has been asked for and not come.
  var isCallbackPending: Bool { pending != nil }

  /// When the pending callback's commit was made.
  var pendingSince: MonotonicTime? { pending?.committed }

  /// When the coming frame will be seen, as far as callbacks tell: the refresh after the one that the last began.
  func predictedPresentation(now: MonotonicTime) -> MonotonicTime {
    guard let lastCallback, now - lastCallback < refresh * 2 else { return now + refresh }
    var next = lastCallback + refresh
    while next <= now { next = next + refresh }
    return next
  }

  /// What to do at `now`, when something is dirty (`needsFrame`) or not.
  mutating func decide(now: MonotonicTime, needsFrame: Bool) -> Decision {
    guard needsFrame, pending == nil else { return .nothing }
    if let holdUntil, now < holdUntil, !hasFreshInput { return .wait(until: holdUntil) }
    return .draw
  }

  /// Input arrived that may change what is seen.
  mutating func noteInput() {
    hasFreshInput = true
  }

  /// A frame was committed at `now` with a frame callback, after `painting` of work.
  mutating func noteCommit(now: MonotonicTime, painting: Duration) {
    let start = lastCallback.flatMap { now - $0 < refresh * 2 ? $0 : nil }
    pending = Pending(committed: now, held: start.map { now - $0 } ?? .zero, cycleStart: start)
    paintTime = (paintTime * 7 + min(painting, refresh)) / 8
    holdUntil = nil
    hasFreshInput = false
  }

  /// The frame callback came at `now`.
  mutating func noteCallback(now: MonotonicTime) {
    if let pending { learn(from: pending, now: now) }
    pending = nil
    lastCallback = now
    hasFreshInput = false
    let longest = refresh - paintTime * 2 - .milliseconds(2)
    holdUntil = now + max(.zero, min(hold, longest))
  }

  /// The window was shown again, or its surface is new: callbacks asked for before may never come.
  mutating func reset() {
    pending = nil
    lastCallback = nil
    holdUntil = nil
  }

  private mutating func learn(from pending: Pending, now: MonotonicTime) {
    guard let start = pending.cycleStart, pending.held > .microseconds(500) else { return }
    let cycle = now - start
    if cycle > refresh * 3 / 2 {
      // A refresh was missed: if by holding, hold less from now on, and do not come back to this length soon.
      ceiling = max(.zero, pending.held * 3 / 4)
      hold = min(hold / 2, ceiling)
      hits = 0
    } else {
      hits += 1
      guard hits >= 60 else { return }
      hits = 0
      hold = min(hold + .microseconds(250), ceiling)
      ceiling = min(ceiling + .microseconds(100), refresh)
    }
  }
}
