/// A time in nanoseconds on the system's monotonic clock (CLOCK_MONOTONIC), or on a test's manual clock.
///
/// Wayland's input timestamps and presentation times are on the same scale if the compositor uses that clock.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since the scale's start.
  public var nanoseconds: Int64

  /// A time from its nanoseconds.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// A time in whole milliseconds, as the events of input devices carry it.
  package init(milliseconds: UInt32) {
    self.init(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  /// The scale's start; manual clocks begin here.
  public static let zero = MonotonicTime(nanoseconds: 0)

  /// Seconds since the scale's start.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The lower 32 bits of the whole milliseconds, as input device events carry them. They wrap after 50 days.
  package var milliseconds: UInt32 { UInt32(truncatingIfNeeded: nanoseconds / 1_000_000) }

  /// True if `a` is earlier than `b`.
  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The time `duration` after `time`, clamped to the end of the scale, 292 years after its start.
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    let (nanoseconds, length) = (time.nanoseconds, duration.inNanoseconds)
    return MonotonicTime(nanoseconds: Int64(nearest: nanoseconds.addingReportingOverflow(length), isBelow: length < 0))
  }

  /// The time `duration` before `time`, clamped to the beginning of the scale, 292 years before its start.
  public static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    let (nanoseconds, length) = (time.nanoseconds, duration.inNanoseconds)
    return MonotonicTime(
      nanoseconds: Int64(nearest: nanoseconds.subtractingReportingOverflow(length), isBelow: length > 0))
  }

  /// The duration from `b` to `a`, clamped to 292 years.
  public static func - (a: MonotonicTime, b: MonotonicTime) -> Duration {
    let length = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return .nanoseconds(Int64(nearest: length, isBelow: a < b))
  }
}

/// The earlier of two times; nil if there is neither.
package func earlier(_ a: MonotonicTime?, _ b: MonotonicTime?) -> MonotonicTime? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}

extension Duration {
  /// The whole duration in nanoseconds, clamped to 292 years.
  public var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let whole = Int64(nearest: seconds.multipliedReportingOverflow(by: 1_000_000_000), isBelow: seconds < 0)
    return Int64(nearest: whole.addingReportingOverflow(attoseconds / 1_000_000_000), isBelow: seconds < 0)
  }

  /// The whole duration in seconds.
  public var inSeconds: Double { Double(inNanoseconds) / 1e9 }
}

extension Int64 {
  /// The result of a calculation, or the end of the range if it overflowed.
  fileprivate init(nearest result: (partialValue: Int64, overflow: Bool), isBelow: Bool) {
    self = result.overflow ? (isBelow ? .min : .max) : result.partialValue
  }
}

/// A clock that only advances when a test moves it.
@MainActor public final class ManualClock {
  /// The time that the clock shows.
  public var now: MonotonicTime

  /// A clock that shows `now`.
  public init(now: MonotonicTime = .zero) {
    self.now = now
  }

  /// Moves the clock forward.
  public func advance(by duration: Duration) {
    now = now + duration
  }
}
