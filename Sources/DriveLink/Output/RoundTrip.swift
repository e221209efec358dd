import UICore

/// How good the way to a consumer and back is, by its answers.
public struct LinkQuality: Hashable, Sendable {
  /// The time from a line to its answer, averaged over about the last eight answers.
  public var roundTrip: Duration
  /// The part of the last 100 lines that no answer has named, 0 to 1. Those that got lost, on the way there or back, count, and those that
  /// arrived together with a newer one.
  public var loss: Double

  /// A way with these figures.
  public init(roundTrip: Duration, loss: Double) { (self.roundTrip, self.loss) = (roundTrip, loss) }
}

/// Judges a consumer's answers: whether one is missing, and how long a line and its answer take. A consumer that has never answered is
/// not judged.
struct RoundTrip: Sendable {
  /// The limits that may be chosen.
  static let limits: ClosedRange<Duration> = .milliseconds(100) ... .seconds(5)
  static let defaultLimit = Duration.milliseconds(500)
  /// Lines that follow another by less than this part of the limit are not noted.
  private static let parts = 16
  /// The number of lines that a loss is a part of.
  private static let lossSpan = 100

  /// The longest time to an answer.
  let limit: Duration
  private let step: Duration
  /// The time that the newest answer took; nil before the first.
  private(set) var newest: Duration?
  /// The average of the answers' times; nil before the first.
  private var average: Duration?
  /// Whether each of the last lines was named by an answer, in a ring, and the place of the next one.
  private var wasNamed: [Bool] = []
  private var nextPlace = 0
  /// The lines that are not acknowledged, the oldest first.
  private var unanswered: [(sequence: UInt64, time: MonotonicTime)] = []

  init(limit: Duration = RoundTrip.defaultLimit) {
    self.limit = min(max(limit, RoundTrip.limits.lowerBound), RoundTrip.limits.upperBound)
    step = self.limit / RoundTrip.parts
    unanswered.reserveCapacity(4 * RoundTrip.parts)
    wasNamed.reserveCapacity(RoundTrip.lossSpan)
  }

  /// The figures that the answers give of the way there and back; nil without any.
  var quality: LinkQuality? {
    guard let average else { return nil }
    let lost = wasNamed.count { !$0 }
    return LinkQuality(roundTrip: average, loss: wasNamed.isEmpty ? 0 : Double(lost) / Double(wasNamed.count))
  }

  /// True once the consumer has answered.
  var hasAnswers: Bool { newest != nil }

  mutating func noteSent(_ sequence: UInt64, at time: MonotonicTime) {
    if !unanswered.isEmpty, time - unanswered[unanswered.count - 1].time < step { return }
    // Only the oldest counts for what is missing.
    if unanswered.count == 4 * RoundTrip.parts { unanswered.remove(at: 1) }
    unanswered.append((sequence, time))
  }

  mutating func noteAnswer(to sequence: UInt64, at time: MonotonicTime) {
    guard let place = unanswered.lastIndex(where: { $0.sequence <= sequence }) else { return }
    let duration = time - unanswered[place].time
    newest = duration
    average = average.map { $0 + (duration - $0) / 8 } ?? duration
    for _ in 0..<place { note(wasNamed: false) }
    note(wasNamed: true)
    unanswered.removeSubrange(...place)
  }

  private mutating func note(wasNamed isNamed: Bool) {
    if wasNamed.count < RoundTrip.lossSpan { wasNamed.append(isNamed) } else { wasNamed[nextPlace] = isNamed }
    nextPlace = (nextPlace + 1) % RoundTrip.lossSpan
  }

  /// Forgets what was not answered: nothing was sent for a while, or the connection is new.
  mutating func begin() {
    unanswered.removeAll(keepingCapacity: true)
    if let newest { self.newest = min(newest, limit) }
  }

  /// Forgets that there were answers: another consumer may not give any.
  mutating func reset() {
    unanswered.removeAll(keepingCapacity: true)
    wasNamed.removeAll(keepingCapacity: true)
    (newest, average, nextPlace) = (nil, nil, 0)
  }

  /// The time at which an answer will be missing; nil if none is awaited.
  var deadline: MonotonicTime? {
    hasAnswers && !unanswered.isEmpty ? unanswered[0].time + limit : nil
  }

  /// The loss of a link whose answers are missing or slow; nil if they are in time.
  func loss(at now: MonotonicTime) -> DriveReason? {
    guard let newest else { return nil }
    if let deadline, deadline <= now { return .linkLost }
    return newest > limit ? .linkSlow : nil
  }
}
