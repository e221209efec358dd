// Owns the table of what the source articles ask for: every line, by its id, is the subject of a test.
// Must not test any of them itself.

import Foundation
import Testing

/// The ids of the requirements: the articles on the gearbox (G), the range sliders (R, O), the gradient (L) and the guide
/// to controls (K); `-D` are the articles' defects that are got right.
private let requirements: [(prefix: String, count: Int)] = [
  ("G", 29), ("G-D", 13), ("R", 22), ("R-D", 11), ("O", 18), ("O-D", 8), ("L", 8), ("L-D", 4), ("K", 24), ("K-D", 4),
]

@Suite struct RequirementsTests {
  /// Names of tests, such as "R-D1: overlapping thumbs never deadlock", begin with the ids that they are about.
  @Test func `every line that the articles ask for has a test with its id`() throws {
    let names = try testNames()
    var tests: [String: Int] = [:]
    for name in names {
      for id in ids(in: name) { tests[id, default: 0] += 1 }
    }
    let all = requirements.flatMap { part in (1...part.count).map { "\(part.prefix)\($0)" } }
    let missing = all.filter { tests[$0] == nil }
    print(
      "requirements: \(all.count) lines, \(all.reduce(0) { $0 + (tests[$1] ?? 0) }) times the subject of a test, "
        + (missing.isEmpty ? "none missing" : "missing: " + missing.joined(separator: ", ")))
    #expect(missing == [])
    let unknown = tests.keys.filter { !all.contains($0) }.sorted()
    #expect(unknown == [], "no such requirements")
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

  /// The names of all tests of the package.
  private func testNames() throws -> [String] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var names: [String] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      // A test's name is its function's, or the first text of its `@Test`.
      for match in text.matches(of: /@Test\(\s*"([^"]+)"/) { names.append(String(match.1)) }
      for match in text.matches(of: /func `([^`]+)`/) { names.append(String(match.1)) }
    }
    return names
  }
}
