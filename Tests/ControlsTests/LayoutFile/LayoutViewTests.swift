import ControlHarness
import TestSupport
import Testing

@testable import CockpitControls
@testable import ControlTools
@testable import Controls

/// Tests of loading one file over another.
@MainActor @Suite(.serialized) struct LayoutViewTests {
  private let log = Log()

  private func shown() -> (ControlHarness, LayoutView) {
    var registry = ViewRegistry.everyControl
    registry.register("Probe") { [log] in ProbeControl("?", log: log) }
    registry.register("Ordered") { OrderedProbe() }
    var actions = LayoutActions()
    actions["first"] = { [log] in log.add("first \($0.name)") }
    actions["second"] = { [log] in log.add("second \($0.name)") }
    let view = LayoutView(registry: registry, actions: actions)
    return (ControlHarness(view, size: Size(width: 200, height: 100)), view)
  }

  private func load(_ text: String, into view: LayoutView) -> String? {
    do throws(LayoutFileError) {
      try view.load(LayoutFile(text: text, name: "test.json"))
      return nil
    } catch {
      return error.description
    }
  }

  private func scene(_ subviews: String) -> String { "{\"type\": \"View\", \"subviews\": [\(subviews)]}" }

  @Test("a file with a mistake leaves the last good scene on the screen, to the pixel")
  func lastGood() {
    let (harness, view) = shown()
    #expect(load("{\"type\": \"View\", \"backgroundColor\": \"#ff0000\"}", into: view) == nil)
    harness.frameIfNeeded()
    let good = harness.shown
    #expect(good[100, 50] == 0xffff_0000)
    for bad in ["", "{\"type\": \"View\", \"backgroundColor\": \"red\"}", scene("{\"type\": \"Viu\"}")] {
      #expect(load(bad, into: view) != nil)
      harness.frameIfNeeded()
      #expect(harness.shown == good)
    }
    #expect(view.file?.name == "test.json")
    #expect(load("{\"type\": \"View\", \"backgroundColor\": \"#00ff00\"}", into: view) == nil)
    harness.frameIfNeeded()
    #expect(harness.shown[100, 50] == 0xff00_ff00)
  }

  @Test("what people set stays, what the new file says otherwise comes, what it leaves out goes back")
  func values() throws {
    let (harness, view) = shown()
    let text = "{\"type\": \"Ordered\", \"name\": \"o\", \"gloss\": 0.1, \"trackCount\": 5, \"lowerValue\": 0.3}"
    #expect(load(scene(text), into: view) == nil)
    let probe = try #require(view.view(named: "o") as? OrderedProbe)
    probe.lowerValue = 0.6
    probe.curvaceousness = 0.5
    probe.gloss = 0.9
    harness.frameIfNeeded()
    let changed = "{\"type\": \"Ordered\", \"name\": \"o\", \"gloss\": 0.2, \"lowerValue\": 0.3, \"upperValue\": 0.9}"
    #expect(load(scene(changed), into: view) == nil)
    #expect(view.view(named: "o") === probe)
    #expect(probe.lowerValue == 0.6 && probe.curvaceousness == 0.5, "set by hand, the same in both files")
    #expect(probe.gloss == 0.2 && probe.upperValue == 0.9, "changed in the file")
    #expect(probe.trackCount == 3, "in the file no more")
    harness.frameIfNeeded()
  }

  @Test("a finger goes on holding what it holds while the scene around it changes")
  func heldControl() {
    let (harness, view) = shown()
    let probe = "{\"type\": \"Probe\", \"name\": \"held\", \"frame\": [10, 10, 40, 40]}"
    #expect(load(scene(probe), into: view) == nil)
    harness.frameIfNeeded()
    harness.touch(.began, at: Point(x: 20, y: 20))
    #expect(log.take() == ["held begin"])
    let moved = "{\"type\": \"Probe\", \"name\": \"held\", \"frame\": [100, 10, 60, 40], \"alpha\": 0.5}"
    #expect(load(scene("{\"type\": \"View\"}, {\"type\": \"Horn\"}, " + moved), into: view) == nil)
    harness.frameIfNeeded()
    harness.touch(.moved, at: Point(x: 22, y: 20))
    #expect(log.take() == ["held continue"])
    #expect(view.view(named: "held")?.frame.minX == 100)
    #expect(load(scene(""), into: view) == nil)
    #expect(log.take() == ["held cancel"], "a control that the file drops lets go")
    harness.touch(.ended, at: Point(x: 22, y: 20))
    #expect(log.take() == [])
  }

  @Test("a newer file makes only the views that the older one does not have")
  func comparesFirst() {
    var made = 0
    var registry = ViewRegistry()
    registry.register("View") {
      made += 1
      return View()
    }
    let view = LayoutView(registry: registry)
    func text(_ color: String, _ more: String = "") -> String {
      scene("{\"type\": \"View\", \"name\": \"a\", \"backgroundColor\": \"\(color)\"}, {\"type\": \"View\"}\(more)")
    }
    for (text, count) in [
      (text("#111111"), 3), (text("#111111"), 0), (text("#222222"), 0), (text("#333333", ", {\"type\": \"View\"}"), 1),
      (text("red"), 0), (text("#333333"), 0),
    ] {
      made = 0
      _ = load(text, into: view)
      #expect(made == count, "\(text)")
    }
    #expect(view.view(named: "a")?.backgroundColor == Color(hex: 0x333333) && view.scene?.subviews.count == 2)
  }

  @Test("a program's own view is placed by every file, never made, and taken out of what a file leaves out")
  func parts() throws {
    let part = Horn()
    let view = LayoutView(registry: .everyControl, parts: [LayoutPart("Horn", named: "mine", part)])
    let harness = ControlHarness(view, size: Size(width: 200, height: 100))
    for (text, name, other) in [
      (scene("{\"type\": \"Horn\"}"), "", 0),
      (
        scene("{\"type\": \"Horn\"}, {\"type\": \"View\", \"subviews\": [{\"type\": \"Horn\", \"name\": \"mine\"}]}"),
        "mine", 1
      ),
      ("{\"type\": \"Horn\", \"name\": \"alone\"}", "alone", 0),
      (scene("{\"type\": \"Horn\", \"subviews\": [{\"type\": \"Horn\"}]}"), "", 1),
    ] {
      #expect(load(text, into: view) == nil)
      harness.frameIfNeeded()
      #expect(part.isDescendant(of: view) && part.name == name)
      var count = -1
      func walk(_ view: View) {
        if view is Horn { count += 1 }
        view.subviews.forEach(walk)
      }
      walk(view)
      #expect(count == other)
    }
    #expect(load(scene("{\"type\": \"Horn\", \"name\": \"mine\", \"alpha\": 0.5}"), into: view) == nil)
    #expect(part.alpha == 0.5)
    #expect(load(scene(""), into: view) == nil)
    #expect(part.superview == nil && part.alpha == 1 && part.name.isEmpty)
  }

  @Test("whatever was shown before, a file shows what it shows as the first one")
  func sameAsFirst() throws {
    var random = Random(5)
    func text(_ depth: Int) -> String {
      let type = ["View", "View", "Horn", "Slider"][random.below(4)]
      var members = ["\"type\": \"\(type)\""]
      func add(_ choices: [String]) { members.append(choices[random.below(choices.count)]) }
      if random.below(2) == 0 { add(["a", "b", "mine"].map { "\"name\": \"\($0)\"" }) }
      if random.below(3) == 0 { add(["\"alpha\": 0.5", "\"alpha\": 0.25", "\"properties\": {\"alpha\": 0.75}"]) }
      if type == "Slider" { add(["\"value\": 0.3", "\"value\": -0.5, \"minimumValue\": -1", "\"maximumValue\": 2"]) }
      if random.below(2) == 0 { add(["\"frame\": [1, 2, 30, 40]", "\"margins\": 5", "\"anchors\": {\"right\": 3}"]) }
      if type == "View", depth < 3 {
        members.append("\"subviews\": [\((0..<random.below(4)).map { _ in text(depth + 1) }.joined(separator: ", "))]")
      }
      return "{\(members.joined(separator: ", "))}"
    }
    func layoutView() -> LayoutView {
      LayoutView(
        registry: .everyControl,
        parts: [LayoutPart("Horn", named: "mine", Horn()), LayoutPart("Slider", named: "a", Slider())])
    }
    func tree(_ view: View) -> String {
      let own = "\(type(of: view)) \(view.name) \(view.frame) \(view.alpha) \((view as? Slider)?.value ?? 0)"
      // A slider's thumb follows in the next frame.
      return own + "(\(view is Slider ? "" : view.subviews.map(tree).joined(separator: " ")))"
    }
    let view = layoutView()
    let size = Size(width: 200, height: 100)
    view.frame.size = size
    for round in 0..<400 {
      let file = try LayoutFile(text: text(0), name: "test.json")
      try view.load(file)
      let first = layoutView()
      first.frame.size = size
      try first.load(file)
      view.layoutIfNeeded()
      first.layoutIfNeeded()
      #expect(tree(view) == tree(first), "round \(round): \(file.source)")
      for (part, other) in zip(view.parts, first.parts) {
        #expect((part.view.superview == nil) == (other.view.superview == nil) && part.view.alpha == other.view.alpha)
      }
    }
  }

  @Test("actions are those of the newer file, once each")
  func actions() throws {
    let (_, view) = shown()
    func probe(_ actions: String) -> String {
      "{\"type\": \"Probe\", \"name\": \"p\", \"actions\": {\(actions)}}"
    }
    for (text, expected) in [
      ("\"valueChanged\": \"first\"", ["first p"]), ("\"valueChanged\": \"first\"", ["first p"]),
      ("\"valueChanged\": \"second\"", ["second p"]), ("\"touchDown\": \"second\"", []), ("", []),
    ] {
      #expect(load(scene(probe(text)), into: view) == nil)
      let control = try #require(view.view(named: "p") as? Control)
      control.sendActions(for: .valueChanged)
      #expect(log.take() == expected)
    }
  }

  @Test("views are known again by name wherever they stand, nameless ones by their number among their type")
  func identity() throws {
    let (harness, view) = shown()
    func load(_ subviews: String...) throws -> [View] {
      #expect(self.load(scene(subviews.joined(separator: ", ")), into: view) == nil)
      return try #require(view.scene?.subviews)
    }
    let (named, horn) = (#"{"type": "Horn", "name": "a"}"#, #"{"type": "Horn"}"#)
    let old = try load(named, horn, #"{"type": "Horn", "alpha": 0.5}"#, #"{"type": "View"}"#)
    let new = try load(#"{"type": "View"}"#, horn, #"{"type": "SteeringWheel"}"#, named)
    #expect(new.count == 4 && new[0] === old[3] && new[1] === old[1] && new[3] === old[0])
    #expect(new[2] is SteeringWheel && old[2].superview == nil)
    harness.frameIfNeeded()
    #expect(self.load(horn, into: view) == nil)
    #expect(view.subviews.count == 1 && view.scene is Horn, "another outermost view replaces all")
    harness.frameIfNeeded()
  }

  @Test("places follow the newer file, and its window")
  func places() throws {
    let (harness, view) = shown()
    func horn(_ place: String) -> String { scene("{\"type\": \"Horn\", \"name\": \"h\"\(place)}") }
    for (place, frame) in [
      (", \"frame\": [1, 2, 30, 40]", Rect(x: 1, y: 2, width: 30, height: 40)),
      (", \"margins\": 10", Rect(x: 10, y: 10, width: 180, height: 80)),
      (", \"anchors\": {\"right\": 0, \"width\": 20}", Rect(x: 180, y: 0, width: 20, height: 20)),
      (", \"frame\": [5, 6, 7, 8]", Rect(x: 5, y: 6, width: 7, height: 8)),
      ("", Rect(x: 0, y: 0, width: 100, height: 100)),
    ] {
      #expect(load(horn(place), into: view) == nil)
      harness.frameIfNeeded()
      #expect(view.view(named: "h")?.frame == frame, "\(place)")
    }
    view.frame.size = Size(width: 60, height: 50)
    harness.frameIfNeeded()
    #expect(view.view(named: "h")?.frame == Rect(x: 0, y: 0, width: 50, height: 50))
  }

  @Test("whatever a file says, it is shown or refused, and the last good scene stays")
  func garbage() {
    let good = """
      {"type": "View", "subviews": [
        {"type": "Horn", "name": "a", "anchors": {"left": 10, "width": "25%", "aspect": 1}, "soundingColor": "#ff0000"},
        {"type": "ThrottleGearbox", "name": "b", "margins": [1, "2%", "a.right + 3", 4], "gear": 5, "fit": "filling"},
        {"type": "Ordered", "frame": [1, 2, 30, 40], "properties": {"lowerValue": 0.5, "valueRange": [0, 1]},},
      ]}
      """
    let words = [
      "0", "-1", "1e6", "1e300", "null", "true", "[]", "{}", "\"\"", "\"50%\"", "\"a\"", "\"b.right\"", "\"b\"",
      "\"#fff\"", "9",
    ]
    let (harness, view) = shown()
    harness.checksDamage = false
    var random = Random(11)
    var shownCount = 0
    for round in 0..<1500 {
      var bytes = Array(good.utf8)
      for _ in 0...random.below(2) {
        let place = random.below(bytes.count)
        switch random.below(10) {
        case 0: bytes[place] = Array(good.utf8)[random.below(good.utf8.count)]
        case 1: bytes.removeSubrange(place..<min(place + 1 + random.below(9), bytes.count))
        default:
          // Another word in the place of a value.
          guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")),
            let end = bytes[colon...].firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") })
          else { continue }
          bytes.replaceSubrange(colon + 1..<end, with: Array(words[random.below(words.count)].utf8))
        }
      }
      if load(String(decoding: bytes, as: UTF8.self), into: view) == nil { shownCount += 1 }
      harness.frameIfNeeded()
      #expect(view.scene != nil || shownCount == 0, "round \(round)")
    }
    #expect(shownCount > 100, "the garbage is not too bad to be of use")
  }
}
