// What presentation feedback tells: when frames were seen and how far refreshes lie apart.

import Interface

/// Predicts when a frame will be seen from when others were (wp_presentation_feedback.presented).
nonisolated struct PresentationClock: Sendable {
  /// The farthest that a time may lie ahead of now. A compositor may tell of a refresh that is still to come, by two refreshes
  /// of a panel at 20 Hz and a spare factor of two.
  private static let lead = Duration.milliseconds(200)
  /// The farthest that a time may lie behind now: a second of stalled frames.
  private static let lag = Duration.seconds(1)

  private var lastSeen: MonotonicTime?
  private(set) var refresh: Duration?

  init() {}

  /// Notes that a frame was seen, at a time as it came over the wire. `refresh` is zero where the compositor does not know it. A
  /// time too far from `now` is ignored, with its refresh.
  mutating func notePresented(seconds: UInt64, nanoseconds: UInt32, refresh: Duration, now: MonotonicTime) {
    // 146 years: the nanoseconds fit 63 bits.
    guard seconds < UInt64(Int64.max / 2_000_000_000) else { return }
    let time = MonotonicTime(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds))
    guard time - now < PresentationClock.lead, now - time < PresentationClock.lag else { return }
    lastSeen = time
    if refresh > .milliseconds(1), refresh < .milliseconds(200) { self.refresh = refresh }
  }

  /// The first refresh after `now`, or nil when no recent feedback tells.
  func nextRefresh(after now: MonotonicTime) -> MonotonicTime? {
    guard let lastSeen, let refresh, now - lastSeen < PresentationClock.lag else { return nil }
    let (passed, interval) = ((now - lastSeen).inNanoseconds, refresh.inNanoseconds)
    // Rounds down for negative numbers too, when the last frame is still to be seen.
    let whole = passed >= 0 ? passed / interval : -((interval - 1 - passed) / interval)
    return lastSeen + refresh * Int(whole + 1)
  }
}
