import CockpitControls
import ControlHarness
import ControlTools
import Controls
import Foundation
import ScreenshotTesting
import TestSupport
import Testing
import UICore
import Witnessing

@testable import cockpit

/// The pictures that `cockpit --screenshot` writes, read by the shapes that the display check uses: whoever judges a build by its stills
/// finds gear, speed and lamps in them.
@MainActor @Suite(.serialized) struct ScreenshotReadingTests {
  private nonisolated static let themes = ["dark", "light"]
  private static let scales = ["1", "1.5", "2"]
  private static let gears = [Gear.neutral, .reverse] + (1...10).map(Gear.forward)
  /// With COCKPIT_SCREENSHOTS=all every size in both themes and at three scales, otherwise every size in one of them.
  private static let isWhole = ProcessInfo.processInfo.environment["COCKPIT_SCREENSHOTS"] == "all"

  @Test(arguments: Array(ShownStateTests.Window.all.enumerated()))
  func `what the program's still shows is read from its pixels`(index: Int, window: ShownStateTests.Window) throws {
    var count = 0
    let looks = Self.scales.flatMap { scale in Self.themes.map { (scale: scale, theme: $0) } }
    for (turn, look) in looks.enumerated() {
      let isLarge = window.width * window.height > 2_000_000
      guard Self.isWhole || turn == (isLarge ? index % 2 : index % looks.count) else { continue }
      let gear = Self.gears[(index + turn * 5) % Self.gears.count]
      let faults = try read(window, look.scale, look.theme, gear)
      #expect(faults == [], "\(window.testDescription) at \(look.scale), \(look.theme), gear \(gear)")
      count += 1
    }
    print("stills: \(count) read")
  }

  @Test func `a still of another gear is not read as this one`() throws {
    let faults = try read(
      ShownStateTests.Window(width: 800, height: 480), "1", "dark", .forward(6), claimed: .forward(8))
    #expect(faults == ["gear 8: other(Optional(\"6\"))"])
  }

  @Test(arguments: themes)
  func `the scene with a photograph that docs/scenes.md shows is read like the cockpit's own`(theme: String) throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let page = try String(contentsOf: URL(filePath: root + "/docs/scenes.md"), encoding: .utf8)
    let examples = page.split(separator: "```json\n").dropFirst().compactMap { $0.split(separator: "```").first }
    let text = try #require(examples.first { $0.contains("\"photograph\"") })
    let folder = try TemporaryFolder()
    // Colours that change slowly from pixel to pixel, as behind calm lamps: dark by night, bright by day.
    var photograph = Snapshot(size: PixelSize(width: 320, height: 200))
    for index in photograph.pixels.indices {
      let (x, y) = (UInt32(index % 320), UInt32(index / 320))
      let dark = (20 + x / 4) << 16 | (90 - y / 4) << 8 | (30 + (x + y) / 8)
      photograph.pixels[index] = 0xff00_0000 | (theme == "dark" ? dark : ~dark & 0xff_ffff)
    }
    try #require(photograph.write(to: "\(folder.path)/interior.png"))
    let scene = "\(folder.path)/scene.json"
    try String(text).write(toFile: scene, atomically: true, encoding: .utf8)
    for window in ShownStateTests.Window.all where window.width * window.height <= 1_000_000 {
      for gear in [Gear.neutral, .forward(3)] {
        let faults = try read(window, "1", theme, gear, scene: scene)
        #expect(faults == [], "\(window.testDescription), gear \(gear)")
      }
    }
  }

  /// Has the program draw `gear` in its own scene or the one of a file, and reads whether the picture shows `claimed`, by default the
  /// same.
  private func read(
    _ window: ShownStateTests.Window, _ scale: String, _ theme: String, _ gear: Gear, claimed: Gear? = nil,
    scene path: String? = nil
  ) throws -> [String] {
    let file = "\(FileManager.default.temporaryDirectory.path)/cockpit-still-\(getpid()).png"
    defer { unlink(file) }
    let (output, status) = try Product.cockpit.run(
      "--config none --size \(window.testDescription) --scale \(scale) --theme \(theme) --gear \(gear) --screenshot \(file)"
        + (path.map { " --scene \($0)" } ?? ""),
      // A development build on a busy machine needs a minute for the 33 million pixels of the largest.
      within: 240)
    try #require(status == 0 && output.isEmpty, "\(output)")
    let picture = try #require(Snapshot.read(file))
    let scene = try path.map { try CockpitScene(file: LayoutFile(contentsOf: $0)) } ?? CockpitScene()
    scene.gearbox.gear = claimed ?? gear
    scene.resize(to: Size(width: Double(window.width), height: Double(window.height)), scale: Scale(Double(scale) ?? 1))
    scene.car.showControls()
    scene.prepareFrame(for: .zero)
    let cells = scene.cluster.cells(
      showing: ShownState(gear: claimed ?? gear, lamp: .ready), factor: scene.scale.factor)
    try #require(cells.count == 4)
    var reader = Reader()
    let shape = FrameShape(width: picture.size.width, height: picture.size.height, stride: picture.size.width)
    return cells.compactMap { cell in
      let reading = reader.read(cell, in: picture.pixels.span, shape)
      return reading == .right ? nil : "\(cell.subject) \(cell.text): \(reading)"
    }
  }
}
