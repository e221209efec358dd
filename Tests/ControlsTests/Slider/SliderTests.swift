import ControlHarness
import Testing

@testable import Controls

/// Tests of the slider as a control.
@MainActor @Suite(.serialized) struct SliderTests {
  let log = Log()

  /// A slider of 220 x 31 at (20, 40), whose thumb's middle is at 35.5 + 189 v in the window.
  private func shown(
    direction: LayoutDirection = .leftToRight, scale: Scale = .one, set: (Slider) -> Void = { $0.value = 0.5 }
  ) -> (ControlHarness, Slider) {
    let root = RootView()
    root.layoutDirection = direction
    let harness = ControlHarness(size: Size(width: 260, height: 120), scale: scale, root: root)
    let slider = Slider(frame: Rect(x: 20, y: 40, width: 220, height: 31))
    set(slider)
    root.addSubview(slider)
    harness.frame()
    let events: [(Control.Event, String)] = [
      (.valueChanged, "changed"), (.editingDidBegin, "begin"), (.editingDidEnd, "end"), (.editingDidCancel, "cancel"),
    ]
    for (event, name) in events {
      slider.addAction(for: event) { [log] slider in
        log.add(event == .valueChanged ? "\(name) \((slider.value * 1000).rounded() / 1000)" : name)
      }
    }
    return (harness, slider)
  }

  private func place(_ value: Double, dx: Double = 0) -> Point { Point(x: 35.5 + 189 * value + dx, y: 55) }

  @Test func `a drag from anywhere moves the thumb by the finger's travel`() {
    for start in [place(0.5), place(0.5, dx: 12), place(0.05), place(0.98)] {
      let (harness, slider) = shown()
      harness.touch(.began, at: start)
      #expect(slider.value == 0.5 && slider.thumb.look.isHighlighted)
      harness.touch(.moved, at: start.offsetBy(dx: 2, dy: 40))
      #expect(slider.value == 0.5 && log.take().isEmpty, "not far enough for a drag")
      harness.touch(.moved, at: start.offsetBy(dx: 37.8, dy: 40))
      harness.touch(.ended, at: start.offsetBy(dx: 37.8, dy: 40))
      #expect(abs(slider.value - 0.7) < 1e-9 && !slider.thumb.look.isHighlighted)
      #expect(log.take() == ["begin", "changed 0.7", "end"])
    }
  }

  @Test func `a tap beside the thumb brings it there, gliding; a tap on it does nothing`() {
    let (harness, slider) = shown()
    harness.tap(place(0.5, dx: 10))
    #expect(log.take().isEmpty && slider.value == 0.5)
    harness.tap(place(0.9))
    #expect(log.take() == ["begin", "changed 0.9", "end"] && abs(slider.value - 0.9) < 1e-9, "the value at once")
    let start = slider.thumb.windowFrame.midX
    harness.advance(by: .milliseconds(50))
    let middle = slider.thumb.windowFrame.midX
    harness.advance(by: .milliseconds(200))
    let end = slider.thumb.windowFrame.midX
    #expect(start < middle && middle < end && abs(end - place(0.9).x) <= 0.5)
    #expect(slider.glide == nil && !harness.root.needsFrame)
  }

  @Test func `a glide ends when something else moves the thumb, and there is none for those who want less motion`() {
    let (harness, slider) = shown()
    harness.tap(place(0.9))
    slider.value = 0.2
    harness.frameIfNeeded()
    #expect(abs(slider.thumb.windowFrame.midX - place(0.2).x) <= 0.5 && !harness.root.isAnimating)
    harness.tap(place(0.9))
    harness.touch(.began, at: place(0.9))
    #expect(abs(slider.thumb.windowFrame.midX - place(0.9).x) <= 0.5, "where the finger takes hold of it")
    harness.touch(.ended, at: place(0.9))
    harness.root.prefersReducedMotion = true
    harness.tap(place(0.1))
    #expect(abs(slider.thumb.windowFrame.midX - place(0.1).x) <= 0.5 && !harness.root.isAnimating)
  }

  @Test func `whatever takes the finger away, the value stays and the end is a cancel`() {
    for loss in FingerLoss.allCases {
      let (harness, slider) = shown()
      harness.drag(from: place(0.5), to: place(0.7), steps: 1, holds: true)
      _ = log.take()
      loss.happen(to: slider, at: Point(x: 180, y: 55), in: harness)
      #expect(log.take() == ["cancel"] && abs(slider.value - 0.7) < 1e-9, "\(loss.rawValue)")
      #expect(!slider.thumb.look.isHighlighted && !slider.isTracking, "\(loss.rawValue)")
    }
  }

  @Test func `code sets values silently, in any order, and consistently`() {
    let (harness, slider) = shown()
    slider.value = 80
    slider.maximumValue = 100
    slider.value = 80
    slider.minimumValue = 90
    #expect(slider.value == 90)
    slider.maximumValue = 10
    #expect(slider.minimumValue == 10 && slider.value == 10)
    slider.value = .nan
    slider.maximumValue = .infinity
    #expect(slider.value == 10 && slider.maximumValue == 10)
    harness.frame()
    #expect(log.take().isEmpty)
  }

  @Test(arguments: [
    (Key.right, LayoutDirection.leftToRight, 0.51), (.left, .leftToRight, 0.49), (.up, .leftToRight, 0.51),
    (.down, .rightToLeft, 0.49), (.right, .rightToLeft, 0.49), (.left, .rightToLeft, 0.51),
    (.pageUp, .leftToRight, 0.6),
    (.pageDown, .leftToRight, 0.4), (.home, .rightToLeft, 0), (.end, .leftToRight, 1),
  ])
  func `keys move it, right to left too`(key: Key, direction: LayoutDirection, value: Double) {
    let (harness, slider) = shown(direction: direction)
    harness.press(.tab)
    #expect(slider.isFocused)
    harness.press(key)
    #expect(abs(slider.value - value) < 1e-12)
    #expect(log.take().first == "begin" && slider.values.upper == slider.value)
  }

  @Test func `with a step, fingers and keys choose multiples`() {
    let (harness, slider) = shown {
      $0.maximumValue = 10
      $0.step = 2
      $0.value = 4
    }
    harness.drag(from: place(0.4), to: place(0.53), steps: 6)
    #expect(slider.value == 6 && log.take().filter { $0.hasPrefix("changed") } == ["changed 6.0"])
    slider.becomeFirstResponder()
    harness.press(.right)
    #expect(slider.value == 8)
  }

  @Test func `upright, up is more`() {
    let harness = ControlHarness(size: Size(width: 100, height: 260))
    let slider = Slider(frame: Rect(x: 30, y: 20, width: 31, height: 220))
    slider.orientation = .vertical
    harness.root.addSubview(slider)
    harness.frame()
    #expect(abs(slider.thumb.windowFrame.midY - 224.5) <= 0.5)
    harness.drag(from: Point(x: 45, y: 224), to: Point(x: 45, y: 224 - 94.5), steps: 4)
    #expect(abs(slider.value - 0.5) < 1e-9)
    #expect(slider.dragAxes == .vertical && slider.sizeThatFits(Size(width: 9, height: 100)).width == 31)
  }

  @Test(arguments: [1.0, 1.5, 2])
  func `a drag repaints the thumb and the changed stretch of the track`(scale: Double) {
    let (harness, slider) = shown(scale: Scale(scale))
    harness.touch(.began, at: place(0.5))
    let old = slider.thumb.windowFrame
    harness.touch(.moved, at: place(0.55))
    let both = Scale(scale).pixelRect(covering: old.union(slider.thumb.windowFrame))
    #expect(both.contains(harness.lastDamage.bounds))
  }

  @Test func `its state for people and tools`() {
    let (_, slider) = shown()
    #expect(
      slider.inspection.values == ["value": .number(0.5), "minimumValue": .number(0), "maximumValue": .number(1)])
    #expect(slider.inspect().subviews.map(\.name) == ["thumb"])
  }
}
