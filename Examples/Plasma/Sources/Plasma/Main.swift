import Shell

/// The waves in a window.
@main enum Main {
  static func main() {
    let options = WindowOptions(
      title: "Plasma", applicationID: "org.example.Plasma", size: Size(width: 400, height: 300))
    Application.main { $0.openWindow(content: Plasma(), options: options) }
  }
}
