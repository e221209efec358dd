import CLinux
import CockpitControls
import ControlHarness
import Controls
import Glibc
import Linux
import Shell
import Stage
import Testing
import UICore

@testable import DriveLink
@testable import cockpit

/// A listening socket at `path`.
func listen(at path: String, flags: Int32 = 0) throws -> Int32 {
  let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags, 0)
  try #require(withUnixAddress(path) { bind(listener, $0, $1) } == 0 && Glibc.listen(listener, 4) == 0)
  return listener
}

/// The connection of the next sender, of which one line has been read: from then on it takes commands.
func takeFirstLine(_ listener: Int32) throws -> Int32 {
  let consumer = cockpit_accept(listener)
  var bytes = [UInt8](repeating: 0, count: 256)
  try #require(consumer >= 0 && read(consumer, &bytes, bytes.count) > 0)
  return consumer
}

/// Takes lines, and hangs up the loop when a test says.
final class ListedSink: DriveSink {
  private var taken: DriveStream?
  private(set) var beats = 0

  func publish(_ stream: DriveStream) -> Bool { taken == nil }

  func beat() -> Bool {
    beats += 1
    return taken == nil
  }

  func reclaim() -> DriveStream? {
    defer { taken = nil }
    return taken
  }

  /// The sender's thread took over at `time`.
  func hang(_ stream: DriveStream, at time: MonotonicTime, for reason: DriveReason = .loopHung) {
    var copy = stream
    while copy.nextSteady(until: time) != nil {}
    _ = copy.enterSafeState(reason, at: time)
    taken = copy
  }
}

/// A sender's mailbox on the stage's clock, without its thread: as if the loop were always the first to wake up.
final class MailboxSink: DriveSink {
  let mailbox: Mailbox
  private let clock: any MonotonicClock

  init(_ stream: DriveStream, clock: any MonotonicClock) throws {
    self.clock = clock
    mailbox = try Mailbox(stream: stream, hangLimit: DriveSender.hangLimit, now: clock.now, asleep: { .zero })
    mailbox.note(.open, errno: 0, now: clock.now)
  }

  func publish(_ stream: DriveStream) -> Bool { mailbox.publish(stream, now: clock.now) }
  func beat() -> Bool { mailbox.beat(now: clock.now) }
  func reclaim() -> DriveStream? { mailbox.reclaim(now: clock.now) }
}

/// The cockpit that drives, on the stage.
@MainActor final class DriveDesk {
  let stage: Stage
  let scene: CockpitScene
  let relay: ContentRelay
  let application: Application
  let sink = ListedSink()
  let session: DrivePart
  private let keys: KeyCommands
  /// The sink with a mailbox; nil for another one.
  let mailbox: MailboxSink?
  /// Every line so far.
  private(set) var lines: [DriveStream.Line] = []

  var output: DriveOutput { session.output }
  /// The newest line.
  var line: DriveStream.Line { output.stream.line }

  /// True: a protocol error of the stage's own is no issue.
  var toleratesEnd = false

  /// `arrange` changes the scene before the drive begins; `prepare` has the desk before its window.
  init(
    stage: Stage = Stage(globals: .everything), isDeadMan: Bool = true,
    shaping: DriveShaping = .none,
    place: DriveEndpoint? = nil, vehicle: VehicleFile? = nil, size: Size = Size(width: 480, height: 320),
    sender: ((DriveStream) throws -> DriveSender)? = nil,
    mailbox: ((DriveStream, any MonotonicClock) throws -> MailboxSink)? = nil,
    prepare: (DriveDesk, MonotonicTime) throws -> Void = { _, _ in },
    arrange: (CockpitScene) -> Void = { _ in }
  ) throws {
    FontLibrary.shared = ControlHarness.fonts
    self.stage = stage
    scene = CockpitScene()
    scene.cluster.beacon.isEnabled = false
    if let vehicle { scene.adopt(vehicle) }
    arrange(scene)
    keys = KeyCommands(scene: scene)
    relay = ContentRelay(scene: scene)
    application = try Application(clock: stage.clock) { stage.connectClient() }
    application.reconnection = .tries(for: nil)
    let stream = DriveStream(rate: 50, shaping: shaping, channels: vehicle?.model, at: stage.clock.now)
    let sender = try sender?(stream)
    self.mailbox = try mailbox?(stream, stage.clock)
    let output = DriveOutput(
      scene: scene, isDeadMan: isDeadMan, stream: stream, sink: self.mailbox ?? sender ?? sink)
    relay.parts = [output]
    session = DrivePart(output, sender: sender, to: place, relay: relay, loop: application.loop)
    stage.onViolation = { [unowned self] in if !toleratesEnd { Issue.record("\($0)") } }
    output.onLine = { [unowned self] in lines.append($0) }
    try prepare(self, stream.line.time)
    application.openWindow(
      content: relay,
      options: WindowOptions(title: "Cockpit", applicationID: "org.example", size: size)
    ) { [unowned self] in for part in relay.parts { part.follow($0) } }
    for _ in 0..<4 { refresh() }
  }

  /// The pixels of the newest frame.
  var pixels: [UInt32]? {
    guard let picture = stage.toplevels.first?.surface.buffer?.picture() else { return nil }
    return (0..<picture.size.height).flatMap { y in
      (0..<picture.size.width).map { x in picture.pixel(x: x, y: y) & 0xff_ffff }
    }
  }

  func forgetLines() { lines.removeAll(keepingCapacity: true) }

  /// Delivers all pending events; the clock stands still.
  func settle() {
    for _ in 0..<4 {
      try? application.step()
      stage.step()
    }
  }

  /// A refresh of the stage, and the cockpit's reaction.
  func refresh() {
    if !stage.toplevels.isEmpty { stage.nextRefresh() } else { stage.clock.advance(by: stage.refreshInterval) }
    for _ in 0..<8 {
      try? application.step()
      stage.step()
      stage.clock.advance(by: stage.refreshInterval / 10)
    }
    settle()
  }

  /// Some time, refresh by refresh.
  func pass(_ duration: Duration) {
    let end = stage.clock.now + duration
    while stage.clock.now < end { refresh() }
  }

  /// The application ends in an orderly way.
  func end() {
    application.closeAll()
    try? application.step()
    stage.step()
    _ = stage.finish()
  }

  // MARK: Fingers

  /// A finger on the lever in N, and then in `gear`.
  func takeLever(_ finger: Int32 = 1, to gear: Gear) {
    let start = scene.lever(.neutral)
    stage.seat.touchDown(finger, start.x, start.y)
    stage.seat.touchFrame()
    refresh()
    // A hand comes to the upper gears by way of the others.
    if case .forward(7...) = gear { move(finger, to: scene.lever(.forward(5))) }
    move(finger, to: scene.lever(gear))
  }

  /// A finger on the rim, turned by so many degrees.
  func takeWheel(_ finger: Int32 = 2, degrees: Double) {
    let start = scene.rim(0)
    stage.seat.touchDown(finger, start.x, start.y)
    stage.seat.touchFrame()
    refresh()
    move(finger, to: scene.rim(degrees))
  }

  func move(_ finger: Int32, to place: Point) {
    stage.seat.touchMotion(finger, place.x, place.y)
    stage.seat.touchFrame()
    refresh()
  }

  func lift(_ finger: Int32) {
    stage.seat.touchUp(finger)
    stage.seat.touchFrame()
    settle()
  }
}
