import Foundation
import UICore

/// Measures the cockpit on a small machine: with a part of a core, and in little memory.
struct Goals {
  let client: ClientSpecification
  /// The seconds of each drag.
  let seconds: Double

  /// A small machine, and what the cockpit does there.
  private struct Trial {
    var size: PixelSize
    var limit: ControlGroup.Limit
    /// The limit in words.
    var name: String
    var arguments: [String] = []
    var uses: [Use]
  }

  private static let trials = [
    Trial(
      size: PixelSize(width: 1280, height: 720), limit: .processor(0.25), name: "a quarter of a core",
      uses: [.wheel, .both]),
    Trial(
      size: PixelSize(width: 3840, height: 2160), limit: .processor(0.5), name: "half a core", uses: [.wheel]),
    Trial(
      size: PixelSize(width: 1280, height: 720), limit: .memory(48_000_000), name: "48 MB",
      arguments: ["--drive", "-"], uses: [.both]),
    Trial(
      size: PixelSize(width: 480, height: 320), limit: .memory(32_000_000), name: "32 MB",
      arguments: ["--drive", "-"], uses: [.both]),
  ]

  /// Records the figures of every trial. A trial in which the cockpit ends is recorded as unmeasured, which misses its aim.
  func record(in figures: inout Figures) throws(BenchError) {
    for trial in Goals.trials {
      let scene = "\(trial.size.text) with \(trial.name)"
      let places = try Places(of: client, size: trial.size)
      let group = try ControlGroup(trial.limit)
      var limited = client
      limited.words = group.words(client.words)
      let plan = MeasurementPlan(arguments: trial.arguments, uses: trial.uses, scene: scene)
      var lateness: [Double] = []
      if case .memory = trial.limit { try dropFiles(trial.size) }
      do {
        try Measurer(limited, size: trial.size, places: places, plan: plan, seconds: seconds)
          .run(&figures, &lateness)
      } catch {
        CockpitBench.write("\(scene): \(error)\n")
        for use in trial.uses { figures.record(nil, "\(use.rawValue): late frames", "%", scene: scene) }
      }
      guard case .memory = trial.limit else { continue }
      figures.record(Double(group.peak) / 1e6, "greatest memory", "MB", scene: scene)
      figures.record(Double(group.refusals), "refused allocations", "", scene: scene)
    }
  }

  /// Drops the program's files from the page cache: what the client reads itself counts as its memory.
  private func dropFiles(_ size: PixelSize) throws(BenchError) {
    let compositor = try MeasuringCompositor(size: size)
    let child = try compositor.start(client)
    compositor.run(milliseconds: 500)
    let files = Machine.files(mappedBy: child.identifier)
    child.end()
    Machine.dropPages(of: files)
  }
}
