import Linux
import UICore

/// CLOCK_MONOTONIC.
nonisolated enum Time {
  /// Nanoseconds now.
  static var now: Int64 { MonotonicTime.system.nanoseconds }
}
