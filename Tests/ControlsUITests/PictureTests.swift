import ControlHarness
import Controls
import ControlsUI
import Testing

/// Tests that a described panel looks as one that was made by hand.
@MainActor @Suite(.serialized) struct PictureTests {
  private func pictures(_ theme: Theme, _ direction: LayoutDirection, _ scale: Scale) -> (
    made: Snapshot, described: Snapshot
  ) {
    func root() -> RootView {
      let root = RootView()
      (root.theme, root.layoutDirection, root.prefersReducedMotion) = (theme, direction, true)
      return root
    }
    let pump = Pump()
    let described = shown(PumpPanel(pump: pump, evaluations: Evaluations()), root: root(), scale: scale)
    let made = ControlHarness(size: Size(width: 320, height: 560), scale: scale, root: root())
    let twin = Twin()
    twin.anchors = LayoutAnchors(margins: .zero)
    made.root.addSubview(twin)
    for step in 0..<2 {
      if step == 1 { (pump.speed, pump.isRunning, pump.mode, pump.note) = (0.8, false, "High", "a note") }
      twin.show(pump)
      made.settle()
      described.settle()
      if made.shown != described.shown { break }
    }
    return (made.shown, described.shown)
  }

  @Test(arguments: [Theme.light, .dark], [LayoutDirection.leftToRight, .rightToLeft])
  func `a described panel is byte for byte the one that is made of Controls`(
    theme: Controls.Theme, direction: LayoutDirection
  ) {
    for scale in [Scale.one, Scale(1.5)] {
      let (made, described) = pictures(theme, direction, scale)
      #expect(made == described, "\(made.difference(from: described).count) pixels differ at \(scale)")
    }
  }

  @Test func `modifiers do what the properties of Controls do`() {
    let described = shown(Layers(fill: 0.3), in: Size(width: 200, height: 160))
    let text = Sized(width: 120)
    (text.label.text, text.label.numberOfLines) = ("two lines of text in a narrow frame", 2)
    let (left, right, space) = (Label("left"), Label("right"), Controls.View())
    (left.textColor, left.alpha, right.fontWeight, space.grow) = (.white, 0.5, .bold, 1)
    for label in [left, right] { label.numberOfLines = 0 }
    let row = StackView([left, space, right], axis: .horizontal, spacing: 6)
    (row.fillsBreadth, row.verticalAlignment) = (false, .center)
    let (rule, bar, spinner) = (Sized(width: 194, height: 1), ProgressBar(), Spinner())
    rule.backgroundColor = Theme.light.hairline
    bar.progress = 0.3
    let column = StackView([text, row, rule, bar, spinner], spacing: 4)
    (column.fillsBreadth, column.verticalAlignment) = (false, .center)
    column.insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    column.backgroundColor = Color(hex: 0x203040)
    let made = ControlHarness(column, size: Size(width: 200, height: 160))
    #expect(made.shown == described.shown, "\(made.shown.difference(from: described.shown))")
  }
}

/// A view of a size of its own, with a label that fills it.
private final class Sized: Controls.View {
  let label = Label()
  private let (width, height): (Double, Double?)

  init(width: Double, height: Double? = nil) {
    (self.width, self.height) = (width, height)
    super.init(frame: .zero)
    label.anchors = LayoutAnchors(margins: .zero)
    addSubview(label)
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: width, height: height ?? label.sizeThatFits(Size(width: width, height: .infinity)).height)
  }
}
