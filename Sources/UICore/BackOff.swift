/// Waits between failing attempts, each twice as long as the previous one, up to a limit.
public struct BackOff: Hashable, Sendable {
  /// The first wait.
  public let least: Duration
  /// The longest wait.
  public let most: Duration
  private var next: Duration

  /// Waits from `least` up to `most`.
  public init(least: Duration, most: Duration) {
    self.least = least
    self.most = max(most, least)
    next = least
  }

  /// Returns the wait after a failed attempt, and doubles the next wait, up to `most`.
  public mutating func wait() -> Duration {
    defer { next = min(next * 2, most) }
    return next
  }

  /// Restarts at the first wait, after a successful attempt.
  public mutating func reset() { next = least }
}
