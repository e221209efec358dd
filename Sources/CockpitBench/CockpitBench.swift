import Foundation
import Glibc
import UICore

/// Measures Wayland clients against a compositor of the project's own.
@main
struct CockpitBench {
  static func main() {
    do throws(BenchError) {
      let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
      let report = try Bench(options).run()
      report.print()
      if options.countsAllocationsOnly { report.allocations.flatMap(\.ways).forEach { print($0) } }
      if let path = options.record { try report.write(to: path) }
      exit(report.aimsMissed && options.isStrict ? 1 : 0)
    } catch {
      say("cockpit-bench: \(error)")
      exit(error.exitCode)
    }
  }

  /// Writes a line for a person who waits, apart from the results.
  static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
