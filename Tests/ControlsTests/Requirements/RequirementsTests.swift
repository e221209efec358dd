import Foundation
import Testing

/// The tests that docs/requirements.md has every requirement that is named anywhere, and that each is a test's subject.
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
      "Sources", "Tests", "Plugins", "Fuzz", "Benchmarks", "docs", "scripts", "README.md", "ARCHITECTURE.md",
    ]
    for (file, text) in try texts(in: places + ["CHANGELOG.md"]) {
      // No part of a word, of a longer name, or of a number such as 0xK8.
      let named = text.matches(of: /(?:^|[^A-Za-z0-9_\-#])([GROLK](?:-D)?[0-9]+)(?![A-Za-z0-9_])/)
      let unknown = Set(named.map { String($0.1) }).subtracting(known)
      #expect(unknown.isEmpty, "\(file) names \(unknown.sorted())")
    }
  }

  @Test func `every requirement of the page is the subject of a test, and no test's is missing on it`() throws {
    var subjects: Set<String> = []
    for (_, text) in try texts(in: ["Tests"]) {
      // A test's name is its function's, or the first text of its `@Test`.
      for match in text.matches(of: /@Test\(\s*"([^"]+)"/) { subjects.formUnion(ids(in: String(match.1))) }
      for match in text.matches(of: /func `([^`]+)`/) { subjects.formUnion(ids(in: String(match.1))) }
    }
    let page = Set(try page().map(\.id))
    #expect(page.subtracting(subjects).sorted() == [], "no test is about them")
    #expect(subjects.subtracting(page).sorted() == [], "no such requirements")
  }

  @Test func `ids are read from the beginning of a name`() {
    #expect(ids(in: "R-D1: thumbs") == ["R-D1"])
    #expect(ids(in: "O15, O16: a, L7: b") == ["O15", "O16"])
    #expect(ids(in: "K13, K-D4: twice changes nothing") == ["K13", "K-D4"])
    #expect(ids(in: "G14 to G16, G-D11: lines") == ["G14", "G15", "G16", "G-D11"])
    #expect(ids(in: "the gear R2: nothing") == [])
    #expect(ids(in: "R2 D2") == [])
  }

  /// The ids before the first colon, if there is nothing else before it: one, several, or from one to another.
  private func ids(in name: String) -> [String] {
    guard let colon = name.firstIndex(of: ":") else { return [] }
    var result: [String] = []
    for part in name[..<colon].split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      guard let match = part.wholeMatch(of: /([GROLK](?:-D)?)([0-9]+)(?: to ([GROLK](?:-D)?)([0-9]+))?/),
        let first = Int(match.2)
      else { return [] }
      let last = match.4.flatMap { Int($0) } ?? first
      guard match.3 == nil || match.3 == match.1, first <= last else { return [] }
      result += (first...last).map { "\(match.1)\($0)" }
    }
    return result
  }
}
