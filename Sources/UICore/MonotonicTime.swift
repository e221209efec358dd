/// A time in nanoseconds on the system's monotonic clock (CLOCK_MONOTONIC), or on a test's manual clock.
///
/// Wayland's input timestamps and presentation times are on the same scale where the compositor's clock is that one.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since the scale's start.
  public var nanoseconds: Int64

  /// A time from its nanoseconds.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The scale's start; manual clocks begin here.
  public static let zero = MonotonicTime(nanoseconds: 0)

  /// Seconds since the scale's start.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Earlier.
  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Later by a duration.
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds + duration.inNanoseconds)
  }

  /// Earlier by a duration.
  public static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds - duration.inNanoseconds)
  }

  /// The duration from `b` to `a`.
  public static func - (a: MonotonicTime, b: MonotonicTime) -> Duration {
    .nanoseconds(a.nanoseconds - b.nanoseconds)
  }
}

extension Duration {
  /// The whole duration in nanoseconds; exact up to 292 years.
  public var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The whole duration in seconds.
  public var inSeconds: Double { Double(inNanoseconds) / 1e9 }
}
