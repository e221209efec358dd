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

  @Test func `a slope has the error that its samples give it`() throws {
    #expect(Statistics.slope([(0, 1), (1, 2)]) == nil && Statistics.slope([(2, 1), (2, 2), (2, 3)]) == nil)
    let exact = try #require(Statistics.slope([(0, 5), (1, 3), (2, 1)]))
    #expect(exact.slope == -2 && exact.error == 0)
    // Distances of 1/6, -1/3 and 1/6 from the line: the sum of squares is 1/6, for one degree of freedom and a width of 2.
    let bent = try #require(Statistics.slope([(0, 0), (1, 0), (2, 1)]))
    #expect(abs(bent.slope - 0.5) < 1e-12 && abs(bent.error - (1.0 / 12).squareRoot()) < 1e-12)
  }

  @Test func `memory that grows only while caches fill has no slope`() {
    var record = SteadyRecord()
    record.samples = (0...10).map {
      .init(time: Double($0) * 10, memory: $0 < 2 ? $0 * 1000 : 4096, privateDirty: $0 * 10)
    }
    record.computeSlopes(seconds: 100)
    #expect(record.warmUp == 20 && record.slope == [0, 0])
    #expect(abs(record.privateSlope[0] - 3600) < 1e-6)
  }

  @Test func `a rival's variables come before its words`() throws {
    let options = try BenchOptions([
      "--rival", "Qt Quick", "A=1 B=x=y /q --c=d", "--rival", "GTK", "/g", "--minutes", "7",
    ])
    #expect(options.rivals.map(\.name) == ["Qt Quick", "GTK"] && options.minutes == 7)
    #expect(options.rivals[0].words == ["/q", "--c=d"] && options.rivals[0].variables == ["A": "1", "B": "x=y"])
    #expect(options.rivals[1].words == ["/g"] && options.rivals[1].variables.isEmpty)
    #expect(throws: BenchError.self) { try BenchOptions(["--rival", "none", "A=1"]) }
  }

  @Test func `the command line names clients and sizes`() throws {
    let options = try BenchOptions([
      "--bare", "/b", "--cockpit", "/c", "--against", "other --flag", "--size", "640x480", "--seconds", "2",
    ])
    #expect(options.cockpit?.words == ["/c", "--beacon", "off"])
    #expect(options.bare?.words == ["/b"])
    #expect(options.against?.words == ["other", "--flag"] && options.against?.takesSize == false)
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

  @Test func `a counted client's table is read as the clock and the counter write it`() throws {
    let table = try CountedTable()
    #expect(!table.isWaiting && table.deadline == nil && table.counts.instructions == 0)
    // As struct counted: the time, woken and counting by the bench; then seen, deadline, waiting, waits and calls by the client,
    // and the counter's instructions, calls, bytes read and written, and those in pixels.
    let words: [UInt64] = [7, 3, 1, 2, 9_000_000, 1, 4, 10, 1000, 5, 60, 40, 6, 4]
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: table.path))
    try file.write(contentsOf: words.withUnsafeBytes { Data($0) })
    #expect(table.now.nanoseconds == 7 && table.isCounting && table.deadline == MonotonicTime(milliseconds: 9))
    #expect(!table.isWaiting, "the client has not seen the newest time")
    table.woken = 2
    #expect(table.isWaiting)
    let counts = table.counts
    #expect(counts.instructions == 1000 && counts.calls == 15 && counts.wakeUps == 4)
    #expect(counts.bytes == 100 && counts.pixelBytes == 10)
  }

  @Test func `counted figures are those of a frame, and bytes in pixels those of a damaged byte`() {
    var frames = CountedFrames()
    frames.counts = Counts(instructions: 300, calls: 6, bytes: 5000, pixelBytes: 400, wakeUps: 4)
    frames.damage = [[PixelRect(x: 1, y: 2, width: 3, height: 4), PixelRect(x: 9, y: 9, width: 1, height: 1)], []]
    frames.damagedPixels = 50
    #expect(frames.script == "1 2 3 4 9 9 1 1\n\n")
    func value(_ frames: CountedFrames, _ name: String) -> Double? {
      var figures = Figures()
      frames.record(in: &figures, client: "cockpit", .wheel, PixelSize(width: 8, height: 8))
      return figures["wheel: \(name)", "cockpit", "8x8"]?.median
    }
    #expect(value(frames, "instructions a frame") == 150 && value(frames, "system calls a frame") == 3)
    #expect(value(frames, "wake-ups a frame") == 2 && value(frames, "damage requests a frame") == 1)
    #expect(value(frames, "overdraw factor") == 2)
    #expect(value(CountedFrames(), "instructions a frame") == .infinity, "without a frame nothing is known")
  }

  @Test func `one allocation by own code misses the aim, and so does no frame at all`() {
    func isMet(_ counted: Allocations) -> Bool {
      var figures = Figures()
      counted.record(in: &figures, scene: "1280x720")
      let verdicts = Aim.verdicts(figures)
      return verdicts.map(\.isMet) == [true, true]
    }
    var counted = Allocations(use: "a drag", frames: 100, own: 0, libraries: 250, growth: -2048, ways: [])
    #expect(isMet(counted))
    #expect(
      counted.summary
        == "a drag, 100 frames: 0 allocations by own code, 2.5 a frame by libraries, memory -2 KiB")
    counted.own = 1
    #expect(!isMet(counted))
    counted = Allocations(use: "a drag", frames: 0, own: 0, libraries: 0, growth: 0, ways: [])
    #expect(!isMet(counted))
  }

  @Test(arguments: [
    [], ["--bare"], ["--bare", "/b", "--size", "big"], ["--bare", "/b", "--seconds", "0"], ["--what"],
    ["--bare", "/b", "--counted"], ["--cockpit", "/c", "--counted"], ["--bare", "/b", "--allocations"],
    ["--cockpit", "/c", "--allocations"], ["--bare", "/b", "--against", " "],
  ])
  func `a command line that makes no sense says why`(words: [String]) {
    #expect(throws: BenchError.self) { try BenchOptions(words) }
  }

  @Test func `the wheel is found in a printed view tree`() {
    let tree =
      Data(
        #"[{"type": "Gearbox", "frame": {"x": 1, "y": 2, "width": 3, "height": 4}}, {"type": "View", "subviews": "#.utf8
      )
      + Data(
        #"[{"type": "CockpitControls.SteeringWheel", "frame": {"x": 10, "y": 20, "width": 100, "height": 80}}]}]"#.utf8)
    let places = ViewTree(tree).flatMap { Places(tree: $0) }
    #expect(places?.wheel.center == Point(x: 60, y: 60) && places?.wheel.radius == 40)
    #expect(places?.lever.isEmpty == true)
    #expect(ViewTree(Data("{}".utf8)).map { Places(tree: $0) == nil } == true)
    #expect(ViewTree(Data("no tree".utf8)) == nil)
  }

  @Test func `a point on the rim lies above the centre at no turn, and to its right at a quarter`() {
    let place = WheelPlace(center: Point(x: 100, y: 100), radius: 50)
    #expect(place.rim(0).distance(to: Point(x: 100, y: 53.5)) < 0.001)
    #expect(place.rim(90).distance(to: Point(x: 146.5, y: 100)) < 0.001)
  }

  @Test func `the lever's places go from neutral up to the fastest gear`() {
    let tree = #"[{"type": "SteeringWheel", "frame": {"x": 0, "y": 0, "width": 9, "height": 9}}, "#
    let gearbox = #"{"type": "ThrottleGearbox", "frame": {"x": 10, "y": 0, "width": 200, "height": 700}}]"#
    let lever = ViewTree(Data((tree + gearbox).utf8)).flatMap { Places(tree: $0) }?.lever ?? []
    #expect(lever.count > 3 && lever.allSatisfy { $0.x == 110 })
    #expect(zip(lever, lever.dropFirst()).allSatisfy { $0.y > $1.y })
  }

  /// Figures of "wheel: CPU a frame" at 1280x720, a sample for each round.
  private func figures(cockpit: [Double?], bare: [Double], name: String = "wheel: CPU a frame") -> Figures {
    var figures = Figures()
    for sample in cockpit { figures.record(sample, name, "ms", scene: "1280x720") }
    for sample in bare { figures.record(sample, name, "ms", client: "bare", scene: "1280x720") }
    return figures
  }

  @Test func `an aim in multiples of the yardstick's compares round by round, and is met up to its limit`() throws {
    // A machine that grows slower doubles both.
    let met = Aim.verdicts(figures(cockpit: [1.1, 2.2, 4.4], bare: [1, 2, 4]))
    #expect(met.map(\.name) == ["wheel: CPU a frame at 1280x720"] && met.map(\.isMet) == [true])
    #expect(met.map(\.unit) == ["x bare"])
    #expect(Aim.verdicts(figures(cockpit: [1.2], bare: [1])).map(\.isMet) == [false])
    #expect(Aim.verdicts(figures(cockpit: [nil], bare: [1])).map(\.isMet) == [false], "nothing measured, nothing met")
    #expect(Aim.verdicts(figures(cockpit: [1], bare: [])).isEmpty, "no yardstick, no aim")
  }

  @Test func `a figure that shares the beginning of a name is another, except after a comma`() {
    let damage = Aim("wheel: damage", .most(5))
    #expect(damage.verdicts(figures(cockpit: [9], bare: [], name: "wheel: damage requests")).isEmpty)
    #expect(damage.verdicts(figures(cockpit: [9], bare: [], name: "wheel: damage, one of a group")).count == 1)
  }

  @Test func `a change counts once nearly all rounds agree on it`() {
    func figure(_ samples: [Double]) -> Figure { Figure(name: "", unit: "", client: "", scene: "", samples: samples) }
    let before = figure([10, 11, 12, 13, 14])
    #expect(figure([5, 6, 7, 8, 9]).differs(from: before) == true)
    #expect(figure([5, 6, 7, 8, 10.5]).differs(from: before) == true, "one pair of 25 goes the other way")
    #expect(figure([5, 6, 7, 8, 11.5]).differs(from: before) == false)
    #expect(before.differs(from: before) == false)
    #expect(figure([0, 0, 0, 0]).differs(from: figure([0, 0, 0, 0])) == false)
    #expect(figure([1, 2, 3]).differs(from: before) == nil)
  }

  @Test func `two runs are compared in multiples of the yardstick's`() {
    let before = figures(cockpit: [2, 2.1, 2.2, 2.3, 2.4], bare: [1, 1, 1, 1, 1])
    // The machine is twice as slow, the cockpit the same.
    let slower = figures(cockpit: [4.1, 4.2, 4.3, 4.5, 4.7], bare: [2, 2, 2, 2, 2])
    #expect(slower.changes(from: before).count == 1)
    let almost = figures(cockpit: [2.005, 2.105, 2.205, 2.305, 2.405], bare: [1, 1, 1, 1, 1])
    #expect(almost.changes(from: before).count == 1)
    let surely = figures(cockpit: [2.001, 2.001, 2.001, 2.001], bare: [1, 1, 1, 1])
    #expect(surely.changes(from: figures(cockpit: [2, 2, 2, 2], bare: [1, 1, 1, 1])).count == 1)
    let better = figures(cockpit: [2, 2, 2, 2, 2], bare: [2, 2, 2, 2, 2])
    #expect(
      better.changes(from: before).first == "changed: wheel: CPU a frame at 1280x720: 2.20 -> 1.00 x bare (-55 %)")
  }

  @Test func `two clients of one run are compared as they are, and what one has not is left out`() {
    var figures = figures(cockpit: [1, 1, 1, 1], bare: [1, 1, 1, 1])
    for sample in [3.0, 3.1, 3.2, 3.3] {
      figures.record(sample, "wheel: CPU a frame", "ms", client: "against", scene: "1280x720")
      figures.record(1, "lever: CPU a frame", "ms", scene: "1280x720")
      figures.record(nil, "lever: CPU a frame", "ms", client: "against", scene: "1280x720")
    }
    #expect(
      figures.changes(fromClient: "against") == [
        "changed: wheel: CPU a frame at 1280x720: 3.10 -> 1.00 ms (-68 %)",
        "0 figures without a change beyond noise, 0 measured in too few rounds to say",
      ])
  }

  @Test func `noise is half the range of the middle half of the rounds`() {
    #expect(figures(cockpit: [8, 9, 10, 12, 50], bare: []).all.first?.noise == 0.15)
    #expect(figures(cockpit: [8, 9], bare: []).all.first?.noise == nil)
  }

  @Test func `a record is read as it was written, also what could not be measured`() throws {
    var report = Report()
    report.figures = figures(cockpit: [1, nil], bare: [])
    let path = NSTemporaryDirectory() + "cockpit-bench-test-\(getpid()).json"
    defer { unlink(path) }
    try report.write(to: path)
    #expect(try Report(contentsOf: path).figures.all.first?.samples == [1, .infinity])
    #expect(throws: BenchError.self) { try Report(contentsOf: path + ".none") }
  }

  @Test func `a page's parts are filled in from their records, and everything else is kept`() throws {
    let folder = NSTemporaryDirectory() + "cockpit-bench-page-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let page = Page(path: folder + "/page.md")
    try FileManager.default.createDirectory(atPath: page.folder, withIntermediateDirectories: true)
    func write(_ text: String) throws { try text.write(toFile: page.path, atomically: true, encoding: .utf8) }
    let rest = "<!-- measured: sweep -->\nkept\n<!-- end -->\nbelow\n"
    try write("# Above\n<!-- measured: counted -->\nold\n<!-- end -->\n" + rest)
    var report = Report()
    (report.commit, report.machine) = ("0123abcd", "a machine")
    report.figures.record(1_234_567, "wheel: instructions a frame", "", scene: "1280x720")
    report.figures.record(59_000, "wheel: instructions a frame", "", client: "floor", scene: "1280x720")
    report.figures.record(2.4, "wheel: overdraw factor", "", scene: "1280x720")
    try report.write(to: page.folder + "/counted.json")
    #expect(try !page.isFilled())
    try page.fill()
    #expect(try page.isFilled())
    let text = try String(contentsOfFile: page.path, encoding: .utf8)
    #expect(
      text == """
        # Above
        <!-- measured: counted -->

        At 0123abcd ([record](data/page/counted.json)): a machine.

        | 1280x720 | cockpit | floor |
        |---|---|---|
        | wheel: instructions a frame | 1,234,567 | 59,000 |
        | wheel: overdraw factor | 2.40 |  |

        Aims: 1 met, 1 missed.

        | aim | measured | at most | |
        |---|---|---|---|
        | wheel: overdraw factor at 1280x720 | 2.40 | 2.50 | met |
        | wheel: instructions a frame at 1280x720 | 20.9 x floor | 3.00 x floor | missed |

        <!-- end -->

        """ + rest)
    try write("<!-- measured: counted -->\n")
    #expect(throws: BenchError.self) { try page.isFilled() }
  }

  @Test func `a row of callgrind_annotate names a function, its instructions and its program`() throws {
    let row = try #require(ProfileRow("16,709 ( 1.25%)  ???:draw(a:b:) [/usr/bin/cockpit]"))
    #expect(row.instructions == 16_709 && row.function == "draw(a:b:)" && row.object == "cockpit")
    #expect(ProfileRow("1,337 (100.0%)  PROGRAM TOTALS") == nil && ProfileRow("Events shown: Ir") == nil)
  }

  @Test func `a plot has a line with a mark for each measured place`() {
    let line = Plot.Line(name: "cockpit", points: [.init(x: 1, y: 0.5), .init(x: 100, y: 5)])
    let svg = Plot(panels: [.init(title: "CPU", axis: "pixels", ticks: [(1, "one"), (100, "many")], lines: [line])]).svg
    #expect(svg.contains(">many</text>") && svg.components(separatedBy: "<circle").count == 3)
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }

  @Test func `this process has cost processor time and memory`() {
    let cost = ProcessCost(identifier: getpid())
    #expect(cost.processorNanoseconds > 0 && cost.memory > 1_000_000)
    #expect(ProcessCost(identifier: getpid()).since(cost).processorNanoseconds >= 0)
  }
}
