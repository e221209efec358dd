import FoundationEssentials
import ScreenshotTesting
import TestSupport
import Testing

/// Tests of comparing with references: what fails, what is left, what is recorded.
@MainActor @Suite(.serialized) struct ReferenceTests {
  private let folder: TemporaryFolder
  private let white = picture(0xffff_ffff)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func record(_ snapshot: Snapshot, _ name: String = "a") throws {
    try folder.references(["SCREENSHOT_RECORD": "all"]).verify(snapshot, named: name)
  }

  @Test func `a missing reference fails, says where it should be, and leaves the new picture`() throws {
    let found = try #require(
      failure { () throws(ScreenshotFailure) in
        try folder.references().verify(white, named: "a")
      })
    let problem = try #require(found.problems.first)
    #expect(problem.reason == .missingReference)
    #expect(problem.reference == folder.path + "/Screenshots/a.png")
    let left = try #require(problem.newPicture)
    #expect(left.hasPrefix(folder.path + "/left/") && left.hasSuffix("/a.new.png"))
    #expect(Snapshot.read(left) == white)
    #expect(found.description.contains(left) && found.description.contains(problem.reference))
    #expect(found.description.contains("there is no reference"))
  }

  @Test func `the same picture passes, and takes away what an earlier failure left`() throws {
    try record(white)
    let references = folder.references()
    _ = failure { () throws(ScreenshotFailure) in try references.verify(picture(0xff00_0000), named: "a") }
    #expect(folder.files.count == 3)
    try references.verify(white, named: "a")
    #expect(folder.files == ["Screenshots/a.png"])
  }

  @Test func `a difference says by how much and where, and leaves both pictures`() throws {
    try record(white)
    var changed = white
    changed.pixels[3 * 10 + 4] = 0xffff_f0ff
    changed.pixels[5 * 10 + 7] = 0xffff_fcff
    let found = try #require(
      failure { () throws(ScreenshotFailure) in
        try folder.references().verify(changed, named: "a", tolerance: Tolerance(levels: 3))
      })
    let problem = try #require(found.problems.first)
    guard case .different(let difference, _, _, let tolerance) = problem.reason else {
      Issue.record("\(problem.reason)")
      return
    }
    #expect(difference.count == 1 && difference.total == 100 && difference.largest == 15)
    #expect(difference.bounds == PixelRect(x: 4, y: 3, width: 1, height: 1))
    #expect(tolerance == Tolerance(levels: 3))
    #expect(found.description.contains("1 of 100 pixels (1 %), by up to 15 levels"))
    #expect(found.description.contains("allowed: 3 levels, 0 % of the pixels"))
    #expect((problem.newPicture).flatMap(Snapshot.read) == changed)
    let marked = try #require((problem.differencePicture).flatMap(Snapshot.read))
    // Red is too much, amber is allowed, the rest a quarter as bright as it was.
    #expect(marked[4, 3] == 0xffff_0000)
    #expect(marked[7, 5] == 0xffff_b020)
    #expect(marked[0, 0] == 0xff3f_3f3f)
    #expect(found.description.contains("a.diff.png"))
  }

  @Test(arguments: [
    (Tolerance.exact, 1, 1, false), (.text, 2, 100, true), (.text, 3, 1, false), (Tolerance(share: 0.05), 255, 5, true),
    (Tolerance(share: 0.05), 255, 6, false), (Tolerance(levels: 4, share: 0.01), 4, 100, true),
    (Tolerance(levels: 4, share: 0.01), 5, 1, true), (Tolerance(levels: 4, share: 0.01), 5, 2, false),
    (Tolerance(levels: -3, share: .nan), 1, 1, false), (Tolerance(levels: 300, share: 7), 255, 100, true),
  ])
  func `a tolerance is levels in every pixel, and anything in a share of them`(
    tolerance: Tolerance, levels: Int, pixels: Int, passes: Bool
  ) throws {
    try record(white)
    var changed = white
    for index in 0..<pixels { changed.pixels[index] -= UInt32(levels) }
    let found = failure { () throws(ScreenshotFailure) in
      try folder.references().verify(changed, named: "a", tolerance: tolerance)
    }
    #expect((found == nil) == passes, "\(String(describing: found))")
  }

  @Test func `another size fails whatever the tolerance, and both extents are marked`() throws {
    try record(white)
    let found = try #require(
      failure { () throws(ScreenshotFailure) in
        try folder.references().verify(
          picture(0xffff_ffff, width: 12, height: 8), named: "a", tolerance: Tolerance(levels: 255, share: 1))
      })
    #expect(found.description.contains("is 12 x 8 pixels, its reference 10 x 10"))
    let marked = try #require((found.problems[0].differencePicture).flatMap(Snapshot.read))
    #expect(marked.size == PixelSize(width: 12, height: 10))
    #expect(marked[11, 0] == 0xffff_0000 && marked[0, 9] == 0xffff_0000 && marked[0, 0] == 0xff3f_3f3f)
  }

  @Test func `a reference that is no picture fails as such`() throws {
    let path = folder.path + "/Screenshots"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in [("empty", ""), ("words", "not a picture"), ("cut", "\u{89}PNG\r\n\u{1a}\n")] {
      try text.write(toFile: "\(path)/\(name).png", atomically: false, encoding: .utf8)
      let found = failure { () throws(ScreenshotFailure) in try folder.references().verify(white, named: name) }
      #expect(found?.problems.first?.reason == .unreadableReference)
    }
  }

  @Test func `a view that could not be drawn fails`() {
    let found = failure { () throws(ScreenshotFailure) in
      try folder.references(["SCREENSHOT_RECORD": "all"]).verify(nil, named: "a")
    }
    #expect(found?.problems.first?.reason == .unusableSize)
    #expect(folder.files.isEmpty)
  }

  @Test func `recording all replaces what differs and leaves alone what does not`() throws {
    try record(white)
    let path = folder.path + "/Screenshots/a.png"
    // The same pixels in other bytes: as another version of libpng would write them.
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes.append(contentsOf: [0, 0, 0])
    try bytes.write(to: URL(filePath: path))
    try record(white)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    try record(picture(0xff00_0000))
    #expect(Snapshot.read(path) == picture(0xff00_0000))
    try folder.references().verify(picture(0xff00_0000), named: "a")
  }

  @Test func `a reference is written small, without another program`() throws {
    let snapshot = try #require(Snapshot(of: VerifyTests.sheet()))
    try record(snapshot)
    let (small, fast) = (folder.path + "/Screenshots/a.png", folder.path + "/fast.png")
    var copy = snapshot
    #expect(copy.withBuffer { PNG.write($0, to: fast) })
    let sizes = try [small, fast].map { try Data(contentsOf: URL(filePath: $0)).count }
    #expect(Double(sizes[0]) < Double(sizes[1]) * 0.9, "\(sizes[0]) bytes for \(sizes[1])")
    #expect(Snapshot.read(small) == snapshot)
  }

  @Test func `recording what is missing compares the rest`() throws {
    let references = folder.references(["SCREENSHOT_RECORD": "missing"])
    try references.verify(white, named: "a")
    #expect(folder.files == ["Screenshots/a.png"])
    let found = failure { () throws(ScreenshotFailure) in try references.verify(picture(0xff00_0000), named: "a") }
    #expect(found?.description.contains("differs") == true)
    #expect(Snapshot.read(folder.path + "/Screenshots/a.png") == white)
  }

  @Test(arguments: [
    ([:], Recording.off), (["SCREENSHOT_RECORD": "all"], .all), (["SCREENSHOT_RECORD": "1"], .all),
    (["SCREENSHOT_RECORD": "record"], .all), (["SCREENSHOT_RECORD": "missing"], .missing),
    (["SCREENSHOT_RECORD": "0"], .off), (["SCREENSHOT_RECORD": ""], .off), (["COCKPIT_GOLDEN": "record"], .all),
    (["SCREENSHOT_RECORD": "all", "CI": "true"], .off), (["COCKPIT_GOLDEN": "record", "CI": "1"], .off),
    (["SCREENSHOT_RECORD": "missing", "CI": "true"], .missing), (["SCREENSHOT_RECORD": "all", "CI": "false"], .all),
    (["COCKPIT_GOLDEN": "compare"], .off), (["COCKPIT_GOLDEN": "record", "SCREENSHOT_RECORD": "missing"], .missing),
  ])
  func `the environment says what is recorded`(environment: [String: String], recording: Recording) {
    #expect(Recording(environment: environment) == recording)
  }

  @Test func `a reference that cannot be written fails`() throws {
    // A file stands where the folder should be.
    try "".write(toFile: folder.path + "/Screenshots", atomically: false, encoding: .utf8)
    let found = failure { () throws(ScreenshotFailure) in
      try folder.references(["SCREENSHOT_RECORD": "all"]).verify(white, named: "a")
    }
    #expect(found?.problems.first?.reason == .notWritten)
  }

  @Test func `artifacts go into the package's build folder, apart for each folder of tests`() throws {
    let tests = folder.path + "/Tests/FooTests"
    try FileManager.default.createDirectory(atPath: tests, withIntermediateDirectories: true)
    func artifacts(_ environment: [String: String] = [:]) -> String {
      ScreenshotReferences(besideFile: tests + "/Foo.swift", environment: environment).artifacts
    }
    #expect(artifacts() == "/tmp/screenshots" + tests)
    try "".write(toFile: folder.path + "/Package.swift", atomically: false, encoding: .utf8)
    #expect(artifacts() == folder.path + "/.build/screenshots/Tests/FooTests")
    #expect(artifacts(["SCREENSHOT_ARTIFACTS": "/else"]) == "/else/Tests/FooTests")
    let here = FileManager.default.currentDirectoryPath
    #expect(artifacts(["SCREENSHOT_ARTIFACTS": "else"]) == here + "/else/Tests/FooTests")
  }

  @Test func `no name leads out of the folder`() throws {
    try record(white, "../x/y\n\0z\\")
    #expect(folder.files == ["Screenshots/..-x-y--z-.png"])
    try record(white, "")
    #expect(folder.files.contains("Screenshots/-.png"))
  }
}
