import ControlHarness
import TestSupport
import Testing

@testable import Controls

/// Tests of the range slider as a control: properties, fingers, what it says in which order.
@MainActor @Suite(.serialized) struct RangeSliderTests {
  @Test func `R2: a new slider's values`() {
    let slider = RangeSlider()
    #expect(slider.minimumValue == 0 && slider.maximumValue == 1)
    #expect(slider.lowerValue == 0.2 && slider.upperValue == 0.8)
    #expect(slider.minimumSpan == 0 && slider.maximumSpan == nil && slider.offsetTrend == 0 && !slider.isDragging)
  }

  @Test func `O11, O-D1: a slider made with insets has the values of the article on spans, none of them given here`() {
    let slider = RangeSlider(frame: Rect(x: 0, y: 0, width: 320, height: 31), insetLeft: 20, insetRight: 20)
    #expect(slider.minimumValue == 0 && slider.maximumValue == 1)
    #expect(slider.minimumSpan == 0.1 && slider.maximumSpan == 0.7)
    #expect(slider.lowerValue == 0 && slider.upperValue == 0.7)
    #expect(slider.offsetTrend == 0 && slider.overshoot == 0)
    #expect(
      slider.subviews.map { $0.inspect().values["value"] } == [.number(0), .number(0.7)], "the thumbs say so too")
    slider.lowerValue = 0.65
    #expect(slider.upperValue == 0.75, "the least span counts from the start")
  }

  @Test func `R1: a control for any window: it takes the width that there is, and 31 points of height`() {
    let host = View(frame: Rect(x: 0, y: 0, width: 360, height: 200))
    let slider = RangeSlider()
    let margin = 20.0
    slider.frame = Rect(
      x: margin, y: margin, width: host.bounds.width - 2 * margin,
      height: slider.sizeThatFits(host.bounds.size).height)
    host.addSubview(slider)
    #expect(slider.frame == Rect(x: 20, y: 20, width: 320, height: 31))
    slider.sizeToFit()
    #expect(slider.frame.size == Size(width: 320, height: 31))
    slider.orientation = .vertical
    #expect(slider.sizeThatFits(Size(width: 100, height: 250)) == Size(width: 31, height: 250))
    #expect(RangeSlider().sizeThatFits(Size(width: .infinity, height: 1)) == Size(width: 200, height: 31))
  }

  @Test func `R5: track and two thumbs, which do not keep the slider alive`() {
    weak var slider: RangeSlider?
    weak var thumb: View?
    do {
      let probe = RangeSliderProbe()
      slider = probe.slider
      thumb = probe.slider.subviews.first
      #expect(probe.slider.subviews.map(\.name) == ["lower", "upper"])
      #expect(probe.slider.subviews.allSatisfy { $0.frame.size == Size(width: 31, height: 31) })
      #expect(probe.slider.geometry.thumbLength == probe.slider.bounds.height)
    }
    #expect(slider == nil && thumb == nil)
  }

  @Test func `R-D7, K1: one initialiser, whose slider shows everything`() {
    let sliders = [
      RangeSlider(), RangeSlider(frame: .zero), RangeSlider(frame: .zero, insetLeft: 15.5, insetRight: 15.5),
    ]
    var pictures: [Snapshot] = []
    for slider in sliders {
      // Made with insets, it has values of its own (O11).
      (slider.minimumSpan, slider.maximumSpan, slider.upperValue, slider.lowerValue) = (0, nil, 0.8, 0.2)
      let harness = ControlHarness(slider, size: Size(width: 320, height: 31))
      pictures.append(harness.shown)
    }
    let isAlike = pictures[0] == pictures[1] && pictures[1] == pictures[2]
    #expect(isAlike)
    #expect(Set(pictures[0].pixels).count > 10)
  }

  // MARK: Properties

  @Test func `O5: code changes what is shown, and sends nothing`() {
    let probe = RangeSliderProbe()
    let before = probe.harness.shown
    probe.slider.lowerValue = 0.4
    probe.slider.upperValue = 0.6
    probe.slider.minimumValue = -1
    probe.slider.maximumValue = 2
    probe.slider.minimumSpan = 0.5
    probe.slider.maximumSpan = 0.9
    #expect(probe.harness.root.needsFrame)
    probe.harness.frame()
    let isOther = probe.harness.shown != before
    #expect(isOther)
    #expect(probe.log.take().isEmpty)
  }

  @Test func `O5: an action may set the values without calling itself`() {
    let probe = RangeSliderProbe()
    probe.slider.addAction(for: .valueChanged) { $0.lowerValue = ($0.lowerValue * 10).rounded() / 10 }
    probe.harness.drag(from: probe.place(0.2), to: probe.place(0.47), steps: 9)
    #expect(probe.slider.lowerValue == 0.5)
    #expect(probe.log.take().filter { $0.hasPrefix("changed") }.count <= 9)
  }

  @Test func `R-D5: whatever is set, in any order, the properties stay consistent, and so does the model`() {
    for seed in 1...30 {
      var random = Random(seed)
      let slider = RangeSlider(frame: Rect(x: 0, y: 0, width: 320, height: 31))
      for _ in 0..<60 {
        let value = [random.number(-3, 3), 0, 1, .nan, .infinity][random.below(5)]
        switch random.below(6) {
        case 0: slider.minimumValue = value
        case 1: slider.maximumValue = value
        case 2: slider.lowerValue = value
        case 3: slider.upperValue = value
        case 4: slider.minimumSpan = value
        default: slider.maximumSpan = random.below(2) == 0 ? nil : value
        }
        let isInOrder =
          slider.minimumValue <= slider.lowerValue && slider.lowerValue <= slider.upperValue
          && slider.upperValue <= slider.maximumValue
        #expect(isInOrder, "seed \(seed)")
        let isModel =
          slider.model.values.lower == slider.lowerValue && slider.model.values.upper == slider.upperValue
          && slider.model.values.minimum == slider.minimumValue && slider.model.values.maximum == slider.maximumValue
          && slider.model.values.minimumSpan == slider.minimumSpan
          && slider.model.values.maximumSpan == slider.maximumSpan
        #expect(isModel, "seed \(seed)")
      }
    }
  }

  @Test func `observers see neither ends nor limits that cross, and may set properties themselves`() {
    let slider = RangeSlider(frame: Rect(x: 0, y: 0, width: 320, height: 31))
    var crossings = 0
    let check = {
      if slider.lowerValue > slider.upperValue || slider.minimumValue > slider.maximumValue { crossings += 1 }
    }
    let tokens = [
      slider.observe(\RangeSlider.lowerValue) { _ in check() },
      slider.observe(\RangeSlider.upperValue) { _ in check() },
      slider.observe(\RangeSlider.minimumValue) { _ in check() },
      slider.observe(\RangeSlider.maximumValue) { _ in check() },
    ]
    slider.lowerValue = 0.95
    slider.upperValue = 0.05
    slider.minimumValue = 5
    slider.maximumValue = -5
    #expect(crossings == 0)
    slider.maximumValue = 5
    let follower = slider.observe(\RangeSlider.upperValue) { slider.lowerValue = $0.new - 0.1 }
    slider.upperValue = 2
    #expect(slider.upperValue == 2 && slider.lowerValue == 1.9 && slider.model.values.lower == 1.9)
    withExtendedLifetime((tokens, follower)) {}
  }

  @Test func `both ends can be animated at once`() {
    let probe = RangeSliderProbe()
    probe.slider.animate(\RangeSlider.lowerValue, to: 0.4)
    probe.slider.animate(\RangeSlider.upperValue, to: 0.6)
    probe.harness.advance(by: .milliseconds(100))
    #expect(probe.slider.lowerValue > 0.2 && probe.slider.lowerValue < 0.4 && probe.slider.upperValue < 0.8)
    probe.harness.advance(by: .milliseconds(150))
    #expect(probe.slider.lowerValue == 0.4 && probe.slider.upperValue == 0.6)
    #expect(probe.log.take().isEmpty)
  }

  // MARK: Fingers

  @Test func `R13, R14, R16, R17: a drag moves the thumb under the finger, also outside of the slider`() {
    let probe = RangeSliderProbe()
    let start = probe.place(0.2, dx: 5)
    probe.harness.touch(.began, at: start)
    #expect(probe.slider.isHighlighted(.lower) && !probe.slider.isHighlighted(.upper))
    #expect(probe.slider.isTracking && probe.slider.lowerValue == 0.2 && probe.log.take().isEmpty)
    probe.harness.touch(.moved, at: start.offsetBy(dx: 28.9, dy: 300))
    #expect(probe.log.take() == ["willBegin 0.2 true", "begin", "changed 0.3 0.8"])
    #expect(probe.slider.isHighlighted, "held outside")
    probe.harness.touch(.moved, at: start.offsetBy(dx: 28.9, dy: -300))
    #expect(probe.log.take().isEmpty, "R-D3")
    probe.harness.touch(.moved, at: start.offsetBy(dx: 57.8, dy: 0))
    probe.harness.touch(.ended, at: start.offsetBy(dx: 57.8, dy: 0))
    #expect(probe.log.take() == ["changed 0.4 0.8", "didEnd false false", "end"])
    #expect(!probe.slider.isHighlighted && !probe.slider.isHighlighted(.lower))
  }

  @Test func `R17: many may listen, and ask the sender`() {
    let probe = RangeSliderProbe()
    var heard: [Double] = []
    probe.slider.addAction(for: .valueChanged) { heard.append($0.upperValue) }
    probe.slider.addAction(for: .valueChanged) { heard.append(-$0.upperValue) }
    probe.slider.addAction(for: .application(3)) { _ in heard.append(7) }
    probe.harness.drag(from: probe.place(0.8), to: probe.place(0.9), steps: 1)
    probe.slider.sendActions(for: .application(3))
    #expect(heard.count == 3 && abs(heard[0] - 0.9) < 1e-9 && heard[1] == -heard[0])
  }

  @Test func `R22: the log of the article`() {
    let probe = RangeSliderProbe()
    var lines: [String] = []
    probe.slider.addAction(for: .valueChanged) {
      lines.append("Range slider value changed: (\($0.lowerValue) \($0.upperValue))")
    }
    probe.harness.drag(from: probe.place(0.8), to: probe.place(9), steps: 1)
    #expect(lines == ["Range slider value changed: (0.2 1.0)"])
    #expect("Range slider value changed: \(probe.slider.values)" == lines[0])
  }

  @Test func `R-D3: valueChanged only for changes, editing events around them`() {
    let probe = RangeSliderProbe()
    let start = probe.place(0.8)
    probe.harness.touch(.began, at: start)
    for x in [100.0, 200, 300, 200, 100, 10] { probe.harness.touch(.moved, at: start.offsetBy(dx: x, dy: 0)) }
    probe.harness.touch(.ended, at: start.offsetBy(dx: 10, dy: 0))
    let said = probe.log.take().filter { !$0.hasPrefix("trend") }
    #expect(
      said == ["willBegin 0.2 true", "begin", "changed 0.2 1.0", "changed 0.2 0.835", "didEnd false false", "end"])
  }

  @Test func `O6: the trend is told when it changes, also where the value does not`() {
    let probe = RangeSliderProbe()
    let start = probe.place(0.8)
    probe.harness.touch(.began, at: start)
    for x in [57.8, 86.7, 86.7, 28.9] { probe.harness.touch(.moved, at: start.offsetBy(dx: x, dy: 0)) }
    #expect(
      probe.log.take() == [
        "willBegin 0.2 true", "begin", "changed 0.2 1.0", "trend 0.1", "changed 0.2 0.9", "trend -0.1",
      ])
    probe.harness.touch(.moved, at: start.offsetBy(dx: 100, dy: 0))
    #expect(probe.slider.offsetTrend > 0.1)
    #expect(probe.slider.inspection.values["overshoot"] == .number(probe.slider.overshoot))
    let read = probe.slider.getAndResetOffsetTrend()
    #expect(read > 0.1 && probe.slider.offsetTrend == 0 && probe.slider.overshoot == read)
    probe.harness.touch(.moved, at: start.offsetBy(dx: 100, dy: 5))
    #expect(probe.log.take().last == "trend \(RangeSliderProbe.short(read))", "no further past the end, nothing told")
    probe.harness.touch(.ended, at: start.offsetBy(dx: 100, dy: 5))
    #expect(probe.slider.overshoot == 0)
  }

  @Test func `O7, O13, O14: begin before any change, end after nothing is held; a press alone says neither`() {
    let probe = RangeSliderProbe()
    probe.harness.tap(probe.place(0.2))
    probe.harness.tap(probe.place(0.5))
    #expect(probe.log.take().isEmpty && !probe.slider.isDragging)
    probe.harness.drag(from: probe.place(0.5), to: probe.place(0.6), steps: 2)
    #expect(
      probe.log.take() == [
        "willBegin 0.2 true", "begin", "changed 0.25 0.85", "changed 0.3 0.9", "didEnd false false", "end",
      ])
  }

  @Test func `O-D4: less than three points are no drag; then the thumb is where the finger is`() {
    let probe = RangeSliderProbe()
    let start = probe.place(0.2)
    probe.harness.touch(.began, at: start)
    for x in [0.0, 1, 2.9, -2.9] { probe.harness.touch(.moved, at: start.offsetBy(dx: x, dy: 50)) }
    #expect(probe.log.take().isEmpty && !probe.slider.isDragging && probe.slider.lowerValue == 0.2)
    probe.harness.touch(.moved, at: start.offsetBy(dx: 3, dy: 0))
    #expect(probe.slider.isDragging && abs(probe.slider.lowerValue - 0.2 - 3 / 289) < 1e-12)
    probe.harness.touch(.moved, at: start.offsetBy(dx: 1, dy: 0))
    #expect(abs(probe.slider.lowerValue - 0.2 - 1 / 289) < 1e-12, "a drag stays one")
  }

  @Test func `R18, O-D5: the delegate is not kept alive, and may leave out what it likes`() {
    final class Silent: RangeSliderDelegate {}
    let probe = RangeSliderProbe()
    weak var gone: Silent?
    do {
      let silent = Silent()
      gone = silent
      probe.slider.delegate = silent
      probe.harness.drag(from: probe.place(0.2), to: probe.place(0.1))
    }
    #expect(gone == nil && probe.slider.delegate == nil)
    probe.harness.drag(from: probe.place(0.1), to: probe.place(0.2))
    #expect(abs(probe.slider.lowerValue - 0.2) < 1e-12)
  }

  @Test func `a delegate that ends the drag at its beginning changes nothing`() {
    let probe = RangeSliderProbe()
    probe.onBegin = { [slider = probe.slider] in slider.isEnabled = false }
    probe.harness.drag(from: probe.place(0.2), to: probe.place(0.4))
    #expect(probe.slider.lowerValue == 0.2 && !probe.slider.isDragging && !probe.slider.isTracking)
    #expect(probe.log.take().filter { $0.hasPrefix("changed") }.isEmpty)
  }

  @Test func `O12: between thumb and end nothing is taken, and what is behind gets the touch`() {
    let probe = RangeSliderProbe { $0.lowerValue = 0.4 }
    let behind = ProbeView(frame: Rect(x: 0, y: 0, width: 360, height: 120))
    behind.log = probe.log
    behind.takesTouches = true
    probe.harness.root.addSubview(behind)
    behind.addSubview(probe.slider)
    probe.harness.frame()
    probe.harness.tap(probe.place(0.1))
    #expect(probe.log.take() == [" began 1", " ended 1"] && !probe.slider.isTracking)
    probe.harness.tap(probe.place(0.6))
    #expect(probe.log.take().isEmpty, "the bar")
  }

  @Test func `O12: what is hit is highlighted: a thumb, or the bar alone`() {
    let probe = RangeSliderProbe()
    let lit = {
      (probe.slider.isHighlighted(.lower), probe.slider.shown.isPressed, probe.slider.isHighlighted(.upper))
    }
    for (value, expected) in [(0.2, (true, false, false)), (0.5, (false, true, false)), (0.8, (false, false, true))] {
      probe.harness.touch(.began, at: probe.place(value))
      #expect(lit() == expected)
      probe.harness.touch(.ended, at: probe.place(value))
      #expect(lit() == (false, false, false))
    }
    probe.slider.lowerValue = 0.8
    probe.harness.touch(.began, at: probe.place(0.8))
    #expect(lit() == (true, false, true), "the direction will say which")
    probe.harness.touch(.moved, at: probe.place(0.7))
    #expect(lit() == (true, false, false))
  }

  @Test func `R-D10: two fingers, two thumbs, one begin and one end`() {
    let probe = RangeSliderProbe()
    let (low, high) = (probe.place(0.2), probe.place(0.8))
    probe.harness.send([(.began, low, 0), (.began, high, 1)])
    #expect(probe.slider.isHighlighted(.lower) && probe.slider.isHighlighted(.upper))
    probe.harness.send([(.moved, low.offsetBy(dx: 28.9, dy: 0), 0), (.moved, high.offsetBy(dx: -28.9, dy: 0), 1)])
    #expect(probe.log.take() == ["willBegin 0.2 true", "begin", "changed 0.3 0.8", "changed 0.3 0.7"])
    probe.harness.touch(.ended, at: low, finger: 0)
    #expect(probe.log.take().isEmpty && !probe.slider.isHighlighted(.lower) && probe.slider.isHighlighted(.upper))
    probe.harness.touch(.ended, at: high, finger: 1)
    #expect(probe.log.take() == ["didEnd false false", "end"])
  }

  @Test func `R-D4, O-D7: whatever takes the finger away, it ends the same way`() {
    let losses: [(String, (RangeSliderProbe) -> Void)] = [
      ("the system", { $0.harness.touch(.cancelled, at: $0.place(0.4)) }),
      ("the background", { $0.harness.enterBackground() }),
      ("being disabled", { $0.slider.isEnabled = false }),
      ("being hidden", { $0.slider.isHidden = true }),
      ("being removed", { $0.slider.removeFromSuperview() }),
    ]
    for (name, lose) in losses {
      let probe = RangeSliderProbe()
      probe.harness.drag(from: probe.place(0.2), to: probe.place(0.4), steps: 1, holds: true)
      _ = probe.log.take()
      lose(probe)
      #expect(probe.log.take() == ["didEnd false false", "cancel"], "\(name)")
      #expect(!probe.slider.isTracking && !probe.slider.isDragging, "\(name)")
      #expect(abs(probe.slider.lowerValue - 0.4) < 1e-12, "the value stays: \(name)")
    }
  }

  @Test func `R-D2: finger and thumb stay together, through both ends and back`() {
    let probe = RangeSliderProbe()
    let start = probe.place(0.8, dx: -7, dy: 4)
    probe.harness.touch(.began, at: start)
    for x in [300.0, 500, 20, -100, 400, -40] {
      probe.harness.touch(.moved, at: start.offsetBy(dx: x, dy: 0))
      let expected = min(max(0.8 + x / 289, 0.2), 1)
      #expect(abs(probe.slider.upperValue - expected) < 1e-9)
    }
    probe.harness.touch(.ended, at: start)
  }

  @Test func `hit areas have 44 points, also above and below the slider`() {
    let probe = RangeSliderProbe()
    for (dx, dy, hits) in [
      (0.0, 21.0, true), (0, -21, true), (0, 23, false), (-21, 0, true), (-23, 0, false), (0, 0, true),
    ] {
      let point = probe.place(0.2, dx: dx, dy: dy)
      probe.harness.touch(.began, at: point)
      #expect(probe.slider.isTracking == hits, "\(dx) \(dy)")
      probe.harness.touch(.ended, at: point)
    }
    probe.slider.lowerValue = 0
    probe.harness.frame()
    probe.harness.touch(.began, at: probe.place(0, dx: -15, dy: 0))
    #expect(probe.slider.isTracking)
  }

  @Test func `a thumb that outlives its slider has no value and takes none`() throws {
    var slider: RangeSlider? = RangeSlider()
    let thumb = try #require(slider?.lowerThumb)
    #expect(thumb.accessibilityValue != nil)
    slider = nil
    #expect(thumb.accessibilityValue == nil && !thumb.accessibilityTitle.isEmpty)
    #expect(throws: AccessibilityRefusal.self) { try thumb.setAccessibilityValue(1) }
  }
}
