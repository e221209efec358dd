import ControlTools
import Controls
import DriveLink
import Linux
import UICore

/// A scene that replays a recorded session. A replay drives nothing: lines are only returned.
///
/// It stands in for the window; the transform is always normal, because a record contains the steering that a sensor produced.
final class Replayer: ForwardingHost {
  let scene: CockpitScene
  let session: RecordedSession
  var onLine: ((DriveStream.Line) -> Void)?
  /// True to draw each frame, so that the last image is identical to the recorded one: a frame replaces only the damaged
  /// pixels, and a shape drawn at another time may differ from them in the last bit.
  var drawsEveryFrame = false
  private var image: PixelMemory?
  /// The last size that was played.
  private(set) var size = Size.zero
  private(set) var scale = Scale.one
  private(set) var now: MonotonicTime
  private(set) var isFullscreen = false
  let window: (any WindowHost)? = nil

  /// Always true, as while it was recorded.
  func canPaste(for seat: SeatID) -> Bool { true }

  /// Always true, as during recording: a cut deletes its text only if the clipboard accepted it.
  func setClipboard(_ text: String) -> Bool { true }
  private let assembly: SceneAssembly
  private var relay: ContentRelay { assembly.relay }
  private var telemetry: TelemetryDisplay? { assembly.telemetry }
  private var output: DriveOutput? { assembly.output }
  /// The session's scripted drive; nil if it had none.
  var demo: DemoDrive? { assembly.demo }
  private let hangs = RecordedHangs()
  /// The directory of the record.
  private let folder: String
  private var next = 0
  private var damage = Region()

  /// Creates the scene as it was at the session's start.
  ///
  /// - Throws: `LayoutFileError` if the record's scene cannot be shown.
  init(_ session: RecordedSession, name: String) throws(LayoutFileError) {
    self.session = session
    let header = session.header
    now = header.start
    // Older records do not say where the pictures of their scene are.
    folder = FileReader.folder(of: name)
    let (options, folder, hangs) = (header.options, folder, hangs)
    let file = try header.scene.map { text throws(LayoutFileError) in
      try LayoutFile(text: text, name: "the scene in \(name)", folder: header.sceneFolder ?? folder)
    }
    let scene = try CockpitScene(file, options)
    scene.adopt(header.look)
    scene.keyboard.isEnabled = header.keyboard != nil
    scene.keyboard.language = header.keyboard ?? .english
    self.scene = scene
    assembly = SceneAssembly(scene, options, identifier: header.identifier, start: header.start) { stream in
      // A sender has the first line too, before anything is published.
      _ = hangs.publish(stream)
      return DriveOutput(
        replaying: scene, isDeadMan: options.hasDeadMan, stream: stream, hangs: options.receiver == nil ? nil : hangs)
    }
    output?.onLine = { [unowned self] in onLine?($0) }
    relay.host = self
  }

  /// The next event's time after the session's start; nil at the end.
  var nextTime: MonotonicTime? { next < session.events.count ? session.events[next].time : nil }

  /// The size of the first frame; nil if the session has none.
  var firstSize: Size? {
    for case (_, .resize(let size, _, _)) in session.events { return size }
    return nil
  }

  var pixels: PixelSize { scale.pixelSize(size) }

  var hasDamage: Bool { !damage.isEmpty }

  /// The region of the image that changed since the last call, in pixels.
  func takeDamage() -> Region {
    defer { damage = Region() }
    return damage
  }

  /// Calls `onLine` with the session's first line.
  func begin() {
    if let output, session.header.options.receiver != nil { onLine?(output.stream.line) }
  }

  func playNext() {
    guard next < session.events.count else { return }
    let (time, event) = session.events[next]
    next += 1
    now = time
    switch event {
    case .resize(let size, let scale, let isFullscreen):
      (self.size, self.scale, self.isFullscreen) = (size, scale, isFullscreen)
      relay.resize(to: size, scale: scale)
      if drawsEveryFrame { image = SceneRenderer.memory(pixels) }
    case .input(let event): relay.handle(event)
    case .life(let event): relay.handle(event)
    case .wake: relay.handleWake(at: time)
    case .frame(let presentation):
      relay.prepareFrame(for: presentation)
      let changed = relay.takeDamage()
      damage.add(changed)
      if !changed.isEmpty { image?.withBuffer { relay.draw(changed, into: $0) } }
    case .telemetry(let line):
      guard let said = Telemetry(line: Array(line.utf8)) else { break }
      relay.record(event) {
        telemetry?.show(said)
        if let answer = said.answer { output?.noteAnswer(answer) }
      }
    case .refused: relay.record(event) { telemetry?.showRefused() }
    case .quality(let figures): relay.record(event) { telemetry?.show(figures) }
    case .machine(let notice): relay.record(event) { telemetry?.show(notice) }
    case .video(let notice): relay.record(event) { scene.show(notice, output: output) }
    case .videoFrame: break
    case .tilt(let degrees, let isLost):
      relay.record(event) {
        scene.cluster.tilt?.isLost = isLost
        scene.wheel.steer(toward: degrees)
      }
    case .look(let look): relay.record(event) { scene.adopt(look) }
    case .scene(let text, let folder):
      // A file with an error was not shown in the session either.
      relay.record(event) {
        try? scene.load(LayoutFile(text: text, name: "the scene", folder: folder ?? self.folder))
      }
    case .assist(let place, let command):
      relay.record(event) { try? place.view(in: scene)?.carryOut(command) }
    case .stale(let fields):
      relay.record(event) {
        telemetry?.showStale(fields)
        if fields == .answer { output?.noteAnswer(nil) }
      }
    case .loss(let reason): relay.record(event) { output?.recordLoss(reason) }
    case .link(let status, let fault): relay.record(event) { output?.noteLink(status, fault) }
    case .hang(let since, let reason, let sequence, let identifier):
      output?.wake(at: since)
      hangs.hang(since: since, reason: reason, sequence: sequence, identifier: identifier)
      // If the next event has the same time, the session noticed the hang after it had handled that event.
      if nextTime != time { output?.wake(at: time) }
    case .end: output?.wake(at: time)
    }
  }
}

/// A sink that keeps the lines, and repeats the recorded takeovers by the sender's thread.
final class RecordedHangs: DriveSink {
  private var newest: DriveStream?
  private var hang: (since: MonotonicTime, reason: DriveReason, sequence: UInt64, identifier: DriveIdentifier?)?
  /// More lines than a hang of an hour has.
  private static let most: UInt64 = 1_000_000

  func publish(_ stream: DriveStream) -> Bool {
    newest = stream
    return true
  }

  func beat() -> Bool { true }

  func hang(since: MonotonicTime, reason: DriveReason, sequence: UInt64, identifier: DriveIdentifier?) {
    hang = (since, reason, sequence, identifier)
  }

  func reclaim() -> DriveStream? {
    guard let hang, var stream = newest else { return nil }
    self.hang = nil
    while stream.nextSteady(until: hang.since) != nil {}
    if let identifier = hang.identifier { stream.renew(identifier) }
    _ = stream.enterSafeState(hang.reason, at: hang.since)
    var rest = RecordedHangs.most
    while stream.line.sequence < hang.sequence, rest > 0, let due = stream.nextSteadyTime {
      _ = stream.nextSteady(until: due)
      rest -= 1
    }
    return stream
  }
}
