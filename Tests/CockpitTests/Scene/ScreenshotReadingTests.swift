import CockpitControls
import ControlHarness
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
  private static let themes = ["dark", "light"]
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

  /// Has the program draw `gear`, and reads whether the picture shows `claimed`, by default the same.
  private func read(
    _ window: ShownStateTests.Window, _ scale: String, _ theme: String, _ gear: Gear, claimed: Gear? = nil
  ) throws -> [String] {
    let file = "\(FileManager.default.temporaryDirectory.path)/cockpit-still-\(getpid()).png"
    defer { unlink(file) }
    let (output, status) = try Product.cockpit.run(
      "--config none --size \(window.testDescription) --scale \(scale) --theme \(theme) --gear \(gear) --screenshot \(file)",
      // A development build on a busy machine needs a minute for the 33 million pixels of the largest.
      within: 240)
    try #require(status == 0 && output.isEmpty, "\(output)")
    let picture = try #require(Snapshot.read(file))
    let scene = CockpitScene()
    scene.gearbox.gear = claimed ?? gear
    scene.resize(to: Size(width: Double(window.width), height: Double(window.height)), scale: Scale(Double(scale) ?? 1))
    scene.drive.showControls()
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
