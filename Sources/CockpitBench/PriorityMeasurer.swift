import Foundation
import Glibc
import UICore

/// The lateness of lines in milliseconds, by priority and load.
struct PriorityResult: Codable, Sendable {
  var priority: String
  var busyLoops: Int
  /// From a line's own time to its arrival in another process, while the wheel is held still at 100 lines a second.
  var lateness: [Double] = []
  /// From a touch's motion to its line's arrival in another process.
  var reactions: [Double] = []

  /// A table for docs/performance.md.
  static func table(_ results: [PriorityResult]) -> String {
    func text(_ part: Double, _ values: [Double]) -> String {
      Statistics.percentile(part, values).map { String(format: "%.2f", $0) } ?? "-"
    }
    let head =
      "| `--priority` | busy loops | line late, p50 | p99 | most | touch to line, p50 | p99 | most |\n|---|---|---|---|---|---|---|---|\n"
    return results.reduce(into: head) { table, result in
      let cells = [result.lateness, result.reactions].flatMap { [text(0.5, $0), text(0.99, $0), text(1, $0)] }
      table += "| \(result.priority) | \(result.busyLoops) | \(cells.joined(separator: " | ")) |\n"
    }
  }
}

/// Runs each priority with each load, several times in turn.
struct PriorityMeasurer {
  let client: ClientSpecification
  let size: PixelSize
  let place: WheelPlace
  let rounds: Int

  func run() throws(BenchError) -> [PriorityResult] {
    // The clock of this measurement must not be late itself.
    var first = sched_param(sched_priority: 10)
    if sched_setscheduler(0, SCHED_RR | 0x4000_0000, &first) != 0 {
      CockpitBench.write("note: the system grants this bench no real time; lateness is partly its own\n")
    }
    var results = [0, 2].flatMap { loops in
      ["normal", "raised"].map { PriorityResult(priority: $0, busyLoops: loops) }
    }
    for round in 1...rounds {
      for index in results.indices {
        let result = results[index]
        Progress.show("--priority \(result.priority) beside \(result.busyLoops) busy loops, round \(round)")
        let busy = try (0..<result.busyLoops).map { _ throws(BenchError) in
          try Child(["/bin/sh", "-c", "while :; do :; done"], environment: [:])
        }
        defer { busy.forEach { $0.end() } }
        var raised = client
        raised.words += ["--priority", result.priority, "--drive-rate", "100"]
        let measurer = try DriveMeasurer(raised, size: size, place: place, touches: 300)
        results[index].reactions += try measurer.run(stillSeconds: 5)
        results[index].lateness += measurer.lateness
      }
    }
    return results
  }
}
