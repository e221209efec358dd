import Linux
import UICore

/// A source of the current time.
public protocol Clock: AnyObject {
  /// The current time.
  var now: MonotonicTime { get }
}

/// The system's monotonic clock.
public final class SystemClock: Clock {
  /// The one clock that every such object reads.
  public init() {}

  /// CLOCK_MONOTONIC now.
  public var now: MonotonicTime { .system }
}

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock {
  /// The time that the clock shows.
  public private(set) var now: MonotonicTime

  /// A clock that shows `now`.
  public init(now: MonotonicTime = .zero) {
    self.now = now
  }

  /// Moves the clock forward.
  public func advance(by duration: Duration) {
    now = now + duration
  }
}
