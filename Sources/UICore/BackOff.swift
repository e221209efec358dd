/// Waits that double from one failure to the next.
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

  /// The wait after one more failure.
  public mutating func wait() -> Duration {
    defer { next = min(next * 2, most) }
    return next
  }

  /// It worked: the next failure waits shortly again.
  public mutating func reset() { next = least }
}
