import Foundation
import Testing

/// The test that docs/compositors.md claims nothing that no test shows.
@Suite struct CompositorPageTests {
  private static let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardizedFileURL

  /// The words by which the source of a test says that it runs on the compositor of a column.
  private static let signs: [Substring: [String]] = [
    "weston 10.0": [".weston", "CompositorKind.tested"], "its kiosk shell": [".kiosk"], "its ivi-shell": [".ivi"],
    "sway 1.7": [".sway", "CompositorKind.tested"], "KWin 5.27": [".kwin", "CompositorKind.tested"],
    "phoc 0.24": [".phoc"], "mutter 43.8": [".mutter"], "cage 0.1": [".cage"],
    "Stage": ["import Stage"],
  ]

  /// The sources of the suites named, by their names; each suite has a file of its name.
  private func suites(_ names: Set<Substring>) throws -> [Substring: String] {
    let folder = Self.package.appendingPathComponent("Tests")
    var found: [Substring: String] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      guard let name = names.first(where: { file.hasSuffix("/\($0).swift") }) else { continue }
      found[name] = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }
    return found
  }

  @Test func `every suite that the page names is there, and runs on the compositor in whose column it stands`() throws {
    let page = try String(contentsOf: Self.package.appendingPathComponent("docs/compositors.md"), encoding: .utf8)
    let named = Set(page.matches(of: #/`(\w+Tests)`/#).map(\.1))
    let sources = try suites(named)
    #expect(named.subtracting(sources.keys).isEmpty, "no such suites: \(named.subtracting(sources.keys).sorted())")

    let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.dropFirst(2).dropLast(2).split(separator: " | ")
    }
    let first = try #require(rows.firstIndex { $0.first == "seen working" })
    let columns = rows[first]
    let matrix = rows[(first + 2)...].prefix { $0.count == columns.count }
    #expect(matrix.count > 20)
    for row in matrix {
      for (column, cell) in zip(columns, row).dropFirst() where cell != "not seen" {
        let suite = try #require(cell.wholeMatch(of: #/`(\w+Tests)`/#), "\(row[0]), \(column): \(cell)").1
        let signs = try #require(Self.signs[column])
        #expect(signs.contains { sources[suite]?.contains($0) == true }, "\(row[0]): \(suite) runs not on \(column)")
      }
    }
  }
}
