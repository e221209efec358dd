import Controls
import Shell
import WindowDecoration

/// The control in a window.
@main enum Main {
  static func main() {
    let root = DecoratedRootView()
    root.theme = .dark
    let thermostat = Thermostat()
    thermostat.anchors = LayoutAnchors(margins: EdgeInsets(24))
    thermostat.addAction(for: .valueChanged) { print("\($0.temperature) degrees") }
    root.addSubview(thermostat)

    let options = WindowOptions(
      title: "Thermostat", applicationID: "org.example.Thermostat", size: Size(width: 160, height: 360))
    Application.main { $0.openWindow(content: root, options: options) }
  }
}
