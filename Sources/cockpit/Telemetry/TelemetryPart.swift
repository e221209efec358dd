import DriveLink
import Glibc
import Linux
import Shell
import UICore

/// Reads a vehicle's lines in the event loop. The drive never waits for them: missing lines are shown as stale.
final class TelemetryPart: SessionPart {
  /// The source that is read here; nil if all comes from the consumer of the drive.
  private let place: DriveEndpoint?
  /// Whose lines are answered; nil if nothing is driven.
  private let output: DriveOutput?
  /// The newest answer, without the number that changes with each.
  private var answer: DriveAnswer?
  private let display: TelemetryDisplay
  private weak var relay: ContentRelay?
  private let loop: EventLoop
  private(set) var lines = TelemetryLines()
  /// The socket that is read, or a duplicate of standard input; nil while nothing is read.
  private var input: Descriptor?
  /// True after a UDP socket could not be opened, which is reported once.
  private var hasFailed = false
  private var backOff = BackOff(least: .milliseconds(50), most: .seconds(2))
  private lazy var retryTimer = LoopTimer(loop: loop) { [unowned self] in open() }
  private lazy var staleTimer = LoopTimer(loop: loop) { [unowned self] in expire() }
  private lazy var answerTimer = LoopTimer(loop: loop) { [unowned self] in
    answer = nil
    (figures, figuresTime) = (nil, .zero)
    relay?.record(.stale(.answer)) {
      display.showStale(.answer)
      output?.noteAnswer(nil)
    }
  }
  /// How good the way to the consumer and back is; asked while its answers come.
  var quality: () -> LinkQuality? = { nil }
  /// The figures that are shown of it, and the time until which they stay: figures that change with each answer cannot be read.
  private var figures: LinkFigures?
  private var figuresTime = MonotonicTime.zero
  private static let figuresPause = Duration.milliseconds(500)
  /// The times at which values become unknown.
  private var ends: [(fields: Telemetry.Fields, time: MonotonicTime)] = []

  init(
    from place: DriveEndpoint?, to display: TelemetryDisplay, output: DriveOutput? = nil, relay: ContentRelay,
    loop: EventLoop
  ) {
    self.place = place
    self.output = output
    self.display = display
    self.relay = relay
    self.loop = loop
    open()
  }

  func end() {
    close()
    retryTimer.time = nil
    staleTimer.time = nil
    answerTimer.time = nil
    Log.write(.drive, .info, "\(lines.count) lines of telemetry, \(lines.malformed) not understood")
  }

  private func open() {
    switch place {
    case .standard: input = Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
    case .unix(let path): input = Descriptor.socket(connectedTo: path)
    case .udp(let host, let port): input = bindSocket(to: host, port)
    case .bridge, nil: return
    }
    guard let descriptor = input?.number else {
      if let place, case .udp = place, !hasFailed {
        Cockpit.complain("--telemetry \(place): \(systemMessage(errno)); trying again")
        hasFailed = true
      }
      return retry()
    }
    loop.watchReadable(descriptor) { [unowned self] in read(descriptor) }
  }

  /// Takes what the consumer of the drive says: its answers, and the vehicle's values unless another source is named.
  func take(_ said: Telemetry) {
    var said = said
    if place != nil { said.forgetValues() }
    var new = said.answer
    new?.acknowledged = nil
    if new != nil {
      answerTimer.time = loop.clock.now + Telemetry.timeout
      showQuality()
    }
    // The numbers of answers alone are no news.
    guard !said.fields.isEmpty || new != answer else { return }
    if new != nil { answer = new }
    show(said)
  }

  private func showQuality() {
    let now = loop.clock.now
    guard now >= figuresTime, let new = quality().map(LinkFigures.init) else { return }
    figuresTime = now + TelemetryPart.figuresPause
    guard new != figures else { return }
    figures = new
    relay?.record(.quality(new)) { display.show(new) }
  }

  private func retry() { retryTimer.time = loop.clock.now + backOff.wait() }

  /// The time that reading may take at once: the window and the drive have their turn after it.
  private static let turn = Duration.milliseconds(2)

  private func read(_ descriptor: Int32) {
    var all: Telemetry?
    let (before, knewBad) = (lines.malformed, lines.firstMalformed != nil)
    let end = MonotonicTime.system + TelemetryPart.turn
    let isOver = { MonotonicTime.system >= end }
    let isOpen = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer -> Bool in
      if case .udp = place {
        // Read everything received, because leftover data would later be read as if it were new.
        repeat {
          let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
          guard count >= 0 else { break }
          guard let telemetry = lines.take(datagram: buffer[..<count], until: isOver) else { continue }
          if all == nil { all = telemetry } else { all?.merge(telemetry) }
        } while !isOver()
        return true
      }
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { all = lines.take(buffer[..<count], until: isOver) }
      return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
    }
    if lines.malformed != before || (!knewBad && lines.firstMalformed != nil) { reportMalformed(isFirst: !knewBad) }
    if let all { show(all) } else if lines.malformed != before { refuse() }
    if isOpen { return backOff.reset() }
    lines.cut()
    close()
    switch place {
    // The end of standard input is final, because no writer can open it again.
    case .standard, .bridge, nil: break
    case .unix, .udp: retry()
    }
  }

  /// A vehicle whose lines are not understood would show NO DATA without a reason: the first of them is reported, the others
  /// are logged.
  private func reportMalformed(isFirst: Bool) {
    Log.write(.drive, .debug, "\(lines.malformed) lines of telemetry not understood")
    guard isFirst, let line = lines.firstMalformed else { return }
    Cockpit.complain("a line of telemetry is not understood, see docs/drive.md: \(shown(line, limit: 120))")
  }

  private func close() {
    guard let descriptor = input?.number else { return }
    loop.unwatch(descriptor)
    input = nil
  }

  /// Shows that lines come of which none can be read.
  private func refuse() {
    guard display.isStale else { return }
    if !display.isRefused { relay?.record(.refused) { display.showRefused() } }
    ends = [(.all, loop.clock.now + Telemetry.timeout)]
    staleTimer.time = ends[0].time
  }

  private func show(_ telemetry: Telemetry) {
    relay?.record(.telemetry(telemetry.line)) {
      display.show(telemetry)
      if let answer = telemetry.answer { output?.noteAnswer(answer) }
    }
    guard telemetry.hasValues else { return }
    let now = loop.clock.now
    ends.removeAll { $0.fields == .all || telemetry.fields.contains($0.fields) }
    for field in Telemetry.Fields.each where telemetry.fields.contains(field) {
      ends.append((field, now + field.timeout))
    }
    // If no line arrives, everything becomes unknown.
    ends.append((.all, now + Telemetry.timeout))
    staleTimer.time = ends.map(\.time).min()
  }

  /// Shows values as unknown whose time is over.
  private func expire() {
    let now = loop.clock.now
    let over = ends.filter { $0.time <= now }.reduce(into: Telemetry.Fields()) { $0.formUnion($1.fields) }
    if over == .all { ends.removeAll() } else { ends.removeAll { $0.time <= now } }
    staleTimer.time = ends.map(\.time).min()
    relay?.record(.stale(over)) { display.showStale(over) }
  }
}

/// The quality of the way to a consumer and back, as it is shown.
struct LinkFigures: Hashable, Sendable {
  /// The longest time that is shown, in milliseconds.
  static let longest = 9999

  /// The time from a line to its answer in whole milliseconds, at least 1.
  let milliseconds: Int
  /// The part of the lines without an answer, in whole per cent.
  let loss: Int

  init(milliseconds: Int, loss: Int) { (self.milliseconds, self.loss) = (milliseconds, loss) }

  init(_ quality: LinkQuality) {
    let time = (quality.roundTrip.inNanoseconds + 500_000) / 1_000_000
    self.init(
      milliseconds: Int(min(max(time, 1), Int64(LinkFigures.longest))), loss: Int((quality.loss * 100).rounded()))
  }

  /// True if a driver should know: a fifth of a second there and back, or one line in twenty without an answer.
  var needsAttention: Bool { milliseconds >= 200 || loss >= 5 }

  var roundTripText: String { "\(Language.current.roundTrip) \(milliseconds) ms" }
  var text: String { "\(roundTripText) · \(Language.current.loss) \(loss) %" }
}

/// Puts telemetry on the scene's instruments. A value that is missing or too old is shown as unknown.
final class TelemetryDisplay {
  private let scene: CockpitScene
  private var known = Telemetry()
  private(set) var isStale = true
  /// True while lines come, but none that can be read.
  private(set) var isRefused = false
  private var figures: LinkFigures?
  /// True from the first charge that the vehicle's file calls low until one that is clearly higher: a value that trembles warns once.
  private var isBatteryLow = false
  private static let batteryPlay = 0.02
  /// Called with the charge in per cent when the battery becomes low by the vehicle's file.
  var onLowBattery: ((Int) -> Void)?
  /// False until the vehicle's own values are expected or come: a consumer without values so far may stay without them.
  private var hasVehicle: Bool
  /// What is shown of this machine.
  private(set) var machine: MachineNotice?

  /// A display that is in sight from the start, or only once there is a value.
  init(scene: CockpitScene, isInSight: Bool = true) {
    self.scene = scene
    hasVehicle = isInSight
    guard isInSight else { return }
    scene.car.followsTelemetry = true
    update()
  }

  /// Shows a line of telemetry; values that it omits stay unchanged.
  func show(_ telemetry: Telemetry) {
    // What only says who drives is no sign of the vehicle.
    guard telemetry.hasValues else { return }
    scene.car.followsTelemetry = true
    hasVehicle = true
    known.take(telemetry.fields, of: telemetry)
    (isStale, isRefused) = (false, false)
    update()
  }

  /// Shows these values as unknown, because they were not received for too long.
  func showStale(_ fields: Telemetry.Fields) {
    guard fields != .answer else {
      figures = nil
      return updatePanel()
    }
    known.take(fields, of: Telemetry())
    isStale = fields == .all
    isRefused = false
    update()
  }

  /// Shows that lines come, but none that can be read; only while all values are unknown.
  func showRefused() {
    isRefused = isStale
    hasVehicle = true
    update()
  }

  /// Shows how good the way to the consumer and back is, until no answer comes any more.
  func show(_ figures: LinkFigures) {
    self.figures = figures
    updatePanel()
  }

  /// Shows how this machine is; nothing of it for nil.
  func show(_ machine: MachineNotice?) {
    let old = self.machine?.warning ?? .none
    self.machine = machine
    updatePanel()
    if let machine, machine.warning == .severe, old < .severe {
      scene.announce(machine.warnings(from: .severe, in: .current).joined(separator: ", "))
    }
  }

  private func update() {
    let speedometer = scene.cluster.speedometer
    if let speed = known.speed { speedometer.speed = abs(speed) }
    speedometer.isKnown = known.speed != nil
    judgeBattery()
    updatePanel()
  }

  private func judgeBattery() {
    guard let alarm = scene.batteryAlarm?.alarm, let battery = known.battery else { return }
    let wasLow = isBatteryLow
    isBatteryLow = battery <= alarm || (wasLow && battery <= alarm + TelemetryDisplay.batteryPlay)
    guard isBatteryLow, !wasLow else { return }
    let percent = Int((battery * 100).rounded())
    scene.announce("\(Language.current.batteryLow): \(percent) %")
    onLowBattery?(percent)
  }

  private func updatePanel() {
    guard hasVehicle || figures != nil || machine != nil || scene.cluster.telemetry != nil else { return }
    var content = TelemetryPanel.Content(known, isStale: isStale, isRefused: isRefused)
    (content.figures, content.machine, content.hasVehicle) = (figures, machine, hasVehicle)
    if scene.batteryAlarm != nil {
      content.isBatteryLow = isBatteryLow && known.battery != nil
      // What the vehicle itself warns of may be why.
      if content.isBatteryLow { content.warnings.append(Language.current.batteryLow) }
    }
    scene.cluster.showTelemetry(content)
  }
}
