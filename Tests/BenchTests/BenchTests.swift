import Foundation
import Testing
import UICore

@testable import cockpit_bench

/// Tests of the bench's arithmetic and readers, without any client.
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

  @Test func `call stacks are read as the counting library writes them`() throws {
    let table = try AllocationTable()
    #expect(!table.isThere && !table.isCounting && table.ways.isEmpty)
    table.isCounting = true
    // As struct allocations: counting, base, code from and to, own, libraries; then count, kind and 24 addresses each.
    var words: [UInt64] = [1, 0x1000, 0x2000, 0x3000, 5, 7]
    func way(_ count: UInt64, isOwn: UInt64, _ stack: [UInt64]) -> [UInt64] {
      [count, isOwn] + stack + Array(repeating: 0, count: 24 - stack.count)
    }
    words += way(5, isOwn: 1, [0x2010, 0x2fff]) + way(7, isOwn: 0, [0x9000, 0x2020])
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: table.path))
    try file.write(contentsOf: words.withUnsafeBytes { Data($0) })
    #expect(table.isThere && table.isCounting && table.own == 5 && table.libraries == 7)
    let ways = table.ways
    #expect(ways.map(\.count) == [7, 5] && ways.map(\.isOwn) == [false, true])
    #expect(ways.map(\.stack) == [[nil, 0x1020], [0x1010, 0x1fff]])
    table.clear()
    #expect(table.isThere && table.own == 0 && table.libraries == 0 && table.ways.isEmpty)
  }

  @Test func `one allocation by own code misses the aim, and so does no frame at all`() {
    var counted = Allocations(use: "a drag", frames: 100, own: 0, libraries: 250, growth: -2048, ways: [])
    #expect(counted.aims.allSatisfy { $0.isMet })
    #expect(
      counted.summary
        == "a drag, 100 frames: 0 allocations by own code, 2.5 a frame by libraries, memory -2 KiB")
    counted.own = 1
    #expect(!counted.aims.allSatisfy { $0.isMet })
    counted = Allocations(use: "a drag", frames: 0, own: 0, libraries: 0, growth: 0, ways: [])
    #expect(!counted.aims.allSatisfy { $0.isMet })
  }

  @Test(arguments: [
    [], ["--bare"], ["--bare", "/b", "--size", "big"], ["--bare", "/b", "--seconds", "0"], ["--what"],
    ["--bare", "/b", "--allocations"], ["--cockpit", "/c", "--allocations"],
  ])
  func `a command line that makes no sense says why`(words: [String]) {
    #expect(throws: BenchError.self) { try BenchOptions(words) }
  }

  @Test func `the wheel is found in a printed view tree`() {
    let tree =
      Data(
        #"[{"type": "Gearbox", "frame": {"x": 1, "y": 2, "width": 3, "height": 4}}, {"type": "View", "subviews": "#.utf8
      )
      + Data(#"[{"type": "Controls.SteeringWheel", "frame": {"x": 10, "y": 20, "width": 100, "height": 80}}]}]"#.utf8)
    let place = ViewTree(tree).flatMap { WheelPlace(tree: $0) }
    #expect(place?.center == Point(x: 60, y: 60) && place?.radius == 40)
    #expect(ViewTree(Data("{}".utf8)).map { WheelPlace(tree: $0) == nil } == true)
    #expect(ViewTree(Data("no tree".utf8)) == nil)
  }

  @Test func `a point on the rim lies above the centre at no turn, and to its right at a quarter`() {
    let place = WheelPlace(center: Point(x: 100, y: 100), radius: 50)
    #expect(place.rim(0).distance(to: Point(x: 100, y: 53.5)) < 0.001)
    #expect(place.rim(90).distance(to: Point(x: 146.5, y: 100)) < 0.001)
  }

  @Test func `an aim is met up to its limit`() {
    #expect(Aim("", 1, limit: 1).isMet)
    #expect(!Aim("", 1.001, limit: 1).isMet)
    let nothing = Measurement(client: "cockpit", width: 1, height: 1)
    #expect(Aim.all(of: nothing, screenshot: nil).contains { !$0.isMet }, "nothing measured is nothing met")
  }

  @Test func `this process has cost processor time and memory`() {
    let cost = ProcessCost(identifier: getpid())
    #expect(cost.processorNanoseconds > 0 && cost.memory > 1_000_000)
    #expect(ProcessCost(identifier: getpid()).since(cost).processorNanoseconds >= 0)
  }
}
