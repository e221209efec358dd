import Foundation
import Testing

/// The test that docs/environment.md has every variable that the sources, tests and scripts read.
@Suite struct EnvironmentPageTests {
  @Test func `every variable that the code reads by its name is on the page`() throws {
    let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
    let page = try String(contentsOf: package.appendingPathComponent("docs/environment.md"), encoding: .utf8)
    let listed = Set(page.matches(of: #/`([A-Z_]+)`/#).map(\.1))
    var read: Set<Substring> = []
    for folder in ["Sources", "Tests"] {
      let start = package.appendingPathComponent(folder)
      for file in try FileManager.default.subpathsOfDirectory(atPath: start.path) where file.hasSuffix(".swift") {
        // It sets the variables of other programs.
        if file.hasPrefix("CompositorLab") { continue }
        let source = try String(contentsOf: start.appendingPathComponent(file), encoding: .utf8)
        let pattern = #/(?:getenv\(|environment\(|[eE]nvironment\[|case \w+ = )"([A-Z]+(?:_[A-Z]+)+)"/#
        read.formUnion(source.matches(of: pattern).map(\.1))
      }
    }
    #expect(read.contains("COCKPIT_OVERLAY") && read.contains("COCKPIT_LOG") && read.contains("SCREENSHOT_RECORD"))
    #expect(read.subtracting(listed).isEmpty, "not on the page: \(read.subtracting(listed).sorted())")
  }
}
