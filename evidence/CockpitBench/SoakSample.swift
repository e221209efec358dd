import Foundation
import Glibc

/// A minute of a soak: a line of `.build/soak.json`.
struct SoakSample: Codable, Sendable, Equatable {
  /// The end of the minute, in seconds since the first began.
  var seconds = 0.0
  /// The process's proportional share of memory, and its private pages that were written, in kB (smaps_rollup).
  var pss = 0
  var privateDirty = 0
  /// The open descriptors and the threads.
  var descriptors = 0
  var threads = 0
  /// The processor time of the minute in milliseconds.
  var processor = 0.0
  /// The lines that the consumer read; those of them that were late; the greatest time from `t` to the arrival, and the longest time between
  /// two lines of a drive that goes on, in milliseconds; the lines that newer ones replaced.
  var lines = 0
  var late = 0
  var latest = 0.0
  var longestGap = 0.0
  var replaced = 0
  /// The refreshes that the compositor itself performed later than the limit for lines: on a machine that is so busy, lines may be late too.
  var lateRefreshes = 0
  /// How often the fingers took hold; the restarts of the compositor and of the consumer; the outputs that came or went; the
  /// changes of theme; the scenes saved; how often the touchscreen was unplugged.
  var drives = 0
  var compositorRestarts = 0
  var consumerRestarts = 0
  var outputs = 0
  var themes = 0
  var scenes = 0
  var unplugged = 0
  /// Expected effects that did not happen.
  var failures: [String] = []

  /// Reads memory, descriptors and threads of the process `identifier`.
  mutating func readProcess(_ identifier: pid_t) {
    let folder = "/proc/\(identifier)"
    pss = ProcessCost.number("Pss:", in: systemText(folder + "/smaps_rollup"))
    privateDirty = ProcessCost.number("Private_Dirty:", in: systemText(folder + "/smaps_rollup"))
    threads = ProcessCost.number("Threads:", in: systemText(folder + "/status"))
    descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count) ?? 0
  }
}

/// A line through points by least squares.
struct LeastSquares: Sendable, Equatable {
  var slope: Double
  /// The slope's standard error, from the points' distances to the line; what those have in common with their neighbours is not
  /// taken into account.
  var standardError: Double

  /// The line through `points`; nil for fewer than three, or if all have the same x.
  init?(_ points: [(x: Double, y: Double)]) {
    let count = Double(points.count)
    let (meanX, meanY) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
    let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    guard points.count >= 3, spread > 0 else { return nil }
    let slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
    let rest = points.reduce(0) { sum, point in
      let distance = point.y - meanY - slope * (point.x - meanX)
      return sum + distance * distance
    }
    self.slope = slope
    standardError = (rest / (count - 2) / spread).squareRoot()
  }
}

/// The samples of a soak as tables in Markdown.
struct SoakReport: Sendable {
  var samples: [SoakSample]

  /// The samples without the first tenth, in which caches fill.
  var settled: ArraySlice<SoakSample> { samples.dropFirst((samples.count + 9) / 10) }

  /// A value's growth per hour after the first tenth; nil for fewer than three samples.
  func growth(of value: (SoakSample) -> Int) -> LeastSquares? {
    LeastSquares(settled.map { ($0.seconds / 3600, Double(value($0))) })
  }

  /// Everything that went wrong, with the minute.
  var failures: [String] {
    let all = samples.enumerated().flatMap { minute, sample in sample.failures.map { "minute \(minute + 1): \($0)" } }
    guard let first = samples.first, let last = samples.last, last.descriptors > first.descriptors else { return all }
    return all + ["\(last.descriptors) descriptors at the end, \(first.descriptors) after the first minute"]
  }

  /// A row for each hour, then the growth.
  var text: String {
    let titles = [
      "hour", "PSS (kB)", "private dirty (kB)", "descriptors", "lines", "late", "latest (ms)", "late refreshes",
      "drives",
      "compositor restarts", "consumer restarts", "outputs came or went", "themes", "scenes saved",
      "touchscreen unplugged",
    ]
    var rows = ["| " + titles.joined(separator: " | ") + " |", String(repeating: "|---", count: titles.count) + "|"]
    for start in stride(from: 0, to: samples.count, by: 60) {
      let hour = samples[start..<min(start + 60, samples.count)]
      func middle(_ value: (SoakSample) -> Int) -> String {
        let sorted = hour.map(value).sorted()
        return String(sorted[sorted.count / 2])
      }
      func sum(_ value: (SoakSample) -> Int) -> String { String(hour.reduce(0) { $0 + value($1) }) }
      let name = hour.count == 60 ? "\(start / 60 + 1)" : "\(start / 60 + 1) (\(hour.count) min)"
      let cells = [
        name, middle(\.pss), middle(\.privateDirty), middle(\.descriptors), sum(\.lines), sum(\.late),
        String(format: "%.1f", hour.map(\.latest).max() ?? 0), sum(\.lateRefreshes), sum(\.drives),
        sum(\.compositorRestarts), sum(\.consumerRestarts), sum(\.outputs), sum(\.themes), sum(\.scenes),
        sum(\.unplugged),
      ]
      rows.append("| " + cells.joined(separator: " | ") + " |")
    }
    rows += ["", "| growth after the first tenth | per hour | standard error |", "|---|---|---|"]
    let values: [(String, (SoakSample) -> Int)] = [
      ("PSS (kB)", \.pss), ("private dirty (kB)", \.privateDirty), ("descriptors", \.descriptors),
      ("late lines a minute", \.late),
    ]
    for (name, value) in values {
      let line = growth(of: value)
      func cell(_ number: Double?) -> String { number.map { String(format: "%.1f", $0) } ?? "-" }
      rows.append("| \(name) | \(cell(line?.slope)) | \(cell(line?.standardError)) |")
    }
    return rows.joined(separator: "\n")
  }
}
