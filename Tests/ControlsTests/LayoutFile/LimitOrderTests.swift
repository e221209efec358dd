import ControlHarness
import TestSupport
import Testing

@testable import ControlTools
@testable import Controls

/// Tests that values are set after those that limit them, and that a view which is made once knows what a new one has.
@MainActor @Suite(.serialized) struct LimitOrderTests {
  typealias Setting = LayoutNode.Setting

  private static let registry = ViewRegistry.everyControl
  nonisolated static let typeNames = [
    "NumberField", "RangeSlider", "Slider", "SteeringWheel", "ThrottleGearbox", "StickyHeaderView", "ColorEditor",
    "ScrollView", "PulseRadar",
  ]

  private func new(_ type: String) throws -> View { try #require(Self.registry.makeView(type)) }

  /// Settings by chance, by name, as a file gives them.
  private func settings(of view: View, _ scene: inout SceneEdits, derived: Bool = false) -> [Setting] {
    let all = view.inspectables.filter { property in
      property.name != "name" && !property.kind.isImage && (derived || property.derivedFrom == nil)
        && scene.random.below(2) == 0
    }
    return all.sorted { $0.name < $1.name }.map { property in
      let value: JSONValue =
        property.name == "gear"
        ? .string(["N", "R", "2", "7", "12"][scene.random.below(5)])
        : scene.value(property.kind, property.limits)
      return Setting(property: property, value: value, isChanged: true)
    }
  }

  private func values(of view: View) -> [String] {
    view.inspectables.map { "\($0.name)=\($0.json(of: view).jsonText)" }
  }

  @Test(arguments: typeNames)
  func `one pass in the order of the limits gives what setting everything twice gives`(type: String) throws {
    var scene = SceneEdits(seed: 3, pictures: [])
    for round in 0..<500 {
      let (once, twice) = (try new(type), try new(type))
      var settings = settings(of: once, &scene)
      // With one end of a range, the spans decide where the other is: see below.
      if settings.contains(where: { ["lowerValue", "upperValue"].contains($0.property.name) }) {
        let ends = settings.map(\.property.name)
        for end in once.inspectables where ["lowerValue", "upperValue"].contains(end.name) && !ends.contains(end.name) {
          settings.append(Setting(property: end, value: .number(Double(scene.random.below(9))), isChanged: true))
        }
        settings.sort { $0.property.name < $1.property.name }
      }
      LayoutNode.give(settings, to: once)
      for setting in settings { setting.apply(to: twice) }
      for setting in settings where setting.property.json(of: twice) != setting.value { setting.apply(to: twice) }
      #expect(values(of: once) == values(of: twice), "round \(round): \(settings.map { ($0.property.name, $0.value) })")
    }
  }

  @Test func `a range of which a file names one end is as if code had set the limits first`() throws {
    for (text, ends) in [
      ("\"lowerValue\": 0.5, \"maximumSpan\": 0.5", [0.5, 0.7]),
      ("\"upperValue\": 0.5, \"maximumSpan\": 0.2", [0.3, 0.5]),
      ("\"upperValue\": 30, \"maximumValue\": 50, \"minimumSpan\": 25", [0.2, 30]),
    ] {
      let view = LayoutView(registry: Self.registry)
      try view.load(LayoutFile(text: "{\"type\": \"RangeSlider\", \(text)}", name: "test.json"))
      let slider = try #require(view.scene as? RangeSlider)
      #expect([slider.lowerValue, slider.upperValue] == ends)
    }
  }

  @Test(arguments: typeNames)
  func `the prototype has the values of a new view, whatever it was asked before`(type: String) throws {
    var registry = ViewRegistry.everyControl
    var made = 0
    registry.register(type) {
      made += 1
      return Self.registry.makeView(type) ?? View()
    }
    var scene = SceneEdits(seed: 7, pictures: [])
    for round in 0..<500 {
      let prototype = try #require(registry.prototype(type))
      let view = try new(type)
      #expect(values(of: view) == view.inspectables.map { "\($0.name)=\(prototype.defaults[$0.name]?.jsonText ?? "")" })
      let frame =
        scene.random.below(2) == 0 ? nil : Rect(x: 5, y: 6, width: 70, height: Double(scene.random.below(300)))
      let settings = settings(of: view, &scene, derived: true)
      if let frame { view.setOwnFrame(frame) }
      LayoutNode.give(settings, to: view)
      let said = prototype.values(by: settings, in: frame)
      let coupled = Set(view.coupledInspectables.map(\.name))
      for property in view.inspectables where property.derivedFrom == nil {
        // Of what stands alone the prototype repeats the file.
        let wanted = settings.first { $0.property.name == property.name && !coupled.contains(property.name) }?.value
        #expect(said[property.name] == wanted ?? property.json(of: view), "round \(round): \(property.name)")
      }
    }
    #expect(made == 1)
  }

  @Test(arguments: typeNames)
  func `after any edits of values and limits a view has what a new one has`(type: String) throws {
    var scene = SceneEdits(seed: 17, pictures: [])
    let live = LayoutView(registry: Self.registry)
    for round in 0..<300 {
      let members = settings(of: try new(type), &scene).map { "\"\($0.property.name)\": \($0.value.jsonText)" }
      let frame = "\"type\": \"\(type)\", \"frame\": [0, 0, 90, \(100 + scene.random.below(2))]"
      let text = "{\(([frame] + members).joined(separator: ", "))}"
      let fresh = LayoutView(registry: Self.registry)
      try live.load(LayoutFile(text: text, name: "test.json"))
      try fresh.load(LayoutFile(text: text, name: "test.json"))
      let (now, wanted) = (try #require(live.scene), try #require(fresh.scene))
      #expect(values(of: now) == values(of: wanted), "round \(round): \(text)")
    }
  }

  @Test(arguments: await ViewRegistry.everyControl.typeNames)
  func `properties of which one changes what another becomes say so`(type: String) throws {
    let view = try new(type)
    let coupled = Set(view.coupledInspectables.map(\.name))
    var scene = SceneEdits(seed: 11, pictures: [])
    for _ in 0..<1500 {
      let settings = settings(of: view, &scene).filter { !coupled.contains($0.property.name) }
      guard settings.count > 1 else { continue }
      let (a, b) = (settings[scene.random.below(settings.count)], settings[scene.random.below(settings.count)])
      guard a.property !== b.property else { continue }
      let (one, other) = (try new(type), try new(type))
      for setting in [a, b] { setting.apply(to: one) }
      for setting in [b, a] { setting.apply(to: other) }
      #expect(values(of: one) == values(of: other), "\(a.property.name), \(b.property.name)")
    }
    for property in view.coupledInspectables {
      for limiter in property.limiters {
        #expect(limiter.rank < property.rank && view.inspectables.contains { $0 === limiter }, "\(property.name)")
      }
    }
  }

  /// A program's own view of a type that is not registered: what the file says of it comes, also of numbers that limit each other.
  @Test func `edits of a part whose type is not registered are shown`() throws {
    let part = Slider()
    var registry = ViewRegistry()
    registry.register { View() }
    let view = LayoutView(registry: registry, parts: [LayoutPart("Part", named: "", part)])
    for greatest in [10.0, 4, 20] {
      let text =
        "{\"type\": \"View\", \"subviews\": [{\"type\": \"Part\", \"value\": 3, \"maximumValue\": \(greatest)}]}"
      try view.load(LayoutFile(text: text, name: "test.json"))
      #expect(part.maximumValue == greatest && part.value == 3)
    }
  }

  @Test func `an edit makes no view, whatever it concerns`() throws {
    var made = 0
    var registry = ViewRegistry.everyControl
    registry.register("RangeSlider") {
      made += 1
      return RangeSlider()
    }
    let view = LayoutView(registry: registry)
    func show(_ properties: String) throws {
      let slider = "{\"type\": \"RangeSlider\"\(properties)}"
      try view.load(LayoutFile(text: "{\"type\": \"View\", \"subviews\": [\(slider)]}", name: "test.json"))
    }
    try show(", \"upperValue\": 80, \"maximumValue\": 100")
    try show(", \"upperValue\": 80, \"maximumValue\": 50")
    // The view itself, and the one that knows what a new view has.
    #expect(made == 2)
    let edits = [
      ", \"upperValue\": 80", ", \"frame\": [1, 2, 30, 40]", ", \"minimumSpan\": 5, \"maximumValue\": 90", "",
      ", \"alpha\": 0.5, \"curvaceousness\": 0.25", ", \"upperValue\": 70, \"maximumValue\": 90",
    ]
    for edit in edits { try show(edit) }
    #expect(made == 2)
    let slider = try #require(view.scene?.subviews.first as? RangeSlider)
    #expect(slider.upperValue == 70 && slider.maximumValue == 90)
    for _ in 0..<3 {
      #expect(LayoutWriter(registry: registry).text(of: slider)?.contains("\"upperValue\": 70") == true)
    }
    #expect(made == 2)
  }
}
