import Foundation
import Glibc
import UICore

/// Measures Wayland clients against a compositor of the project's own.
@main
struct CockpitBench {
  static func main() {
    do throws(BenchError) {
      let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
      let report = try Bench(options: options).run()
      report.print()
      if options.countsAllocationsOnly { report.allocations.flatMap(\.ways).forEach { print($0) } }
      if let path = options.record { try report.write(to: path) }
      exit(report.aimsMissed && options.isStrict ? 1 : 0)
    } catch {
      say("cockpit-bench: \(error)")
      exit(error.exitCode)
    }
  }

  /// Writes a line of progress on standard error, apart from the results.
  static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

/// Measures every client at every size, and the cockpit's screenshot.
struct Bench {
  let options: BenchOptions

  /// Measures everything; takes minutes.
  func run() throws(BenchError) -> Report {
    var report = Report()
    if options.countsAllocationsOnly || options.measuresConsumersOnly || options.priorityRounds > 0 {
      guard let client = options.cockpit, let size = options.sizes.first else { return report }
      if options.countsAllocationsOnly {
        report.allocations = try allocations(client, size)
        return report
      }
      if options.measuresConsumersOnly {
        report.consumers = try ConsumerMeasurer(client: client, size: size, seconds: max(options.seconds, 10)).run()
      }
      if options.priorityRounds > 0 {
        report.priorities = try PriorityMeasurer(
          client: client, size: size, place: try findWheel(client, size), rounds: options.priorityRounds
        ).run()
      }
      return report
    }
    for size in options.sizes {
      var place: WheelPlace?
      if let client = options.cockpit {
        let found = try findWheel(client, size)
        report.measurements.append(try measure(client, size, found))
        place = found
        if report.driveLatencies.isEmpty {
          report.driveLatencies = try DriveMeasurer(client, size: size, place: found, touches: 400).run()
        }
        if report.allocations.isEmpty { report.allocations = try allocations(client, size) }
      }
      if var client = options.bare {
        // The yardstick gets a wheel of the cockpit's place and size.
        if let place { client.words += ["--wheel", "\(place.center.x),\(place.center.y),\(place.radius)"] }
        let place = if let place { place } else { try findWheel(client, size) }
        report.measurements.append(try measure(client, size, place))
      }
    }
    if let client = options.cockpit { report.screenshot = screenshot(client) }
    CockpitBench.say("a scene of \(ManyControls.counts.large) controls ...")
    report.manyControls = try ManyControls()
    return report
  }

  private func findWheel(_ client: ClientSpecification, _ size: PixelSize) throws(BenchError) -> WheelPlace {
    guard let place = ViewTree(of: client, size: size).flatMap(WheelPlace.init(tree:)) else {
      throw .client(name: client.name, "names no SteeringWheel in --dump-tree --size \(size.width)x\(size.height)")
    }
    return place
  }

  private func measure(
    _ client: ClientSpecification, _ size: PixelSize, _ place: WheelPlace
  ) throws(BenchError) -> Measurement {
    MachineLoad.waitUntilQuiet(seconds: options.quietLimit)
    CockpitBench.say("\(client.name) at \(size.width) x \(size.height) ...")
    return try Measurer(client, size: size, place: place, options: options).run()
  }

  /// Counts the allocations of a drag's frames; empty without the counting library.
  private func allocations(_ client: ClientSpecification, _ size: PixelSize) throws(BenchError) -> [Allocations] {
    guard let counter = options.counter else { return [] }
    var result: [Allocations] = []
    for use in AllocationMeasurer.Use.allCases {
      CockpitBench.say("what \(client.name) allocates at \(size.width) x \(size.height), \(use) ...")
      let measurer = try AllocationMeasurer(
        client, size: size, use: use, counter: counter, frames: options.frames, refresh: options.refresh)
      result.append(try measurer.run())
    }
    return result
  }

  /// The median milliseconds of a screenshot; nil where the client makes none.
  private func screenshot(_ client: ClientSpecification) -> Double? {
    let path = NSTemporaryDirectory() + "cockpit-bench-\(getpid()).png"
    defer { unlink(path) }
    let times = (0..<options.starts).compactMap { _ in
      Child.run(client.words + ["--screenshot", path, "--size", "1280x720"])?.milliseconds
    }
    return FileManager.default.fileExists(atPath: path) ? Statistics.median(times) : nil
  }
}

/// A failure of the bench, in one line for a person.
enum BenchError: Error, CustomStringConvertible {
  /// The command line was not understood.
  case usage(String)
  /// A system call failed.
  case system(operation: String, errno: Int32)
  /// A client did not react as expected.
  case client(name: String, String)

  var description: String {
    switch self {
    case .usage(let text): text
    case .system(let operation, let errno): "\(operation): \(String(cString: strerror(errno)))"
    case .client(let name, let text): "\(name) \(text)"
    }
  }

  /// The process's exit code.
  var exitCode: Int32 {
    if case .usage = self { 64 } else { 70 }
  }
}
