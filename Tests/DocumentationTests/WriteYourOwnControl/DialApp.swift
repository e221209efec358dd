import Controls
import Shell

@MainActor func showDial() throws {
  let root = RootView()
  root.theme = .dark
  let dial = Dial(frame: Rect(x: 40, y: 40, width: 120, height: 120))
  dial.addAction(for: .valueChanged) { print($0.value) }
  root.addSubview(dial)

  let application = try Application()
  let options = WindowOptions(title: "Dial", applicationID: "org.example.Dial", size: Size(width: 200, height: 200))
  application.openWindow(content: root, options: options)
  try application.run()
}
