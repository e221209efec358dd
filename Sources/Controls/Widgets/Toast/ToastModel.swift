/// Short messages one after the other, each for the same time.
nonisolated struct ToastModel: Hashable, Sendable {
  /// The messages that may wait; of more, the oldest are left out.
  static let capacity = 20

  /// The message that is shown; empty for none.
  private(set) var shown = ""
  /// The time at which it is over; nil for one that stays.
  private(set) var end: MonotonicTime?
  private var waiting: [String] = []

  /// The number of messages that wait.
  var waitingCount: Int { waiting.count }

  /// Shows `text` until it is replaced, and forgets all others.
  mutating func keep(_ text: String) { self = ToastModel(shown: text, end: nil, waiting: []) }

  /// Shows `text` for `time` from `now`, or after those that were before it. An empty text is ignored, and one that is shown or waits last
  /// already.
  mutating func add(_ text: String, for time: Duration, at now: MonotonicTime) {
    guard !text.isEmpty, text != waiting.last ?? shown else { return }
    guard end != nil else { return self = ToastModel(shown: text, end: now + time, waiting: []) }
    waiting.append(text)
    if waiting.count > Self.capacity { waiting.removeFirst() }
  }

  /// Shows the next one, if the present one is over at `now`.
  mutating func pass(to now: MonotonicTime, for time: Duration) {
    guard let end, now >= end else { return }
    guard !waiting.isEmpty else { return self = ToastModel() }
    shown = waiting.removeFirst()
    self.end = now + time
  }

  init() {}

  private init(shown: String, end: MonotonicTime?, waiting: [String]) {
    (self.shown, self.end, self.waiting) = (shown, end, waiting)
  }
}
