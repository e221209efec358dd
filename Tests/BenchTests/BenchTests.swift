// What the bench counts with, without any client.

import Foundation
import Interface
import Testing

@testable import cockpit_bench

@MainActor @Suite struct BenchTests {
  @Test func `percentiles are values that were measured`() {
    #expect(Statistics.median([]) == nil)
    #expect(Statistics.median([3, 1, 2]) == 2)
    #expect(Statistics.median([4, 1, 2, 3]) == 2)
    let hundred = (1...100).map { Double($0) }
    #expect(Statistics.percentile(0.99, hundred) == 99)
    #expect(Statistics.percentile(1, hundred) == 100)
    #expect(Statistics.percentile(0, hundred) == 1)
  }

  @Test func `the command line names clients and sizes`() throws {
    let options = try BenchOptions([
      "--bare", "/b", "--cockpit", "/c", "--cockpit-argument", "--beacon", "--cockpit-argument", "off", "--size",
      "640x480", "--seconds", "2",
    ])
    #expect(options.cockpit?.words == ["/c", "--beacon", "off"])
    #expect(options.bare?.words == ["/b"])
    #expect(options.sizes == [PixelSize(width: 640, height: 480)])
    #expect(options.seconds == 2)
  }

  @Test(arguments: [
    [], ["--bare"], ["--bare", "/b", "--size", "big"], ["--bare", "/b", "--seconds", "0"], ["--what"],
  ])
  func `a command line that makes no sense says why`(words: [String]) {
    #expect(throws: BenchError.self) { try BenchOptions(words) }
  }

  @Test func `the wheel is found in a printed view tree`() {
    let list = Data(
      #"{"views": [{"type": "Gearbox", "frame": [1, 2, 3, 4]}, {"type": "SteeringWheel", "frame": [10, 20, 100, 80]}]}"#
        .utf8)
    let object = Data(
      #"[{"type": "Controls.SteeringWheel", "frame": {"x": 10, "y": 20, "width": 100, "height": 80}}]"#.utf8)
    for tree in [list, object] {
      let place = WheelPlace(tree: tree)
      #expect(place?.center == Point(x: 60, y: 60) && place?.radius == 40)
    }
    #expect(WheelPlace(tree: Data("{}".utf8)) == nil)
    #expect(WheelPlace(tree: Data("no tree".utf8)) == nil)
  }

  @Test func `a point on the rim lies above the centre at no turn, and to its right at a quarter`() {
    let place = WheelPlace(center: Point(x: 100, y: 100), radius: 50)
    #expect(place.rim(0).distance(to: Point(x: 100, y: 53.5)) < 0.001)
    #expect(place.rim(90).distance(to: Point(x: 146.5, y: 100)) < 0.001)
  }

  @Test func `an aim is met up to its limit`() {
    #expect(Aim(text: "", measured: 1, limit: 1, unit: "").isMet)
    #expect(!Aim(text: "", measured: 1.001, limit: 1, unit: "").isMet)
    let nothing = Measurement(client: "cockpit", width: 1, height: 1)
    #expect(Aim.all(of: nothing, screenshot: nil).contains { !$0.isMet }, "nothing measured is nothing met")
  }

  @Test func `this process has cost processor time and memory`() {
    let cost = ProcessCost(identifier: getpid())
    #expect(cost.processorNanoseconds > 0 && cost.memory > 1_000_000)
    #expect(ProcessCost(identifier: getpid()).since(cost).processorNanoseconds >= 0)
  }
}
