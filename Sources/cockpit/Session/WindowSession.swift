import Accessibility
import ControlTools
import Controls
import Desktop
import DriveLink
import Glibc
import Shell
import Tilt
import UICore

/// Shows a scene in a window until it is closed.
final class WindowSession {
  /// The base name of the desktop file.
  static let applicationID = "io.github.cockpit.Cockpit"

  let assembly: SceneAssembly
  private var scene: CockpitScene { assembly.scene }
  private var relay: ContentRelay { assembly.relay }
  private let options: Options
  private let application: Application
  /// The drive that this window commands; nil if it commands none.
  let drive: DrivePart?
  private let idle: ScreenAwake
  /// The camera's picture; nil if none was named.
  let video: VideoPart?
  private let desktop: DesktopSettings
  private let recorder: Recorder?
  private weak var window: Window?
  private let accessibility: AccessibilityServer
  private var steady: ObservationToken?
  private var watcher: FileWatcher?
  /// Shows scenes that are saved or dropped, heavy ones when nothing is driven.
  private lazy var gate = SceneGate(
    isDriven: { [unowned self] in drive.map { $0.output.isCommanding || $0.output.isHeld } ?? false },
    show: { [unowned self] in show(sceneAt: $0) })
  /// Not amid the event that ends a hold, whose handlers the new scene would meet.
  private lazy var restTimer = LoopTimer(loop: application.loop) { [unowned self] in gate.rest() }
  private var tilt: TiltSteering?
  private var gamepads: GamepadPart?

  /// Connects to the compositor, unless the caller provides an application that is already connected. A drive's screen is read by a process
  /// of its own, unless the caller provides a witness; what fetches pictures likewise.
  init(
    scene: CockpitScene, options: Options, application shown: Application? = nil,
    witness: ((EventLoop) -> (any DisplayWitness)?)? = nil,
    feed: ((VideoChoice, EventLoop) -> (any VideoFeed)?)? = nil
  ) throws(SessionError) {
    self.options = options
    idle = ScreenAwake(scene: scene)
    let application = if let shown { shown } else { try Application.connected() }
    self.application = application
    let (start, identifier) = (application.now, DriveIdentifier())
    // Before anything is sent: without the record that was asked for nothing is driven.
    recorder = try WindowSession.makeRecorder(scene, options, identifier, start: start)
    var sender: DriveSender?
    assembly = try SceneAssembly(scene, options, identifier: identifier, start: start) { stream throws(SessionError) in
      if let place = options.receiver {
        do throws(DriveLinkError) {
          sender = try DriveSender(
            to: place, stream: stream, linkLimit: options.linkLimit,
            bridgeArguments: options.vehicleFile.map { ["--vehicle", $0.absolutePath] } ?? [])
        } catch { throw SessionError(error) }
      }
      return DriveOutput(scene: scene, isDeadMan: options.hasDeadMan, stream: stream, sink: sender)
    }
    let relay = assembly.relay
    drive = assembly.output.map { output in
      let drive = DrivePart(output, sender: sender, to: options.receiver, relay: relay, loop: application.loop)
      drive.vigilance = options.vigilance.map { Vigilance(limit: $0, output: output, at: start) }
      return drive
    }
    video =
      options.video.isEmpty
      ? nil
      : VideoPart(options, scene: scene, output: drive?.output, relay: relay, loop: application.loop) {
        [loop = application.loop] choice in
        if let feed { return feed(choice, loop) }
        return VideoProcess.path.flatMap { VideoProcess($0, source: choice.source, loop: loop) }
      }
    desktop = DesktopSettings(loop: application.loop)
    desktop.onChange = { [relay, application] preferences in
      application.cursor = CursorPreference(theme: preferences.cursorTheme, size: preferences.cursorSize)
      let look = SceneLook(preferences, choice: options.theme)
      relay.record(.look(look)) { scene.adopt(look) }
    }
    accessibility = AccessibilityServer(
      root: scene, title: Language.current.title, desktop: desktop, loop: application.loop)
    accessibility.carryOut = { [relay] (command, view) throws(AccessibilityRefusal) in
      try relay.carryOut(command, on: view)
    }
    video?.quality = { [weak drive] in drive?.quality.map { LinkFigures($0).milliseconds } }
    if options.video.count > 1 { assembly.keys.chooseNextCamera = { [weak video] in video?.chooseNext() } }
    application.outliveCompositors(options)
    application.answerLimit = options.answerLimit
    // Before the window there are events too.
    relay.clock = application.loop.clock
    let telemetry = assembly.telemetry.map {
      TelemetryPart(from: options.telemetry, to: $0, output: drive?.output, relay: relay, loop: application.loop)
    }
    assembly.telemetry?.onLowBattery = { [weak self] percent in
      Cockpit.complain("the battery has \(percent) % left")
      if options.vehicleFile?.battery?.sounds == true { self?.ringBell() }
    }
    if let telemetry {
      drive?.onSaid = { telemetry.take($0) }
      telemetry.quality = { [weak drive] in drive?.quality }
    }
    let watch = drive.flatMap { drive in
      options.receiver.map { _ in
        DisplayWatch(scene: scene, session: drive, loop: application.loop) { [loop = application.loop] in
          if let witness { return witness(loop) }
          return WitnessProcess.path.flatMap { WitnessProcess($0, loop: loop) }
        }
      }
    }
    drive?.watch = watch
    application.onStopSignal = { [drive] in drive?.willStop() }
    scene.onFault = { Log.write(.app, .error, $0) }
    if let recorder {
      video?.onFrame = { [unowned relay] in recorder.note(.videoFrame($0), at: relay.now) }
      drive?.output.onHang = { [unowned relay] in recorder.note(.hang(of: $0), at: relay.now) }
    }
    let latency = options.measuresLatency ? LatencyReport() : nil
    if let latency { video?.onPresented = { [weak latency] in latency?.note($0, shownAt: $1) } }
    // These parts come after the drive's own.
    let others: [(any SessionPart)?] = [watch, video, telemetry, machinePart(), idle, latency, recorder]
    relay.parts += others.compactMap { $0 }
  }

  /// Rings the desktop's bell, or where there is none that of the terminal on which the program was started.
  private func ringBell() {
    guard window?.ringBell() != true, isatty(STDERR_FILENO) == 1 else { return }
    _ = Log.put("\u{7}", to: STDERR_FILENO)
  }

  /// What tells the driver of this machine; nil if nothing is driven, or that is not wanted.
  private func machinePart() -> MachinePart? {
    guard options.showsMachine, let receiver = options.receiver, let display = assembly.telemetry,
      let source = MachineReader(loop: application.loop, read: { MachineFiles().read() })
    else { return nil }
    let usesNetwork =
      switch receiver {
      case .udp, .bridge: true
      case .standard, .unix: false
      }
    return MachinePart(source, to: display, usesNetwork: usesNetwork, relay: relay, loop: application.loop)
  }

  private static func makeRecorder(
    _ scene: CockpitScene, _ options: Options, _ identifier: DriveIdentifier, start: MonotonicTime
  ) throws(SessionError) -> Recorder? {
    guard let path = options.record else { return nil }
    var header = RecordedSession.Header()
    (header.start, header.options, header.identifier) = (start, options, identifier)
    header.wall = VideoPart.wall(at: start)
    header.look = SceneLook(DesktopPreferences(), choice: options.theme)
    (header.language, header.direction) = (Language.current.code, Language.direction)
    header.keyboard = scene.keyboard.language
    if let path = options.scene {
      do throws(LayoutFileError) {
        let file = try LayoutFile(contentsOf: path)
        (header.scene, header.sceneFolder) = (file.source, file.folder)
      } catch { throw SessionError(error) }
    }
    let recorder = try Recorder(path: path, header: header)
    recorder.scene = scene
    return recorder
  }

  static func window(titled title: String, _ options: Options) -> WindowOptions {
    var window = WindowOptions(title: title, applicationID: applicationID, size: options.size)
    window.isFullscreen = options.isFullscreen
    window.scale = options.scale
    window.role = options.role
    window.keepsRunningHidden = options.keepsRunning
    return window
  }

  func open() throws(SessionError) {
    drive?.onCommandingChange = { [idle] in idle.isCommanding = $0 }
    idle.onRest = { [unowned self] in if gate.waiting != nil { restTimer.time = application.loop.clock.now } }
    let summary = DriveSummary(options)
    if let summary {
      Cockpit.complain(summary.line + (scene.showsInstruments ? "" : ", screen not judged: it has no instruments"))
      if drive?.watch?.hasWitness == false, scene.showsInstruments { Cockpit.complain(DisplayWatch.complaint) }
    }
    drive?.begin(summary, on: scene)
    logEvents()
    try watchScene()
    try steerByTilt()
    try driveByGamepad()
    let wanted = WindowSession.window(titled: Language.current.title, options)
    application.openWindow(content: relay, options: wanted) { [unowned self] window in
      window.onFilesDropped = { [unowned self] paths in if let path = paths.last { open(sceneAt: path) } }
      window.onDropRefused = { [unowned window] problem in
        window.title = "\(problem)"
        Cockpit.complain("\(problem)")
      }
      self.window = window
      Cockpit.complainWithoutFonts()
      for part in relay.parts { part.follow(window) }
      if let frames = options.frames {
        steady = window.close(after: frames, of: scene)
      } else {
        accessibility.start(after: window)
      }
    }
  }

  /// Runs until the window is closed, or until it has shown the number of frames that the options request.
  func run() throws(SessionError) {
    try open()
    // The controls' closures refer to this session: it must live until the loop ends.
    defer {
      recorder?.note(.end, at: application.now)
      for part in relay.parts { part.end() }
      withExtendedLifetime(self) {}
    }
    try application.runToEnd()
  }

  /// Reloads the scene's file whenever it changes; a file with an error is reported and not shown.
  private func watchScene() throws(SessionError) {
    guard options.watchesScene, let path = options.scene else { return }
    do {
      watcher = try FileWatcher(loop: application.loop, path: path) { [unowned self] in
        open(sceneAt: path)
      }
    } catch { throw SessionError(error) }
  }

  private func open(sceneAt path: String) {
    guard let reason = gate.open(path) else { return }
    Cockpit.complain("\(path) has \(reason): it is shown when nothing is driven")
  }

  /// Shows the scene of a file. An error is reported on standard error and in the window's title, and the old scene stays.
  private func show(sceneAt path: String) {
    do throws(LayoutFileError) {
      let file = try LayoutFile(contentsOf: path)
      try relay.record(.scene(file.source, folder: file.folder)) { () throws(LayoutFileError) in try scene.load(file) }
      window?.title = Language.current.title
      Log.write(.app, .info, "\(path) is shown")
      scene.complainOfPictures()
    } catch {
      window?.title = "\(error)"
      Cockpit.complain("\(error)")
    }
  }

  private func steerByTilt() throws(SessionError) {
    let choice = options.tilt
    guard choice != .off else { return }
    let tilt: TiltSteering
    do {
      tilt = try TiltSteering(scene: scene, loop: application.loop) { () throws(TiltError) in
        if case .device(let path) = choice { try Accelerometer(path: path) } else { try Accelerometer.find() }
      }
    } catch { throw SessionError(error) }
    tilt.record = { [relay] in relay.record($0, $1) }
    drive?.follow(tilt)
    assembly.keys.calibrateTilt = { tilt.calibrate() }
    self.tilt = tilt
  }

  private func driveByGamepad() throws(SessionError) {
    guard let commands = assembly.gamepad else { return }
    let part = GamepadPart(
      commands, relay: relay, output: drive?.output, loop: application.loop,
      isFrozen: { [application] in application.isCompositorFrozen })
    do { try part.open(options.gamepad) } catch { throw SessionError(error) }
    gamepads = part
    scene.inspector.gamepads = part
    // Before the record, which keeps what the others did.
    relay.parts.insert(part, at: relay.parts.firstIndex { $0 is Recorder } ?? relay.parts.count)
  }

  /// Logs the controls' changes, for users and tests that follow `--log app`.
  private func logEvents() {
    scene.gearbox.addAction(for: .valueChanged) { Log.write(.app, .info, "gear \($0.gear)") }
    scene.wheel.addAction(for: .valueChanged) { Log.write(.app, .info, "steering \(Int($0.angle.rounded()))") }
    scene.horn.addAction(for: .valueChanged) { Log.write(.app, .info, "horn \($0.isSounding)") }
    // A hold lasts from the first finger's touch until the last one is lifted.
    for control in [scene.gearbox, scene.wheel] as [Control] {
      control.addAction(for: .editingDidBegin) { Log.write(.app, .info, "\($0.name) held true") }
      control.addAction(for: [.editingDidEnd, .editingDidCancel]) { Log.write(.app, .info, "\($0.name) held false") }
    }
  }
}

/// Keeps the screen awake while a finger holds a control of the scene, and while a vehicle is commanded by keys, by tilt or by
/// a lever that was left in gear.
final class ScreenAwake: SessionPart {
  private let scene: CockpitScene
  private weak var window: Window?
  /// True while the vehicle may move, or its horn sounds.
  var isCommanding = false { didSet { update() } }

  init(scene: CockpitScene) {
    self.scene = scene
    let holds: Control.Event = [.editingDidBegin, .editingDidEnd, .editingDidCancel]
    for (control, events) in [(scene.gearbox, holds), (scene.wheel, holds), (scene.horn, .valueChanged)]
      as [(Control, Control.Event)]
    {
      control.addAction(for: events) { [unowned self] _ in update() }
    }
  }

  func follow(_ window: Window) {
    self.window = window
    update()
  }

  /// True while the screen must stay awake: a control is held, or a vehicle is commanded.
  var isHeld: Bool { isCommanding || scene.gearbox.isBeingEdited || scene.wheel.isBeingEdited || scene.horn.isSounding }

  /// Called when something changed and nothing is held or commanded.
  var onRest: (() -> Void)?

  private func update() {
    window?.inhibitsIdle = isHeld
    if !isHeld { onRest?() }
  }
}

extension Application {
  static func connected() throws(SessionError) -> Application {
    do { return try Application() } catch { throw SessionError(error) }
  }

  /// Makes the application reconnect to the next compositor after a loss, according to `options`.
  func outliveCompositors(_ options: Options) {
    let limit = options.reconnectSeconds.map { Duration.nanoseconds(Int64($0 * 1e9)) }
    reconnection = limit == .zero ? .never : .tries(for: limit)
    onConnectionLoss = { Cockpit.complain("\($0); waiting for a compositor") }
  }

  func runToEnd() throws(SessionError) {
    do { try run() } catch { throw SessionError(error) }
  }
}

extension Window {
  /// Draws frames of `scene` in succession, each with a redrawn beacon, and closes the window after the last.
  fileprivate func close(after frames: Int, of scene: CockpitScene) -> ObservationToken {
    onFrame = { [unowned self] in if $0.number >= frames { close() } }
    return scene.observeFrames { [unowned scene] _ in
      scene.cluster.beacon.setNeedsStaticDisplay()
      return true
    }
  }
}
