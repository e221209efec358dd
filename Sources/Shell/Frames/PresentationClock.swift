// What presentation feedback tells: when frames were seen and how far refreshes lie apart.

import Interface

/// Predicts when a frame will be seen from when others were (wp_presentation_feedback.presented).
nonisolated struct PresentationClock: Sendable {
  private var lastSeen: MonotonicTime?
  private(set) var refresh: Duration?

  init() {}

  /// A frame was seen at `time`; `refresh` is zero where the compositor does not know it.
  mutating func notePresented(at time: MonotonicTime, refresh: Duration) {
    lastSeen = time
    if refresh > .milliseconds(1), refresh < .milliseconds(200) { self.refresh = refresh }
  }

  /// The first refresh after `now`, or nil when no recent feedback tells.
  func nextRefresh(after now: MonotonicTime) -> MonotonicTime? {
    guard let lastSeen, let refresh, now - lastSeen < .seconds(1) else { return nil }
    let passed = max(0, (now - lastSeen).inNanoseconds) / refresh.inNanoseconds
    return lastSeen + refresh * Int(passed + 1)
  }
}
