import ControlHarness
import Controls
import ControlsUI
import Testing

/// A view of Controls among descriptions.
private struct Plot: ViewRepresentable {
  let pump: Pump
  let made: Evaluations

  func makeView(context: Context) -> Chart {
    made.note("made")
    return Chart()
  }

  func updateView(_ chart: Chart, context: Context) {
    made.note("updated")
    chart.accessibilityLabel = pump.name
    chart.alpha = context.isEnabled ? 1 : 0.5
  }
}

private struct PlotPanel: ControlsUI.View {
  let pump: Pump
  let made: Evaluations

  var body: some ControlsUI.View {
    VStack {
      Text("\(pump.speed)")
      Plot(pump: pump, made: made).accessibilityIdentifier("plot").grow().disabled(!pump.isRunning)
    }
  }
}

/// Tests of views of Controls inside descriptions, and of descriptions inside views of Controls.
@MainActor @Suite(.serialized) struct RepresentableTests {
  @Test func `a view of Controls is made once, and updated by what it reads`() {
    let (pump, made) = (Pump(), Evaluations())
    let harness = shown(PlotPanel(pump: pump, made: made))
    let chart = harness.view("plot", Chart.self)
    #expect(chart?.accessibilityLabel == "Pump" && made.counts == ["made": 1, "updated": 1])
    pump.name = "Pomp"
    harness.frame()
    #expect(chart?.accessibilityLabel == "Pomp" && made.counts == ["made": 1, "updated": 2])
    pump.isRunning = false
    harness.frame()
    #expect(chart?.alpha == 0.5 && harness.view("plot") === chart && made.counts["made"] == 1)
  }

  @Test func `a description among views of Controls has the size that it needs`() {
    let host = HostingView(
      rootView: VStack(spacing: 6) {
        Text("a"); Text("b")
      })
    let label = Label("a")
    #expect(host.sizeThatFits(Size(width: 100, height: 100)).height == 2 * label.bounds.height + 6)
    let stack = StackView([Label("before"), host, Label("after")])
    let harness = ControlHarness(stack, size: Size(width: 100, height: 200))
    #expect(host.frame.minY == label.bounds.height)
    host.rootView = VStack(spacing: 26) {
      Text("a"); Text("b")
    }
    harness.frame()
    #expect(host.frame.height == 2 * label.bounds.height + 26)
  }

  @Test func `a model may stand in a file that imports Controls`() {
    let model = Dose()
    nonisolated(unsafe) var hasChanged = false
    withObservationTracking {
      _ = model.millilitres
    } onChange: {
      hasChanged = true
    }
    model.millilitres = 5
    #expect(hasChanged)
  }
}

/// A model whose macro names Swift's module: no type of Controls may hide that.
@Observable private final class Dose {
  var millilitres = 0
}
