import Foundation
import Testing

/// The tests that docs/requirements.md has every requirement that is named anywhere; scripts/requirements.py counts their tests.
@Suite struct RequirementsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The ids of the page in its order, each with its text.
  private func page() throws -> [(id: String, text: String)] {
    let text = try String(contentsOf: Self.root.appending(path: "docs/requirements.md"), encoding: .utf8)
    return text.matches(of: /(?:^|\n)- \*\*([GROLK](?:-D)?[0-9]+)\*\* ((?:[^\n]|\n  )+)/).map {
      (String($0.1), String($0.2))
    }
  }

  /// The texts of all files below `folders`, or of single files.
  private func texts(in folders: [String]) throws -> [(file: String, text: String)] {
    let kinds = ["swift", "md", "sh", "json", "h", "py"]
    var result: [(file: String, text: String)] = []
    for folder in folders {
      let start = Self.root.appending(path: folder)
      var files = [start]
      if let found = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil) {
        files += found.compactMap { $0 as? URL }
      }
      for file in files where kinds.contains(file.pathExtension) {
        result.append((file.lastPathComponent, try String(contentsOf: file, encoding: .utf8)))
      }
    }
    return result
  }

  @Test func `the page has each requirement once, with a text, numbered from 1 without a gap`() throws {
    let page = try page()
    var last: [Substring: Int] = [:]
    for (id, text) in page {
      let prefix = id.prefix { !$0.isNumber }
      #expect(Int(id.dropFirst(prefix.count)) == (last[prefix] ?? 0) + 1, "\(id)")
      last[prefix, default: 0] += 1
      #expect(text.split(separator: " ").count >= 5 && text.contains(/[.][)]?$/), "\(id) says nothing")
    }
    #expect(
      last == [
        "G": 29, "G-D": 13, "R": 22, "R-D": 11, "O": 18, "O-D": 8, "L": 8, "L-D": 4, "K": 24, "K-D": 4,
      ])
  }

  @Test func `the page has every requirement that code, tests or documents name`() throws {
    let known = Set(try page().map(\.id))
    let places = [
      "Sources", "Tests", "Fuzz", "evidence", "docs", "scripts", "README.md", "ARCHITECTURE.md",
    ]
    for (file, text) in try texts(in: places + ["CHANGELOG.md"]) {
      // No part of a word, of a longer name, or of a number such as 0xK8.
      let named = text.matches(of: /(?:^|[^A-Za-z0-9_\-#])([GROLK](?:-D)?[0-9]+)(?![A-Za-z0-9_])/)
      let unknown = Set(named.map { String($0.1) }).subtracting(known)
      #expect(unknown.isEmpty, "\(file) names \(unknown.sorted())")
    }
  }
}
