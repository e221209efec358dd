import ControlHarness
import Testing

@testable import ControlTools
@testable import Controls

/// The test that every registered type is the same from a file and in code.
@MainActor @Suite(.serialized) struct RegisteredTypesTests {
  private static let size = Size(width: 240, height: 320)
  private static let frame = Rect(x: 20, y: 10, width: 200, height: 300)

  /// Another value than `value`, as a file would say it; nil if the property has only one.
  private func other(than property: AnyProperty, _ kind: InspectableKind, of view: View) -> JSONValue? {
    switch (kind, property.json(of: view)) {
    case (.optional(let kind), _): other(than: property, kind, of: view)
    case (.bool, .bool(let value)): .bool(!value)
    case (.text, _): .string(["gear": "3", "bands": "1..2 #ff5147", "columnWeights": "1 2"][property.name] ?? "text")
    case (.integer, .number(let value)): .number(value == property.limits?.upperBound ? value - 1 : value + 1)
    case (.number, .number(let value)):
      .number(property.limits.map { value == $0.lowerBound ? $0.upperBound : $0.lowerBound } ?? value + 0.25)
    case (.numbers(2, _), _): JSONValue(numbers: property is Property<Size> ? [33, 44] : [3, 4])
    case (.numbers(4, _), _): JSONValue(numbers: property is Property<Rect> ? [3, 4, 33, 44] : [1, 2, 3, 4])
    case (.color, _): .string("#8040c0")
    case (.choice(let names), .string(let name)): names.first { $0 != name }.map { .string($0) }
    case (.choice(let names), _): names.first.map { .string($0) }
    default: nil
    }
  }

  /// All properties that can be set, each with a value that differs from its default, except those that hide the view. A
  /// derived property sets the same value as a second property; the order decides which of the two applies.
  private func settings(_ type: String, derived: Bool = false) throws -> [(name: String, value: JSONValue)] {
    let view = try #require(ViewRegistry.everyControl.makeView(type))
    let properties = view.inspectables.filter { !["isHidden", "name"].contains($0.name) }
    return properties.filter { derived || $0.derivedFrom == nil }.compactMap { property in
      other(than: property, property.kind, of: view).map { (property.name, $0) }
    }
  }

  private func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    case .object: "{}"
    }
  }

  private func fromFile(_ type: String, _ settings: [(name: String, value: JSONValue)]) throws -> (ControlHarness, View)
  {
    let properties = settings.map { ", \"\($0.name)\": \(text($0.value))" }.joined()
    let layout = LayoutView(registry: .everyControl)
    try layout.load(
      LayoutFile(
        text: """
          {"type": "View", "subviews": [{"type": "\(type)", "name": "it", "frame": [20, 10, 200, 300]\(properties)}]}
          """, name: type))
    let harness = ControlHarness(layout, size: Self.size)
    harness.settle()
    return (harness, try #require(layout.view(named: "it")))
  }

  /// As in code: made, shown, and then set property by property, with frames between.
  private func inCode(_ type: String, _ settings: [(name: String, value: JSONValue)]) throws -> (ControlHarness, View) {
    let view = try #require(ViewRegistry.everyControl.makeView(type))
    let (container, group) = (View(), View(frame: Rect(origin: .zero, size: Self.size)))
    container.addSubview(group)
    group.addSubview(view)
    let harness = ControlHarness(container, size: Self.size)
    view.name = "it"
    view.frame = Self.frame
    harness.frameIfNeeded()
    for setting in settings {
      try view.inspectable(named: setting.name)?.set(setting.value, on: view)
      harness.frameIfNeeded()
    }
    harness.settle()
    return (harness, view)
  }

  /// A property takes `value`, and then says it.
  private func expect(_ property: AnyProperty, of view: View, takes value: JSONValue) throws {
    try property.set(value, on: view)
    #expect(property.json(of: view) == value, "\(property.name)")
  }

  @Test(
    "K1, G8, G-D9, R-D7: a control from a file and one made in code are the same",
    arguments: await ViewRegistry.everyControl.typeNames)
  func sameFromFile(type: String) throws {
    for settings in [[], try settings(type)] {
      let (fileHarness, file) = try fromFile(type, settings)
      let (codeHarness, code) = try inCode(type, settings)
      #expect(file.inspect() == code.inspect())
      for (a, b) in zip(file.inspectables, code.inspectables) {
        #expect(a.name == b.name && a.json(of: file) == b.json(of: code), "\(a.name)")
      }
      #expect(fileHarness.shown == codeHarness.shown)
      #expect(file.sizeThatFits(Size(width: 90, height: 50)) == code.sizeThatFits(Size(width: 90, height: 50)))
    }
  }

  @Test(
    "every type may lie anywhere and be of any size: what is no number for a pixel ends nothing",
    arguments: await ViewRegistry.everyControl.typeNames)
  func anyFrame(type: String) throws {
    let view = try #require(ViewRegistry.everyControl.makeView(type))
    (view as? Label)?.text = "two words"
    (view as? Button)?.title = "two words"
    (view as? ChoiceControl)?.titles = ["one", "two", "three"]
    (view as? ColorWell)?.color = Color(hex: 0x204060).withAlpha(0.5)
    if let scroll = view as? ScrollView { scroll.contentSize = Size(width: 1e300, height: 1e200) }
    let harness = ControlHarness(size: Self.size, scale: Scale(1.5))
    harness.checksDamage = false
    // Siblings enough for an index of places.
    for number in 0..<40 { harness.root.addSubview(View(frame: Rect(x: Double(number), y: 0, width: 1, height: 1))) }
    harness.root.addSubview(view)
    let numbers = [-1.7e308, -1e300, -1e19, -4e9, 0, 4e9, 1e19, 1e300, 1.7e308]
    for number in numbers {
      // Around the window, so that its pixels begin far from the view's own.
      let reach = abs(number)
      for place in [
        Rect(x: -reach / 2, y: 5, width: reach, height: 30), Rect(x: 5, y: -reach / 2, width: 30, height: reach),
      ] {
        view.frame = place
        harness.frame()
      }
      for size in [
        Size(width: 200, height: 300), Size(width: abs(number), height: 30), Size(width: 30, height: abs(number)),
      ] {
        for origin in [Point(x: number, y: 5), Point(x: 5, y: number), .zero] {
          view.frame = Rect(origin: origin, size: size)
          view.setNeedsDisplay()
          harness.frame()
          _ = view.sizeThatFits(size)
          harness.tap(Point(x: 10, y: 10))
        }
      }
    }
    harness.root.resize(to: Size(width: 1.7e308, height: 1), scale: Scale(2))
    #expect(harness.root.scale.pixelSize(Size(width: 1.7e308, height: 3)) == PixelSize(width: 2_000_000, height: 6))
  }

  @Test(
    "every property of every type has a title, a group, and takes its own value",
    arguments: await ViewRegistry.everyControl.typeNames)
  func properties(type: String) throws {
    let view = try #require(ViewRegistry.everyControl.makeView(type))
    let names = view.inspectables.map(\.name)
    #expect(Set(names).count == names.count)
    for property in view.inspectables {
      #expect(!property.title.isEmpty && !property.group.isEmpty, "\(property.name)")
      let value = property.json(of: view)
      if value == .null {
        guard case .optional = property.kind else {
          Issue.record("\(property.name) is null")
          continue
        }
      }
      try expect(property, of: view, takes: value)
    }
  }

  @Test(
    "every property that keeps a value is listed, takes another value and its first one again, and says when it is seen",
    arguments: await ViewRegistry.everyControl.typeNames)
  func listed(type: String) throws {
    let view = try #require(ViewRegistry.everyControl.makeView(type))
    var mirror: Mirror? = Mirror(reflecting: view)
    while let current = mirror {
      for child in current.children
      where ["Inspectable<", "Modelled<"].contains(
        where: _typeName(Swift.type(of: child.value), qualified: false).hasPrefix)
      {
        let name = child.label.map { String($0.dropFirst()) } ?? ""
        #expect(view.inspectable(named: name) != nil, "\(name) is in no list")
      }
      mirror = current.superclassMirror
    }
    for setting in try settings(type) {
      let (harness, view) = try inCode(type, [])
      let property = try #require(view.inspectable(named: setting.name))
      let first = property.json(of: view)
      try property.set(setting.value, on: view)
      // Nothing can be scrolled yet: an offset beyond the end becomes that end.
      if property.name != "contentOffset" { #expect(property.json(of: view) != first, "\(setting.name)") }
      #expect(property.effect == .none || harness.root.needsFrame, "\(setting.name)")
      try expect(property, of: view, takes: first)
    }
  }

  @Test(
    "every property tells its observers once of a change, and never of none",
    arguments: await ViewRegistry.everyControl.typeNames)
  func observers(type: String) throws {
    for setting in try settings(type, derived: true) {
      // A new view each time: setting a property may change a second property to the value under test.
      let view = try #require(ViewRegistry.everyControl.makeView(type))
      view.frame = Self.frame
      let property = try #require(view.inspectable(named: setting.name))
      var count = 0
      let token = view.observe(property) { count += 1 }
      try property.set(setting.value, on: view)
      #expect(count == 1, "\(setting.name)")
      try property.set(property.json(of: view), on: view)
      #expect(count == 1, "\(setting.name) set to what it is")
      token.remove()
    }
  }
}
