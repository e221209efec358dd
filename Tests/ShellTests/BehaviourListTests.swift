import Foundation
import Testing

/// The tests that docs/behaviours.md has every behaviour that is named anywhere; scripts/requirements.py counts their tests.
@Suite struct BehaviourListTests {
  @Test func `every behaviour that code, tests or documents name is in the list`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let listed = try numbersOfLines(of: root.appending(path: "docs/behaviours.md"))
    #expect(listed == Array(1...42))
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

  /// The numbers at the beginnings of lines: "9. ...".
  private func numbersOfLines(of file: URL) throws -> [Int] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      line.prefixMatch(of: #/([0-9]+)\. /#).flatMap { Int($0.1) }
    }
  }
}
