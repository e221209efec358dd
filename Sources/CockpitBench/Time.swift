// The monotonic clock in nanoseconds.

import Glibc

/// CLOCK_MONOTONIC.
nonisolated enum Time {
  /// Nanoseconds now.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
