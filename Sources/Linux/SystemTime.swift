import Glibc
import UICore

extension MonotonicTime {
  /// CLOCK_MONOTONIC now.
  package static var system: MonotonicTime { MonotonicTime(onClock: CLOCK_MONOTONIC) ?? .zero }

  /// The time now on the clock with this number (clockid_t), which differs from CLOCK_MONOTONIC; nil for one that can't be read.
  package init?(onClock clock: Int32) {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Waits on the calling thread until this time; a signal may end it before.
  package func sleepUntil() {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
  }
}
