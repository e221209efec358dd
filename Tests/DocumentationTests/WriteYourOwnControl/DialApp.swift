import Controls
import Shell

@MainActor func showDial() {
  let root = RootView()
  root.theme = .dark
  let dial = Dial(frame: Rect(x: 40, y: 40, width: 120, height: 120))
  dial.addAction(for: .valueChanged) { print($0.value) }
  root.addSubview(dial)

  let options = WindowOptions(title: "Dial", applicationID: "org.example.Dial", size: Size(width: 200, height: 200))
  Application.main { $0.openWindow(content: root, options: options) }
}
