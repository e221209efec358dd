// When input has come lately, and so when more is likely to. Pure.

import Interface

/// Finds the rhythm of a stream of input against the refresh: what came in each of the last two refreshes at about the
/// same distance will come again one refresh later.
nonisolated struct InputRhythm: Sendable {
  /// How far two arrivals may lie apart and still count as one place in the refresh.
  static let tolerance: Duration = .milliseconds(2)
  /// Enough for two refreshes at several hundred events a second; of faster streams the latest.
  private static let memory = 32
  private var arrivals: [MonotonicTime] = []

  init() {}

  /// Input happened at `time`; what happened at the same time counts once.
  mutating func note(_ time: MonotonicTime) {
    if let last = arrivals.last, time - last < .microseconds(200) { return }
    if arrivals.count == InputRhythm.memory { arrivals.removeFirst() }
    arrivals.append(time)
  }

  /// When the first input after `now` is to be expected, or nil where no rhythm can be told.
  func next(after now: MonotonicTime, refresh: Duration) -> MonotonicTime? {
    for (index, arrival) in arrivals.enumerated() {
      let coming = arrival + refresh
      guard coming > now, coming - now < refresh else { continue }
      let wanted = arrival - refresh
      let isRhythm = arrivals[..<index].contains { earlier in
        let distance = earlier - wanted
        return distance < InputRhythm.tolerance && distance > .zero - InputRhythm.tolerance
      }
      if isRhythm { return coming }
    }
    return nil
  }
}
