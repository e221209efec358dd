import Controls
import DriveLink
import Gamepad
import Shell
import UICore

/// Reads the gamepads: opens those that are wanted when they come, and passes on what they ask for as events of the session.
///
/// The compositor knows nothing of these devices, so its rules are kept here: they count while the window is in sight and in use, and while the
/// compositor answers.
final class GamepadPart: SessionPart, GamepadWatching {
  /// The seats of gamepads have numbers of their own, beyond those of a compositor.
  static let firstSeat: UInt32 = 0x8000_0000

  private let commands: GamepadCommands
  // The relay has the part.
  private unowned let relay: ContentRelay
  private var scene: CockpitScene { relay.scene }
  private let output: DriveOutput?
  private let loop: EventLoop
  private let isFrozen: () -> Bool
  private weak var window: Window?
  private var choice = Options.Gamepad.off
  private var folders: [GamepadFolder] = []
  private var pads: [GamepadReader] = []
  private var seatCount: UInt32 = 0
  /// The devices that were looked at and are none that is wanted.
  private var refused: Set<String> = []
  private var focusedSeats: Set<SeatID> = []
  private var lifecycle: ObservationToken?
  /// The gamepad that drove at the last event, to shake it when the drive ends by a fault.
  private weak var driver: GamepadReader?

  /// Reads for `commands`, and tells the events by `relay`. `output` is the drive, nil without one.
  init(
    _ commands: GamepadCommands, relay: ContentRelay, output: DriveOutput?, loop: EventLoop,
    isFrozen: @escaping () -> Bool
  ) {
    (self.commands, self.relay, self.output, self.loop, self.isFrozen) = (commands, relay, output, loop, isFrozen)
    lifecycle = scene.observeLifecycle { [unowned self] event in if event == .willResignActive { useChanged() } }
  }

  isolated deinit {
    for folder in folders { loop.unwatch(folder.descriptor) }
    for pad in pads { loop.unwatch(pad.descriptor) }
  }

  // MARK: For the inspector

  var onReadings: (() -> Void)? { didSet { for pad in pads { watch(pad) } } }

  var readings: [GamepadReading] { pads.compactMap(\.reading) }

  private func watch(_ pad: GamepadReader) { pad.onReading = onReadings }

  // MARK: Devices

  /// Opens the devices of `choice` that are there, and later those that come.
  ///
  /// - Throws: `GamepadError` if no device can ever be found or read.
  func open(_ choice: Options.Gamepad) throws(GamepadError) {
    self.choice = choice
    try EvdevDevice.prepare()
    folders = [try GamepadFolder()]
    // A link that udev makes has a directory of its own, which may come and go.
    if case .file(let path) = choice, let end = path.lastIndex(of: "/") {
      let folder = String(path[..<end])
      if folder != GamepadFolder.system, let links = try? GamepadFolder(path: folder) { folders.append(links) }
    }
    for folder in folders {
      loop.watchReadable(folder.descriptor) { [unowned self] in
        guard let came = folder.take() else { return }
        refused.subtract(came)
        search(isFirst: false)
      }
    }
    search(isFirst: true)
  }

  private func search(isFirst: Bool) {
    let paths = if case .file(let path) = choice { [path] } else { folders.first?.devices ?? [] }
    refused.formIntersection(paths)
    var failure: GamepadError?
    for path in paths where !pads.contains(where: { $0.path == path }) && !refused.contains(path) {
      do throws(GamepadError) {
        let pad = try GamepadReader(
          path: path, seat: nextSeat, tellsExtras: scene.channels?.usesGamepads == true)
        if isWanted(pad) { add(pad) } else { refused.insert(path) }
      } catch {
        switch error {
        // A file that is gone again, or not there yet.
        case .missing: continue
        // What is no gamepad is a fault only if it was asked for.
        case .notAGamepad where choice != .file(path): refused.insert(path)
        case .forbidden: failure = failure ?? error
        default:
          refused.insert(path)
          failure = failure ?? error
        }
      }
    }
    if pads.isEmpty, isFirst { Cockpit.complain(failure.map { "\($0)" } ?? "there is no gamepad yet: connect it") }
    if let failure { Log.write(.input, .info, "\(failure)") }
  }

  private func isWanted(_ pad: GamepadReader) -> Bool {
    guard case .named(let part) = choice else { return true }
    return pad.name.lowercased().contains(part.lowercased())
  }

  /// The seat of the next gamepad.
  var nextSeat: SeatID { SeatID(GamepadPart.firstSeat + seatCount) }

  /// Takes a gamepad that has come.
  func add(_ pad: GamepadReader) {
    seatCount += 1
    pad.tellsExtras = scene.channels?.usesGamepads == true
    pads.append(pad)
    watch(pad)
    loop.watchReadable(pad.descriptor) { [unowned self, unowned pad] in read(pad) }
    onReadings?()
    Log.write(.input, .info, "gamepad \(pad.name): \(pad.kind), \(pad.path)")
  }

  // MARK: Events

  private func read(_ pad: GamepadReader) {
    var isGone = false
    pad.read(now: { loop.clock.now }, counts: { isInUse }) { news in
      switch news {
      case .event(let event): relay.handle(.gamepad(event))
      case .inputLost: relay.handle(.lost(InputLoss(.deviceLost(.gamepad), seat: pad.seat)))
      case .gone: isGone = true
      }
    }
    guard isGone else { return }
    loop.unwatch(pad.descriptor)
    pads.removeAll { $0 === pad }
    onReadings?()
    Log.write(.input, .info, "gamepad \(pad.name) is gone")
    lose(pad, .deviceLost(.gamepad))
    // Another one may have its name by now.
    if choice != .off { search(isFirst: false) }
  }

  /// Ends what the gamepad holds, for a reason that is told before.
  private func lose(_ pad: GamepadReader, _ cause: InputLoss.Cause) {
    let event = pad.cancel(at: loop.clock.now)
    relay.handle(.lost(InputLoss(cause, seat: pad.seat)))
    relay.handle(.gamepad(event))
  }

  // MARK: The window

  /// True while gamepads count: somebody sees the window, uses it, and the compositor answers.
  private var isInUse: Bool {
    guard let window, scene.isActive, !isFrozen() else { return false }
    return window.isActivated || !focusedSeats.isEmpty
  }

  private func useChanged() {
    guard !isInUse else { return }
    for pad in pads where pad.isActive || commands.isOwner(pad.seat) { lose(pad, .keyboardLeft) }
  }

  func follow(_ window: Window) {
    self.window = window
    focusedSeats.removeAll()
    window.onActivationChange = { [unowned self] in useChanged() }
    useChanged()
  }

  func willHandle(_ event: InputEvent) {
    guard case .keyboardFocus(let seat, let isFocused) = event else { return }
    if isFocused { focusedSeats.insert(seat) } else { focusedSeats.remove(seat) }
    useChanged()
  }

  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime) {
    guard let line = output?.stream.line else { return }
    if line.state == .safe, line.reason != .lift { driver?.rumble() }
    driver = line.state == .driving ? pads.first { commands.isOwner($0.seat) } : nil
  }
}
