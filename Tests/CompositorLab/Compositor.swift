import Glibc

/// A running compositor. It ends, with everything on it, at `stop()` or with its last reference. Compositor+Weston, +Sway, +KWin
/// and +Mutter define how each kind is started.
public final class Compositor {
  /// How a compositor is started.
  public struct Settings: Sendable {
    /// The output's width in pixels.
    public var width = 1280
    /// The output's height in pixels.
    public var height = 720
    /// The output's scale; weston takes only whole numbers.
    public var scale = 1.0

    /// The number of outputs, side by side. KWin only: the others have one.
    public var outputs = 1
    /// Whether it gets touches. Only KWin and mutter take touches from a test; the others then run as a window of a KWin, which
    /// passes its input on.
    public var hasTouchscreen = false
    /// weston only: turns its output off after so many seconds without input; 0 means never.
    public var idleSeconds = 0
    /// weston only: how it arranges windows.
    public var westonShell = WestonShell.desktop
    /// KWin only: a shell script that it runs as its input method, in its directory; nil for none.
    public var inputMethod: String?
    /// KWin only: every window covers the output.
    var showsWindowsFullscreen = false

    /// The name of a weston shell.
    public enum WestonShell: String, Sendable {
      /// Movable windows.
      case desktop
      /// Every window covers the output. Without a seat it shows nothing.
      case kiosk
      /// A car's display, whose controller places surfaces by their numbers. No screenshot can be taken of it.
      case ivi
    }

    /// 1280 x 720 at scale 1.
    public init() {}

    /// An output of that size and scale.
    public init(width: Int, height: Int, scale: Double = 1, hasTouchscreen: Bool = false) {
      self.width = width
      self.height = height
      self.scale = scale
      self.hasTouchscreen = hasTouchscreen
    }
  }

  /// How to start one kind of compositor.
  struct Recipe {
    var command: [String]
    var environment: [String: String] = [:]
    var socket: String
    /// The programs to start first, in this order, each with the socket that it listens on.
    var companions: [(command: [String], socket: String)] = []
  }

  /// Which compositor it is.
  public let kind: CompositorKind
  /// The settings of its latest start.
  public private(set) var settings: Settings
  let folder: PrivateFolder
  private var recipe: Recipe
  private var logPath: String
  private var process: ChildProcess
  private var companions: [ChildProcess] = []
  /// The number of scripts that KWin has been given.
  var scripts = 0
  /// The KWin that shows this compositor as a window and receives its touches.
  private let host: Compositor?

  /// Starts a compositor; returns once it accepts clients.
  public init(_ kind: CompositorKind, _ settings: Settings = Settings(), limit: Duration = .seconds(10))
    throws(LabError)
  {
    let missing = kind.missingPrograms
    guard missing.isEmpty else { throw .missing(programs: missing) }
    self.kind = kind
    self.settings = settings
    var host: Compositor?
    if settings.hasTouchscreen, kind != .kwin, kind != .mutter {
      var hostSettings = Settings(width: settings.width, height: settings.height)
      hostSettings.showsWindowsFullscreen = true
      host = try Compositor(.kwin, hostSettings, limit: limit)
    }
    self.host = host
    let folder = try PrivateFolder(owner: .compositor)
    self.folder = folder
    recipe = try Self.recipe(kind, settings, host, folder)
    let environment = Self.environment(folder).merging(recipe.environment) { $1 }
    let wait = try SocketWait(folder: folder.path)
    let log = try folder.newLog()
    logPath = log.path
    func start(_ command: [String], _ socket: String) throws(LabError) -> ChildProcess {
      let process = try ChildProcess(
        folder.owner.running(command), environment: environment, folder: folder.path, group: folder.group,
        output: log.descriptor,
        errors: log.descriptor)
      try wait.waitFor(socket, of: process, log: log.path, until: Deadline(in: limit))
      return process
    }
    for companion in recipe.companions { companions.append(try start(companion.command, companion.socket)) }
    process = try start(recipe.command, recipe.socket)
    try openToClients(limit: limit)
  }

  private static func recipe(
    _ kind: CompositorKind, _ settings: Settings, _ host: Compositor?, _ folder: PrivateFolder
  ) throws(LabError) -> Recipe {
    switch kind {
    case .weston: try westonRecipe(settings, host, folder)
    case .sway: try swayRecipe(settings, host, folder)
    case .kwin: try kwinRecipe(settings, folder)
    case .phoc: try phocRecipe(host, folder)
    case .mutter: try mutterRecipe(settings, folder)
    case .cage: cageRecipe(host)
    }
  }

  /// The compositor that a test's input program must connect to: this one, or the KWin that shows it.
  public var handsBelongTo: Compositor { host ?? self }

  /// Stops its process, as a hanging driver or a debugger would. Its sockets stay open, and nothing is answered.
  public func freeze() {
    process.signal(SIGSTOP)
  }

  /// Resumes it after `freeze`. It then handles everything that has arrived meanwhile.
  public func thaw() {
    process.signal(SIGCONT)
  }

  /// Kills it without warning, like a crash. Its clients keep running.
  public func kill() {
    process.signal(SIGKILL)
  }

  /// Waits until it has ended, and starts it again on the same socket, with `other` settings if given. Returns once it accepts
  /// clients.
  public func restart(with other: Settings? = nil, limit: Duration = .seconds(20)) throws(LabError) {
    if let other {
      settings = other
      recipe = try Self.recipe(kind, other, host, folder)
    }
    guard process.waitForEnd(until: Deadline(in: limit)) != nil else {
      throw .timedOut(waitingFor: "the end of \(kind.rawValue)", log: log)
    }
    // sway chooses another name for its command socket if the file already exists.
    for name in [socket, path(of: recipe.socket), path(of: "sway.sock")] { unlink(name) }
    let wait = try SocketWait(folder: folder.path)
    let output = try folder.newLog()
    logPath = output.path
    process = try ChildProcess(
      folder.owner.running(recipe.command), environment: Self.environment(folder).merging(recipe.environment) { $1 },
      folder: folder.path, group: folder.group, output: output.descriptor, errors: output.descriptor)
    try wait.waitFor(recipe.socket, of: process, log: output.path, until: Deadline(in: limit))
    try openToClients(limit: limit)
  }

  /// Waits until sway answers on its command socket, which may appear later than the socket for clients, and its output has the
  /// right size.
  ///
  /// On a host, sway begins with an output of 1280 x 720 and learns its host's size a moment later. Only then is its socket
  /// linked under the name that clients use: a client's frame of the first size would cost memory that looks like a leak.
  private func openToClients(limit: Duration) throws(LabError) {
    guard kind == .sway else { return }
    let deadline = Deadline(in: limit)
    while (try? swayOutputs())?.contains("\(settings.width) x \(settings.height)") != true {
      if deadline.isOver { throw .timedOut(waitingFor: "sway's size", log: log) }
    }
    guard host != nil else { return }
    guard symlink(recipe.socket, socket) == 0 else { throw .failed(operation: "linking sway's socket", errno: errno) }
  }

  /// The absolute path of its socket, for WAYLAND_DISPLAY.
  public var socket: String { "\(folder.path)/\(kind == .sway && host != nil ? "wayland-lab" : recipe.socket)" }

  /// The environment of clients: this compositor, and nothing of the session that the tests run in.
  public var clientEnvironment: [String: String] {
    Self.environment(folder).merging(["WAYLAND_DISPLAY": socket]) { $1 }
  }

  /// Its log since its latest start.
  public var log: String { contents(ofFile: logPath) }

  /// Throws if it has ended, as after a crash.
  public func checkThatItRuns() throws(LabError) {
    if let status = process.ended { throw .ended(process: kind.rawValue, status: status, log: log) }
  }

  /// Starts a client in the compositor's directory. It is killed with the compositor at the latest. `joinsErrors` sends its
  /// standard error to its output, for programs that log there.
  public func launch(
    _ command: [String], environment: [String: String] = [:], joinsErrors: Bool = false
  ) throws(LabError) -> ClientProcess {
    try ClientProcess(
      command, environment: clientEnvironment.merging(environment) { $1 }, in: folder, joinsErrors: joinsErrors)
  }

  /// Starts `program`, the `CompositorInput` that was built, for a desktop of `size`, such as `960x540`.
  ///
  /// A copy runs, because KWin offers fake input only to a program whose file its user can find: root's home directory, with the
  /// checkout in it, is closed to other users.
  public func startHands(_ program: String, _ size: String) throws(LabError) -> ClientProcess {
    let copy = "\(folder.path)/CompositorInput"
    return try launch([access(copy, X_OK) == 0 ? copy : try folder.copy(program: program), size])
  }

  /// The absolute path of a file in the directory where clients run.
  public func path(of file: String) -> String { "\(folder.path)/\(file)" }

  /// Replaces a file in that directory atomically, as editors do.
  public func write(_ text: String, to file: String) throws(LabError) {
    try folder.write(text, to: "\(file)~")
    guard rename(path(of: "\(file)~"), path(of: file)) == 0 else {
      throw .failed(operation: "writing \(file)", errno: errno)
    }
  }

  /// Runs a client to its end and returns what it printed.
  public func output(of command: [String], limit: Duration = .seconds(10)) throws(LabError) -> [UInt8] {
    let client = try launch(command)
    let deadline = Deadline(in: limit)
    guard let bytes = client.output.readToEnd(until: deadline), let status = client.waitForEnd(until: deadline) else {
      client.kill()
      throw .timedOut(waitingFor: "\(command[0]) to end", log: client.errors)
    }
    guard status == .exited(0) else { throw .ended(process: command[0], status: status, log: client.errors) }
    return bytes
  }

  /// A screenshot of all outputs.
  public func screenshot(limit: Duration = .seconds(10)) throws(LabError) -> ScreenPicture {
    try checkThatItRuns()
    return switch kind {
    case .weston: try westonScreenshot(limit: limit)
    case .sway, .phoc, .cage: try grimScreenshot(limit: limit)
    case .kwin: try kwinScreenshot(limit: limit)
    case .mutter: throw .picture("mutter gives its picture to viewers of a PipeWire stream only")
    }
  }

  /// The first screenshot that meets `condition`.
  public func screenshot(
    within limit: Duration = .seconds(10), where condition: (ScreenPicture) throws -> Bool
  ) throws -> ScreenPicture {
    let deadline = Deadline(in: limit)
    while true {
      let picture = try screenshot()
      if try condition(picture) { return picture }
      guard !deadline.isOver else { throw LabError.timedOut(waitingFor: "a picture as expected", log: log) }
    }
  }

  /// Kills the compositor and every client on it, and removes the directory.
  public func stop() {
    // cage opens sockets for X11 in /tmp, and removes them only if it may end by itself: when its own program, which reads a pipe, does.
    if kind == .cage, process.ended == nil {
      (try? SharedDescriptor.open(path(of: "end"), O_WRONLY | O_NONBLOCK))?.close()
      _ = process.waitForEnd(until: Deadline(in: .seconds(1)))
    }
    folder.close()
    for process in [process] + companions { _ = process.waitForEnd(until: Deadline(in: .seconds(1))) }
    host?.stop()
  }

  deinit {
    stop()
  }

  private static func environment(_ folder: PrivateFolder) -> [String: String] {
    [
      "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin",
      "LANG": "C.UTF-8",
      "HOME": folder.path,
      "XDG_RUNTIME_DIR": folder.path,
      "XDG_CONFIG_HOME": folder.path,
      "XDG_CACHE_HOME": folder.path,
    ]
  }
}
