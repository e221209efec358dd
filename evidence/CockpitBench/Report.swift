import Foundation

/// Everything that was measured in one run.
struct Report: Codable {
  var figures = Figures()
  /// The allocations of each use with their call stacks, if they were counted.
  var allocations: [Allocations] = []
  /// The CPU use of a drive for each kind of consumer, if it was measured.
  var consumers: [ConsumerCost] = []
  /// Tables for docs/performance.md; only a sweep makes them.
  var tables: [String] = []
  /// The commit that was measured; nil in records of earlier versions.
  var commit: String? = Machine.commit()
  /// The rivals' samples that are no figures of a round; nil in other runs.
  var rivals: RivalRecord?
  /// The processor, its load and the date.
  var machine = Machine.describe()

  init() {}

  /// Reads the raw results of an earlier run.
  init(contentsOf path: String) throws(BenchError) {
    do {
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      self = try decoder.decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw .usage("\(path) is no record of this bench: \(error.localizedDescription)")
    }
  }

  /// Writes the raw results as JSON.
  func write(to path: String) throws(BenchError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    } catch {
      throw .usage("\(path): \(error.localizedDescription)")
    }
  }

  /// Prints the figures, the tables, the aims, the changes, and the machine.
  func print(_ verdicts: [Aim.Verdict], comparedWith baseline: Report?) {
    var scenes: [String] = []
    for figure in figures.all where figure.client != "machine" && !scenes.contains(figure.scene) {
      scenes.append(figure.scene)
    }
    if tables.isEmpty { scenes.forEach(printFigures) }
    tables.forEach { Swift.print($0) }
    if !consumers.isEmpty { Swift.print(ConsumerCost.table(consumers)) }
    for counted in allocations { Swift.print(counted.summary) }
    if !verdicts.isEmpty { Swift.print("\n" + Aim.table(verdicts)) }
    if figures.all.contains(where: { $0.client == "against" }) {
      Swift.print("\nagainst -> cockpit")
      figures.changes(fromClient: "against").forEach { Swift.print($0) }
    }
    if let baseline {
      Swift.print("\nbaseline (\(baseline.machine)) -> this run")
      figures.changes(from: baseline.figures).forEach { Swift.print($0) }
    }
    Swift.print("")
    printRows(figures.all.filter { $0.client == "machine" }.map { [$0.name, $0.unit, text($0.median), noise(of: $0)] })
    Swift.print("\(commit ?? ""): \(machine)")
    guard figures.all.contains(where: { $0.client == "machine" }) else { return }
    Swift.print(
      """
      headless 60 Hz, buffers given back at the refresh and not copied; medians of the rounds; +-: half the range of their
      middle half; true: from a motion to the first commit whose pixels show it
      """)
  }

  /// Prints a scene's figures: one row each, two columns (median and noise) for each client, and the cockpit's figure in
  /// multiples of the yardstick's.
  private func printFigures(_ scene: String) {
    let own = figures.all.filter { $0.scene == scene && $0.client != "machine" }
    var clients: [String] = []
    var names: [String] = []
    for figure in own {
      if !clients.contains(figure.client) { clients.append(figure.client) }
      if !names.contains(figure.name) { names.append(figure.name) }
    }
    let yardstick = clients.contains("floor") ? "floor" : "bare"
    var rows = [[scene.isEmpty ? "the program" : scene, ""] + clients.flatMap { [$0, "+-"] } + ["x \(yardstick)"]]
    for name in names {
      var row = [name, own.first { $0.name == name }?.unit ?? ""]
      for client in clients {
        let figure = figures[name, client, scene]
        row += [figure.map { text($0.median) } ?? "", figure.map(noise) ?? ""]
      }
      let pair = (figures[name, "cockpit", scene], figures[name, yardstick, scene])
      if let mine = pair.0, let its = pair.1, its.median > 0 {
        row.append(text(mine.relative(to: its).median))
      } else {
        row.append("")
      }
      rows.append(row)
    }
    printRows(rows)
    Swift.print("")
  }

  private func noise(of figure: Figure) -> String { figure.noise.map { String(format: "%.0f%%", $0 * 100) } ?? "" }

  /// Prints rows in columns: names and units aligned to the left, numbers to the right.
  private func printRows(_ rows: [[String]]) {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row.indices, row).map { column, cell in
        let room = String(repeating: " ", count: widths[column] - cell.count)
        return column < 2 ? cell + room : room + cell
      }
      Swift.print(cells.joined(separator: "  "))
    }
  }
}
