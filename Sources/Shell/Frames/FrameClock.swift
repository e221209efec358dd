// When a window draws. Pure: told what happened and the time, it answers; it draws and waits for nothing itself.

import Interface

/// The frame rule: draw if and only if something is dirty and no frame callback is pending, and then at once, unless
/// fresher input is about to come.
///
/// Painting straight from the frame callback locks a client that was late once into being a refresh late for good: it
/// paints before it has read that refresh's motion. So a frame that is due at a callback waits for the motion that the
/// rhythm of the last refreshes promises, if there is still time to paint after it; it is drawn as soon as that comes.
/// How late a commit may be is learnt: a refresh that was missed makes the wait shorter at once, hits make it longer
/// again, slowly.
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
    /// The callback before it: the start of the refresh that the commit belongs to. Nil after idle time.
    var cycleStart: MonotonicTime?
  }

  /// Input that is expected may be late by so much: its times are whole milliseconds.
  private static let patience: Duration = .microseconds(1500)
  /// Commits are made at least this long before the latest time that is known to do.
  private static let margin: Duration = .microseconds(1250)

  /// The time between refreshes; from the output's mode or the presentation feedback, else a 60 Hz one's.
  var refresh: Duration = .nanoseconds(16_666_667)
  private var pending: Pending?
  private var lastCallback: MonotonicTime?
  private var holdUntil: MonotonicTime?
  private var hasFreshInput = false
  private var rhythm = InputRhythm()
  /// How long after a callback a commit makes the next refresh, as far as misses have taught; nil before any.
  private(set) var latestCommit: Duration?
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

  /// Input has come that may change what is seen; it happened at `time`.
  mutating func noteInput(at time: MonotonicTime) {
    hasFreshInput = true
    rhythm.note(time)
  }

  /// A frame was committed at `now` with a frame callback, after `painting` of work.
  mutating func noteCommit(now: MonotonicTime, painting: Duration) {
    pending = Pending(committed: now, cycleStart: lastCallback.flatMap { now - $0 < refresh ? $0 : nil })
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
    holdUntil = nil
    guard let coming = rhythm.next(after: now, refresh: refresh) else { return }
    let latest = now + min(latestCommit ?? refresh, refresh) - paintTime * 5 / 4 - FrameClock.margin
    // Input that comes too late to be painted for this refresh is not waited for.
    if coming <= latest { holdUntil = min(coming + FrameClock.patience, latest) }
  }

  /// The window was shown again, or its surface is new: callbacks asked for before may never come.
  mutating func reset() {
    pending = nil
    lastCallback = nil
    holdUntil = nil
  }

  private mutating func learn(from pending: Pending, now: MonotonicTime) {
    guard let start = pending.cycleStart else { return }
    let late = pending.committed - start
    if now - start > refresh * 3 / 2 {
      // A refresh was missed by a commit at that distance from the callback.
      latestCommit = max(.zero, min(latestCommit ?? refresh, late) - .milliseconds(1))
      hits = 0
    } else if let known = latestCommit {
      hits += 1
      if late > known {
        latestCommit = late
      } else if hits >= 60 {
        hits = 0
        latestCommit = min(known + .microseconds(250), refresh)
      }
    }
  }
}
