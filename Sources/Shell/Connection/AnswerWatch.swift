/// Decides when to ask the compositor for an answer (`wl_display.sync`), and when it counts as frozen.
///
/// A stopped compositor keeps its socket open. No error, event or frame callback reports it, and `suspended` never arrives;
/// only an unanswered question does. Questions are asked while a program needs answers, at most one at a time.
///
/// After a freeze, the compositor counts as back after two answers in a row, the second within the limit. The first one only
/// shows that it runs again: its event loop may read the question before the input that gathered meanwhile. The second answer
/// proves that its loop ran once more, so queued input has arrived; later input answers the current picture.
nonisolated struct AnswerWatch: Sendable {
  /// The limits that may be chosen.
  static let limits: ClosedRange<Duration> = .milliseconds(100) ... .seconds(2)
  static let defaultLimit = Duration.milliseconds(300)
  static func allowed(_ limit: Duration) -> Duration { min(max(limit, limits.lowerBound), limits.upperBound) }
  /// The time between an answer and the next question, at most.
  static let longestInterval: Duration = .milliseconds(100)

  /// The caller's next step.
  enum Step: Hashable, Sendable {
    case nothing
    case ask
    /// Takes all input away: the compositor has frozen.
    case freeze
    /// Takes all input away, and asks again: the answer that has come was too late.
    case freezeAndAsk
  }

  private enum State: Sendable {
    /// The compositor answers, as far as it was asked.
    case answering
    /// A question is past its limit.
    case frozen
    /// A frozen compositor has answered once; the next answer is pending.
    case thawing
  }

  /// The longest allowed time between two answers, within `limits`.
  var limit = AnswerWatch.defaultLimit { didSet { limit = AnswerWatch.allowed(limit) } }
  private var state = State.answering
  private var isNeeded = false
  /// The time since which no program has needed answers; nil before that.
  private var unneededSince: MonotonicTime?
  /// The time of the compositor's last sign of life.
  private var lastAnswer = MonotonicTime.zero
  /// The time of the question that is not answered yet; nil if all are answered.
  private var askedAt: MonotonicTime?

  /// The time between an answer and the next question: three questions fit into the limit.
  private var interval: Duration { min(AnswerWatch.longestInterval, limit / 3) }

  /// True from the freeze until the compositor is back. Input that begins meanwhile is ignored.
  var isFrozen: Bool { state != .answering }

  /// The time of the next call of `advance(to:)`; nil if none is due.
  var nextTime: MonotonicTime? {
    guard isNeeded, state == .answering else { return nil }
    // Count from the question, not from the last answer: a program that was delayed itself asks late.
    return askedAt.map { $0 + (limit - interval) } ?? lastAnswer + interval
  }

  /// Starts or stops asking. The input that made answers needed came from the compositor, so it counts as an answer. But a need
  /// that returns within the limit may toggle by itself, so the compositor then gets the time it would have had without the
  /// interruption.
  mutating func setNeeded(_ needed: Bool, at now: MonotonicTime) {
    guard needed != isNeeded else { return }
    isNeeded = needed
    guard needed else {
      unneededSince = now
      return
    }
    if let unneededSince, now - unneededSince < limit { return }
    lastAnswer = now
    if askedAt != nil, state == .answering { askedAt = now }
  }

  /// Returns the step that is due at `now`. Record the answers received until then first.
  mutating func advance(to now: MonotonicTime) -> Step {
    guard let due = nextTime, due <= now else { return .nothing }
    guard askedAt == nil else {
      state = .frozen
      return .freeze
    }
    askedAt = now
    return .ask
  }

  mutating func noteAnswer(at now: MonotonicTime) -> Step {
    let wait = askedAt.map { now - $0 } ?? .zero
    askedAt = nil
    lastAnswer = now
    switch state {
    // This program may have been stopped together with the compositor, and read the answer before it looked at the time.
    case .answering where isNeeded && wait > limit:
      state = .thawing
      askedAt = now
      return .freezeAndAsk
    case .answering:
      return .nothing
    case .thawing where wait < limit:
      state = .answering
      return .nothing
    case .frozen, .thawing:
      state = .thawing
      askedAt = now
      return .ask
    }
  }

  /// Forgets every question after the connection is lost.
  mutating func reset() {
    state = .answering
    askedAt = nil
    isNeeded = false
    unneededSince = nil
  }
}
