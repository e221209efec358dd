import DriveLink
import Glibc
import Linux
import Shell
import UICore

/// Reads a vehicle's lines within the loop. The drive never waits for them: missing lines are shown as stale.
final class TelemetrySession {
  private let place: DriveEndpoint
  private let display: TelemetryDisplay
  private let relay: ContentRelay
  private let loop: EventLoop
  private(set) var lines = TelemetryLines()
  /// The socket that is read, or a copy of standard input; nil for none.
  private var input: Descriptor?
  private var backOff = BackOff(least: .milliseconds(50), most: .seconds(2))
  private lazy var retryTimer = LoopTimer(loop: loop) { [unowned self] in open() }
  private lazy var staleTimer = LoopTimer(loop: loop) { [unowned self] in
    relay.perform(.stale) { display.showStale() }
  }

  /// Begins to read from `place`.
  init(from place: DriveEndpoint, to display: TelemetryDisplay, relay: ContentRelay, loop: EventLoop) {
    self.place = place
    self.display = display
    self.relay = relay
    self.loop = loop
    open()
  }

  /// Stops reading.
  func end() {
    close()
    retryTimer.time = nil
    staleTimer.time = nil
    Log.write(.drive, .info, "\(lines.count) lines of telemetry, \(lines.malformed) not understood")
  }

  private func open() {
    switch place {
    case .standard: input = Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
    case .unix(let path): input = connectSocket(at: path)
    case .udp: return
    }
    guard let descriptor = input?.number else { return retry() }
    loop.watchReadable(descriptor) { [unowned self] in read(descriptor) }
  }

  private func retry() { retryTimer.time = loop.clock.now + backOff.wait() }

  private func read(_ descriptor: Int32) {
    var newest: (line: String, telemetry: Telemetry)?
    let before = lines.malformed
    let count = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer -> Int in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { newest = lines.take(buffer[..<count]) }
      return count
    }
    if lines.malformed != before { Log.write(.drive, .debug, "\(lines.malformed) lines of telemetry not understood") }
    if let newest { show(newest.line, newest.telemetry) }
    if count > 0 { return backOff.reset() }
    guard count == 0 || (errno != EAGAIN && errno != EINTR) else { return }
    lines.cut()
    close()
    // The end of standard input is final: no writer can open it again.
    if place != .standard { retry() }
  }

  private func close() {
    guard let descriptor = input?.number else { return }
    loop.unwatch(descriptor)
    input = nil
  }

  private func show(_ line: String, _ telemetry: Telemetry) {
    relay.perform(.telemetry(line)) { display.show(telemetry) }
    staleTimer.time = loop.clock.now + Telemetry.timeout
  }
}

/// Puts telemetry on the scene's instruments. A value that is missing or too old is shown as unknown.
final class TelemetryDisplay {
  private unowned let scene: CockpitScene
  private var newest: Telemetry?
  private var isStale = true

  /// Nothing is known yet.
  init(scene: CockpitScene) {
    self.scene = scene
    scene.drive.followsTelemetry = true
    update()
  }

  /// A line of telemetry arrived.
  func show(_ telemetry: Telemetry) {
    newest = telemetry
    isStale = false
    update()
  }

  /// No telemetry arrived for too long.
  func showStale() {
    isStale = true
    update()
  }

  private func update() {
    let speedometer = scene.cluster.speedometer
    if let speed = newest?.speed, !isStale { speedometer.speed = abs(speed) }
    speedometer.isKnown = !isStale && newest?.speed != nil
    scene.cluster.showTelemetry(TelemetryPanel.Content(newest, isStale: isStale))
  }
}
