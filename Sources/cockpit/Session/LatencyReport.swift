import Glibc
import Shell

/// Measures the latency of one content's windows in succession, for `--latency`.
final class LatencyReport: SessionPart {
  /// The latest window, even after it was closed.
  private var window: Window?
  /// The measurements of the windows before it, whose connections were lost.
  private var earlier = LatencyStatistics()

  var statistics: LatencyStatistics {
    var sum = earlier
    if let last = window?.latency { sum.add(last) }
    return sum
  }

  func follow(_ next: Window) {
    earlier = statistics
    next.measuresLatency = true
    window = next
  }

  /// Writes the table to standard error, because only lines of `--drive -` may go to standard output.
  func end() {
    _ = Log.put("cockpit: \(statistics.description.dropLast())", to: STDERR_FILENO)
  }
}
