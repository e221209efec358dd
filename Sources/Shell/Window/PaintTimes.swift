/// How long painting may take, by how long it took.
///
/// A mean would not do: the frame that takes longer than the mean is the one that misses its refresh. So the answer is beyond
/// the longest of the last frames, the farther the more they differ, and there is no answer while painting is a surprise again and
/// again, as it is on a machine whose processor others use.
nonisolated struct PaintTimes: Sendable {
  /// The number of frames that are remembered: 0.4 seconds at 60 Hz, after which a single slow frame is forgotten.
  static let memory = 24
  /// The number of frames without an answer after the second surprise; each further one doubles it, up to an hour at 60 Hz.
  private static let distrust = 600
  private static let mostDoublings = 8
  /// The number of frames without a surprise that make up for one.
  private static let forgiveness = 36_000

  private var recent: [Duration] = []
  private var next = 0
  private var surprises = 0
  private var distrusted = 0
  private var calm = 0
  private var longest = Duration.zero
  private var shortest = Duration.zero

  init() { recent.reserveCapacity(PaintTimes.memory) }

  /// The longest time that the next frame is expected to take; nil while that is unknown.
  var bound: Duration? { distrusted == 0 ? expected : nil }

  /// The time that painting hardly exceeds if it goes on as it was: the same as ever if it was always the same.
  var likely: Duration { longest + (longest - shortest) }

  private var expected: Duration? {
    recent.count == PaintTimes.memory ? longest + (longest - shortest) * 2 + longest / 8 : nil
  }

  /// Records that a frame took `time` to paint.
  mutating func note(_ time: Duration) {
    distrusted = max(0, distrusted - 1)
    if let expected, time > expected {
      surprises += 1
      beCareful()
    } else {
      calm += 1
      if calm == PaintTimes.forgiveness { (calm, surprises) = (0, max(0, surprises - 1)) }
    }
    if recent.count < PaintTimes.memory {
      recent.append(time)
    } else {
      recent[next] = time
      next = (next + 1) % PaintTimes.memory
    }
    (longest, shortest) = (time, time)
    for one in recent { (longest, shortest) = (max(longest, one), min(shortest, one)) }
  }

  /// Records that a frame missed its refresh because the answer was trusted: that counts as two surprises.
  mutating func noteHarm() {
    surprises = max(surprises + 1, 2)
    beCareful()
  }

  private mutating func beCareful() {
    calm = 0
    guard surprises > 1 else { return }
    distrusted = PaintTimes.distrust << min(surprises - 2, PaintTimes.mostDoublings)
  }
}
