import ControlHarness
import Testing

@testable import ControlTools
@testable import Controls

/// Tests of inspectable properties: names, what becomes due, observers.
@MainActor @Suite(.serialized) struct InspectableTests {
  private func shown<Probe: InspectableProbe>(_ probe: Probe) -> (ControlHarness, Probe) {
    let harness = ControlHarness(probe, size: Size(width: 60, height: 40))
    // The checks draw the view more often than a window does.
    harness.checksDamage = false
    _ = probe.takeCounts()
    return (harness, probe)
  }

  @Test func `a value that redraws marks the view for what it says, once it is another`() {
    let lamp = Lamp()
    let harness = ControlHarness(lamp, size: Size(width: 20, height: 20))
    harness.frameIfNeeded()
    let layouts = lamp.layouts
    lamp.isLit = false
    lamp.columnCount = 1
    #expect(!harness.frameIfNeeded())
    lamp.isLit = true
    #expect(harness.frameIfNeeded() && lamp.layouts == layouts)
    lamp.columnCount = 2
    #expect(harness.frameIfNeeded() && lamp.layouts == layouts + 1)
    lamp.hint = "on"
    #expect(harness.frameIfNeeded() && lamp.hint == "on")
  }

  @Test func `a property that the class' list leaves out is drawn, observed and moved all the same`() {
    final class Secretive: InspectableProbe {
      override class var inspectables: [AnyProperty] { [] }
    }
    let (harness, probe) = shown(Secretive())
    var faults: [String] = []
    harness.onFault = { faults.append($0) }
    var heard: [Double] = []
    let token = probe.observe(\InspectableProbe.gloss) { heard.append($0.new) }
    probe.gloss = 0.7
    #expect(probe.gloss == 0.7 && heard == [0.7] && harness.root.needsFrame)
    harness.frame()
    #expect(probe.takeCounts()[1] == 1)
    probe.animate(\InspectableProbe.gloss, to: 1, duration: .milliseconds(30))
    harness.advance(by: .milliseconds(100))
    #expect(probe.gloss == 1)
    #expect(faults.isEmpty && probe.inspectables.isEmpty)
    token.remove()
  }

  @Test func `observing what is not inspectable is told of once, and harms nothing`() {
    let (harness, probe) = shown(InspectableProbe())
    var faults: [String] = []
    harness.onFault = { faults.append($0) }
    let tokens = (0..<2).map { _ in probe.observe(\View.frame) { _ in Issue.record("nobody tells of it") } }
    probe.frame.size.width += 1
    #expect(faults.count == 1 && faults.first?.contains("is not inspectable") == true)
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "K18: names are shown in Title Case, grouped by their first word",
    arguments: [
      ("trackTintColor", "Track Tint Color", "Track"), ("curvaceousness", "Curvaceousness", "Curvaceousness"),
      ("isEnabled", "Enabled", "Enabled"), ("is", "Is", "Is"), ("showsURLBar", "Shows URL Bar", "Shows"),
      ("color2", "Color 2", "Color"), ("x1y2", "X 1 Y 2", "X"), ("island", "Island", "Island"),
      ("snake_case", "Snake Case", "Snake"), ("", "", ""), ("URL", "URL", "URL"),
    ])
  func titles(name: String, title: String, group: String) {
    let found = PropertyName(name)
    #expect(found.title == title)
    #expect(found.group == group)
  }

  @Test("K18: a view's properties are found by name, plain ones first, the superclass' before a subclass'")
  func discovery() throws {
    let probe = OrderedProbe()
    let all = probe.inspectables
    #expect(
      all.map(\.name) == [
        "name", "isHidden", "alpha", "backgroundColor", "isUserInteractionEnabled", "layoutDirection", "toolTip",
        "grow", "shrink",
        "showsTrack",
        "labelText",
        "trackCount", "curvaceousness", "thumbOffset", "thumbSize", "hole", "contentInsets", "trackColor",
        "trackTintColor", "valueRange", "thumbImage", "thumbShape", "gloss", "lowerValue", "upperValue",
      ])
    #expect(Control().inspectables.map(\.name).suffix(2) == ["isEnabled", "isSelected"])
    let tint = try #require(probe.inspectable(named: "trackTintColor"))
    #expect(tint.title == "Track Tint Color" && tint.group == "Track" && tint.kind == .optional(.color))
    func property(_ name: String) throws -> AnyProperty { try #require(probe.inspectable(named: name)) }
    let gloss = try property("gloss")
    #expect(gloss.title == "Shininess" && gloss.group == "Light" && gloss.limits == nil)
    #expect(try property("curvaceousness").limits == 0...1 && property("trackCount").limits == 1...12)
    #expect(try property("thumbShape").kind == .choice(["square", "circle"]))
    #expect(probe.inspectable(named: "trackTint") == nil)
    #expect(probe.inspectable(named: "isHidden")?.group == "View")
    #expect(probe.inspectable(named: "alpha")?.limits == 0...1)
  }

  @Test("what a class lists is there once, and each view has its own values of it")
  func ownValues() throws {
    let (a, b, sub) = (InspectableProbe(), InspectableProbe(), OrderedProbe())
    let gloss = try #require(a.inspectable(named: "gloss"))
    #expect(b.inspectable(named: "gloss") === gloss)
    for (view, value) in [(a, 1.0), (b, 2), (sub, 3)] { try gloss.set(.number(value), on: view) }
    #expect([a, b, sub].map(\.gloss) == [1, 2, 3])
    #expect([a, b, sub].map { gloss.json(of: $0) } == [.number(1), .number(2), .number(3)])
  }

  @Test("R19: a change redraws or lays out, exactly when it is due")
  func effects() throws {
    let (harness, probe) = shown(InspectableProbe())
    let cases: [(String, () -> Void, [Int])] = [
      ("display", { probe.trackColor = .black }, [0, 1]), ("layout", { probe.thumbOffset.x = 3 }, [1, 1]),
      ("none", { probe.labelText = "new" }, [0, 0]), ("equal", { probe.trackColor = .black }, [0, 0]),
      ("clamped to the old", { probe.curvaceousness = 7 }, [0, 0]),
      ("not a number", { probe.gloss = .nan }, [0, 0]), ("infinite", { probe.hole.size.width = .infinity }, [0, 0]),
      (
        "several", { (probe.gloss, probe.trackColor, probe.showsTrack) = (1, .white, false) }, [0, 1]
      ),
    ]
    for (name, change, due) in cases {
      change()
      #expect(harness.root.needsFrame == (due != [0, 0]), "\(name)")
      harness.frameIfNeeded()
      #expect(probe.takeCounts() == due, "\(name)")
    }
    #expect(probe.gloss == 1 && probe.hole == .zero && probe.curvaceousness == 1)
  }

  @Test("R19: a static drawing is drawn again only for the properties that it shows")
  func staticDrawing() {
    @ListsProperties
    final class Probe: View {
      @Inspectable(.display) var needle = 0.0
      @Inspectable(.staticDisplay) var dial = 0.0
      @Inspectable(.layout) var width = 0.0
      var draws = 0

      override var hasStaticDrawing: Bool { true }
      override func drawStatic(_ canvas: Canvas) { draws += 1 }
    }
    let probe = Probe()
    let harness = ControlHarness(probe, size: Size(width: 60, height: 40))
    harness.checksDamage = false
    for (change, draws) in [({ probe.needle = 1 }, 0), ({ probe.dial = 1 }, 1), ({ probe.width = 1 }, 1)] {
      probe.draws = 0
      change()
      harness.frameIfNeeded()
      #expect(probe.draws == draws)
    }
  }

  @Test("K1: a value that a file or an inspector sets does what one does that code sets")
  func setFromOutside() throws {
    let (harness, probe) = shown(InspectableProbe())
    var seen: [Double] = []
    let token = probe.observe(\InspectableProbe.curvaceousness) { seen += [$0.old, $0.new] }
    try probe.inspectable(named: "curvaceousness")?.set(.number(-3), on: probe)
    #expect(probe.curvaceousness == 0 && seen == [1, 0])
    harness.frameIfNeeded()
    #expect(probe.takeCounts() == [0, 1])
    probe.curvaceousness = 0
    #expect(seen == [1, 0])
    probe.curvaceousness = 0.25
    #expect(seen == [1, 0, 0, 0.25])
    withExtendedLifetime(token) {}
  }

  @Test("what limits and normalising make of a value is kept")
  func normalised() {
    @ListsProperties
    final class Probe: View {
      @Inspectable(.none, limits: 0...1) var part = 1.0
      @Inspectable(.none, limits: 1...12) var count = 3
      @Inspectable(.none, normalise: Probe.upper) var text = "ABC"

      private static func upper(_ text: String) -> String { text.uppercased() }
    }
    let probe = Probe()
    (probe.part, probe.count, probe.text) = (7, -.max, "x")
    #expect(probe.part == 1 && probe.count == 1 && probe.text == "X")
    (probe.part, probe.count) = (-7, .max)
    #expect(probe.part == 0 && probe.count == 12)
  }

  @Test func `limits hold for every kind of storage, whoever sets the value`() throws {
    let probe = StorageProbe()
    let harness = ControlHarness(probe, size: Size(width: 60, height: 40))
    let ways: [(String, (ReferenceWritableKeyPath<StorageProbe, Double>, AnyProperty, Double) throws -> Void)] = [
      ("code", { path, _, value in probe[keyPath: path] = value }),
      ("file", { _, property, value in try property.setter(.number(value))(probe) }),
      ("inspector", { _, property, value in try property.set(.number(value), on: probe) }),
      (
        "animation",
        { path, _, value in
          probe.animate(path, to: value, duration: .milliseconds(30))
          harness.advance(by: .milliseconds(100))
        }
      ),
    ]
    for (name, path) in StorageProbe.all {
      let property = try #require(probe.inspectable(named: name))
      #expect(property.limits == 2...4)
      for (way, set) in ways {
        for (value, kept) in [(9.0, 4.0), (-9, 2), (3, 3), (.nan, 3), (.infinity, 3)] {
          try? set(path, property, value)
          #expect(probe[keyPath: path] == kept, "\(name) set by \(way) to \(value)")
        }
      }
    }
  }

  @Test func `a subclass may list a property before inherited ones, and remove others`() {
    #expect(Rearranged().inspectables.map(\.name).suffix(4) == ["first", "kept", "second", "computed"])
    #expect(Rearranged().inspectable(named: "modelled") == nil)
  }

  @Test("K-D2: observers stop when they are removed and when their token goes")
  func observers() {
    let (_, probe) = shown(InspectableProbe())
    let log = Log()
    var first: ObservationToken? = probe.observe(\InspectableProbe.gloss) { log.add("1 \($0.old) \($0.new)") }
    let second = probe.observe(\InspectableProbe.gloss) { _ in log.add("2") }
    let third = probe.observe(\InspectableProbe.gloss) { _ in
      log.add("3")
      second.remove()
    }
    probe.gloss = 1
    #expect(log.take() == ["1 0.5 1.0", "2", "3"])
    probe.gloss = 2
    #expect(log.take() == ["1 1.0 2.0", "3"])
    probe.gloss = 2
    #expect(log.take() == [], "nothing changed")
    withExtendedLifetime(first) {}
    first = nil
    probe.gloss = 3
    #expect(log.take() == ["3"])
    withExtendedLifetime(third) {}
  }

  @Test("an observer keeps no view alive, and outlives it unharmed")
  func lifetimes() {
    var probe: InspectableProbe? = InspectableProbe()
    weak let gone = probe
    let token = probe?.observe(\InspectableProbe.gloss) { _ in }
    probe = nil
    #expect(gone == nil)
    token?.remove()
  }

  @Test("plain properties are observed too")
  func plainProperties() throws {
    let control = Control()
    let log = Log()
    let tokens = control.inspectables.map { property in
      control.observe(property) { log.add("\(property.name) \(property.json(of: control))") }
    }
    try control.inspectable(named: "isEnabled")?.set(.bool(false), on: control)
    try control.inspectable(named: "alpha")?.set(.number(0.5), on: control)
    control.isSelected = true
    control.isHidden = true
    control.name = "x"
    control.backgroundColor = .white
    control.isUserInteractionEnabled = false
    control.layoutDirection = .rightToLeft
    #expect(
      log.take() == [
        "isEnabled bool(false)", "alpha number(0.5)", "isSelected bool(true)", "isHidden bool(true)",
        "name string(\"x\")", "backgroundColor string(\"#ffffff\")", "isUserInteractionEnabled bool(false)",
        "layoutDirection string(\"rightToLeft\")",
      ])
    (control.isHidden, control.alpha, control.isEnabled, control.name) = (true, 0.5, false, "x")
    control.alpha = 0.5
    control.isUserInteractionEnabled = false
    #expect(log.take() == [])
    withExtendedLifetime(tokens) {}
  }

  @Test("properties that depend on each other settle before anybody is told")
  func dependingProperties() {
    let (harness, probe) = shown(OrderedProbe())
    let log = Log()
    let tokens = [
      probe.observe(\OrderedProbe.lowerValue) { log.add("lower \($0.old) \($0.new) upper \(probe.upperValue)") },
      probe.observe(\OrderedProbe.upperValue) { log.add("upper \($0.old) \($0.new) lower \(probe.lowerValue)") },
    ]
    probe.lowerValue = 0.9
    #expect(log.take() == ["upper 0.8 0.9 lower 0.9", "lower 0.2 0.9 upper 0.9"])
    #expect(probe.told == ["lowerValue", "upperValue"])
    probe.lowerValue = -1
    #expect(log.take() == ["lower 0.9 0.0 upper 0.9"], "the view's own adjustment is one change with its reason")
    probe.lowerValue = -2
    #expect(log.take() == [], "adjusted to what it was")
    harness.frameIfNeeded()
    #expect(probe.takeCounts() == [1, 1])
    withExtendedLifetime(tokens) {}
  }
}

private final class Lamp: View {
  @Redraws var isLit = false
  @Redraws var hint: String?
  @Redraws(.layout) var columnCount = 1
  var layouts = 0

  override func layoutSubviews() { layouts += 1 }
}
