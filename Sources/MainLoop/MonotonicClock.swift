import Linux

/// A source of the current monotonic time: that of the system, or of a test.
public protocol MonotonicClock: AnyObject {
  /// The current time.
  var now: MonotonicTime { get }
}

/// The system's monotonic clock.
public final class SystemClock: MonotonicClock {
  /// The one clock that every such object reads.
  public init() {}

  /// CLOCK_MONOTONIC now.
  public var now: MonotonicTime { .system }
}

extension ManualClock: MonotonicClock {}
