import Controls
import DriveLink
import Glibc
import Linux
import Shell
import UICore

/// Connects a `DriveOutput` to the loop and to the relay between window and scene.
final class DrivePart: SessionPart {
  let output: DriveOutput
  private(set) weak var window: Window?
  private let sender: DriveSender?
  /// Where the sender's lines go; nil without one.
  private let place: DriveEndpoint?
  private let loop: EventLoop
  private weak var relay: ContentRelay?
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in wake() }
  private var report = DriveSender.Report()
  /// Checks that holds give signs of life; nil if disabled.
  var vigilance: Vigilance?
  /// Checks the screen with every line.
  weak var watch: DisplayWatch?
  var onCommandingChange: ((Bool) -> Void)?
  private var wasCommanding = false
  /// How good the way to the consumer and back is; nil without answers.
  var quality: LinkQuality? { sender?.quality }
  /// Called with what the consumer says.
  var onSaid: ((Telemetry) -> Void)?

  /// Connects `output`, a part of the relay, to the loop; `sender` is its sink if that is a `DriveSender`, whose lines go to `place`.
  init(
    _ output: DriveOutput, sender: DriveSender? = nil, to place: DriveEndpoint? = nil, relay: ContentRelay,
    loop: EventLoop
  ) {
    self.output = output
    self.sender = sender
    self.place = place
    self.loop = loop
    self.relay = relay
    // Right after the output, which decides.
    relay.parts.insert(self, at: (relay.parts.firstIndex { $0 === output } ?? -1) + 1)
    output.onWakeTimeChange = { [unowned self] in timer.time = output.wakeTime }
    guard let sender else { return }
    output.onLine = { line in
      Log.write(.drive, .debug, "\(line.sequence): \(line.state) \(line.reason), gear \(line.command.gear)")
    }
    loop.watchReadable(sender.noticeDescriptor) { [unowned self] in noticed(sender) }
  }

  func follow(_ window: Window) {
    self.window = window
    updateWindow()
  }

  func willHandle(_ event: InputEvent) { vigilance?.note(event) }

  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime) {
    vigilance?.evaluate(at: time)
    updateWindow()
  }

  /// Records a loss of input that no window event reports.
  func reportLoss(_ reason: DriveReason) {
    relay?.record(.loss(reason)) { output.recordLoss(reason) }
  }

  /// Ends the drive, because the process is about to be stopped, and waits a moment until the line is out.
  func willStop() {
    if output.isCommanding || output.isHeld { reportLoss(.suspended) }
    sender?.drain()
  }

  /// Counts the end of a sensor's steering as a loss of input while the vehicle may move.
  func follow(_ tilt: TiltSteering) {
    tilt.onLoss = { [unowned self] reason in if output.stream.isCommanding { reportLoss(reason) } }
  }

  /// Sends the last line, and waits a moment for that.
  func end() {
    timer.time = nil
    guard let sender else { return }
    loop.unwatch(sender.noticeDescriptor)
    sender.finish()
    let report = sender.report
    Log.write(.drive, .info, "\(report.sent) lines sent, \(report.dropped) overtaken")
  }

  /// Shows whether there is a consumer yet, and what is driven, for three seconds or until a hand drives.
  func begin(_ summary: DriveSummary?, on scene: CockpitScene) {
    if let sender { noteLink(sender.report) }
    guard let summary else { return }
    output.startNotice = LossNotice(reason: .start, summary: summary)
    scene.wake(at: loop.clock.now + DriveSummary.duration) { [output] in output.startNotice = nil }
  }

  /// Checks that the compositor answers while a vehicle is commanded: a frozen one would not report a lifted finger.
  private func updateWindow() {
    let isCommanding = output.isCommanding
    window?.needsAnswers = output.needsAnswers
    guard isCommanding != wasCommanding else { return }
    wasCommanding = isCommanding
    onCommandingChange?(isCommanding)
  }

  private func wake() {
    let now = loop.clock.now
    output.wake(at: now)
    if vigilance?.isSilent(at: now, output.stream.line) == true { reportLoss(.inputSilent) }
    watch?.update(at: now)
    updateWindow()
    timer.time = output.wakeTime
  }

  /// Notifies the drive if the consumer was connected or lost, or stopped reading.
  private func noteLink(_ report: DriveSender.Report) {
    let fault = place.flatMap { LinkFault(report.status, report.errno, to: $0) }
    guard report.status != output.link || fault != output.linkFault else { return }
    if let fault, fault != output.linkFault { Log.write(.drive, .error, fault.message(report.errno)) }
    relay?.record(.link(report.status, fault)) { output.noteLink(report.status, fault) }
  }

  private func noticed(_ sender: DriveSender) {
    sender.clearNotice()
    wake()
    if let said = sender.takeSaid() { onSaid?(said) }
    let new = sender.report
    if new.hangs > report.hangs { Log.write(.drive, .error, "the user interface hung; the vehicle was stopped") }
    if new.status != report.status {
      switch new.status {
      case .open: Log.write(.drive, .info, "connected")
      case .waiting: Log.write(.drive, .info, "no consumer, trying again: \(systemMessage(new.errno))")
      case .stalled: Log.write(.drive, .error, "the consumer takes no lines")
      case .ended: break  // Always a fault, which is reported below.
      }
    }
    report = new
    noteLink(new)
  }
}
