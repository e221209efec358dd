import Foundation

/// Everything that was measured in one run.
struct Report: Codable {
  var measurements: [Measurement] = []
  /// The median milliseconds of a screenshot, where one was made.
  var screenshot: Double?
  /// Milliseconds from a touch to the drive's line, each as read by another process.
  var driveLatencies: [Double] = []
  /// What scenes of many controls cost.
  var manyControls: ManyControls?
  /// What frames of a drive allocate, where it was counted.
  var allocations: [Allocations] = []
  /// What each kind of consumer costs a drive, where it was measured.
  var consumers: [ConsumerCost] = []
  /// How late lines are by priority, where it was measured.
  var priorities: [PriorityResult] = []
  /// The processor, and when.
  var machine = Report.describeMachine()

  /// True when an aim of the cockpit's was missed.
  var aimsMissed: Bool { aims.contains { !$0.isMet } }

  /// The aims at the first size.
  private var aims: [Aim] {
    let client =
      measurements.first { $0.client == "cockpit" }.map {
        Aim.all(of: $0, screenshot: screenshot, driveLatencies: driveLatencies)
      } ?? []
    return client + consumers.map(\.aim) + allocations.flatMap(\.aims) + (manyControls?.aims ?? [])
  }

  /// Prints the table, the ratios, the aims and the machine.
  func print() {
    if !measurements.isEmpty { printTable() }
    if !consumers.isEmpty { Swift.print(ConsumerCost.table(consumers)) }
    if !priorities.isEmpty { Swift.print(PriorityResult.table(priorities)) }
    for counted in allocations { Swift.print(counted.summary) }
    for aim in aims {
      Swift.print(
        "\(aim.isMet ? "met   " : "MISSED") \(aim.text): \(text(aim.measured)) \(aim.unit), at most \(text(aim.limit))")
    }
    if let median = Statistics.median(driveLatencies) {
      let late = Statistics.percentile(0.99, driveLatencies)
      Swift.print(
        "touch to drive line, read by another process: p50 \(text(median)) ms, p99 \(text(late)) ms, \(driveLatencies.count) touches"
      )
    }
    for result in measurements where result.othersShare > 0.05 {
      Swift.print(
        "note: other programs used \(text(result.othersShare * 100)) % of the processors while \(result.client) was measured at \(result.width)x\(result.height)"
      )
    }
    for result in measurements where result.distinctPositions < 60 {
      Swift.print(
        "note: only \(result.distinctPositions) of 64 positions of \(result.client)'s wheel can be told apart")
    }
    Swift.print(machine)
    guard !measurements.isEmpty else { return }
    Swift.print(
      "headless 60 Hz, buffers given back at the refresh and not copied; true: from a motion to the first commit whose pixels show it"
    )
  }

  /// Writes the raw results as JSON.
  func write(to path: String) throws(BenchError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    } catch {
      throw .usage("\(path): \(error.localizedDescription)")
    }
  }

  /// Prints a row of figures for each client, and how many times the yardstick's the cockpit's are.
  private func printTable() {
    let head = [
      "client", "size", "start ms", "PSS MB", "idle wakes/s", "idle commits", "true p50 ms", "p99 ms", "drift p50",
      "drift p99", "CPU ms/frame", "damage %", "flood c/refresh", "flood CPU ms/frame",
    ]
    var rows = [head]
    for result in measurements {
      rows.append([result.client, "\(result.width)x\(result.height)"] + values(of: result).map { text($0) })
    }
    for cockpit in measurements where cockpit.client == "cockpit" {
      let bare = measurements.first {
        $0.client != "cockpit" && $0.width == cockpit.width && $0.height == cockpit.height
      }
      guard let bare else { continue }
      let ratios = zip(values(of: cockpit), values(of: bare)).map { mine, its -> String in
        guard let mine, let its, its > 0 else { return "" }
        return "x " + text(mine / its)
      }
      rows.append(["ratio", "\(cockpit.width)x\(cockpit.height)"] + ratios)
    }
    let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).map { cell, width in
        String(repeating: " ", count: width - cell.count) + cell
      }
      Swift.print(cells.joined(separator: "  "))
    }
  }

  private func values(of result: Measurement) -> [Double?] {
    [
      result.start, result.memoryMegabytes, result.idleWakeUpsPerSecond, Double(result.idleCommits),
      Statistics.median(result.inPhase.latencies), Statistics.percentile(0.99, result.inPhase.latencies),
      Statistics.median(result.drifting.latencies), Statistics.percentile(0.99, result.drifting.latencies),
      result.drag.processorPerFrame, result.damagedShare.map { $0 * 100 }, result.flood.commitsPerRefresh,
      result.flood.processorPerFrame,
    ]
  }

  private func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    return String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
  }

  private static func describeMachine() -> String {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model =
      information.split(separator: "\n").first { $0.hasPrefix("model name") }
      .flatMap { $0.split(separator: ":").last }.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    let date = ISO8601DateFormatter().string(from: Date())
    let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first ?? "?"
    return "\(model), \(ProcessInfo.processInfo.activeProcessorCount) processors, load \(load) at the start, \(date)"
  }
}
