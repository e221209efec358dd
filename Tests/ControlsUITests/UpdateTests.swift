import CAllocations
import ControlHarness
import Controls
import ControlsUI
import Testing

/// Tests of what a change of one property evaluates and redraws: what read it, and nothing else.
@MainActor @Suite(.serialized) struct UpdateTests {
  private let pump = Pump()
  private let evaluations = Evaluations()

  private func panel() -> ControlHarness {
    let harness = shown(PumpPanel(pump: pump, evaluations: evaluations))
    harness.settle()
    evaluations.reset()
    return harness
  }

  private func isInside(_ rects: [PixelRect], _ views: [Controls.View?]) -> Bool {
    let frames = views.compactMap(\.self).map(\.windowFrame)
    return rects.allSatisfy { rect in
      frames.contains { frame in
        Double(rect.x) >= frame.minX - 1 && Double(rect.maxX) <= frame.maxX + 1 && Double(rect.y) >= frame.minY - 1
          && Double(rect.maxY) <= frame.maxY + 1
      }
    }
  }

  @Test func `a change evaluates the body that read it, once, and redraws what shows it`() {
    let harness = panel()
    pump.name = "Pomp"
    pump.name = "Pamp"
    #expect(harness.root.needsFrame && evaluations.counts.isEmpty, "nothing is evaluated before the frame")
    harness.frame()
    #expect(evaluations.counts == ["name": 1])
    #expect(harness.lastDamage.rects.count == 1 && isInside(harness.lastDamage.rects, [harness.view("name")]))
    #expect(!harness.root.needsFrame)
  }

  @Test func `a property that no body read evaluates nothing, and asks for no frame`() {
    let harness = panel()
    pump.fill = 0.9
    pump.names = []
    #expect(!harness.root.needsFrame)
  }

  @Test func `a binding's change updates the controls that show it, and no body`() {
    let harness = panel()
    pump.mode = "High"
    harness.frame()
    #expect(evaluations.counts.isEmpty)
    #expect(harness.root.inspectedChoices == [1, 1, 1])
    pump.isRunning = false
    harness.settle()
    #expect(evaluations.counts.isEmpty)
    #expect(harness.view("box", CheckBox.self)?.isChecked == false)
  }

  @Test func `a slider's drag evaluates one body and redraws the slider and one label`() {
    let harness = panel()
    let (slider, percent) = (harness.view("slider"), harness.view("percent"))
    let start = slider?.windowFrame.center ?? .zero
    harness.drag(from: start, to: start + Point(x: 20, y: 0), steps: 4, holds: true)
    evaluations.reset()
    harness.touch(.moved, at: start + Point(x: 90, y: 0))
    #expect(evaluations.counts == ["speed": 1])
    #expect(isInside(harness.lastDamage.rects, [slider, percent]))
    #expect(harness.lastDamage.rects.filter { isInside([$0], [percent]) }.count == 1)
    #expect(pump.speed > 0.25 && percent?.accessibilityTitle == "\(Int((pump.speed * 100).rounded())) %")
  }

  @Test func `a child whose properties are the same is not evaluated with its parent`() {
    let harness = shown(Outer(pump: pump, evaluations: evaluations))
    #expect(evaluations.counts == ["outer": 1, "inner": 1])
    harness.view("inner", CheckBox.self).map { harness.tap($0) }
    #expect(evaluations.counts == ["outer": 1, "inner": 1], "the state is read by the box alone")
    pump.name = "Pomp"
    harness.frame()
    #expect(evaluations.counts == ["outer": 2, "inner": 1])
    #expect(harness.view("inner", CheckBox.self)?.isChecked == true)
  }

  @Test func `a change before the panel is in a window is shown by its first frame`() {
    let host = HostingView(rootView: PumpPanel(pump: pump, evaluations: evaluations))
    pump.name = "Pomp"
    let harness = ControlHarness(host, size: Size(width: 320, height: 560))
    #expect(harness.view("name", Label.self)?.text == "Pomp")
  }

  @Test func `a model that is changed on another thread is shown after that`() async {
    let harness = panel()
    let model = UncheckedModel(pump: pump)
    await Task.detached { model.rename() }.value
    for _ in 0..<1000 where !harness.root.needsFrame { await Task.yield() }
    harness.frame()
    #expect(harness.view("name", Label.self)?.text == "from afar")
  }

  @Test func `a value that the model refuses goes back in the next frame`() {
    let tries = Evaluations()
    let harness = shown(Refusing(tries: tries), in: Size(width: 320, height: 60))
    let slider = harness.view("slider", Controls.Slider.self)
    let start = slider?.windowFrame.center ?? .zero
    harness.drag(from: start, to: start + Point(x: 60, y: 0))
    #expect((tries.counts["set"] ?? 0) > 0 && slider?.value == 0.5)
  }

  @Test func `a body that contains itself is one fault, and ends`() {
    var faults: [String] = []
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    harness.checksDamage = false
    harness.root.onFault = { faults.append($0) }
    let endless = HostingView(rootView: Endless())
    #expect(endless.subviews.count == 1)
    harness.root.addSubview(endless)
    #expect(faults == ["Endless contains itself, or lies 500 views deep: it is left out"])
  }

  @Test func `a property that stays is watched once, however often what reads it is described anew`() {
    func cost(afterChanges count: Int) -> Int {
      let pump = Pump()
      let harness = shown(Watching(pump: pump))
      harness.checksDamage = false
      for step in 0..<count {
        pump.speed = Double(step)
        harness.frame()
      }
      allocations_begin()
      pump.name = "Pomp"
      return Int(allocations_end())
    }
    #expect(cost(afterChanges: 200) <= cost(afterChanges: 2))
  }

  @Test func `an update allocates what setting the same by hand does, and what Observation does`() {
    let harness = panel()
    harness.checksDamage = false
    let byHand = ControlHarness(size: Size(width: 320, height: 560))
    let twin = Twin()
    twin.anchors = LayoutAnchors(margins: .zero)
    byHand.root.addSubview(twin)
    byHand.checksDamage = false
    byHand.frame()
    // Two watches by themselves, as the slider and the label need them: each of the property that changes and of one that would end it.
    let (model, ends) = (Pump(), [Pump(), Pump()])
    func watch() {
      for end in ends {
        withObservationTracking {
          (_, _) = (model.speed, end.fill)
        } onChange: {
        }
      }
    }
    let host = harness.root.subviews.first { $0 is HostingView<PumpPanel> }
    func least(_ harness: ControlHarness, _ update: (Double) -> Void) -> Int {
      var least = Int.max
      for step in 0..<20 {
        allocations_begin()
        update(step.isMultiple(of: 2) ? 0.75 : 0.25)
        least = min(least, Int(allocations_end()))
        harness.frame()
      }
      return least
    }
    let described = least(harness) {
      pump.speed = $0
      host?.update()
    }
    let made = least(byHand) {
      evaluations.note("speed")
      twin.slider.value = $0
      twin.percent.text = "\(Int(($0 * 100).rounded())) %"
    }
    let watched = least(byHand) {
      model.speed = $0
      watch()
    }
    print("allocations of an update: \(described) described, \(made) by hand, \(watched) of two bare watches")
    #expect(host != nil && described <= made + watched)
  }
}

extension Controls.View {
  /// The indices that the choices inside have chosen.
  fileprivate var inspectedChoices: [Int] {
    ((self as? SelectionControl).map { [$0.selectedIndex] } ?? []) + subviews.flatMap(\.inspectedChoices)
  }
}

/// What nobody should do, and Swift refuses without this.
private struct UncheckedModel: @unchecked Sendable {
  let pump: Pump

  nonisolated func rename() {
    let pump = pump
    let rename: @MainActor () -> Void = { pump.name = "from afar" }
    unsafeBitCast(rename, to: (() -> Void).self)()
  }
}
