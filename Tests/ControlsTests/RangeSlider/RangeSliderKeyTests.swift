import ControlHarness
import Testing

@testable import Controls

/// Tests of a range slider's keys, focus and inspection.
@MainActor @Suite(.serialized) struct RangeSliderKeyTests {
  @Test func `R-D11: Tab reaches each thumb, in the order of their values`() {
    let probe = RangeSliderProbe()
    let before = ProbeControl("before", log: Log())
    probe.harness.root.insertSubview(before, at: 0)
    let after = ProbeControl("after", log: Log())
    probe.harness.root.addSubview(after)
    probe.harness.frame()
    var stops: [String] = []
    for _ in 0..<4 {
      probe.harness.press(.tab)
      stops.append(probe.harness.root.firstResponder?.name ?? "")
    }
    #expect(stops == ["before", "lower", "upper", "after"])
    probe.harness.press(.tab, .shift)
    #expect(probe.slider.upperThumb.isFirstResponder)
    probe.slider.isEnabled = false
    #expect(!probe.slider.upperThumb.isFirstResponder && !probe.slider.focus(.lower))
    probe.slider.isEnabled = true
    #expect(probe.slider.focus(.lower) && probe.slider.lowerThumb.isFirstResponder)
  }

  @Test(arguments: [
    (Key.right, 0.21), (.left, 0.19), (.up, 0.21), (.down, 0.19), (.pageUp, 0.3), (.pageDown, 0.1), (.home, 0),
    (.end, 0.8),
  ])
  func `R-D11: keys move the thumb that has the focus`(key: Key, lower: Double) {
    let probe = RangeSliderProbe()
    probe.slider.focus(.lower)
    probe.harness.press(key)
    #expect(abs(probe.slider.lowerValue - lower) < 1e-12 && probe.slider.upperValue == 0.8)
    #expect(probe.log.take() == ["begin", "changed \(RangeSliderProbe.short(lower)) 0.8", "end"])
  }

  @Test(arguments: [(Key.right, 0.79), (.left, 0.81), (.up, 0.81), (.down, 0.79), (.home, 0.2), (.end, 1)])
  func `R-D11: from right to left, the arrows follow the picture`(key: Key, upper: Double) {
    let probe = RangeSliderProbe(direction: .rightToLeft)
    probe.slider.focus(.upper)
    probe.harness.press(key)
    #expect(abs(probe.slider.upperValue - upper) < 1e-12)
  }

  @Test func `R-D11: a held key is one edit; other keys and modifiers pass`() {
    let probe = RangeSliderProbe()
    probe.slider.focus(.lower)
    probe.harness.key(.down, .right)
    for _ in 0..<3 { probe.harness.key(.repeated, .right) }
    probe.harness.key(.down, .up)
    probe.harness.key(.up, .right)
    #expect(probe.log.take().filter { !$0.hasPrefix("changed") } == ["begin"])
    probe.harness.key(.up, .up)
    #expect(probe.log.take() == ["end"] && abs(probe.slider.lowerValue - 0.25) < 1e-12)
    probe.harness.press(.right, .control)
    probe.harness.press(.space)
    #expect(probe.log.take().isEmpty)
    probe.harness.key(.down, .home)
    probe.harness.key(.up, .home)
    _ = probe.log.take()
    probe.harness.press(.left)
    #expect(probe.log.take() == ["begin", "end"], "at the end: no change")
  }

  @Test func `R-D11, R-D4: keys that are taken away are a cancel`() {
    let probe = RangeSliderProbe()
    probe.slider.focus(.lower)
    probe.harness.key(.down, .right)
    _ = probe.log.take()
    probe.slider.isEnabled = false
    #expect(probe.log.take() == ["cancel"])
  }

  @Test func `R-D11: fingers and keys together are one edit`() {
    let probe = RangeSliderProbe()
    probe.slider.focus(.lower)
    probe.harness.drag(from: probe.place(0.8), to: probe.place(0.9), steps: 1, holds: true)
    probe.harness.press(.left)
    probe.harness.touch(.ended, at: probe.place(0.9))
    #expect(
      probe.log.take() == [
        "willBegin 0.2 true", "begin", "changed 0.2 0.9", "changed 0.19 0.9", "didEnd false false", "end",
      ])
  }

  @Test func `R-D11: what it is set to can be read by people and tools`() {
    let probe = RangeSliderProbe()
    probe.slider.focus(.upper)
    let inspected = probe.slider.inspect()
    #expect(inspected.values["lowerValue"] == .number(0.2) && inspected.values["upperValue"] == .number(0.8))
    #expect(inspected.values["isDragging"] == .bool(false))
    #expect(inspected.subviews.map(\.name) == ["lower", "upper"])
    #expect(inspected.subviews.map { $0.values["value"] } == [.number(0.2), .number(0.8)])
    #expect(inspected.subviews.map(\.state) == [["normal"], ["focused"]])
  }

  @Test func `O-D2: keys and code leave the trend alone`() {
    let probe = RangeSliderProbe { $0.upperValue = 1 }
    probe.slider.focus(.upper)
    probe.harness.press(.right)
    probe.slider.upperValue = 5
    #expect(probe.slider.offsetTrend == 0)
  }

  @Test func `K18: its properties by name, grouped`() {
    let slider = RangeSlider()
    let own = slider.inspectables.filter { !["View", "Control"].contains($0.group) }
    #expect(
      own.map(\.name).prefix(12) == [
        "minimumValue", "maximumValue", "minimumSpan", "maximumSpan", "lowerValue", "upperValue", "orientation",
        "insets",
        "trackTintColor", "trackHighlightTintColor", "thumbTintColor", "curvaceousness",
      ])
    #expect(own.first { $0.name == "trackHighlightTintColor" }?.title == "Track Highlight Tint Color")
    #expect(Set(own.map(\.group)).isSuperset(of: ["Range", "Layout", "Track", "Thumb"]))
    #expect(slider.inspectable(named: "curvaceousness")?.limits == 0...1)
  }

  @Test func `O-D3: a file may set properties in any order`() throws {
    let values: [(String, JSONValue)] = [
      ("upperValue", .number(80)), ("maximumSpan", .number(70)), ("lowerValue", .number(20)),
      ("minimumValue", .number(10)),
      ("minimumSpan", .number(5)), ("maximumValue", .number(100)),
    ]
    let slider = RangeSlider()
    // As layout files do it: what did not last is set again.
    for _ in 0..<2 {
      for (name, value) in values { try slider.inspectable(named: name)?.set(value, on: slider) }
    }
    #expect(
      slider.minimumValue == 10 && slider.maximumValue == 100 && slider.lowerValue == 20 && slider.upperValue == 80)
  }
}
