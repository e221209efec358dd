import UICore

/// Judges a consumer's answers: whether one is missing, and how long a line and its answer take. A consumer that has never answered is
/// not judged.
struct RoundTrip: Sendable {
  /// The limits that may be chosen.
  static let limits: ClosedRange<Duration> = .milliseconds(100) ... .seconds(5)
  static let defaultLimit = Duration.milliseconds(500)
  /// Lines that follow another by less than this part of the limit are not noted.
  private static let parts = 16

  /// The longest time to an answer.
  let limit: Duration
  private let step: Duration
  /// The time that the newest answer took; nil before the first.
  private(set) var newest: Duration?
  /// The lines that are not acknowledged, the oldest first.
  private var unanswered: [(sequence: UInt64, time: MonotonicTime)] = []

  init(limit: Duration = RoundTrip.defaultLimit) {
    self.limit = min(max(limit, RoundTrip.limits.lowerBound), RoundTrip.limits.upperBound)
    step = self.limit / RoundTrip.parts
    unanswered.reserveCapacity(4 * RoundTrip.parts)
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
    guard let last = unanswered.last(where: { $0.sequence <= sequence }) else { return }
    newest = time - last.time
    unanswered.removeAll { $0.sequence <= sequence }
  }

  /// Forgets what was not answered: nothing was sent for a while, or the connection is new.
  mutating func begin() {
    unanswered.removeAll(keepingCapacity: true)
    if let newest { self.newest = min(newest, limit) }
  }

  /// Forgets that there were answers: another consumer may not give any.
  mutating func reset() {
    unanswered.removeAll(keepingCapacity: true)
    newest = nil
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
