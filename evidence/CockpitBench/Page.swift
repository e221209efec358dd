import Foundation

/// A page of Markdown with parts that are generated from records: `docs/performance.md`.
///
/// A part is between the lines `<!-- measured: NAME -->` and `<!-- end -->`. Its record is the file NAME.json in `folder`.
struct Page {
  let path: String
  /// The directory of the records, beside the page: data/performance for performance.md.
  let folder: String
  /// The same directory as a link of the page.
  private let link: String

  init(path: String) {
    self.path = path
    let file = URL(fileURLWithPath: path)
    link = "data/\(file.deletingPathExtension().lastPathComponent)"
    folder = file.deletingLastPathComponent().appendingPathComponent(link).path
  }

  /// The page with every part that has a record generated again.
  func filled() throws(BenchError) -> String {
    var result: [String] = []
    var part: String?
    for line in try text().components(separatedBy: "\n") {
      if line == "<!-- end -->" { part = nil }
      if part == nil { result.append(line) }
      guard let name = Page.name(line) else { continue }
      let record = "\(folder)/\(name).json"
      guard FileManager.default.fileExists(atPath: record) else { continue }
      part = name
      result += ["", Page.body(name, try Report(contentsOf: record), record: "\(link)/\(name).json"), ""]
    }
    guard part == nil else { throw .usage("\(path): <!-- measured: \(part ?? "") --> has no <!-- end -->") }
    return result.joined(separator: "\n")
  }

  /// Fills in the page's file, and draws the plot of a sweep beside it.
  func fill() throws(BenchError) {
    do {
      try filled().write(toFile: path, atomically: true, encoding: .utf8)
      let sweep = "\(folder)/sweep.json"
      guard FileManager.default.fileExists(atPath: sweep) else { return }
      try Sweep.plot(Report(contentsOf: sweep).figures).save(to: path.replacingOccurrences(of: ".md", with: ".svg"))
    } catch let error as BenchError {
      throw error
    } catch {
      throw .usage("\(path): \(error.localizedDescription)")
    }
  }

  /// Whether the page's file equals what its records generate.
  func isFilled() throws(BenchError) -> Bool { try filled() == text() }

  private func text() throws(BenchError) -> String {
    do {
      return try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw .usage("\(path): \(error.localizedDescription)")
    }
  }

  private static func name(_ line: String) -> String? {
    guard line.hasPrefix("<!-- measured: "), line.hasSuffix(" -->") else { return nil }
    return String(line.dropFirst("<!-- measured: ".count).dropLast(" -->".count))
  }

  /// A part's text: the commit, the record's tables, and its aims.
  private static func body(_ name: String, _ report: Report, record: String) -> String {
    var parts = ["At \(report.commit ?? "an unknown commit") ([record](\(record))): \(report.machine)."]
    switch name {
    case "sweep": parts += Sweep.tables(report.figures)
    case "scenes": parts.append(SceneTable.text(report.figures))
    case "consumers": parts.append(ConsumerCost.table(report.consumers))
    case "counted", "priority", "goals": parts += report.figures.tables
    default: break
    }
    let verdicts = Aim.verdicts(report.figures)
    if !verdicts.isEmpty {
      let missed = verdicts.count { !$0.isMet }
      parts.append("Aims: \(verdicts.count - missed) met, \(missed) missed.")
      parts.append(Aim.table(verdicts))
    }
    return parts.map { $0.trimmingCharacters(in: .newlines) }.joined(separator: "\n\n")
  }
}

extension Figures {
  /// A table for each scene: a row for each figure, a column for each client.
  var tables: [String] {
    var scenes: [String] = []
    for figure in all where figure.client != "machine" && !scenes.contains(figure.scene) { scenes.append(figure.scene) }
    return scenes.map { scene in
      let own = all.filter { $0.scene == scene && $0.client != "machine" }
      var (clients, names): ([String], [String]) = ([], [])
      for figure in own {
        if !clients.contains(figure.client) { clients.append(figure.client) }
        if !names.contains(figure.name) { names.append(figure.name) }
      }
      var text = "| \(scene) | \(clients.joined(separator: " | ")) |\n|---|\(clients.map { _ in "---|" }.joined())\n"
      for name in names {
        let cells = clients.map { client in
          self[name, client, scene].map { "\(Figures.full($0.median))\($0.unit.isEmpty ? "" : " \($0.unit)")" } ?? ""
        }
        text += "| \(name) | \(cells.joined(separator: " | ")) |\n"
      }
      return text
    }
  }

  /// A number with three significant digits, from 1,000 on rounded to a whole number with its digits in groups.
  static func full(_ value: Double) -> String {
    guard value.isFinite, value >= 1000 else { return text(value) }
    var digits = String(Int(value.rounded()))
    var end = digits.count - 3
    while end > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
      end -= 3
    }
    return digits
  }
}
