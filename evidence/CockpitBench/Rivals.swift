import Foundation
import Glibc
import UICore

/// The samples of a comparison that are not figures of a round.
struct RivalRecord: Codable {
  /// How each client is started, by its name.
  var commands: [String: String] = [:]
  /// The milliseconds from each motion to the commit that showed it, by client, round by round.
  var latencies: [String: [[Double]]] = [:]
  /// The same with a quarter of a processor.
  var limitedLatencies: [String: [[Double]]] = [:]
  /// Each client's rest and memory over minutes.
  var steady: [String: SteadyRecord] = [:]
  /// True if cold starts had all caches of the kernel emptied; false if only the files that the program maps were dropped.
  var dropsCaches = false
  /// True if clients could be limited to a quarter of a processor.
  var limitsProcessor = false
  /// The seconds of a drive in a round.
  var seconds = 0.0
}

/// A client's rest and memory over minutes, measured while the others ran beside it.
struct SteadyRecord: Codable {
  /// The seconds at rest, and how often the client's threads woke and committed in them.
  var restSeconds = 0.0
  var wakeUps = 0
  var commits = 0
  /// The memory between drives: seconds since driving began, and bytes.
  var samples: [MemorySample] = []
  /// The slopes of the memory since `warmUp` seconds, in bytes an hour, with their standard errors.
  var warmUp = 0.0
  var slope: [Double] = []
  var privateSlope: [Double] = []

  struct MemorySample: Codable {
    var time: Double
    var memory: Int
    var privateDirty: Int
  }

  /// Computes the slopes from the samples after the first fifth of `seconds`, in which caches fill.
  mutating func computeSlopes(seconds: Double) {
    warmUp = seconds / 5
    let late = samples.filter { $0.time >= warmUp }
    func slope(_ value: (MemorySample) -> Int) -> [Double] {
      Statistics.slope(late.map { ($0.time / 3600, Double(value($0))) }).map { [$0.slope, $0.error] } ?? []
    }
    self.slope = slope(\.memory)
    privateSlope = slope(\.privateDirty)
  }
}

/// Measures programs that show the same panel and that were made with different toolkits.
struct Rivals {
  let options: BenchOptions

  static let scene = "panel"
  /// The fraction of a processor that is left in the rounds with little time.
  static let fraction = 0.25

  /// Fills `report` with the figures of every client.
  func run(_ report: inout Report) throws(BenchError) {
    var record = RivalRecord()
    record.seconds = options.seconds
    for client in options.rivals {
      let settings = client.variables.map { "\($0.key)=\($0.value)" }.sorted()
      record.commands[client.name] = (settings + client.words).joined(separator: " ")
    }
    if options.isSteady {
      for client in options.rivals {
        let seconds = (rest: options.rest, driving: options.minutes * 60)
        record.steady[client.name] = try PanelMeasurer(client).steady(rest: seconds.rest, driving: seconds.driving)
      }
    } else {
      for round in 0..<options.rounds {
        Progress.prefix = "round \(round + 1) of \(options.rounds): "
        let before = MachineLoad()
        report.figures.record(Machine.integerLoop(), "a fixed integer loop", "ms", client: "machine")
        for client in round % 2 == 0 ? options.rivals : options.rivals.reversed() {
          Progress.show(client.name)
          try PanelMeasurer(client).round(seconds: options.seconds, &report.figures, &record)
        }
        report.figures.record(
          MachineLoad().othersFraction(since: before) * 100, "other programs' share of the processors", "%",
          client: "machine")
      }
      Progress.prefix = ""
      try watch(&record)
    }
    report.rivals = record
  }

  /// Measures the rest and the memory of all clients at once, each on a compositor in a process of its own: counts and bytes
  /// suffer no load.
  private func watch(_ record: inout RivalRecord) throws(BenchError) {
    Progress.show("\(options.rest) s at rest and \(options.minutes) minutes of driving, all at once")
    let folder = NSTemporaryDirectory() + "cockpit-bench-rivals-\(getpid())"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    var children: [Child] = []
    for (index, client) in options.rivals.enumerated() {
      children.append(
        try Child(
          [
            "/proc/self/exe", "--rival", client.name, record.commands[client.name] ?? "", "--steady", "--patience", "0",
            "--rest", "\(options.rest)", "--minutes", "\(options.minutes)", "--record", "\(folder)/\(index).json",
          ], environment: ProcessInfo.processInfo.environment, output: .descriptor(nowhere)))
    }
    while !children.allSatisfy(\.hasEnded) { usleep(100_000) }
    for (index, client) in options.rivals.enumerated() {
      let report = try Report(contentsOf: "\(folder)/\(index).json")
      record.steady[client.name] = report.rivals?.steady[client.name]
    }
  }
}

/// Measures one client that shows the panel: a dial at the left and two sliders at the right.
final class PanelMeasurer {
  private let client: ClientSpecification
  private static let size = PixelSize(width: 1280, height: 720)
  /// The circle on whose rim the finger moves, which is that of the mark's centre.
  private static let dial = WheelPlace(center: Point(x: 380, y: 360), radius: 200 / 0.93)
  /// The circle whose rows of pixels tell the mark's position: the outermost row goes through the mark at the top.
  private static let face = WheelPlace(center: Point(x: 380, y: 360), radius: 250)
  private static let fingers: (dial: Int32, slider: Int32) = (1, 2)
  private var motion = 0

  init(_ client: ClientSpecification) { self.client = client }

  // MARK: A round

  /// Takes a round's samples: starts, memory, and drives with a whole processor and with a part of one.
  func round(seconds: Double, _ figures: inout Figures, _ record: inout RivalRecord) throws(BenchError) {
    let compositor = try MeasuringCompositor(size: PanelMeasurer.size)
    func add(_ value: Double?, _ name: String, _ unit: String) {
      figures.record(value, name, unit, client: client.name, scene: Rivals.scene)
    }
    record.dropsCaches = try dropFiles(compositor)
    add(try start(compositor, ending: true).milliseconds, "start, nothing in memory", "ms")
    var starts: [Double] = []
    for _ in 0..<2 { starts.append(try start(compositor, ending: true).milliseconds) }
    let (child, last) = try compositor.startAndAwaitFrame(of: client)
    defer { child.end() }
    add(Statistics.median(starts + [last]), "start", "ms")
    compositor.run(milliseconds: 1500)
    var cost = child.cost
    add(Double(cost.memory) / 1e6, "PSS after the start", "MB")
    add(Double(cost.privateDirty) / 1e6, "private dirty after the start", "MB")
    try takeHold(compositor)
    var thumb = Fingerprints(WheelPlace(center: Point(x: 960, y: 320), radius: 20), size: PanelMeasurer.size)
    let prints = try learn(compositor, &thumb)
    // A thumb that moves shows another part of itself, or none, where it was.
    add(thumb.distinctCount > 8 ? 1 : 0, "sliders that follow a second finger", "")
    let free = try drive(child, compositor, prints, seconds: seconds)
    add(free.onTime * 100, "frames on time", "%")
    add(Statistics.median(free.latencies), "input to commit, p50", "ms")
    add(Statistics.percentile(0.99, free.latencies), "input to commit, p99", "ms")
    add(free.processorMilliseconds, "CPU a motion", "ms")
    add(free.commits, "commits a motion", "")
    cost = child.cost
    add(Double(cost.memory) / 1e6, "PSS after a drive", "MB")
    add(Double(cost.privateDirty) / 1e6, "private dirty after a drive", "MB")
    record.latencies[client.name, default: []].append(free.latencies)
    guard let quota = ProcessorQuota(fraction: Rivals.fraction), quota.limit(child.identifier) else { return }
    record.limitsProcessor = true
    compositor.run(milliseconds: 300)
    let limited = try drive(child, compositor, prints, seconds: seconds)
    add(limited.onTime * 100, "frames on time with 25 % of a processor", "%")
    add(Statistics.median(limited.latencies), "input to commit with 25 % of a processor, p50", "ms")
    add(Statistics.percentile(0.99, limited.latencies), "input to commit with 25 % of a processor, p99", "ms")
    record.limitedLatencies[client.name, default: []].append(limited.latencies)
    // The group can go once it is empty.
    child.end()
  }

  /// Makes the next start read from the disk; returns whether all caches were emptied.
  private func dropFiles(_ compositor: MeasuringCompositor) throws(BenchError) -> Bool {
    if Machine.dropCaches() { return true }
    let (child, _) = try compositor.startAndAwaitFrame(of: client)
    let files = Machine.files(mappedBy: child.identifier)
    child.end()
    Machine.dropPages(of: files)
    return false
  }

  private func start(_ compositor: MeasuringCompositor, ending: Bool) throws(BenchError) -> (
    Child, milliseconds: Double
  ) {
    let started = try compositor.startAndAwaitFrame(of: client)
    if ending { started.child.end() }
    return started
  }

  // MARK: Fingers

  /// Puts both fingers down: one on the dial's rim, one on the thumb of the upper slider.
  private func takeHold(_ compositor: MeasuringCompositor) throws(BenchError) {
    let seat = compositor.stage.seat
    guard seat.touchCount > 0 else { throw .client(name: client.name, "asked for no touch screen") }
    motion = 0
    let places = places
    seat.touchDown(PanelMeasurer.fingers.dial, places.dial.x, places.dial.y)
    seat.touchDown(PanelMeasurer.fingers.slider, places.slider.x, places.slider.y)
    seat.touchFrame()
    compositor.run(milliseconds: 100)
  }

  private func move(_ compositor: MeasuringCompositor) {
    motion += 1
    let seat = compositor.stage.seat, places = places
    seat.touchMotion(PanelMeasurer.fingers.dial, places.dial.x, places.dial.y)
    seat.touchMotion(PanelMeasurer.fingers.slider, places.slider.x, places.slider.y)
    seat.touchFrame()
    compositor.stage.flush()
  }

  private func letGo(_ compositor: MeasuringCompositor) {
    compositor.stage.seat.touchUp(PanelMeasurer.fingers.dial)
    compositor.stage.seat.touchUp(PanelMeasurer.fingers.slider)
    compositor.stage.seat.touchFrame()
  }

  /// The places of both fingers after the present motion. The slider's finger begins where the thumb is, in its middle.
  private var places: (dial: Point, slider: Point) {
    let count = WheelPlace.positions.count
    let turn = 2 * Double.pi * Double(motion % count) / Double(count)
    return (
      PanelMeasurer.dial.rim(WheelPlace.positions[motion % count]), Point(x: 960 + 140 * sin(turn), y: 320)
    )
  }

  /// Moves slowly through every position and learns the dial's images, and those around the place where the slider's thumb began.
  private func learn(
    _ compositor: MeasuringCompositor, _ thumb: inout Fingerprints
  ) throws(BenchError) -> Fingerprints {
    var prints = Fingerprints(PanelMeasurer.face, size: PanelMeasurer.size)
    var hasCommitted = false
    compositor.stage.onCommit = { _, record in hasCommitted = hasCommitted || record.hasContent }
    defer { compositor.stage.onCommit = nil }
    // The first eight are learnt twice: some toolkits follow a finger only once it has gone some way.
    for _ in 0..<WheelPlace.positions.count + 8 {
      hasCommitted = false
      move(compositor)
      compositor.run(until: Time.now + 500_000_000) { hasCommitted }
      // One frame may be followed by another.
      compositor.run(milliseconds: 35)
      guard let buffer = compositor.surface?.buffer else { continue }
      prints.learn(motion % WheelPlace.positions.count, from: buffer)
      thumb.learn(motion % WheelPlace.positions.count, from: buffer)
    }
    guard prints.distinctCount == WheelPlace.positions.count else {
      throw .client(
        name: client.name, "shows \(prints.distinctCount) of \(WheelPlace.positions.count) positions of the dial")
    }
    return prints
  }

  /// The results of a drive.
  private struct Drive {
    /// Milliseconds from each motion to the first commit that shows it, or a later one.
    var latencies: [Double] = []
    /// The fraction of the motions' refreshes that had a new position of the dial to show.
    var onTime = 0.0
    /// The processor time and the commits for each motion.
    var processorMilliseconds = 0.0
    var commits = 0.0
  }

  /// The times of a drive's motions after each refresh, as fractions of the time between two, a third of the drive each. A client that
  /// draws at once and one that waits for the refresh would change places if motions came at one time only.
  private static let phases = [1.0 / 6, 3.0 / 6, 5.0 / 6]

  /// Moves both fingers once between any two refreshes.
  private func drive(
    _ child: Child, _ compositor: MeasuringCompositor, _ prints: Fingerprints, seconds: Double
  ) throws(BenchError) -> Drive {
    var drive = Drive()
    var (motions, commits) = (0, 0)
    var shown = ShownMotions(prints, first: motion + 1)
    var fresh: Set<Int> = []
    compositor.stage.onCommit = { [self] surface, record in
      let now = Time.now
      guard record.hasContent, surface.role.isWindow, let buffer = surface.buffer else { return }
      commits += 1
      let sent = shown.committed(buffer, latest: motion)
      guard !sent.isEmpty else { return }
      drive.latencies += sent.map { Double(now - $0) / 1e6 }
      fresh.insert(compositor.refreshes)
    }
    let before = child.cost
    for phase in PanelMeasurer.phases {
      let (duration, delay) = (seconds / Double(PanelMeasurer.phases.count) * 1e9, phase * Double(compositor.interval))
      compositor.run(for: Int64(duration), after: Int64(delay), every: compositor.interval) { [self] in
        shown.sent(motion + 1)
        move(compositor)
        motions += 1
      }
    }
    // Frames of the last motions may still come.
    compositor.run(milliseconds: 150)
    compositor.stage.onCommit = nil
    let spent = Double(child.cost.since(before).processorNanoseconds) / 1e6
    guard !child.hasEnded else { throw .client(name: client.name, "ended during a drive") }
    drive.onTime = min(1, Double(fresh.count) / Double(max(1, motions)))
    drive.processorMilliseconds = spent / Double(max(1, motions))
    drive.commits = Double(commits) / Double(max(1, motions))
    return drive
  }

  // MARK: Over minutes

  /// Counts wake-ups at rest after a first drive, then watches the memory while fingers drive again and again.
  func steady(rest: Double, driving: Double) throws(BenchError) -> SteadyRecord {
    let compositor = try MeasuringCompositor(size: PanelMeasurer.size)
    let (child, _) = try compositor.startAndAwaitFrame(of: client)
    defer { child.end() }
    compositor.run(milliseconds: 1500)
    try hold(compositor, seconds: 2)
    compositor.run(milliseconds: 5000)
    var record = SteadyRecord(restSeconds: rest)
    compositor.surface?.forgetCommits()
    // In short steps, because a thread that ends takes the number of its wake-ups with it.
    let end = Time.now + Int64(rest * 1e9)
    var before = child.cost
    while Time.now < end {
      compositor.run(until: min(end, Time.now + 500_000_000))
      let now = child.cost
      record.wakeUps += now.since(before).wakeUps
      before = now
    }
    record.commits = compositor.surface?.commits.count ?? 0
    let start = Time.now
    var passed: Double { Double(Time.now - start) / 1e9 }
    while passed < driving {
      try hold(compositor, seconds: min(4.5, driving))
      compositor.run(milliseconds: 500)
      let cost = child.cost
      record.samples.append(.init(time: passed, memory: cost.memory, privateDirty: cost.privateDirty))
      compositor.surface?.forgetCommits()
    }
    guard !child.hasEnded else { throw .client(name: client.name, "ended by itself") }
    record.computeSlopes(seconds: driving)
    return record
  }

  /// Puts both fingers down, moves them with each refresh, and lifts them.
  private func hold(_ compositor: MeasuringCompositor, seconds: Double) throws(BenchError) {
    try takeHold(compositor)
    compositor.run(for: Int64(seconds * 1e9), after: 3_000_000, every: compositor.interval) { [self] in
      move(compositor)
    }
    letGo(compositor)
  }
}
