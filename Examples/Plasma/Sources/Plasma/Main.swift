import Shell

/// The waves in a window.
@main enum Main {
  static func main() throws {
    let application = try Application()
    application.openWindow(
      content: Plasma(),
      options: WindowOptions(title: "Plasma", applicationID: "org.example.Plasma", size: Size(width: 400, height: 300)))
    try application.run()
  }
}
