import Foundation
import Stage
import UICore

/// The CPU use of a cockpit with `--drive`, in percent of one processor.
struct ConsumerCost: Codable, Sendable {
  var consumer: String
  /// While nobody drives.
  var rest: Double
  /// While a finger holds the lever in a gear.
  var held: Double
  /// The difference from the same drive with a consumer that reads.
  var restAbove = 0.0
  var heldAbove = 0.0

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

/// Measures a cockpit with every kind of consumer.
struct ConsumerMeasurer {
  let client: ClientSpecification
  let size: PixelSize
  let seconds: Double

  /// The cost of each kind of consumer. The figures that have an aim are recorded in `figures`.
  func run(_ figures: inout Figures) throws(BenchError) -> [ConsumerCost] {
    let gears = try Places(of: client, size: size).lever
    guard gears.count > 3 else { throw .client(name: client.name, "names no gearbox in --dump-tree") }
    let lever = [gears[0], gears[3]]
    var costs: [ConsumerCost] = []
    for kind in BenchConsumer.Kind.allCases {
      Progress.show("\(client.name) drives \(kind.rawValue)")
      var cost = try measure(kind, lever: lever)
      if let reference = costs.first(where: { $0.consumer == kind.listening.rawValue }) {
        (cost.restAbove, cost.heldAbove) = (cost.rest - reference.rest, cost.held - reference.held)
      }
      costs.append(cost)
      figures.record(
        max(cost.restAbove, cost.heldAbove), "processor above a consumer that listens, \(cost.consumer)", "%",
        scene: size.text)
    }
    return costs
  }

  /// Measures a consumer of `kind`, at rest and then with the lever held. `lever` has the positions of neutral and of a gear.
  private func measure(_ kind: BenchConsumer.Kind, lever: [Point]) throws(BenchError) -> ConsumerCost {
    let consumer = try BenchConsumer(kind)
    let compositor = try MeasuringCompositor(size: size)
    var lastCommit = Time.now
    compositor.stage.onCommit = { _, record in if record.hasContent { lastCommit = Time.now } }
    compositor.agenda = { _ in
      consumer.serve()
      return nil
    }
    let child = try compositor.start(client, ["--drive", consumer.place], output: consumer.output)
    consumer.childStarted()
    defer { child.end() }
    func settle() throws(BenchError) {
      compositor.run(milliseconds: 1500)
      // The needle moves for some seconds after a change of gear.
      compositor.run(until: Time.now + 30_000_000_000) { Time.now - lastCommit > 1_000_000_000 || child.hasEnded }
      guard !child.hasEnded, compositor.surface != nil else { throw .client(name: client.name, "does not drive") }
    }
    func percent() -> Double {
      let (before, start) = (child.cost, Time.now)
      compositor.run(milliseconds: seconds * 1000)
      return Double(child.cost.since(before).processorNanoseconds) / Double(Time.now - start) * 100
    }
    try settle()
    let rest = percent()
    let before = consumer.readCount
    compositor.stage.seat.touchDown(1, lever[0].x, lever[0].y)
    compositor.stage.seat.touchFrame()
    compositor.run(milliseconds: 100)
    compositor.stage.seat.touchMotion(1, lever[1].x, lever[1].y)
    compositor.stage.seat.touchFrame()
    try settle()
    let held = percent()
    // The cockpit sends 30 lines of 140 bytes a second, which is 4,200 bytes.
    guard kind != kind.listening || Double(consumer.readCount - before) > seconds * 3000 else {
      throw .client(name: client.name, "sends no lines while its lever is held")
    }
    return ConsumerCost(consumer: kind.rawValue, rest: rest, held: held)
  }
}
