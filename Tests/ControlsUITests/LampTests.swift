import ControlHarness
import Controls
import ControlsUI
import Testing

/// The panel of docs/touch-panel-controls.md.
private final class LampByHand: StackView {
  let slider = Controls.Slider()
  private let button = Controls.Button("", style: .prominent)
  private let figures = Label()
  var isOn = true { didSet { showLamp() } }

  override init(frame: Rect = .zero) {
    super.init(frame: frame)
    (insets, spacing, distribution) = (EdgeInsets(32), 32, .fillEqually)
    (figures.fontSize, figures.textAlignment) = (96, .center)
    addSubview(figures)
    (slider.maximumValue, slider.value, slider.step) = (100, 70, 5)
    let controls = StackView([slider, button], spacing: 32)
    controls.verticalAlignment = .center
    addSubview(controls)
    showLamp()
  }

  override func layoutSubviews() {
    axis = bounds.width > bounds.height ? .horizontal : .vertical
    super.layoutSubviews()
  }

  private func showLamp() {
    figures.text = isOn ? "\(Int(slider.value)) %" : "Off"
    button.title = isOn ? "Turn off" : "Turn on"
    slider.isEnabled = isOn
  }
}

/// Tests that the two pages that build one panel build one.
@MainActor @Suite(.serialized) struct LampTests {
  @Test(arguments: [Size(width: 800, height: 480), Size(width: 480, height: 800)], [false, true])
  func `the two ways of the tutorial give the same pictures`(size: Size, isDark: Bool) {
    func root() -> RootView {
      let root = RootView()
      root.theme = isDark ? .dark : .light
      return root
    }
    let (light, byHand) = (Light(), LampByHand())
    let described = shown(LampPanel(light: light), in: size, root: root())
    let made = ControlHarness(size: size, root: root())
    byHand.anchors = LayoutAnchors(margins: .zero)
    made.root.addSubview(byHand)
    made.frame()
    for isOn in [true, false] {
      (light.isOn, byHand.isOn) = (isOn, isOn)
      described.settle()
      made.settle()
      #expect(described.shown == made.shown)
    }
  }

  @Test func `a turned screen keeps the views and the finger on them`() throws {
    let harness = shown(LampPanel(light: Light()), in: Size(width: 800, height: 480))
    let slider = try #require(harness.root.accessibilityElements.first { $0 is Controls.Slider })
    harness.touch(.began, at: slider.windowFrame.center)
    harness.resize(to: Size(width: 480, height: 800), scale: .one)
    #expect((slider as? Controls.Slider)?.isTracking == true && slider.root === harness.root)
    harness.touch(.ended, at: slider.windowFrame.center)
  }
}
