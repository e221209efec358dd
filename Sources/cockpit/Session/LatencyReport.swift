import Glibc
import Shell
import UICore
import VideoLink

/// Measures the latency of one content's windows in succession, for `--latency`.
final class LatencyReport: SessionPart {
  /// The latest window, even after it was closed.
  private var window: Window?
  /// The measurements of the windows before it, whose connections were lost.
  private var earlier = LatencyStatistics()
  /// From the arrival of a camera's picture to the screen, and from its stamp, where that is of a wall clock.
  private var pictures = (arrival: LatencyHistogram(), stamp: LatencyHistogram())

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

  /// Records that the screen showed a camera's picture at `time`.
  func note(_ frame: VideoFrame, shownAt time: MonotonicTime) {
    pictures.arrival.record(.nanoseconds(time.nanoseconds &- frame.arrival))
    guard let stamp = frame.stamp, stamp.kind == .wall else { return }
    let (age, hasOverflow) = VideoPart.wall(at: time).subtractingReportingOverflow(stamp.nanoseconds)
    if !hasOverflow { pictures.stamp.record(.nanoseconds(age)) }
  }

  private func line(_ label: String, _ histogram: LatencyHistogram) -> String {
    let values = [0.5, 0.99, 1].map { (histogram.percentile($0) ?? .zero).inNanoseconds / 10_000 }
    let texts = values.map { "\($0 / 100).\($0 / 10 % 10)\($0 % 10)" }
    return
      "picture to screen, since its \(label): p50 \(texts[0]), p99 \(texts[1]), most \(texts[2]) ms of \(histogram.count)\n"
  }

  /// Writes the table to standard error, because only lines of `--drive -` may go to standard output.
  func end() {
    _ = Log.put("cockpit: \(statistics.description.dropLast())", to: STDERR_FILENO)
    for (label, histogram) in [("arrival", pictures.arrival), ("stamp", pictures.stamp)] where histogram.count > 0 {
      _ = Log.put("cockpit: \(line(label, histogram).dropLast())", to: STDERR_FILENO)
    }
  }
}
