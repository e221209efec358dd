import CockpitControls
import ControlHarness
import ControlTools
import Controls
import FoundationEssentials
import TestSupport
import Testing
import UICore

@testable import cockpit

@MainActor @Suite(.serialized) struct SceneTypesTests {
  private func scene(_ text: String) throws -> CockpitScene {
    try CockpitScene(file: LayoutFile(text: text, name: "test.json"))
  }

  @Test func `the program's own scene is the one in docs/cockpit.json`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let text = try String(contentsOf: URL(filePath: root + "/docs/cockpit.json"), encoding: .utf8)
    #expect(text == SceneTypes.text)
    try SceneTypes.check(contentsOf: root + "/docs/cockpit.json")
  }

  @Test func `the scene that docs/scenes.md shows is a good one`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let page = try String(contentsOf: URL(filePath: root + "/docs/scenes.md"), encoding: .utf8)
    let parts = page.split(separator: "```json\n", maxSplits: 1)
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
    #expect(scene.car.vehicle.speed > 0, "it drives in the gear of its file")
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
    let text = SceneTypes.text
    let folder = try TemporaryFolder()
    let path = folder.path + "/scene.json"
    try folder.write(text, to: "scene.json")
    let scene = try CockpitScene(file: LayoutFile(contentsOf: path))
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    harness.tap(scene.lever(.forward(3)))
    harness.touch(.began, at: scene.rim(0), finger: 7)
    harness.move(from: scene.rim(0), to: scene.rim(30), finger: 7)
    let (gearbox, wheel, angle) = (scene.gearbox, scene.wheel, scene.wheel.angle)
    let changed = text.replacing("\"showsSlot\": true", with: "\"showsSlot\": false").replacing(
      "{\"type\": \"SteeringWheel\",", with: "{\"type\": \"SteeringWheel\", \"alpha\": 0.5,")
    try folder.write(changed, to: "scene.json")
    try scene.load(LayoutFile(contentsOf: path))
    harness.frameIfNeeded()
    #expect(scene.gearbox === gearbox && !gearbox.showsSlot && gearbox.gear == .forward(3))
    #expect(scene.wheel === wheel && wheel.alpha == 0.5 && wheel.isTracking && wheel.angle == angle)
    let shown = harness.shown
    try folder.write(text.replacing("ThrottleGearbox", with: "Gearbox"), to: "scene.json")
    #expect(throws: LayoutFileError.self) { try scene.load(LayoutFile(contentsOf: path)) }
    harness.frameIfNeeded()
    #expect(harness.shown == shown)
    harness.touch(.ended, at: scene.rim(30), finger: 7)
  }

  @Test func `the parts live through all files: renamed and put elsewhere they go on, left out they command nothing`()
    throws
  {
    let scene = CockpitScene()
    scene.apply(Options())
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    harness.touch(.began, at: scene.lever(.neutral), finger: 3)
    harness.move(from: scene.lever(.neutral), to: scene.lever(.forward(3)), finger: 3)
    let (gearbox, cluster) = (scene.gearbox, scene.cluster)
    func load(_ text: String) throws {
      try scene.load(LayoutFile(text: text, name: "test.json"))
      harness.frameIfNeeded()
    }
    try load(
      SceneTypes.text.replacing("\"name\": \"gearbox\",", with: "\"name\": \"lever\", \"frame\": [8, 8, 90, 300],")
        .replacing("\"name\": \"cluster\"", with: "\"name\": \"panel2\", \"frame\": [100, 8, 100, 300]"))
    #expect(scene.gearbox === gearbox && gearbox.name == "lever" && gearbox.isTracking && gearbox.gear == .forward(3))
    #expect(gearbox.windowFrame == Rect(x: 8, y: 8, width: 90, height: 300))
    #expect(cluster.windowFrame.minX == 100 && cluster.speedometer.gear == "3" && cluster.beacon.isPulsing)
    try load("{\"type\": \"View\", \"subviews\": [{\"type\": \"InstrumentCluster\", \"name\": \"cluster\"}]}")
    #expect(gearbox.superview == nil && !gearbox.isTracking && gearbox.gear == .neutral && gearbox.name.isEmpty)
    #expect(!gearbox.showsSlot && cluster.root === scene && cluster.speedometer.gear == "N")
    try load(SceneTypes.text)
    #expect(gearbox.root === scene && gearbox.fit == .filling && gearbox.gear == .neutral)
    harness.touch(.ended, at: .zero, finger: 3)
    harness.checksDamage = false
    harness.tap(scene.lever(.forward(2)))
    #expect(cluster.speedometer.gear == "2")
    harness.advance(by: .seconds(1))
    #expect(scene.car.vehicle.speed > 0)
  }

  @Test func `a gearbox that the file only names fills its place with its numbers; the file may say otherwise`() throws
  {
    func panel(_ members: String) -> String {
      "{\"type\": \"CockpitPanel\", \"subviews\": [{\"type\": \"ThrottleGearbox\", \"name\": \"gearbox\"\(members)}]}"
    }
    let scene = try self.scene(panel(""))
    #expect(scene.gearbox.fit == .filling && scene.gearbox.showsGearNumbers)
    try scene.load(
      LayoutFile(text: panel(", \"fit\": \"proportional\", \"showsGearNumbers\": false"), name: "test.json"))
    #expect(scene.gearbox.fit == .proportional && !scene.gearbox.showsGearNumbers)
    try scene.load(LayoutFile(text: panel(""), name: "test.json"))
    #expect(scene.gearbox.fit == .filling && scene.gearbox.showsGearNumbers)
  }

  @Test func `of several views of a part's type, the one with its name is the part, else the first`() throws {
    func horns(_ names: [String]) throws -> CockpitScene {
      let views = names.map { "{\"type\": \"Horn\", \"name\": \"\($0)\"}" }.joined(separator: ", ")
      return try scene("{\"type\": \"View\", \"subviews\": [{\"type\": \"View\", \"subviews\": [\(views)]}]}")
    }
    #expect(try horns(["a", "horn", "b"]).horn.name == "horn")
    let two = try horns(["a", "b"])
    #expect(two.horn.name == "a" && two.view(named: "b") is Horn && two.view(named: "b") !== two.horn)
  }

  @Test func `the panel's layout is the file's: who lies where, and how much room each has`() throws {
    let scene = try self.scene(
      SceneTypes.text.replacing("\"leftView\": \"gearbox\"", with: "\"leftView\": \"wheel\"")
        .replacing("\"rightView\": \"wheel\"", with: "\"rightView\": \"gearbox\"")
        .replacing("\"rightHeight\": 0.72", with: "\"rightHeight\": 0.5")
        .replacing("\"margin\": 0.03", with: "\"margin\": 0.05").replacing("1.25", with: "3"))
    let size = Size(width: 1600, height: 500)
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    #expect(scene.wheel.windowFrame.minX == 25 && scene.wheel.windowFrame.maxX < scene.gearbox.windowFrame.minX)
    let place = scene.gearbox.windowFrame
    #expect(place.size == Size(width: 250, height: 250) && place.maxX == 1575 && place.maxY == 475)
    #expect(scene.horn.windowFrame.center.distance(to: scene.gearbox.windowFrame.center) < 1)
    scene.resize(to: Size(width: 1280, height: 500), scale: .one)
    scene.prepareFrame(for: .zero)
    #expect(scene.cluster.windowFrame.maxY <= scene.gearbox.windowFrame.minY, "stacked below three to one")
  }

  @Test func `R22: the action log names the event, and writes a range as the article does`() {
    let slider = RangeSlider()
    slider.name = "price"
    (slider.lowerValue, slider.upperValue) = (0.25, 0.75)
    var lines: [String] = []
    slider.addAction(for: [.valueChanged, .editingDidEnd]) { lines.append(SceneAction.line(of: $0)) }
    slider.sendActions(for: .valueChanged)
    slider.sendActions(for: .editingDidEnd)
    #expect(
      lines.map { $0.prefix { $0 != "," } } == ["price valueChanged: (0.25 0.75)", "price editingDidEnd: (0.25 0.75)"])
    #expect(lines.allSatisfy { !$0.contains("lowerValue") && $0.contains("maximumValue 1") })
    let button = Button("Go")
    button.addAction(for: .touchUpInside) { lines = [SceneAction.line(of: $0)] }
    button.sendActions(for: .touchUpInside)
    #expect(lines.first?.hasPrefix("Button touchUpInside: ") == true)
  }

  @Test func `a check tells the first mistake, with its line`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/scene.json"
    try folder.write("{\"type\": \"CockpitPanel\",\n\"subviews\": [{\"type\": \"Horm\"}]}", to: "scene.json")
    do throws(LayoutFileError) {
      try SceneTypes.check(contentsOf: path)
      Issue.record("no mistake was found")
    } catch {
      #expect(error.description == "\(path):2:23: subviews[0].type: unknown type \"Horm\"; did you mean \"Horn\"?")
    }
  }
}
