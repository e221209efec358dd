/// The waits between attempts that fail: each is twice as long as the one before, up to a limit.
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

  /// Starts again at the first wait, after an attempt that worked.
  public mutating func reset() { next = least }
}
