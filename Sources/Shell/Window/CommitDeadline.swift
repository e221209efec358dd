import UICore

/// The latest time for a commit, counted from the start of a refresh, at which the next refresh still shows it.
///
/// Compositors differ: some take commits until the next frame callback, others draw earlier. Half a refresh is what all of them
/// give. Beyond that, it is known only from commits that were so late for another reason, and in time; nothing is tried out, since
/// finding the end would cost a refresh.
nonisolated struct CommitDeadline: Sendable {
  /// The number of commits in time after which a lowered deadline rises by `rise`: a compositor that was busy itself is forgiven.
  private static let patience = 60
  private static let rise: Duration = .microseconds(250)

  /// The latest commit that was in time.
  private var proven = Duration.zero
  /// The deadline after a commit before it was too late; nil if all were in time lately.
  private var lowered: Duration?
  private var hits = 0

  /// The latest time for a commit, with refreshes of `refresh`.
  func latest(refresh: Duration) -> Duration { min(lowered ?? max(proven, refresh / 2), refresh) }

  /// Records that a commit `time` after the start of a refresh was shown by the next, or missed it.
  mutating func note(_ time: Duration, isMissed: Bool, refresh: Duration) {
    let known = latest(refresh: refresh)
    if isMissed {
      // That a commit after the deadline is late is no news.
      guard time <= known else { return }
      proven = min(proven, time)
      lowered = max(.zero, time - .milliseconds(1))
      hits = 0
    } else if let lowered {
      hits += 1
      guard hits >= CommitDeadline.patience else { return }
      hits = 0
      let next = lowered + CommitDeadline.rise
      self.lowered = next < max(proven, refresh / 2) ? next : nil
    } else {
      proven = max(proven, time)
    }
  }
}

/// Finds when a refresh began. On a slow machine the callback that says so is read late, and counting from then would promise
/// time that is gone.
nonisolated struct RefreshCycle: Sendable {
  /// The start of the present refresh.
  private(set) var start = MonotonicTime.zero
  /// The number of refreshes after which nothing is known any more.
  private static let memory: Int64 = 8

  /// Records that a callback was read at `now`. Callbacks come at whole refreshes after the ones before. One that comes earlier
  /// shows that those were late; one that comes later may be late itself, and moves the start only by a sixteenth.
  mutating func note(callback now: MonotonicTime, refresh: Duration) {
    let (passed, interval) = ((now - start).inNanoseconds, refresh.inNanoseconds)
    guard passed > 0, interval > 0, passed / interval < RefreshCycle.memory else { return start = now }
    // A callback shortly before its time belongs to it.
    let whole = (passed + interval / 8) / interval
    let expected = start + refresh * Int(max(whole, 1))
    start = now <= expected ? now : expected + (now - expected) / 16
  }
}

/// How long painting may take, by how long it took.
///
/// A mean would not do: the frame that takes longer than the mean is the one that misses its refresh. So the answer is beyond
/// the longest of the last frames, the farther the more they differ. If a frame took still longer and missed its refresh because it
/// had waited, there is no answer for a minute, and after each further one for twice as long.
nonisolated struct PaintTimes: Sendable {
  /// The number of frames that are remembered: 0.4 seconds at 60 Hz, after which a single slow frame is forgotten.
  static let memory = 24
  /// The number of frames without an answer after the first harm: a minute at 60 Hz.
  static let distrust = 3600
  /// Up to an hour.
  private static let mostDoublings = 6
  /// The number of frames without harm that make up for one.
  private static let forgiveness = 36_000

  /// The longest time that the next frame is expected to take; nil while that is unknown.
  private(set) var expected: Duration?
  private var recent: [Duration] = []
  private var next = 0
  private var harms = 0
  private var distrusted = 0
  private var calm = 0

  init() { recent.reserveCapacity(PaintTimes.memory) }

  /// Records that a frame took `time` to paint.
  mutating func note(_ time: Duration) {
    distrusted = max(0, distrusted - 1)
    calm += 1
    if calm == PaintTimes.forgiveness { (calm, harms) = (0, max(0, harms - 1)) }
    if recent.count < PaintTimes.memory {
      recent.append(time)
    } else {
      recent[next] = time
      next = (next + 1) % PaintTimes.memory
    }
    guard recent.count == PaintTimes.memory, distrusted == 0 else { return expected = nil }
    var (longest, shortest) = (time, time)
    for one in recent { (longest, shortest) = (max(longest, one), min(shortest, one)) }
    expected = longest + (longest - shortest)
  }

  /// Records that a frame missed its refresh because the answer was trusted.
  mutating func noteHarm() {
    calm = 0
    distrusted = PaintTimes.distrust << min(harms, PaintTimes.mostDoublings)
    harms += 1
    expected = nil
  }
}
