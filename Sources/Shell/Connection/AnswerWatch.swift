/// Decides when to ask the compositor for an answer (`wl_display.sync`), and when it counts as frozen.
///
/// A compositor that stops keeps its socket open: no error, no event and no frame callback tells of it, and `suspended` never
/// comes. Only a question without an answer does. Questions are asked while a program needs answers, at most one at a time.
///
/// After a freeze, two answers in a row bring the compositor back, the second within the limit. The first one only
/// says that it runs again: its event loop may read the question before the input that gathered meanwhile. The second
/// answer proves that its loop ran once more, so queued input has arrived; later input answers the current picture.
nonisolated struct AnswerWatch: Sendable {
  /// The limits that may be chosen.
  static let limits: ClosedRange<Duration> = .milliseconds(100) ... .seconds(2)
  /// The time between an answer and the next question, at most.
  static let longestInterval: Duration = .milliseconds(100)

  /// The caller's next step.
  enum Step: Hashable, Sendable {
    case nothing
    /// Sends a question.
    case ask
    /// Takes all input away: the compositor has frozen.
    case freeze
  }

  private enum State: Sendable {
    /// The compositor answers, as far as anybody asked.
    case answering
    /// A question is past its limit.
    case frozen
    /// A frozen compositor gave an answer; the next one is waited for.
    case thawing
  }

  /// The time that an answer may take after the one before it, within `limits`.
  var limit: Duration = .milliseconds(300) {
    didSet { limit = min(max(limit, AnswerWatch.limits.lowerBound), AnswerWatch.limits.upperBound) }
  }
  private var state = State.answering
  private var isNeeded = false
  /// The time at which nobody needed answers any more; nil before that.
  private var unneededSince: MonotonicTime?
  /// The time of the compositor's last sign of life.
  private var lastAnswer = MonotonicTime.zero
  /// The time of the question that has no answer yet; nil without one.
  private var askedAt: MonotonicTime?

  /// The time between an answer and the next question: three questions fit into the limit.
  private var interval: Duration { min(AnswerWatch.longestInterval, limit / 3) }

  /// True from the freeze until the compositor is back: input that begins meanwhile does not count.
  var isFrozen: Bool { state != .answering }

  /// The time of the next call of `advance(to:)`; nil for none.
  var nextTime: MonotonicTime? {
    guard isNeeded, state == .answering else { return nil }
    // From the question on, not from the last answer: a program that was held up itself asks late.
    return askedAt.map { $0 + (limit - interval) } ?? lastAnswer + interval
  }

  /// Starts or stops asking. The input that made answers needed came by way of the compositor, so it counts as an answer; but a need that
  /// comes back within the limit may come and go by itself: the compositor has as long as if it had lasted.
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

  /// The step that is due at `now`. Note the answers that have arrived by then first.
  mutating func advance(to now: MonotonicTime) -> Step {
    guard let due = nextTime, due <= now else { return .nothing }
    guard askedAt == nil else {
      state = .frozen
      return .freeze
    }
    askedAt = now
    return .ask
  }

  /// Notes the answer to the question.
  mutating func noteAnswer(at now: MonotonicTime) -> Step {
    let wait = askedAt.map { now - $0 } ?? .zero
    askedAt = nil
    lastAnswer = now
    switch state {
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

  /// Forgets every question, since the connection is gone.
  mutating func reset() {
    state = .answering
    askedAt = nil
    isNeeded = false
    unneededSince = nil
  }
}
