import Foundation
import Testing

/// Tests of scripts/requirements.sh on made-up runs: what counts as a test of a requirement.
@Suite struct RequirementsCountTests {
  /// A made-up package: a page with these requirements, a file of tests, and the events of its run.
  private final class Package {
    private let root = URL(fileURLWithPath: "/tmp/cockpit-requirements-\(UInt64.random(in: 0 ... .max))")
    private var source = ""
    private var declared = ""
    private var events = ""

    init() throws {
      try FileManager.default.createDirectory(at: root.appending(path: "docs"), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(at: root.appending(path: "Tests"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// A test with this body, and what the run told of it.
    func test(_ name: String, _ body: String, cases: Int? = nil, _ told: String...) {
      let line = source.split(separator: "\n", omittingEmptySubsequences: false).count
      let file = root.path.replacing("/", with: "\\/") + "\\/Tests\\/Made.swift"
      source += "  @Test func `\(name)`(a: [Int] = [1]) {\n\(body)\n  }\n"
      let escaped = name.replacing("\"", with: "\\\"")
      let id = "Made.Tests\\/`\(escaped)`\\/Made.swift:\(line):4"
      declared += """
        {"kind":"test","payload":{"displayName":"\(escaped)","id":"\(id)","isParameterized":\(cases != nil),\
        "kind":"function","name":"`\(escaped)`()","sourceLocation":{"_filePath":"\(file)","column":4,\
        "fileID":"Made\\/Made.swift","line":\(line)}},"version":0}\n
        """
      func tell(_ kind: String, _ messages: String = "") {
        events += """
          {"kind":"event","payload":{"instant":{"absolute":1,"since1970":2},"kind":"\(kind)",\
          "messages":[\(messages)],"testID":"\(id)"},"version":0}\n
          """
      }
      for word in told {
        switch word {
        case "passed", "failed":
          tell("testStarted")
          for _ in 0..<(cases ?? 0) { tell("testCaseEnded") }
          tell("testEnded", #"{"symbol":"\#(word == "passed" ? "pass" : "fail")","text":"Test \#(escaped) \#(word)."}"#)
        default: tell(word)
        }
      }
    }

    /// What the counter prints of it, line by line, and whether it is content.
    func count(_ ids: [String], isOver: Bool = true) throws -> (lines: [String], isContent: Bool) {
      let page = ids.map { "- **\($0)** Some requirement.\n" }.joined()
      try page.write(to: root.appending(path: "docs/requirements.md"), atomically: true, encoding: .utf8)
      try source.write(to: root.appending(path: "Tests/Made.swift"), atomically: true, encoding: .utf8)
      let end = isOver ? #"{"kind":"event","payload":{"kind":"runEnded","messages":[]},"version":0}"# + "\n" : ""
      let run = root.appending(path: "events")
      try (declared + events + end).write(to: run, atomically: true, encoding: .utf8)
      let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../scripts")
        .standardizedFileURL
      // The function has the package's place from ./dev.
      try FileManager.default.createDirectory(at: root.appending(path: "scripts"), withIntermediateDirectories: true)
      try? FileManager.default.copyItem(
        at: scripts.appending(path: "requirements.pl"), to: root.appending(path: "scripts/requirements.pl"))
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = [
        "-c", #"root=$1; source "$2"; count_requirements "$3" requirements 2>&1"#, "count", root.path,
        scripts.appending(path: "requirements.sh").path, run.path,
      ]
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

  @Test func `a run that did not end counts nothing`() throws {
    let package = try Package()
    package.test("G1: one", "    #expect(true)", "passed")
    let counted = try package.count(["G1"], isOver: false)
    #expect(!counted.isContent && counted.lines.first?.contains("no whole run") == true)
  }
}
