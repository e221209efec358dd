import Controls
import Foundation
import Stage
import UICore

/// The processor that a cockpit with `--drive` takes, in percent of one.
struct ConsumerCost: Codable, Sendable {
  var consumer: String
  /// Nobody drives.
  var rest: Double
  /// A finger holds the lever in a gear.
  var held: Double
  /// How much more than the same drive with a consumer that listens.
  var restAbove = 0.0
  var heldAbove = 0.0

  /// The promise of docs/performance.md.
  var aim: Aim {
    Aim(
      text: "processor above a consumer that listens, \(consumer)", measured: max(restAbove, heldAbove), limit: 1,
      unit: "%")
  }

  /// A table for docs/performance.md.
  static func table(_ costs: [ConsumerCost]) -> String {
    func text(_ value: Double) -> String { String(format: "%.2f", value) }
    let head = "| consumer | at rest, % | above listening | lever held, % | above listening |\n|---|---|---|---|---|\n"
    return costs.reduce(into: head) { table, cost in
      table +=
        "| \(cost.consumer) | \(text(cost.rest)) | \(text(cost.restAbove)) | \(text(cost.held)) | \(text(cost.heldAbove)) |\n"
    }
  }
}

/// Runs a cockpit against every kind of consumer.
struct ConsumerMeasurer {
  private let client: ClientSpecification
  private let size: PixelSize
  private let seconds: Double
  /// The lever's places: neutral, and a gear.
  private let neutral: Point
  private let gear: Point

  init(_ client: ClientSpecification, size: PixelSize, seconds: Double) throws(BenchError) {
    (self.client, self.size, self.seconds) = (client, size, seconds)
    guard let gearbox = ViewTree(of: client, size: size)?.frame(of: "ThrottleGearbox") else {
      throw .client(name: client.name, "names no gearbox in --dump-tree")
    }
    let gate = GearboxGeometry(size: gearbox.size, fit: .filling)
    func place(_ gear: Gear) -> Point {
      Point(x: gearbox.midX, y: gearbox.minY + gate.y(ofRow: gate.row(of: gear)))
    }
    (neutral, gear) = (place(.neutral), place(.forward(3)))
  }

  func run() throws(BenchError) -> [ConsumerCost] {
    var costs: [ConsumerCost] = []
    for kind in BenchConsumer.Kind.allCases {
      CockpitBench.say("\(client.name) drives \(kind.rawValue) ...")
      var cost = try measure(kind)
      if let reference = costs.first(where: { $0.consumer == kind.listening.rawValue }) {
        (cost.restAbove, cost.heldAbove) = (cost.rest - reference.rest, cost.held - reference.held)
      }
      costs.append(cost)
    }
    return costs
  }

  private func measure(_ kind: BenchConsumer.Kind) throws(BenchError) -> ConsumerCost {
    let consumer = try BenchConsumer(kind)
    let compositor = try MeasuringCompositor(size: size)
    var lastCommit = Time.now
    compositor.stage.onCommit = { _, record in if record.hasContent { lastCommit = Time.now } }
    compositor.agenda = { _ in
      consumer.serve()
      return nil
    }
    let child = try Child(
      client.words + ["--size", "\(size.width)x\(size.height)", "--drive", consumer.place],
      environment: compositor.environment, output: consumer.output)
    consumer.childStarted()
    defer { child.end() }
    compositor.run(until: Time.now + 10_000_000_000) { compositor.surface != nil || child.hasEnded }
    func settle() throws(BenchError) {
      compositor.run(milliseconds: 1500)
      // The needle moves for some seconds.
      compositor.run(until: Time.now + 30_000_000_000) { Time.now - lastCommit > 1_000_000_000 || child.hasEnded }
      guard !child.hasEnded, compositor.surface != nil else { throw .client(name: client.name, "does not drive") }
    }
    func share() -> Double {
      let (before, start) = (child.cost, Time.now)
      compositor.run(milliseconds: seconds * 1000)
      return Double(child.cost.since(before).processorNanoseconds) / Double(Time.now - start) * 100
    }
    try settle()
    let rest = share()
    let before = consumer.readCount
    compositor.stage.seat.touchDown(1, neutral.x, neutral.y)
    compositor.stage.seat.touchFrame()
    compositor.run(milliseconds: 100)
    compositor.stage.seat.touchMotion(1, gear.x, gear.y)
    compositor.stage.seat.touchFrame()
    try settle()
    let held = share()
    // 30 lines of 140 bytes a second.
    guard kind != kind.listening || Double(consumer.readCount - before) > seconds * 3000 else {
      throw .client(name: client.name, "sends no lines while its lever is held")
    }
    return ConsumerCost(consumer: kind.rawValue, rest: rest, held: held)
  }
}
