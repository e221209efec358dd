import Foundation
import TestSupport
import Testing

/// Tests of scripts/requirements.py on made-up runs: which tests count as tests of a requirement.
@Suite struct RequirementsCountTests {
  /// A made-up package: a page with these requirements, a file of tests, and the events of its run.
  private final class Package {
    private let folder: TemporaryFolder
    private var root: URL { URL(fileURLWithPath: folder.path) }
    private var source = ""
    private var declared = ""
    private var events = ""

    init() throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(at: root.appending(path: "docs"), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(at: root.appending(path: "Tests"), withIntermediateDirectories: true)
    }

    /// Adds a test with this body, and its events.
    func test(_ name: String, _ body: String, cases: Int? = nil, _ steps: String...) {
      let file = root.path.replacing("/", with: "\\/") + "\\/Tests\\/Made.swift"
      source += "  @Test func `\(name)`(a: [Int] = [1]) {\n\(body)\n  }\n"
      let escaped = name.replacing("\"", with: "\\\"")
      let id = "Made.Tests\\/`\(escaped)`\\/Made.swift"
      declared += """
        {"kind":"test","payload":{"displayName":"\(escaped)","id":"\(id)","isParameterized":\(cases != nil),\
        "kind":"function","name":"`\(escaped)`()","sourceLocation":{"_filePath":"\(file)"}},"version":0}\n
        """
      func add(_ kind: String, _ messages: String = "") {
        events += """
          {"kind":"event","payload":{"instant":{"absolute":1,"since1970":2},"kind":"\(kind)",\
          "messages":[\(messages)],"testID":"\(id)"},"version":0}\n
          """
      }
      for word in steps {
        switch word {
        case "passed", "failed":
          add("testStarted")
          for _ in 0..<(cases ?? 0) { add("testCaseEnded") }
          add("testEnded", #"{"symbol":"\#(word == "passed" ? "pass" : "fail")","text":"Test \#(escaped) \#(word)."}"#)
        default: add(word)
        }
      }
    }

    /// The lines that the counter prints, and whether it finds no fault.
    func count(_ ids: [String], isOver: Bool = true) throws -> (lines: [String], isContent: Bool) {
      let page = ids.map { "- **\($0)** Some requirement.\n" }.joined()
      try page.write(to: root.appending(path: "docs/requirements.md"), atomically: true, encoding: .utf8)
      try source.write(to: root.appending(path: "Tests/Made.swift"), atomically: true, encoding: .utf8)
      let end = isOver ? #"{"kind":"event","payload":{"kind":"runEnded","messages":[]},"version":0}"# + "\n" : ""
      let run = root.appending(path: "events")
      try (declared + events + end).write(to: run, atomically: true, encoding: .utf8)
      let counter = URL(fileURLWithPath: #filePath).appending(path: "../../../../scripts/requirements.py")
        .standardizedFileURL
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = counter
      process.arguments = [run.path, root.path, "requirements"]
      process.standardError = pipe
      process.standardOutput = pipe
      try process.run()
      let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
      return (lines, process.terminationStatus == 0)
    }
  }

  @Test func `a test that ran, expected something and passed counts for each id of its name`() throws {
    let package = try Package()
    package.test("G1: one", "    #expect(true)", "passed")
    package.test("G2 to G4, K-D1: several", "    try #require(a)", cases: 2, "passed")
    package.test("G1: again, \"quoted\"", "    Issue.record(\"never\")", "passed")
    package.test("no id", "", "passed")
    let counted = try package.count(["G1", "G2", "G3", "G4", "K-D1"])
    #expect(counted.lines == ["requirements: 5 lines, 3 tests, none missing"] && counted.isContent)
  }

  @Test func `empty, disabled, skipped, failing, not run and without a case: none counts, and each is told why`() throws
  {
    let package = try Package()
    package.test("G1: empty", "", "passed")
    package.test("G2: a comment is no expectation", "    // #expect(true)\n    let text = \"#expect(a) {\"", "passed")
    package.test("G3: disabled", "    #expect(true)", "testSkipped")
    package.test("G4: cancelled in the run", "    #expect(true)", "testStarted", "testCancelled", "passed")
    package.test("G5: one case cancelled", "    #expect(true)", cases: 2, "testCaseCancelled", "passed")
    package.test("G6: failing", "    #expect(false)", "issueRecorded", "failed")
    package.test("G7: a known issue", "    #expect(false)", "issueRecorded", "passed")
    package.test("G8: never ran", "    #expect(true)")
    package.test("G9: no argument", "    #expect(true)", cases: 0, "passed")
    package.test("G10: never ended", "    #expect(true)", "testStarted")
    package.test("G11: good", "    #expect(true)", "passed")
    let counted = try package.count((1...12).map { "G\($0)" })
    #expect(!counted.isContent)
    #expect(
      counted.lines == [
        "requirements: 12 lines, 1 tests, missing: G1, G2, G3, G4, G5, G6, G7, G8, G9, G10, G12",
        "  G1: \"G1: empty\" expects nothing", "  G2: \"G2: a comment is no expectation\" expects nothing",
        "  G3: \"G3: disabled\" is skipped or disabled",
        "  G4: \"G4: cancelled in the run\" is skipped or disabled",
        "  G5: \"G5: one case cancelled\" is skipped or disabled", "  G6: \"G6: failing\" fails",
        "  G7: \"G7: a known issue\" fails", "  G8: \"G8: never ran\" did not run",
        "  G9: \"G9: no argument\" did not run", "  G10: \"G10: never ended\" did not run",
        "  G12: no test is about it",
      ])
  }

  @Test func `a test that only calls a function that expects something counts, through any number of functions`() throws
  {
    let package = try Package()
    package.test("G1: by a function", "    expectOne(one: { 1 })", "passed")
    package.test(
      "G2: by ones that expect nothing, or are not named for it", "    checkNothing()\n    inner(1)", "passed")
    package.test("G3: a failing one does not hide a passing one", "    #expect(true)", "passed")
    package.test("G3: failing", "    #expect(false)", "issueRecorded", "failed")
    package.test(
      "G4: its own functions",
      """
          func expectOne(one: () -> Int) { checkAll { _ in } }
          func checkAll(_ body: (Int) -> Void) -> [Int] { [changes(2)] }
          func changes(_ a: Int) -> Int { #expect(a == 2); return a }
          func inner(_ a: Int) { #expect(a == 2) }
          func checkNothing() {}
          checkNothing()
      """, "passed")
    let counted = try package.count(["G1", "G2", "G3", "G4"])
    #expect(counted.lines.first == "requirements: 4 lines, 3 tests, missing: G2")
  }

  @Test func `ids are read from the beginning of a name, and each must be on a page`() throws {
    let package = try Package()
    for name in ["R-D1: thumbs", "O15, O16: a, L7: b", "K13, K-D4: twice", "G1 to G2, G-D11: lines", "behaviour 3: c"] {
      package.test(name, "    #expect(true)", "passed")
    }
    for name in ["the gear R2: nothing", "R2 D2", "R2, the gear: a"] {
      package.test(name, "    #expect(true)", "passed")
    }
    let counted = try package.count(["R-D1", "R2", "O15", "O16", "L7", "K13", "K-D4", "G1", "G2"])
    #expect(!counted.isContent)
    #expect(
      counted.lines == [
        "requirements: 9 lines, 4 tests, missing: R2, L7", "  R2: no test is about it", "  L7: no test is about it",
        "\"G1 to G2, G-D11: lines\": no page has G-D11", "\"behaviour 3: c\": no page has behaviour 3",
      ])
  }

  @Test func `a run that did not end counts nothing`() throws {
    let package = try Package()
    package.test("G1: one", "    #expect(true)", "passed")
    let counted = try package.count(["G1"], isOver: false)
    #expect(!counted.isContent && counted.lines.first?.contains("no whole run") == true)
  }
}
