// Owns tests of inspectable properties: names, what becomes due, observers.
// Must not test any real control.

import ControlHarness
import Testing

@testable import Controls

@MainActor @Suite(.serialized) struct InspectableTests {
  private func shown<Probe: InspectableProbe>(_ probe: Probe) -> (ControlHarness, Probe) {
    let harness = ControlHarness(probe, size: Size(width: 60, height: 40))
    // The checks draw the view more often than a window does.
    harness.checksDamage = false
    _ = probe.takeCounts()
    return (harness, probe)
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
    #expect(all.map(\.name) == probe.inspectableNames)
    #expect(
      probe.inspectableNames == [
        "name", "isHidden", "alpha", "backgroundColor", "isUserInteractionEnabled", "layoutDirection", "showsTrack",
        "labelText",
        "trackCount", "curvaceousness", "thumbOffset", "thumbSize", "hole", "contentInsets", "trackColor",
        "trackTintColor", "valueRange", "thumbImage", "thumbShape", "gloss", "lowerValue", "upperValue",
      ])
    #expect(Control().inspectableNames.suffix(2) == ["isEnabled", "isSelected"])
    let tint = try #require(probe.inspectable(named: "trackTintColor"))
    #expect(tint === probe.$trackTintColor)
    #expect(tint.title == "Track Tint Color" && tint.group == "Track" && tint.kind == .optional(.color))
    #expect(probe.$gloss.title == "Shininess" && probe.$gloss.group == "Light" && probe.$gloss.name == "gloss")
    #expect(probe.$curvaceousness.limits == 0...1 && probe.$trackCount.limits == 1...12 && probe.$gloss.limits == nil)
    #expect(probe.$thumbShape.kind == .choice(["square", "circle"]))
    #expect(probe.inspectable(named: "trackTint") == nil)
    #expect(probe.inspectable(named: "isHidden")?.group == "View")
    #expect(probe.inspectable(named: "alpha")?.limits == 0...1)
  }

  @Test("View and Control keep no inspectable boxes: those are not looked for")
  func plainBases() {
    for view in [View(), Control()] {
      var mirror: Mirror? = Mirror(reflecting: view)
      while let current = mirror {
        #expect(!current.children.contains { $0.value is InspectableBox })
        mirror = current.superclassMirror
      }
    }
  }

  @Test("each view has its own properties, however their class was looked through")
  func ownProperties() {
    let (a, b) = (InspectableProbe(), InspectableProbe())
    for probe in [a, b] { #expect(probe.inspectable(named: "gloss") === probe.$gloss) }
    #expect(a.$gloss !== b.$gloss)
    let sub = OrderedProbe()
    #expect(sub.inspectable(named: "gloss") === sub.$gloss)
    #expect(sub.inspectable(named: "upperValue") === sub.$upperValue)
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
    let token = probe.$curvaceousness.observe { seen += [$0.old, $0.new] }
    try probe.inspectable(named: "curvaceousness")?.set(json: .number(-3), on: probe)
    #expect(probe.curvaceousness == 0 && seen == [1, 0])
    harness.frameIfNeeded()
    #expect(probe.takeCounts() == [0, 1])
    #expect(probe.$curvaceousness.set(0, on: probe) == false)
    #expect(probe.$curvaceousness.set(0.25, on: probe))
    #expect(seen == [1, 0, 0, 0.25])
    withExtendedLifetime(token) {}
  }

  @Test("limits hold for the first value too")
  func firstValue() {
    final class Probe: View {
      @Inspectable(.none, limits: 0...1) var part = 7.0
      @Inspectable(.none, normalise: { $0.uppercased() }) var text = "abc"
    }
    #expect(Probe().part == 1)
    let probe = Probe()
    #expect(probe.text == "ABC")
    probe.text = "x"
    #expect(probe.text == "X")
  }

  @Test("K-D2: observers stop when they are removed and when their token goes")
  func observers() {
    let (_, probe) = shown(InspectableProbe())
    let log = Log()
    var first: PropertyObservation? = probe.$gloss.observe { log.add("1 \($0.old) \($0.new)") }
    let second = probe.$gloss.observe { _ in log.add("2") }
    let third = probe.$gloss.observe { _ in
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
    let property = probe?.$gloss
    let token = property?.observe { _ in }
    probe = nil
    #expect(gone == nil)
    #expect(property?.jsonValue == .number(0.5))
    token?.remove()
  }

  @Test("plain properties are observed too")
  func plainProperties() throws {
    let control = Control()
    let log = Log()
    let tokens = control.inspectables.map { property in
      property.observeAny { log.add("\(property.name) \(property.jsonValue)") }
    }
    try control.inspectable(named: "isEnabled")?.set(json: .bool(false), on: control)
    try control.inspectable(named: "alpha")?.set(json: .number(0.5), on: control)
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
      probe.$lowerValue.observe { log.add("lower \($0.old) \($0.new) upper \(probe.upperValue)") },
      probe.$upperValue.observe { log.add("upper \($0.old) \($0.new) lower \(probe.lowerValue)") },
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
