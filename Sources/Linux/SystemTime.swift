import Glibc
import UICore

extension MonotonicTime {
  /// CLOCK_MONOTONIC now.
  package static var system: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Waits on the calling thread until this time; a signal may end it before.
  package func sleepUntil() {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
  }
}
