import Foundation
import Stage
import UICore

/// Starts a client again and again, lets it rest, and drags its wheel.
final class Measurer {
  private let client: ClientSpecification
  private let options: BenchOptions
  private let place: WheelPlace
  private let compositor: MeasuringCompositor
  private var result: Measurement
  private var prints: Fingerprints

  /// The positions that the finger goes through, in degrees from the top: to the right, and back between those, so that
  /// no two are alike.
  private static let positions: [Double] = {
    let right = (0..<32).map { -40 + 2.5 * Double($0) }
    let left = (0..<32).map { 38.75 - 2.5 * Double($0) }
    return right + left
  }()

  init(_ client: ClientSpecification, size: PixelSize, place: WheelPlace, options: BenchOptions) throws(BenchError) {
    (self.client, self.place, self.options) = (client, place, options)
    compositor = try MeasuringCompositor(size: size)
    prints = Fingerprints(place, size: size)
    result = Measurement(client: client.name, width: size.width, height: size.height)
  }

  /// Measures everything.
  func run() throws(BenchError) -> Measurement {
    for _ in 1..<options.starts { try start().end() }
    let child = try start()
    defer { child.end() }
    // Caches, first frames, late answers.
    compositor.run(milliseconds: 1500)
    rest(child)
    try learn()
    let load = MachineLoad()
    let ours = [child.cost, ProcessCost(identifier: getpid())]
    let begin = Time.now
    result.inPhase = try drag(child, seconds: options.seconds, every: compositor.interval)
    // 60 motions a second against 60 refreshes a second, slowly passing through every phase.
    result.drifting = try drag(child, seconds: options.seconds, every: compositor.interval + 333_333)
    result.flood = try drag(child, seconds: options.seconds, every: 1_000_000)
    let spent =
      child.cost.since(ours[0]).processorNanoseconds
      + ProcessCost(identifier: getpid()).since(ours[1]).processorNanoseconds
    let processors = Double(ProcessInfo.processInfo.activeProcessorCount)
    result.othersShare = max(
      0, MachineLoad().fraction(since: load) - Double(spent) / Double(Time.now - begin) / processors)
    result.memoryMegabytes = Double(child.cost.memory) / 1e6
    return result
  }

  /// Starts the client and waits for its first picture.
  private func start() throws(BenchError) -> Child {
    var painted: Int64?
    compositor.run(until: Time.now + 2_000_000_000) { compositor.surface == nil }
    compositor.stage.onCommit = { surface, record in
      if record.hasContent, surface.role == .window, painted == nil { painted = Time.now }
    }
    defer { compositor.stage.onCommit = nil }
    let child = try compositor.start(client)
    compositor.run(until: Time.now + 10_000_000_000) { painted != nil || child.hasEnded }
    guard let painted else { throw .client(name: client.name, "painted nothing") }
    result.starts.append(Double(painted - child.started) / 1e6)
    compositor.run(milliseconds: 50)
    return child
  }

  /// Measures the client while it has nothing to do.
  private func rest(_ child: Child) {
    compositor.surface?.forgetCommits()
    let before = child.cost
    let seconds = max(2, options.seconds)
    compositor.run(milliseconds: seconds * 1000)
    let spent = child.cost.since(before)
    result.idleSeconds = seconds
    result.idleWakeUps = spent.wakeUps
    result.idleProcessorMilliseconds = Double(spent.processorNanoseconds) / 1e6
    result.idleCommits = compositor.surface?.commits.count ?? 0
  }

  /// Goes slowly through every position and learns its image.
  private func learn() throws(BenchError) {
    let seat = compositor.stage.seat
    let top = place.rim(Measurer.positions[0])
    guard !seat.touches.isEmpty else { throw .client(name: client.name, "asked for no touch screen") }
    seat.touchDown(1, top.x, top.y)
    seat.touchFrame()
    compositor.run(milliseconds: 100)
    for round in 0..<2 {
      for (index, degrees) in Measurer.positions.enumerated() {
        let point = place.rim(degrees)
        seat.touchMotion(1, point.x, point.y)
        seat.touchFrame()
        compositor.run(milliseconds: 40)
        if round == 1, let buffer = compositor.surface?.buffer { prints.learn(index, from: buffer) }
      }
    }
    result.distinctPositions = prints.distinctCount
  }

  /// Drags the wheel with a motion every `period` nanoseconds.
  private func drag(_ child: Child, seconds: Double, every period: Int64) throws(BenchError) -> Measurement.Drag {
    var drag = Measurement.Drag()
    let seat = compositor.stage.seat
    var waiting: [(number: Int, sent: Int64)] = []
    var number = 0
    let isFlood = period < 5_000_000
    compositor.stage.onCommit = { [prints] surface, record in
      let now = Time.now
      guard record.hasContent, surface.role == .window, let buffer = surface.buffer else { return }
      drag.commits += 1
      drag.shares.append(record.damagedFraction)
      guard !isFlood else { return }
      let count = Measurer.positions.count
      let candidates = (max(0, number - 5)..<number).reversed()
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
    // The first motion comes three milliseconds after a refresh.
    compositor.run(for: Int64(seconds * 1e9), after: compositor.interval + 3_000_000, every: period) {
      let point = self.place.rim(Measurer.positions[number % Measurer.positions.count])
      seat.touchMotion(1, point.x, point.y)
      seat.touchFrame()
      self.compositor.stage.display.flush()
      waiting.append((number, Time.now))
      number += 1
    }
    // The last motions may still be answered.
    compositor.run(milliseconds: 60)
    let spent = child.cost.since(before)
    compositor.stage.onCommit = nil
    guard !child.hasEnded else { throw .client(name: client.name, "ended during a drag") }
    drag.motions = number
    drag.unanswered = isFlood ? 0 : waiting.count
    drag.refreshes = compositor.refreshes - refreshes
    drag.processorMilliseconds = Double(spent.processorNanoseconds) / 1e6
    return drag
  }
}
