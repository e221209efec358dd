import ControlTools
import Controls
import Glibc
import Shell

/// The cockpit.
@main
struct Cockpit {
  /// The version that `--version` prints.
  static let version = "0.1.0"

  static func main() {
    keepStandardDescriptors()
    // A reader of the log or the lines that ends must cost one failed write, not the drive.
    signal(SIGPIPE, SIG_IGN)
    do throws(SessionError) {
      let options: Options
      do { options = try OptionParser.parse(Array(CommandLine.arguments.dropFirst())) } catch { throw .options(error) }
      switch options.action {
      case .showHelp: print(HelpText.text, terminator: "")
      case .showVersion: print("cockpit \(version)")
      case .showInfo: try showInfo(options)
      case .check(let path): try check(path, options)
      case .run: try run(options)
      }
    } catch {
      complain(error.text(in: .current))
      exit(error.exitCode)
    }
  }

  private static func configureLog(_ options: Options) throws(SessionError) {
    guard let log = options.log ?? getenv("COCKPIT_LOG").map({ String(cString: $0) }) else { return }
    do { try Log.configure(log) } catch { throw .options(.badLog(error.description)) }
  }

  /// Prints the compositor's offers and their consequences for the cockpit.
  private static func showInfo(_ options: Options) throws(SessionError) {
    try configureLog(options)
    let application = try Application.connected()
    application.inspectCompositor { report in
      print("\(report)\n\(LossNotice.table)", terminator: "")
      application.closeAll()
    }
    try application.runToEnd()
  }

  private static func run(_ options: Options) throws(SessionError) {
    try configureLog(options)
    FontLibrary.shared.warmUp(for: Language.current.title)
    if let path = options.replay { return try ReplaySession(path: path, options: options).run() }
    if options.showsCatalogue {
      let scene = CatalogueScene()
      if try !SceneRenderer.writeWhatIsAsked(of: scene, options: options) { try CatalogueSession.run(scene, options) }
      return
    }
    let scene = try makeScene(options)
    scene.apply(options)
    if try !SceneRenderer.writeWhatIsAsked(of: scene, options: options) {
      try WindowSession(scene: scene, options: options).run()
    }
  }

  /// The scene that the options ask for.
  private static func makeScene(_ options: Options) throws(SessionError) -> CockpitScene {
    guard let path = options.scene else { return CockpitScene() }
    do { return try CockpitScene(file: LayoutFile(contentsOf: path)) } catch { throw .scene(error) }
  }

  private static func check(_ path: String, _ options: Options) throws(SessionError) {
    if let distance = options.viewerDistance { return try ViewingCheck.run(path, from: distance, options) }
    do { try SceneFile.check(contentsOf: path) } catch { throw .scene(error) }
    print(Language.current.code == .chinese ? "\(path) 没有错误" : "\(path) is good")
  }

  /// Opens standard input, output and error where the caller closed them: else the compositor's socket could get such a number, and
  /// lines of `--drive -` would go to it. Reading from and writing to these stand-ins fails.
  private static func keepStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// One line on standard error.
  static func complain(_ reason: String) {
    _ = Log.put("cockpit: \(reason)", to: STDERR_FILENO)
  }
}
