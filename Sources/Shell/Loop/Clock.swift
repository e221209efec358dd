import Linux

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

extension ManualClock: Clock {}
