import UICore

/// A clock that stands still until a script moves it.
public final class StageClock {
  /// The time; it starts late enough that no event's time is 0, which would mean unknown.
  public var now: MonotonicTime

  /// A clock that shows `now`.
  public init(now: MonotonicTime = MonotonicTime(nanoseconds: 10_000_000_000)) {
    self.now = now
  }

  /// Moves the clock on.
  public func advance(by duration: Duration) { now = now + duration }

  /// The time in milliseconds as input events carry it.
  var milliseconds: UInt32 { UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000) }
}
