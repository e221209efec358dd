import ControlHarness
import Controls
import ControlsUI
import Testing

/// The panel of `PumpPanel`, made of Controls by hand.
final class Twin: StackView {
  let heading = Label()
  let percent = Label()
  let slider = Controls.Slider()
  let toggle = Switch()
  let box = CheckBox()
  let segments = ChoiceControl()
  let menu = PopUpButton()
  let radios = RadioGroup()
  let note = Controls.TextField()
  let reset = Controls.Button()

  override init(frame: Rect = .zero) {
    super.init(frame: frame)
    (spacing, verticalAlignment, insets) = (10, .center, EdgeInsets(16))
    heading.textStyle = .title
    (heading.numberOfLines, percent.numberOfLines) = (0, 0)
    slider.step = 0.05
    box.title = "Running"
    let running = Label()
    (running.text, running.numberOfLines) = ("Running", 0)
    let space = Controls.View()
    space.grow = 1
    let row = StackView([running, space, toggle], axis: .horizontal, spacing: 8)
    (row.fillsBreadth, row.verticalAlignment, row.horizontalAlignment) = (false, .center, .center)
    for choice in [segments, menu, radios] as [SelectionControl] { choice.titles = ["Low", "High"] }
    note.placeholder = "Note"
    (reset.title, reset.style) = ("Reset", .prominent)
    for view in [heading, percent, slider, row, box, segments, menu, radios, note, reset] { addSubview(view) }
  }

  /// Shows what `pump` says.
  func show(_ pump: Pump) {
    heading.text = pump.name
    percent.text = "\(Int((pump.speed * 100).rounded())) %"
    slider.value = pump.speed
    toggle.isOn = pump.isRunning
    box.isChecked = pump.isRunning
    for choice in [segments, menu, radios] as [SelectionControl] { choice.selectedIndex = pump.mode == "Low" ? 0 : 1 }
    note.text = pump.note
  }
}

/// A description shown in a window.
func shown<Content: ControlsUI.View>(
  _ content: Content, in size: Size = Size(width: 320, height: 560), root: RootView = ControlHarness.blackRoot(),
  scale: Scale = .one
) -> ControlHarness {
  let harness = ControlHarness(size: size, scale: scale, root: root)
  let host = HostingView(rootView: content)
  host.anchors = LayoutAnchors(margins: .zero)
  harness.root.addSubview(host)
  harness.frame()
  return harness
}

extension ControlHarness {
  /// The view of class `type` that a description names.
  func view<Shown: Controls.View>(_ name: String, _ type: Shown.Type = Shown.self) -> Shown? {
    root.view(named: name) as? Shown
  }
}
