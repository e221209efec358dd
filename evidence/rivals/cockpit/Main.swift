import Accessibility
import Controls
import Desktop
import Shell

/// A dial and two sliders, whose values a label shows.
@main enum Main {
  static func main() throws {
    let root = RootView()
    var theme = Theme.dark
    theme.background = Color(hex: 0x14181d)
    theme.label = Color(hex: 0xe8eaed)
    theme.track = Color(hex: 0x3a424d)
    theme.trackHighlight = Color(hex: 0x4da3ff)
    theme.thumb = Color(hex: 0xe8eaed)
    root.theme = theme
    root.backgroundColor = theme.background

    let dial = Dial(frame: Rect(x: 120, y: 100, width: 520, height: 520))
    let sliders = [294.0, 454].map { Slider(frame: Rect(x: 720, y: $0, width: 480, height: 52)) }
    let label = Label(frame: Rect(x: 720, y: 130, width: 480, height: 60))
    label.fontSize = 40
    label.textAlignment = .center
    dial.accessibilityLabel = "Dial"
    for (slider, name) in zip(sliders, ["First slider", "Second slider"]) { slider.accessibilityLabel = name }
    ([dial, label] + sliders).forEach(root.addSubview)

    func showValues() {
      label.text = ([dial.value] + sliders.map(\.value)).map { "\(Int($0.rounded()))" }.joined(separator: " · ")
    }
    dial.addAction(for: .valueChanged) { _ in showValues() }
    for slider in sliders {
      slider.maximumValue = 100
      slider.value = 50
      slider.addAction(for: .valueChanged) { _ in showValues() }
    }
    showValues()

    let application = try Application()
    let options = WindowOptions(
      title: "Panel", applicationID: "org.example.Panel", size: Size(width: 1280, height: 720))
    // Screen readers are served, as by the other toolkits.
    let desktop = DesktopSettings(loop: application.loop)
    let accessibility = AccessibilityServer(root: root, title: options.title, desktop: desktop, loop: application.loop)
    application.openWindow(content: root, options: options) { accessibility.start(after: $0) }
    try application.run()
  }
}
