import Foundation

/// Everything that was measured in one run.
struct Report: Codable {
  var measurements: [Measurement] = []
  /// The median milliseconds of a screenshot, where one was made.
  var screenshot: Double?
  /// Milliseconds from a touch to the drive's line, each as read by another process.
  var driveLatencies: [Double] = []
  /// The figures of scenes of many controls.
  var manyControls: ManyControls?
  /// The allocations of a drive's frames, if they were counted.
  var allocations: [Allocations] = []
  /// The processor time of a drive by kind of consumer, if it was measured.
  var consumers: [ConsumerCost] = []
  /// The lateness of lines by priority, if it was measured.
  var priorities: [PriorityResult] = []
  /// The processor, its load, and the date.
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
      result.drag.processorPerFrame, result.damagedFraction.map { $0 * 100 }, result.flood.commitsPerRefresh,
      result.flood.processorPerFrame,
    ]
  }

  private func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    return String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
  }

  private static func describeMachine() -> String {
    let name = systemText("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
    let model = name?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    let date = ISO8601DateFormatter().string(from: Date())
    let load = systemText("/proc/loadavg").split(separator: " ").first ?? "?"
    return "\(model), \(ProcessInfo.processInfo.activeProcessorCount) processors, load \(load) at the start, \(date)"
  }
}

/// An aim of the project, with the value that was measured for it.
struct Aim: Sendable {
  /// The figure's name, in words.
  var text: String
  var measured: Double
  var limit: Double
  var unit: String

  init(_ text: String, _ measured: Double, limit: Double, unit: String = "") {
    (self.text, self.measured, self.limit, self.unit) = (text, measured, limit, unit)
  }

  /// True when the measured value keeps the limit.
  var isMet: Bool { measured <= limit }

  /// The aims of a client at the usual size.
  static func all(of result: Measurement, screenshot: Double?, driveLatencies: [Double] = []) -> [Aim] {
    var aims = [
      Aim(
        "a motion is answered by a painted commit, median", Statistics.median(result.drag.latencies) ?? .infinity,
        limit: 1, unit: "ms"),
      Aim("processor time for a painted frame", result.drag.processorPerFrame, limit: 0.8, unit: "ms"),
      Aim(
        "damage of a turned wheel", (result.damagedFraction ?? 1) * 100, limit: 12,
        unit: "% of the surface"),
      Aim(
        "commits for each refresh at 1000 motions/s", result.flood.commitsPerRefresh, limit: 1.01,
        unit: ""),
      Aim("wake-ups while idle", result.idleWakeUpsPerSecond, limit: 0, unit: "/s"),
      Aim("commits while idle", Double(result.idleCommits), limit: 0),
      Aim("start to the first painted frame", result.start ?? .infinity, limit: 40, unit: "ms"),
      Aim("memory (PSS)", result.memoryMegabytes, limit: 30, unit: "MB"),
    ]
    func add(_ text: String, _ measured: Double?, limit: Double) {
      if let measured { aims.append(Aim(text, measured, limit: limit, unit: "ms")) }
    }
    add("a touch to the drive's line, 99 of 100", Statistics.percentile(0.99, driveLatencies), limit: 2)
    add("--screenshot, start to end", screenshot, limit: 150)
    return aims
  }
}

/// Raw results of a client at one size, and figures computed from them; written by `--record`.
struct Measurement: Codable, Sendable {
  /// A drag of the wheel.
  struct Drag: Codable, Sendable {
    /// Milliseconds from a motion to the first commit whose pixels show it, or a later one.
    var latencies: [Double] = []
    var motions = 0
    var unanswered = 0
    var commits = 0
    var refreshes = 0
    var processorMilliseconds = 0.0
    /// The fraction of the surface that each commit damages.
    var shares: [Double] = []

    /// Processor milliseconds for each painted frame.
    var processorPerFrame: Double { commits == 0 ? 0 : processorMilliseconds / Double(commits) }
    /// Painted commits for each refresh.
    var commitsPerRefresh: Double { refreshes == 0 ? 0 : Double(commits) / Double(refreshes) }
  }

  var client: String
  var width: Int
  var height: Int
  /// Milliseconds from before exec to the first commit with a buffer, start by start.
  var starts: [Double] = []
  var idleSeconds = 0.0
  var idleWakeUps = 0
  var idleCommits = 0
  var idleProcessorMilliseconds = 0.0
  var memoryMegabytes = 0.0
  /// Motions that keep their distance from the refresh.
  var inPhase = Drag()
  /// Motions that drift through every distance from it.
  var drifting = Drag()
  /// A thousand motions a second.
  var flood = Drag()

  /// The fraction of all processors' time that other programs used during the drags.
  var othersShare = 0.0
  /// The number of positions with an image of their own.
  var distinctPositions = 0

  /// Both drags together.
  var drag: Drag {
    Drag(
      latencies: inPhase.latencies + drifting.latencies, motions: inPhase.motions + drifting.motions,
      unanswered: inPhase.unanswered + drifting.unanswered, commits: inPhase.commits + drifting.commits,
      refreshes: inPhase.refreshes + drifting.refreshes,
      processorMilliseconds: inPhase.processorMilliseconds + drifting.processorMilliseconds,
      shares: inPhase.shares + drifting.shares)
  }

  /// The median start in milliseconds.
  var start: Double? { Statistics.median(starts) }
  /// Wake-ups a second with nothing to do.
  var idleWakeUpsPerSecond: Double { idleSeconds == 0 ? 0 : Double(idleWakeUps) / idleSeconds }
  /// The median damaged fraction of a drag's frames.
  var damagedFraction: Double? { Statistics.median(drag.shares) }
}

/// Medians and percentiles.
enum Statistics {
  /// The least value that the fraction `part` (0 to 1) of `values` does not exceed; nil without values.
  static func percentile(_ part: Double, _ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))]
  }

  /// The middle value.
  static func median(_ values: [Double]) -> Double? { percentile(0.5, values) }
}
