import Glibc
import UICore

extension MonotonicTime {
  /// The current time of CLOCK_MONOTONIC.
  package static var system: MonotonicTime { MonotonicTime(onClock: CLOCK_MONOTONIC) ?? .zero }

  /// The current time of the clock with this number (clockid_t), as that clock counts it; nil if the clock cannot be read.
  package init?(onClock clock: Int32) {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
    self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Blocks the calling thread until this time; a signal may end the wait earlier.
  package func sleepUntil() {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
  }
}
