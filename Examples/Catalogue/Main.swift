import Accessibility
import Controls
import Desktop
import Glibc
import Linux
import Shell

/// The catalogue in a window, or as an image.
@main enum Main {
  static func main() {
    do throws(CatalogueError) {
      try run(CatalogueOptions(Array(CommandLine.arguments.dropFirst())))
    } catch {
      complain(error.description)
      exit(error.exitCode)
    }
  }

  private static func run(_ options: CatalogueOptions) throws(CatalogueError) {
    if options.showsHelp { return print(CatalogueOptions.help, terminator: "") }
    if let log = options.log {
      do { try Log.configure(log) } catch { throw .usage("--log: \(error)") }
    }
    let scene = CatalogueScene()
    if options.looksLikeArticle { scene.looksLikeArticle = true }
    guard options.screenshot == nil, !options.dumpsTree else { return try draw(scene, options) }
    do { try show(scene, options) } catch { throw CatalogueError(description: error.description) }
  }

  /// Shows `scene` in a window until it is closed, over losses of the compositor.
  private static func show(_ scene: CatalogueScene, _ options: CatalogueOptions) throws(ShellError) {
    let application = try Application()
    application.reconnection = .tries(for: nil)
    application.onConnectionLoss = { complain("\($0); waiting for a compositor") }
    scene.onFault = { Log.write(.app, .error, $0) }
    var wanted = WindowOptions(
      title: "Control catalogue", applicationID: "io.github.cockpit.Catalogue", size: options.size)
    wanted.isFullscreen = options.isFullscreen
    wanted.scale = options.scale
    let desktop = DesktopSettings(loop: application.loop)
    desktop.onChange = { application.cursor = CursorPreference(theme: $0.cursorTheme, size: $0.cursorSize) }
    let accessibility = AccessibilityServer(root: scene, title: wanted.title, desktop: desktop, loop: application.loop)
    application.openWindow(content: scene, options: wanted) { accessibility.start(after: $0) }
    try application.run()
  }

  /// Draws the first frame of `scene` without a window: writes it as an image, and prints its tree.
  private static func draw(_ scene: CatalogueScene, _ options: CatalogueOptions) throws(CatalogueError) {
    let scale = options.scale ?? .one
    scene.resize(to: options.size, scale: scale)
    scene.handle(.willEnterForeground)
    scene.handle(.didBecomeActive)
    scene.prepareFrame(for: .zero)
    _ = scene.takeDamage()
    if let path = options.screenshot {
      let size = scale.pixelSize(options.size)
      guard let pixels = PixelMemory(size) else { throw CatalogueError(description: "no memory for the image") }
      let isWritten = pixels.withBuffer { buffer in
        scene.draw(Region(PixelRect(size)), into: buffer)
        return PNG.write(buffer, to: path, isOpaque: scene.isOpaque)
      }
      guard isWritten else { throw CatalogueError(description: "cannot write \(path)") }
    }
    if options.dumpsTree { print(scene.inspect().jsonText) }
  }

  /// Writes one line to standard error.
  private static func complain(_ reason: String) {
    _ = Log.put("cockpit-catalogue: \(reason)", to: STDERR_FILENO)
  }
}
