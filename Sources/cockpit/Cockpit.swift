import ControlTools
import Controls
import Glibc
import Linux
import Shell

package enum Cockpit {
  static let version = "0.1.0"

  /// Runs the program for the command line of the process.
  package static func main() {
    keepStandardDescriptors()
    // If a reader of the log or the lines exits, that must cost one failed write, not the drive.
    signal(SIGPIPE, SIG_IGN)
    // A file or a buffer beyond the limit for files, and a message to a terminal from the background, are failed writes too.
    for number in [SIGXFSZ, SIGTTIN, SIGTTOU] { signal(number, SIG_IGN) }
    do throws(SessionError) {
      let list = try readOptions(Array(CommandLine.arguments.dropFirst()))
      var options = list.list.options
      options.settingsFile = list.file
      (options.vehicleFile, options.vehicleSettings) = (list.vehicle, list.vehicleSettings)
      switch options.action {
      case .showHelp: print(HelpText.text, terminator: "")
      case .showVersion: print("cockpit \(version)")
      case .showInfo: try showInfo(options)
      case .check(let path): try check(path)
      case .saveConfiguration: try save(list.list)
      case .run: try run(options)
      }
    } catch {
      complain(error.description)
      exit(error.exitCode)
    }
  }

  /// The options of the command line and of all files beneath it.
  struct ReadOptions {
    var list: OptionList
    /// The configuration file, with its options that take effect.
    var file: SettingsFile?
    var vehicle: VehicleFile?
    /// The vehicle's file, with its options that take effect.
    var vehicleSettings: SettingsFile?
  }

  /// Returns the command line's options merged with those of the configuration file, and with those of a vehicle's file that one of both
  /// names: its options lie right beneath the place that names it.
  static func readOptions(_ arguments: [String]) throws(SessionError) -> ReadOptions {
    let line: OptionList
    do throws(OptionError) {
      line = try OptionParser.read(arguments)
    } catch { throw .usage(error) }
    let file = try configuration(line.options)
    var list = file.list
    // The environment takes precedence over the file, but not over `--log` on the command line.
    if Environment.value(of: "COCKPIT_LOG") != nil { list.remove(.log) }
    var read: ReadOptions
    do throws(OptionError) { read = ReadOptions(list: try line.over(list)) } catch { throw .usage(error) }
    let vehicle = try vehicle(read.list.options)
    do throws(OptionError) {
      var ofFile = Set(list.texts.map(\.option)).subtracting(line.texts.map(\.option))
      if let vehicle {
        let isFirst = line.options.vehicle != nil
        read.list = try line.over(isFirst ? vehicle.options.laid(over: list) : list.laid(over: vehicle.options))
        var ofVehicle = vehicle.options.names.subtracting(line.names).intersection(read.list.names)
        if isFirst { ofFile.subtract(ofVehicle) } else { ofVehicle.subtract(ofFile) }
        read.vehicle = vehicle
        read.vehicleSettings = SettingsFile(path: vehicle.path, options: ofVehicle)
      }
      read.file = configurationPath(line.options).map { SettingsFile(path: $0.path, options: ofFile) }
      return read
    } catch { throw .usage(error) }
  }

  /// The vehicle's file that `options` name; nil if they name none, or the task needs none.
  private static func vehicle(_ options: Options) throws(SessionError) -> VehicleFile? {
    guard options.action == .run, let path = options.vehicle else { return nil }
    do throws(ConfigurationError) { return try VehicleFile(contentsOf: path) } catch { throw .usage(error) }
  }

  /// The configuration for the command line's `options`; empty if no option has an effect on the task.
  private static func configuration(_ options: Options) throws(SessionError) -> Configuration {
    switch options.action {
    case .showHelp, .showVersion, .check: return Configuration()
    case .run, .saveConfiguration, .showInfo: break
    }
    guard let (path, mustExist) = configurationPath(options) else { return Configuration() }
    do { return try Configuration(contentsOf: path, mustExist: mustExist) } catch { throw .usage(error) }
  }

  /// The path of the options file, and whether it must exist; nil if no file is to be read.
  private static func configurationPath(_ options: Options) -> (path: String, mustExist: Bool)? {
    switch options.configuration {
    case .none: nil
    case .file(let path): (path, options.action != .saveConfiguration)
    case .own: Configuration.ownPath(Environment.value(of:)).map { ($0, false) }
    }
  }

  /// Writes the settings of `list` into the configuration file, and prints its path.
  private static func save(_ list: OptionList) throws(SessionError) {
    guard let (path, _) = configurationPath(list.options) else {
      throw SessionError(
        "no place for a configuration: set XDG_CONFIG_HOME or HOME to an absolute path, or name a file by --config")
    }
    guard let folder = getcwd(nil, 0) else { throw .cannotWrite(path) }
    defer { free(folder) }
    guard Configuration.write(Configuration.text(of: list, folder: String(cString: folder)), to: path) else {
      throw .cannotWrite(path)
    }
    print(path)
  }

  private static func configureLog(_ options: Options) throws(SessionError) {
    guard let log = options.log ?? Environment.value(of: "COCKPIT_LOG") else { return }
    do { try Log.configure(log) } catch { throw .usage(OptionError.badLog(error.description)) }
  }

  /// Prints the compositor's globals and their consequences for the cockpit.
  private static func showInfo(_ options: Options) throws(SessionError) {
    try configureLog(options)
    let application = try Application.connected()
    application.inspectCompositor { report in
      print("\(report)\n\(CompositorChoice.table(with: report))\n\(LossNotice.table)", terminator: "")
      application.closeAll()
    }
    try application.runToEnd()
  }

  private static func run(_ options: Options) throws(SessionError) {
    try configureLog(options)
    FontLibrary.shared.warmUp(for: Language.current.title)
    let language = Language.current
    Language.current = language.shown(by: .shared)
    if Language.current != language {
      complain("no font has all letters of the language \(language.code.rawValue): words are English")
    }
    if let path = options.replay { return try ReplaySession(path: path, options: options).run() }
    // The compositor answers while the scene is created; an error in the scene is reported first.
    let connection =
      SceneRenderer.isAsked(options) ? nil : Result { () throws(SessionError) in try Application.connected() }
    let scene = try makeScene(options)
    scene.complainOfPictures()
    if let connection {
      try WindowSession(scene: scene, options: options, application: connection.get()).run()
    } else {
      try SceneRenderer.writeWhatIsAsked(of: scene, options: options)
    }
  }

  /// Says it if no font was found: a screen without words must not be a riddle.
  static func complainWithoutFonts() {
    guard FontLibrary.shared.fontCount == 0 else { return }
    complain("no font was found: instruments and capitals have outlines of their own, other texts are missing")
  }

  private static func makeScene(_ options: Options) throws(SessionError) -> CockpitScene {
    do throws(LayoutFileError) {
      let file: LayoutFile? = if let path = options.scene { try LayoutFile(contentsOf: path) } else { nil }
      return try CockpitScene(file, options)
    } catch { throw SessionError(error) }
  }

  private static func check(_ path: String) throws(SessionError) {
    do {
      // What cannot be read is told by the reader of scenes.
      if let text = try? FileReader.bytes(of: path, atMost: VehicleFile.largestFile), VehicleFile.describes(text) {
        _ = try VehicleFile(text, path: path)
      } else {
        try SceneTypes.check(contentsOf: path)
      }
    } catch { throw SessionError("\(error)") }
    print("\(path) is good")
  }

  /// Opens standard input, output and error if the caller closed them. Otherwise the compositor's socket could get such a
  /// number, and lines of `--drive -` would be written to it. Reading from and writing to these stand-ins fails.
  private static func keepStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes one line to standard error.
  static func complain(_ reason: String) {
    _ = Log.put("cockpit: \(reason)", to: STDERR_FILENO)
  }
}
