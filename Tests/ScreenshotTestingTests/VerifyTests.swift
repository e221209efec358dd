import FoundationEssentials
import ScreenshotTesting
import TestSupport
import Testing

/// Tests of taking all pictures of a view at once: their names, what fails, the references beside this file.
@MainActor @Suite(.serialized) struct VerifyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the references in this repository are met`() throws {
    try verifyScreenshots(
      of: "badge", scales: [.one, Scale(1.5), Scale(2)], themes: [.light, .dark],
      directions: [.leftToRight, .rightToLeft], tolerance: .text
    ) { Self.sheet() }
  }

  /// The badge in all of its states.
  static func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 3)
    sheet.add("normal", Badge())
    let states: [(String, (Badge) -> Void)] = [
      ("highlighted", { $0.isHighlighted = true }), ("selected", { $0.isSelected = true }),
      ("disabled", { $0.isEnabled = false }), ("half full", { $0.level = 0.5 }), ("another word", { $0.text = "Go" }),
    ]
    for (caption, set) in states {
      let badge = Badge()
      set(badge)
      sheet.add(caption, badge)
    }
    return sheet
  }

  @Test func `every combination has a name of its own, without what is as usual`() throws {
    try verifyScreenshots(
      of: "b", sizes: [Size(width: 90, height: 30), Size(width: 60.5, height: 30)], scales: [.one, Scale(1.5)],
      themes: [.light, .dark], directions: [.leftToRight, .rightToLeft], states: [.normal, .disabled],
      references: folder.references(["SCREENSHOT_RECORD": "all"])
    ) { Badge() }
    let names = folder.files.map { String($0.dropFirst("Screenshots/".count)) }
    #expect(names.count == 32)
    #expect(names.contains("b-90x30@1.0.png"))
    #expect(names.contains("b-60.5x30-disabled-dark-rtl@1.5.png"))
    try verifyScreenshots(
      of: "c", sizes: [Size(width: 90, height: 30)], references: folder.references(["SCREENSHOT_RECORD": "all"])
    ) { Badge() }
    #expect(folder.files.contains("Screenshots/c@1.0.png"))
  }

  @Test func `all that is wrong is told at once, and the rest is compared`() throws {
    try verifyScreenshots(
      of: "b", scales: [.one, Scale(2)], references: folder.references(["SCREENSHOT_RECORD": "all"])
    ) { Badge() }
    let found = failure { () throws(ScreenshotFailure) in
      try verifyScreenshots(
        of: "b", scales: [.one, Scale(1.5), Scale(2)], states: [.normal, .selected], references: folder.references()
      ) { Badge() }
    }
    #expect(
      found?.problems.map(\.name) == ["b@1.5", "b-selected@1.0", "b-selected@1.5", "b-selected@2.0"])
    #expect(found?.problems.allSatisfy { $0.reason == .missingReference } == true)
    let lines = found?.description.split(separator: "\n").filter { !$0.hasPrefix(" ") } ?? []
    #expect(lines.count == 4)
  }

  @Test func `the error names the file and line of the call`() throws {
    let line = #line + 2
    let found = failure { () throws(ScreenshotFailure) in
      try verifyScreenshots(of: "b", references: folder.references()) { Badge() }
    }
    #expect(found?.location?.line == line && found?.location?.filePath == #filePath)
    #expect(found?.description.hasPrefix("\(#filePath):\(line):") == true)
  }

  @Test func `a change of one state is found in that picture`() throws {
    let states: [ScreenshotState<Badge>] = [.normal, .selected, .disabled]
    try verifyScreenshots(of: "b", states: states, references: folder.references(["SCREENSHOT_RECORD": "all"])) {
      Badge()
    }
    let changed: [ScreenshotState<Badge>] = [
      .normal,
      .init("selected") { badge in
        badge.isSelected = true
        badge.level = 0.1
      }, .disabled,
    ]
    let found = failure { () throws(ScreenshotFailure) in
      try verifyScreenshots(of: "b", states: changed, references: folder.references()) { Badge() }
    }
    #expect(found?.problems.map(\.name) == ["b-selected@1.0"])
  }

  @Test func `what has no size fails by name, with no view lost`() throws {
    weak var last: View?
    let found = failure { () throws(ScreenshotFailure) in
      try verifyScreenshots(of: "b", sizes: [.zero], references: folder.references()) { () -> View in
        let view = View()
        last = view
        return view
      }
    }
    #expect(found?.problems.map(\.reason) == [.unusableSize])
    #expect(last == nil)
  }
}
