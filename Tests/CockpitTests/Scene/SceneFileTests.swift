import ControlHarness
import ControlTools
import Controls
import FoundationEssentials
import Testing
import UICore

@testable import cockpit

@MainActor @Suite(.serialized) struct SceneFileTests {
  private func scene(_ text: String) throws -> CockpitScene {
    try CockpitScene(file: LayoutFile(text: text, name: "test.json"))
  }

  /// A file of the test's own, gone with it.
  private final class TemporaryFile {
    let path: String

    init(_ text: String) throws {
      path = "/tmp/scene-\(UUID().uuidString).json"
      try write(text)
    }

    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test func `the program's own scene is the one in docs/cockpit.json`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let text = try String(contentsOf: URL(filePath: root + "/docs/cockpit.json"), encoding: .utf8)
    #expect(text == CockpitScene.fileText + "\n")
    try CockpitScene.check(contentsOf: root + "/docs/cockpit.json")
  }

  @Test func `the scene that the README shows is a good one`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let readme = try String(contentsOf: URL(filePath: root + "/README.md"), encoding: .utf8)
    let parts = readme.split(separator: "```json\n", maxSplits: 1)
    try #require(parts.count == 2)
    let text = try #require(parts[1].split(separator: "```", maxSplits: 1).first)
    #expect(try scene(String(text)).gearbox.gearCount == 6)
  }

  @Test(arguments: CockpitLayoutTests.sizes)
  func `the file's scene has the layout's frames at any size`(size: Size) {
    let scene = CockpitScene()
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    let layout = CockpitLayout(size: size)
    #expect(scene.gearbox.windowFrame == layout.gearbox && scene.wheel.windowFrame == layout.wheel)
    #expect(scene.cluster.windowFrame == layout.cluster && scene.horn.windowFrame == scene.wheel.hubFrame)
    let backdrop = scene.view(named: "backdrop") as? Backdrop
    #expect(backdrop?.windowFrame == scene.bounds)
    #expect(backdrop?.dashboardEdge == layout.dashboardEdge && backdrop?.console == layout.gearbox)
  }

  @Test func `a scene of one's own has what it says, and is driven as the cockpit's`() throws {
    let scene = try scene(
      """
      {"type": "View", "subviews": [
        {"type": "ThrottleGearbox", "frame": [10, 20, 100, 280], "fit": "filling", "gear": 4},
        {"type": "Horn", "name": "beep", "anchors": {"right": 10, "bottom": 10, "width": 50, "height": 50},
          "actions": {"valueChanged": "brake"}},
      ]}
      """)
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    #expect(scene.gearbox.windowFrame == Rect(x: 10, y: 20, width: 100, height: 280))
    #expect(scene.gearbox.gear == .forward(4))
    #expect(scene.horn.windowFrame == Rect(x: 420, y: 260, width: 50, height: 50))
    #expect(scene.wheel.superview == nil, "what a file leaves out is not seen")
    harness.checksDamage = false
    harness.advance(by: .seconds(2))
    #expect(scene.drive.vehicle.speed > 0, "it drives in the gear of its file")
    harness.tap(scene.horn)
    #expect(scene.gearbox.gear == .neutral, "the horn brakes, as the file says")
  }

  @Test func `options win over the file, and without them the file counts`() throws {
    let text = "{\"type\": \"ThrottleGearbox\", \"gear\": 4}"
    let plain = try scene(text)
    plain.apply(Options())
    #expect(plain.gearbox.gear == .forward(4))
    var options = Options()
    options.gear = .reverse
    plain.apply(options)
    #expect(plain.gearbox.gear == .reverse)
  }

  @Test func `a changed file keeps the gear, the angle and the finger; a bad one changes nothing`() throws {
    let text = CockpitScene.fileText
    let file = try TemporaryFile(text)
    let scene = try CockpitScene(file: LayoutFile(contentsOf: file.path))
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    harness.tap(scene.lever(.forward(3)))
    harness.touch(.began, at: scene.rim(0), finger: 7)
    harness.move(from: scene.rim(0), to: scene.rim(30), finger: 7)
    let (gearbox, wheel, angle) = (scene.gearbox, scene.wheel, scene.wheel.angle)
    var changes = 0
    scene.onPartsChange = { changes += 1 }
    try file.write(
      text.replacing("\"showsSlot\": true", with: "\"showsSlot\": false").replacing(
        "{\"type\": \"SteeringWheel\",", with: "{\"type\": \"SteeringWheel\", \"alpha\": 0.5,"))
    try scene.load(LayoutFile(contentsOf: file.path))
    harness.frameIfNeeded()
    #expect(scene.gearbox === gearbox && !gearbox.showsSlot && gearbox.gear == .forward(3))
    #expect(scene.wheel === wheel && wheel.alpha == 0.5 && wheel.isTracking && wheel.angle == angle)
    #expect(changes == 0)
    let shown = harness.shown
    try file.write(text.replacing("ThrottleGearbox", with: "Gearbox"))
    #expect(throws: LayoutFileError.self) { try scene.load(LayoutFile(contentsOf: file.path)) }
    harness.frameIfNeeded()
    #expect(harness.shown == shown)
    harness.touch(.ended, at: scene.rim(30), finger: 7)
  }

  @Test func `a file with other parts brings parts in neutral, connected as the old ones were`() throws {
    let file = try TemporaryFile(CockpitScene.fileText)
    let scene = CockpitScene()
    scene.apply(Options())
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    harness.tap(scene.lever(.forward(3)))
    let old = scene.gearbox
    var changes = 0
    scene.onPartsChange = { changes += 1 }
    try file.write(
      CockpitScene.fileText.replacing(
        "\"name\": \"gearbox\",", with: "\"name\": \"lever\", \"frame\": [8, 8, 90, 300],"
      )
      .replacing("\"name\": \"cluster\"", with: "\"name\": \"panel2\", \"frame\": [100, 8, 100, 300]"))
    try scene.load(LayoutFile(contentsOf: file.path))
    harness.frameIfNeeded()
    #expect(changes == 1 && scene.gearbox !== old && scene.gearbox.gear == .neutral && old.superview == nil)
    #expect(scene.cluster.speedometer.gear == "N" && scene.cluster.beacon.isPulsing)
    harness.checksDamage = false
    harness.tap(scene.lever(.forward(2)))
    #expect(scene.cluster.speedometer.gear == "2")
    old.gear = .forward(9)
    old.sendActions(for: .valueChanged)
    harness.advance(by: .seconds(1))
    #expect(scene.drive.vehicle.speed > 0 && scene.cluster.speedometer.gear == "2")
  }

  @Test func `a check tells the first mistake, with its line`() throws {
    let file = try TemporaryFile("{\"type\": \"CockpitPanel\",\n\"subviews\": [{\"type\": \"Horm\"}]}")
    do throws(LayoutFileError) {
      try CockpitScene.check(contentsOf: file.path)
      Issue.record("no mistake was found")
    } catch {
      #expect(error.description == "\(file.path):2:23: subviews[0].type: unknown type \"Horm\"; did you mean \"Horn\"?")
    }
  }
}
