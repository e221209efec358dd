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
    // Who reads the log or the lines may go: that is an error of one write, and no end of a drive.
    signal(SIGPIPE, SIG_IGN)
    do throws(OptionError) {
      let options = try OptionParser.parse(Array(CommandLine.arguments.dropFirst()))
      switch options.action {
      case .showHelp: print(HelpText.text, terminator: "")
      case .showVersion: print("cockpit \(version)")
      case .showInfo: try showInfo(options)
      case .check(let path): check(path)
      case .run: try run(options)
      }
    } catch {
      fail(error.text(in: .current), status: OptionError.exitCode)
    }
  }

  private static func configureLog(_ options: Options) throws(OptionError) {
    guard let log = options.log ?? environmentLog else { return }
    do { try Log.configure(log) } catch { throw .badLog(error.description) }
  }

  /// Prints what the compositor offers and what follows from it.
  private static func showInfo(_ options: Options) throws(OptionError) {
    try configureLog(options)
    do {
      let application = try Application()
      application.inspectCompositor { report in
        print("\(report)\n\(LossNotice.table)", terminator: "")
        application.closeAll()
      }
      try application.run()
    } catch {
      fail(error.text(in: .current), status: 1)
    }
  }

  private static func run(_ options: Options) throws(OptionError) {
    try configureLog(options)
    FontLibrary.shared.warmUp()
    if let path = options.replay { return replay(path, options) }
    if options.showsCatalogue { return runCatalogue(options) }
    let scene = makeScene(options)
    scene.apply(options)
    do {
      guard try !SceneRenderer.writeWhatIsAsked(of: scene, options: options) else { return }
      try WindowSession(scene: scene, options: options).run()
    } catch {
      fail(error.text(in: .current), status: 1)
    }
  }

  private static func replay(_ path: String, _ options: Options) {
    do {
      try ReplaySession(path: path, options: options).run()
    } catch {
      fail(error.description, status: 1)
    }
  }

  /// The scene that the options ask for, or the end with one line that says what is wrong with its file.
  private static func makeScene(_ options: Options) -> CockpitScene {
    guard let path = options.scene else { return CockpitScene() }
    do {
      return try CockpitScene(file: LayoutFile(contentsOf: path))
    } catch {
      fail("\(error)", status: 1)
    }
  }

  private static func runCatalogue(_ options: Options) {
    let scene = CatalogueScene()
    do {
      guard try !SceneRenderer.writeWhatIsAsked(of: scene, options: options) else { return }
      try CatalogueSession(scene: scene, options: options).run()
    } catch {
      fail(error.description, status: 1)
    }
  }

  private static func check(_ path: String) {
    do {
      try SceneFile.check(contentsOf: path)
      print(Language.current.code == .chinese ? "\(path) 没有错误" : "\(path) is good")
    } catch {
      fail("\(error)", status: 1)
    }
  }

  private static var environmentLog: String? { getenv("COCKPIT_LOG").map { String(cString: $0) } }

  /// Takes the places of standard input, output and error where the caller closed them: else the compositor's socket could get
  /// such a number, and lines of `--drive -` would go to it. What stands there can't be used: reading and writing fail.
  private static func keepStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// One line on standard error, then the end.
  private static func fail(_ reason: String, status: Int32) -> Never {
    complain(reason)
    exit(status)
  }

  /// One line on standard error.
  static func complain(_ reason: String) {
    _ = Log.put("cockpit: \(reason)", to: STDERR_FILENO)
  }
}
