import Foundation
import Glibc
import Stage
import UICore

/// The use of a client's controls while its frames are measured.
enum Use: String, Sendable {
  /// The wheel is turned with one motion per refresh, always the same time after it.
  case wheel
  /// The same, but the time between refresh and motion drifts through every value.
  case drift
  /// The wheel is turned with a thousand motions a second.
  case flood
  /// The lever runs through all gears, one with each motion.
  case lever
  /// Two fingers move wheel and lever.
  case both
  /// No finger: the client's own animations are measured.
  case demo, beacon
  /// The wheel is turned until assistive technology has all its answers.
  case asked
  /// The wheel is turned while two busy loops compete for the processors.
  case busy = "busy loops"

  /// The nanoseconds from one motion to the next.
  func period(_ refresh: Int64) -> Int64 {
    switch self {
    case .drift: refresh + 333_333
    case .flood: 1_000_000
    default: refresh
    }
  }

  /// True if the pixels of each commit are examined, to find out which motions they show.
  var knowsLatencies: Bool { self == .wheel || self == .drift || self == .asked }
  var turnsWheel: Bool { self != .lever && self != .demo && self != .beacon }
  var movesLever: Bool { self == .lever || self == .both }
}

/// A client's process in a round, and what is measured of it.
struct MeasurementPlan: Sendable {
  /// Distinguishes the process from the client's others in the names of its figures; empty if not needed.
  var label = ""
  var arguments: [String] = []
  var variables: [String: String] = [:]
  /// The number of starts; the round's sample is their median. 0 measures none.
  var starts = 0
  /// True to drop the program's files from the page cache before the start, so that they are read from the disk.
  var dropsPages = false
  /// True to measure a second at rest, and the memory after it.
  var rests = false
  var uses: [Use] = []
  /// The program that acts as assistive technology, and asks during `asked`; nil to leave that out.
  var assistant: String?
  /// The scene in the figures' names; nil for the window's size. If it is set, latencies are not measured.
  var scene: String?
}

/// Measures a client at one size, once in each round.
final class Measurer {
  let client: ClientSpecification
  private let size: PixelSize
  private let places: Places
  private let plan: MeasurementPlan
  private let seconds: Double
  /// The images of the wheel's positions, once learnt.
  private var prints: Fingerprints?
  /// The number of motions of this round so far.
  private var motion = 0
  private var isWheelHeld = false
  /// The value of `motion` when a finger took hold of the lever.
  private var leverStart = 0
  /// The assistive technology, in a session that has one.
  private var assistant: Assistant?

  init(_ client: ClientSpecification, size: PixelSize, places: Places, plan: MeasurementPlan, seconds: Double) {
    (self.client, self.size, self.places, self.plan) = (client, size, places, plan)
    self.seconds = seconds
  }

  /// Takes one round's samples; `lateness` gets the milliseconds by which the compositor's refreshes were late.
  func run(_ figures: inout Figures, _ lateness: inout [Double]) throws(BenchError) {
    let compositor = try MeasuringCompositor(size: size)
    defer { lateness += compositor.lateness }
    assistant = try plan.assistant.map { program throws(BenchError) in
      try Assistant(program, environment: compositor.environment)
    }
    defer { assistant = nil }
    let scene = plan.scene ?? size.text
    func record(_ value: Double?, _ name: String, _ unit: String) {
      figures.record(value, name, unit, client: client.name, scene: scene)
    }
    let suffix = plan.label.isEmpty ? "" : ", \(plan.label)"
    Progress.show("\(client.name), \(scene)\(suffix)")
    var starts: [Double] = []
    if plan.dropsPages {
      let first = try start(compositor, &starts)
      let files = Machine.files(mappedBy: first.identifier)
      first.end()
      Machine.dropPages(of: files)
      starts.removeAll()
    }
    for _ in 1..<max(1, plan.starts) { try start(compositor, &starts).end() }
    let child = try start(compositor, &starts)
    defer { child.end() }
    if plan.starts > 0 { record(Statistics.median(starts), "start\(suffix)", "ms") }
    guard plan.rests || !plan.uses.isEmpty else { return }
    // Caches fill, the first frames and late answers pass, and the needle's sweep takes 1.3 s.
    compositor.run(milliseconds: 1500)
    if let assistant {
      let isReady = compositor.run(until: Time.now + 30_000_000_000) { assistant.answer() == "ready" }
      guard isReady else { throw .client(name: client.name, "is not found by assistive technology") }
    }
    if plan.rests {
      compositor.surface?.forgetCommits()
      let before = child.cost
      compositor.run(milliseconds: 1000)
      let after = child.cost
      record(Double(after.memory) / 1e6, "memory (PSS)\(suffix)", "MB")
      record(Double(after.since(before).wakeUps), "idle wake-ups\(suffix)", "/s")
      record(compositor.surface.map { Double($0.commits.count) }, "idle commits\(suffix)", "")
    }
    isWheelHeld = false
    for use in plan.uses {
      Progress.show("\(client.name), \(scene)\(suffix), \(use.rawValue)")
      try takeHold(use, compositor)
      if use.knowsLatencies, plan.scene == nil, prints == nil { learn(compositor) }
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
      if use == .wheel || use == .both {
        record(Double(drag.lateFrames) / Double(drag.refreshes + 1) * 100, "\(name): late frames", "%")
        record(
          Double(drag.delayedMotions) / Double(max(1, drag.motions)) * 100, "\(name): motions a refresh later", "%")
      }
      if use == .wheel {
        record(max(0, 1 - commits / Double(max(1, drag.motions))) * 100, "\(name): missed refreshes", "%")
      }
    }
  }

  /// Starts the client, waits for its first frame, and adds to `starts` the milliseconds from just before the process started.
  private func start(_ compositor: MeasuringCompositor, _ starts: inout [Double]) throws(BenchError) -> Child {
    let (child, milliseconds) = try compositor.startAndAwaitFrame(
      of: client, plan.arguments, variables: plan.variables.merging(assistant?.variables ?? [:]) { $1 })
    starts.append(milliseconds)
    return child
  }

  /// Moves slowly through every position and learns its image.
  private func learn(_ compositor: MeasuringCompositor) {
    var prints = Fingerprints(places.wheel, size: size)
    // The first eight are learnt twice, because the effects of a finger coming down have faded by then.
    for _ in 0..<WheelPlace.positions.count + 8 {
      move(.wheel, compositor)
      compositor.run(milliseconds: 40)
      if let buffer = compositor.surface?.buffer { prints.learn(motion % WheelPlace.positions.count, from: buffer) }
    }
    self.prints = prints
  }

  // MARK: Fingers

  private static let wheelFinger: Int32 = 1
  private static let leverFinger: Int32 = 2

  /// Puts down those fingers of a use that are not down yet. The wheel's finger is never lifted: a released wheel would turn back
  /// by itself, and look different when held again.
  private func takeHold(_ use: Use, _ compositor: MeasuringCompositor) throws(BenchError) {
    let seat = compositor.stage.seat
    guard use.turnsWheel || use.movesLever else { return }
    guard seat.touchCount > 0 else { throw .client(name: client.name, "asked for no touch screen") }
    if !isWheelHeld {
      motion = 0
      let top = places.wheel.rim(WheelPlace.positions[motion])
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

  /// Moves the fingers of a use to their next positions.
  private func move(_ use: Use, _ compositor: MeasuringCompositor) {
    let seat = compositor.stage.seat
    motion += 1
    if use.turnsWheel {
      let point = places.wheel.rim(WheelPlace.positions[motion % WheelPlace.positions.count])
      seat.touchMotion(Measurer.wheelFinger, point.x, point.y)
    }
    if use.movesLever, places.lever.count > 1 {
      // One gear per motion, up and down again: the knob jumps from gear to gear, so every frame shows it at a different
      // position.
      let last = places.lever.count - 1
      let point = places.lever[last - abs(last - (motion - leverStart) % (2 * last))]
      seat.touchMotion(Measurer.leverFinger, point.x, point.y)
    }
    if use.turnsWheel || use.movesLever { seat.touchFrame() }
    compositor.stage.flush()
  }

  /// Moves the lever back to neutral, where the next finger expects it, and lifts its finger.
  private func letGo(_ use: Use, _ compositor: MeasuringCompositor) {
    guard use.movesLever, let neutral = places.lever.first else { return }
    compositor.stage.seat.touchMotion(Measurer.leverFinger, neutral.x, neutral.y)
    compositor.stage.seat.touchUp(Measurer.leverFinger)
    compositor.stage.seat.touchFrame()
    compositor.run(milliseconds: 100)
  }

  /// The results of a use.
  private struct Drag {
    /// Milliseconds from a motion to the first commit whose pixels show it, or a later one.
    var latencies: [Double] = []
    var motions = 0
    /// The motions that no commit followed before the next refresh.
    var delayedMotions = 0
    /// The refreshes that no commit preceded since the refresh before.
    var lateFrames = 0
    var commits = 0
    /// The refreshes from the first motion to the last, and the commits meanwhile.
    var refreshes = 0
    var commitsMeanwhile = 0
    var processorMilliseconds = 0.0
    /// For each commit, the damaged fraction of the surface.
    var shares: [Double] = []
    /// For each commit, the number of damage requests.
    var requests: [Double] = []
    /// The longest time between two commits, in milliseconds.
    var longestGap: Double?
    /// The number of answers that assistive technology got, then their p50, p99 and longest time in milliseconds.
    var answers: [Double] = []
  }

  private func drag(_ child: Child, _ compositor: MeasuringCompositor, _ use: Use) throws(BenchError) -> Drag {
    var drag = Drag()
    var lastCommit: Int64?
    // The commits' refreshes, by their numbers.
    var reached: Set<Int> = []
    // The refresh that the newest motion has to reach; nil once a commit has.
    var due: Int64?
    var shown = prints.map { ShownMotions($0, first: motion + 1) }
    compositor.stage.onCommit = { [self] surface, record in
      let now = Time.now
      guard record.hasContent, surface.role.isWindow, let buffer = surface.buffer else { return }
      drag.commits += 1
      reached.insert(compositor.refreshes)
      if let refresh = due, now <= refresh { due = nil }
      drag.shares.append(record.damagedFraction)
      drag.requests.append(Double(record.damage.count))
      if let lastCommit { drag.longestGap = max(drag.longestGap ?? 0, Double(now - lastCommit) / 1e6) }
      lastCommit = now
      guard use.knowsLatencies, let sent = shown?.committed(buffer, latest: motion) else { return }
      drag.latencies += sent.map { Double(now - $0) / 1e6 }
    }
    let before = child.cost
    let refreshes = compositor.refreshes
    var duration = Int64(seconds * 1e9)
    if let assistant, use == .asked {
      duration = 600_000_000_000
      try assistant.ask()
    } else if let assistant, assistant.duration > 0 {
      // Without requests, the drag lasts as long as the one with requests before it.
      duration = assistant.duration
    }
    // The first motion comes three milliseconds after a refresh, the second from now.
    compositor.run(for: duration, after: compositor.interval + 3_000_000, every: use.period(compositor.interval)) {
      shown?.sent(self.motion + 1)
      self.move(use, compositor)
      drag.motions += 1
      if due != nil { drag.delayedMotions += 1 }
      due = compositor.nextRefresh
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
    drag.lateFrames = (refreshes + 2..<max(refreshes + 2, compositor.refreshes)).count { !reached.contains($0) }
    // Frames of the last motions may still come.
    compositor.run(milliseconds: 60)
    if due != nil { drag.delayedMotions += 1 }
    drag.processorMilliseconds = Double(child.cost.since(before).processorNanoseconds) / 1e6
    compositor.stage.onCommit = nil
    letGo(use, compositor)
    guard !child.hasEnded else { throw .client(name: client.name, "ended during \(use.rawValue)") }
    return drag
  }
}
