import Foundation
import Glibc
import Stage
import UICore

/// The actions of fingers on a client while its frames are measured.
enum Use: String, Sendable {
  /// The wheel is turned, with a motion for each refresh that keeps its distance from it.
  case wheel
  /// The same, but motions drift through every distance from the refresh.
  case drift
  /// A thousand motions of the wheel a second.
  case flood
  /// The lever runs through all gears, one with each motion.
  case lever
  /// Two fingers move wheel and lever.
  case both
  /// No finger: the client's own animations are measured.
  case demo, beacon
  /// The wheel is turned until assistive technology has had its answers.
  case asked
  /// The wheel is turned while two other programs take all the processor that they get.
  case busy = "busy loops"

  /// The nanoseconds from one motion to the next.
  func period(_ refresh: Int64) -> Int64 {
    switch self {
    case .drift: refresh + 333_333
    case .flood: 1_000_000
    default: refresh
    }
  }

  /// True where each commit is compared with the motions, to know when they are shown.
  var knowsLatencies: Bool { self == .wheel || self == .drift || self == .asked }
  var turnsWheel: Bool { self != .lever && self != .demo && self != .beacon }
  var movesLever: Bool { self == .lever || self == .both }
}

/// A client's process in a round, with its figures.
struct Session: Sendable {
  /// The property that distinguishes the process from others of the client, for the names of its figures; empty if none is needed.
  var label = ""
  var arguments: [String] = []
  var variables: [String: String] = [:]
  /// The number of starts of which the round's sample is the median; 0 to measure none.
  var starts = 0
  /// True where the one start must read the program's files from the disk.
  var dropsPages = false
  /// True to measure a second of rest, and the memory after it.
  var rests = false
  var uses: [Use] = []
  /// The program of assistive technology that listens all the time, and asks in `asked`; nil for none.
  var assistant: String?
  /// The shown content, if it is not the cockpit at the window's size.
  var scene: String?
}

/// Measures a client at one size, once in each round.
final class Measurer {
  let client: ClientSpecification
  private let size: PixelSize
  private let places: Places
  private let session: Session
  private let seconds: Double
  /// The pictures of the wheel's positions, once they were learnt.
  private var prints: Fingerprints?
  /// The motions of this round so far.
  private var motion = 0
  private var isWheelHeld = false
  /// The motion at which the lever was taken hold of.
  private var leverStart = 0
  /// The client that asks, in a session that has one.
  private var assistant: Assistant?

  /// The positions that the finger goes through, in degrees from the top: to the right, and back between those, so that
  /// no two are alike.
  private static let positions: [Double] = {
    let right = (0..<32).map { -40 + 2.5 * Double($0) }
    let left = (0..<32).map { 38.75 - 2.5 * Double($0) }
    return right + left
  }()

  init(_ client: ClientSpecification, size: PixelSize, places: Places, session: Session, seconds: Double) {
    (self.client, self.size, self.places, self.session) = (client, size, places, session)
    self.seconds = seconds
  }

  /// Makes one round's samples; `lateness` gets the milliseconds by which the compositor's refreshes were late.
  func run(_ figures: inout Figures, _ lateness: inout [Double]) throws(BenchError) {
    let compositor = try MeasuringCompositor(size: size)
    defer { lateness += compositor.lateness }
    assistant = try session.assistant.map { program throws(BenchError) in
      try Assistant(program, environment: compositor.environment)
    }
    defer { assistant = nil }
    let scene = session.scene ?? size.text
    func record(_ value: Double?, _ name: String, _ unit: String) {
      figures.record(value, name, unit, client: client.name, scene: scene)
    }
    let suffix = session.label.isEmpty ? "" : ", \(session.label)"
    Progress.show("\(client.name), \(scene)\(suffix)")
    var starts: [Double] = []
    if session.dropsPages {
      let first = try start(compositor, &starts)
      let files = Machine.files(mappedBy: first.identifier)
      first.end()
      Machine.dropPages(of: files)
      starts.removeAll()
    }
    for _ in 1..<max(1, session.starts) { try start(compositor, &starts).end() }
    let child = try start(compositor, &starts)
    defer { child.end() }
    if session.starts > 0 { record(Statistics.median(starts), "start\(suffix)", "ms") }
    guard session.rests || !session.uses.isEmpty else { return }
    // Caches, first frames, late answers, and the needle's sweep of 1.3 s.
    compositor.run(milliseconds: 1500)
    if let assistant {
      let isReady = compositor.run(until: Time.now + 30_000_000_000) { assistant.answer() == "ready" }
      guard isReady else { throw .client(name: client.name, "is not found by assistive technology") }
    }
    if session.rests {
      compositor.surface?.forgetCommits()
      let before = child.cost
      compositor.run(milliseconds: 1000)
      let after = child.cost
      record(Double(after.memory) / 1e6, "memory (PSS)\(suffix)", "MB")
      record(Double(after.since(before).wakeUps), "idle wake-ups\(suffix)", "/s")
      record(compositor.surface.map { Double($0.commits.count) }, "idle commits\(suffix)", "")
    }
    isWheelHeld = false
    for use in session.uses {
      Progress.show("\(client.name), \(scene)\(suffix), \(use.rawValue)")
      try takeHold(use, compositor)
      if use.knowsLatencies, session.scene == nil, prints == nil { learn(compositor) }
      let busy = try (0..<(use == .busy ? 2 : 0)).map { _ throws(BenchError) in
        try Child(["/bin/sh", "-c", "while :; do :; done"], environment: [:])
      }
      defer { busy.forEach { $0.end() } }
      let drag = try drag(child, compositor, use)
      let name = use.rawValue
      if use == .busy {
        record(drag.longestGap, "\(name): longest gap between commits", "ms")
        continue
      }
      let commits = Double(drag.commits)
      record(drag.commits > 0 ? drag.processorMilliseconds / commits : nil, "\(name): CPU a frame", "ms")
      if use == .flood {
        record(Double(drag.commitsMeanwhile) / Double(drag.refreshes + 1), "\(name): commits a refresh", "")
      }
      if let prints, use.knowsLatencies {
        let known = prints.distinctCount > 32 ? drag.latencies : []
        record(Statistics.median(known), "\(name): true p50", "ms")
        record(Statistics.percentile(0.99, known), "\(name): true p99", "ms")
      }
      for (number, name) in zip(drag.answers.dropFirst(), ["p50", "p99", "most"]) {
        record(number, "\(use.rawValue): time of an answer, \(name)", "ms")
      }
      guard ![.drift, .flood, .asked].contains(use) else { continue }
      record(Statistics.median(drag.shares).map { $0 * 100 }, "\(name): damage", "%")
      record(Statistics.median(drag.requests), "\(name): damage requests", "")
      if use == .wheel {
        record(max(0, 1 - commits / Double(max(1, drag.motions))) * 100, "\(name): missed refreshes", "%")
      }
    }
  }

  /// Starts the client, waits for its first picture, and notes the milliseconds from before exec to it.
  private func start(_ compositor: MeasuringCompositor, _ starts: inout [Double]) throws(BenchError) -> Child {
    var painted: Int64?
    compositor.run(until: Time.now + 2_000_000_000) { compositor.surface == nil }
    compositor.stage.onCommit = { surface, record in
      if record.hasContent, surface.role == .window, painted == nil { painted = Time.now }
    }
    defer { compositor.stage.onCommit = nil }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let child = try compositor.start(
      client, session.arguments, variables: session.variables.merging(assistant?.variables ?? [:]) { $1 },
      output: .descriptor(nowhere))
    compositor.run(until: Time.now + 60_000_000_000) { painted != nil || child.hasEnded }
    guard let painted else { throw .client(name: client.name, "painted nothing") }
    starts.append(Double(painted - child.started) / 1e6)
    compositor.run(milliseconds: 50)
    return child
  }

  /// Goes slowly through every position and learns its picture.
  private func learn(_ compositor: MeasuringCompositor) {
    var prints = Fingerprints(places.wheel, size: size)
    // The first ones twice: what a finger that comes down shows besides has gone by then.
    for _ in 0..<Measurer.positions.count + 8 {
      move(.wheel, compositor)
      compositor.run(milliseconds: 40)
      if let buffer = compositor.surface?.buffer { prints.learn(motion % Measurer.positions.count, from: buffer) }
    }
    self.prints = prints
  }

  // MARK: Fingers

  private static let wheelFinger: Int32 = 1
  private static let leverFinger: Int32 = 2

  /// Puts the fingers of a use down that are not yet. The wheel is never let go: it would turn back by itself, and show other
  /// pictures when it is held again.
  private func takeHold(_ use: Use, _ compositor: MeasuringCompositor) throws(BenchError) {
    let seat = compositor.stage.seat
    guard use.turnsWheel || use.movesLever else { return }
    guard !seat.touches.isEmpty else { throw .client(name: client.name, "asked for no touch screen") }
    if !isWheelHeld {
      motion = 0
      let top = places.wheel.rim(Measurer.positions[motion])
      seat.touchDown(Measurer.wheelFinger, top.x, top.y)
      isWheelHeld = true
    }
    if use.movesLever, let neutral = places.lever.first {
      seat.touchDown(Measurer.leverFinger, neutral.x, neutral.y)
      leverStart = motion
    }
    seat.touchFrame()
    compositor.run(milliseconds: 100)
  }

  /// Moves the fingers of a use to their next places.
  private func move(_ use: Use, _ compositor: MeasuringCompositor) {
    let seat = compositor.stage.seat
    motion += 1
    if use.turnsWheel {
      let point = places.wheel.rim(Measurer.positions[motion % Measurer.positions.count])
      seat.touchMotion(Measurer.wheelFinger, point.x, point.y)
    }
    if use.movesLever, places.lever.count > 1 {
      // A gear with each motion, up and down again: the knob jumps from gear to gear, and every frame shows it elsewhere.
      let last = places.lever.count - 1
      let point = places.lever[last - abs(last - (motion - leverStart) % (2 * last))]
      seat.touchMotion(Measurer.leverFinger, point.x, point.y)
    }
    if use.turnsWheel || use.movesLever { seat.touchFrame() }
    compositor.stage.display.flush()
  }

  /// Moves the lever back to neutral, where the next finger looks for it, and lifts its finger.
  private func letGo(_ use: Use, _ compositor: MeasuringCompositor) {
    guard use.movesLever, let neutral = places.lever.first else { return }
    compositor.stage.seat.touchMotion(Measurer.leverFinger, neutral.x, neutral.y)
    compositor.stage.seat.touchUp(Measurer.leverFinger)
    compositor.stage.seat.touchFrame()
    compositor.run(milliseconds: 100)
  }

  /// The properties of the commits of a use.
  private struct Drag {
    /// Milliseconds from a motion to the first commit whose pixels show it, or a later one.
    var latencies: [Double] = []
    var motions = 0
    var commits = 0
    /// Refreshes from the first motion to the last, and commits meanwhile.
    var refreshes = 0
    var commitsMeanwhile = 0
    var processorMilliseconds = 0.0
    /// The fraction of the surface that each commit damages.
    var shares: [Double] = []
    /// The requests by which each commit says so.
    var requests: [Double] = []
    /// The most milliseconds between two commits.
    var longestGap: Double?
    /// The number of answers that assistive technology got, and the milliseconds that they took.
    var answers: [Double] = []
  }

  private func drag(_ child: Child, _ compositor: MeasuringCompositor, _ use: Use) throws(BenchError) -> Drag {
    var drag = Drag()
    var waiting: [(number: Int, sent: Int64)] = []
    var lastCommit: Int64?
    let first = motion + 1
    compositor.stage.onCommit = { [self, prints] surface, record in
      let now = Time.now
      guard record.hasContent, surface.role == .window, let buffer = surface.buffer else { return }
      drag.commits += 1
      drag.shares.append(record.damagedFraction)
      drag.requests.append(Double(record.damage.count))
      if let lastCommit { drag.longestGap = max(drag.longestGap ?? 0, Double(now - lastCommit) / 1e6) }
      lastCommit = now
      guard let prints, use.knowsLatencies else { return }
      let count = Measurer.positions.count
      let candidates = (max(first, motion - 4)..<motion + 1).reversed()
      guard let shown = prints.position(of: buffer, among: candidates.map { $0 % count }),
        let latest = candidates.first(where: { $0 % count == shown })
      else { return }
      for motion in waiting where motion.number <= latest {
        drag.latencies.append(Double(now - motion.sent) / 1e6)
      }
      waiting.removeAll { $0.number <= latest }
    }
    let before = child.cost
    let refreshes = compositor.refreshes
    var duration = Int64(seconds * 1e9)
    if let assistant, use == .asked {
      duration = 600_000_000_000
      try assistant.ask()
    } else if let assistant, assistant.duration > 0 {
      // The same drag without requests.
      duration = assistant.duration
    }
    // The first motion comes three milliseconds after a refresh.
    compositor.run(for: duration, after: compositor.interval + 3_000_000, every: use.period(compositor.interval)) {
      self.move(use, compositor)
      waiting.append((self.motion, Time.now))
      drag.motions += 1
    } until: {
      guard use == .asked, let answer = self.assistant?.answer() else { return false }
      drag.answers = answer.split(separator: " ").compactMap { Double($0) }
      return true
    }
    guard use != .asked || !drag.answers.isEmpty else {
      throw .client(name: client.name, "does not answer assistive technology")
    }
    // Two refreshes came before the first motion.
    drag.refreshes = compositor.refreshes - refreshes - 2
    drag.commitsMeanwhile = drag.commits
    // The last motions may still be answered.
    compositor.run(milliseconds: 60)
    drag.processorMilliseconds = Double(child.cost.since(before).processorNanoseconds) / 1e6
    compositor.stage.onCommit = nil
    letGo(use, compositor)
    guard !child.hasEnded else { throw .client(name: client.name, "ended during \(use.rawValue)") }
    return drag
  }
}
