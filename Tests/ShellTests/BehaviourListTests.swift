import Foundation
import Testing

/// The list of behaviours in docs/behaviours.md, and the tests that play them: none may be without.
@Suite struct BehaviourListTests {
  /// What has no test yet, and why it has none.
  private let untested: [Int: String] = [:]

  @Test func `every numbered behaviour has a test that says its number, and every number is in the list`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let tested = try numbersOfTests(in: root.appending(path: "Tests"))
    let listed = try numbersOfLines(of: root.appending(path: "docs/behaviours.md"))
    #expect(listed == Array(1...42))
    let missing = listed.filter { !tested.contains($0) }
    #expect(missing == untested.keys.sorted(), "without a test: \(missing)")
    #expect(tested.isSubset(of: listed), "not in the list: \(tested.subtracting(listed).sorted())")
  }

  @Test func `every behaviour that code, tests or documents name is in the list`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let listed = try numbersOfLines(of: root.appending(path: "docs/behaviours.md"))
    for folder in ["Sources", "Tests", "docs", "README.md", "ARCHITECTURE.md"] {
      let start = root.appending(path: folder)
      let inside = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
      for file in [start] + (inside ?? []) where ["swift", "md"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: #/behaviours? ([0-9]+(?:(?:, | and )[0-9]+)*)/#) {
          let cited = match.1.matches(of: #/[0-9]+/#).compactMap { Int($0.0) }
          #expect(Set(cited).isSubset(of: listed), "\(file.lastPathComponent): \(match.0)")
        }
      }
    }
  }

  /// The numbers at the beginnings of tests' names: "behaviour 9: ...", "behaviours 8 and 11: ...".
  private func numbersOfTests(in folder: URL) throws -> Set<Int> {
    let name = #/func `behaviours? ([0-9]+(?:(?:, | and )[0-9]+)*): /#
    var numbers: Set<Int> = []
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("Tests.swift") }
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      // Tests with the Stage only: those of the controls alone have a list of their own.
      guard text.contains("import Stage") else { continue }
      for match in text.matches(of: name) {
        numbers.formUnion(match.1.matches(of: #/[0-9]+/#).compactMap { Int($0.0) })
      }
    }
    return numbers
  }

  /// The numbers at the beginnings of lines: "9. ...".
  private func numbersOfLines(of file: URL) throws -> [Int] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      line.prefixMatch(of: #/([0-9]+)\. /#).flatMap { Int($0.1) }
    }
  }
}
