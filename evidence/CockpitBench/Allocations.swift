import Controls
import Foundation
import Glibc
import Stage
import UICore
import WindowDecoration

/// The allocations while a steady drag was painted.
struct Allocations: Codable, Sendable {
  /// How the cockpit was used meanwhile.
  var use: String
  /// The number of frames painted meanwhile.
  var frames: Int
  /// Allocations by the program's own code: the cockpit, its libraries, Swift's runtime.
  var own: Int
  /// Allocations by the shared libraries that the program uses.
  var libraries: Int
  /// The growth of the program's own memory in bytes.
  var growth: Int
  /// The call stacks that allocated, as readable lines, the most frequent first.
  var ways: [String]

  /// The figures in one line.
  var summary: String {
    let library = String(format: "%.1f", Double(libraries) / Double(max(frames, 1)))
    return "\(use), \(frames) frames: \(own) allocations by own code, \(library) a frame by libraries, "
      + "memory \(growth < 0 ? "" : "+")\(growth / 1024) KiB"
  }

  /// Records the figures. Without a single frame they are recorded as unmeasured, which misses the aims.
  func record(in figures: inout Figures, scene: String) {
    func each(_ count: Int) -> Double? { frames == 0 ? nil : Double(count) / Double(frames) }
    figures.record(each(own), "allocations a frame by own code, \(use)", "", scene: scene)
    figures.record(each(libraries), "allocations a frame by libraries, \(use)", "", scene: scene)
  }
}

/// Counts the allocations of a cockpit whose wheel turns with every refresh, by means of a preloaded library.
final class AllocationMeasurer {
  /// How the cockpit is used while allocations are counted.
  enum Use: String, CaseIterable {
    /// One finger holds the lever in a slow gear, another turns the wheel. Drive lines are sent, and the needle moves.
    case driving = "two fingers drive"
    /// The same, and the lever runs through every gear.
    case shifting = "two fingers drive and shift"
    /// The pointer turns the wheel of a window with client-side decorations, on a compositor that keeps each buffer until another
    /// replaces it.
    case framed = "the pointer turns the wheel in a frame"
  }

  /// Groups of uses that share one client, which is warmed up once; measured in this order.
  static let together: [[Use]] = [[.driving, .shifting], [.framed]]

  private let client: ClientSpecification
  private let uses: [Use]
  private let isFramed: Bool
  private var wheel: WheelPlace
  /// The lever's positions from neutral up to the fastest gear.
  private let rows: [Point]
  private let counter: String
  private let frames: Int
  private let compositor: MeasuringCompositor
  private var motions = 0
  private var isShifting = false

  /// Preloads the library at `counter` into the client. `frames` refreshes are counted for each of `uses`, which share one
  /// window, at `refresh` per second.
  init(
    _ client: ClientSpecification, size: PixelSize, uses: [Use], counter: String, frames: Int, refresh: Double
  ) throws(BenchError) {
    isFramed = uses.contains(.framed)
    let bar = isFramed ? DecorationGeometry.barHeight : 0
    let inside = PixelSize(width: size.width, height: size.height - Int(bar))
    let places = try Places(of: client, size: inside)
    guard !places.lever.isEmpty else { throw .client(name: client.name, "names no gearbox in --dump-tree") }
    (self.client, self.uses, self.counter, self.frames) = (client, uses, counter, frames)
    (wheel, rows) = (places.wheel, places.lever)
    wheel.center.y += bar
    compositor = try MeasuringCompositor(size: size, drawsNoFrames: isFramed, refresh: refresh)
    compositor.stage.releasePolicy = isFramed ? .whenReplaced : .atFrame
  }

  /// The figures of each use.
  func run() throws(BenchError) -> [Allocations] {
    let table = try AllocationTable()
    var arguments: [String] = []
    // A bound port makes every send succeed. Nobody reads it: the kernel drops messages that do not fit.
    let consumer = try isFramed ? nil : BenchConsumer(.udpReads)
    defer { withExtendedLifetime(consumer) {} }
    // On a busy machine this compositor may answer late. The longer limit keeps that from ending the drive, whose frames are to
    // be counted.
    if let consumer { arguments = ["--drive", consumer.place, "--answer-limit", "2000"] }
    let child = try compositor.start(
      client, arguments, variables: ["LD_PRELOAD": counter, "COCKPIT_ALLOCATIONS": table.path])
    defer { child.end() }
    guard table.isThere else { throw .client(name: client.name, "does not load \(counter)") }
    compositor.run(milliseconds: 500)
    takeHold()
    // Starts with a wider and faster drag than the counted one, so that every text has been shown and every list has its full
    // capacity.
    drag(refreshes: isFramed ? 360 : 720, reach: 45, speed: 3)
    if !isFramed { showEverySpeed() }
    useEveryBuffer()
    var counted: [Allocations] = []
    for use in uses { counted.append(try countWhileHeld(use, of: child, in: table)) }
    return counted
  }

  /// The figures of `use`, counted again after a loss. A machine that stands still for too long ends the drive: the cockpit then lets go of
  /// the lever and the wheel, and paints nothing until new fingers take hold. At most five times.
  private func countWhileHeld(
    _ use: Use, of child: Child, in table: AllocationTable
  ) throws(BenchError) -> Allocations {
    var counted = try count(use, of: child, in: table)
    for _ in 1..<5 where counted.frames < frames / 2 {
      CockpitBench.write("\(use.rawValue): \(counted.frames) of \(frames) frames, the cockpit let go: counts again\n")
      letGo()
      takeHold()
      counted = try count(use, of: child, in: table)
    }
    return counted
  }

  /// Moves the needle up and down for 1,200 refreshes (20 s at 60 Hz), and at least once. Each speed is shown for only a few
  /// frames, and a busy machine skips some of those.
  private func showEverySpeed() {
    let seconds = 5.0
    var rest = 1200
    repeat {
      for row in [slow, rows.count - 1] {
        shift(to: row)
        let refreshes = Int(seconds * 1e9) / Int(compositor.interval)
        drag(refreshes: refreshes, reach: 45, speed: 3)
        rest -= refreshes
      }
    } while rest > 0
  }

  /// Keeps buffers until the client has as many as it ever makes: on a busy machine, where one is released late, the last would otherwise
  /// be made while allocations are counted.
  private func useEveryBuffer() {
    let policy = compositor.stage.releasePolicy
    compositor.stage.releasePolicy = .byHand
    drag(refreshes: 12, reach: 45, speed: 3)
    compositor.stage.releaseBuffers()
    compositor.stage.releasePolicy = policy
    drag(refreshes: 12, reach: 45, speed: 3)
  }

  private func count(_ use: Use, of child: Child, in table: AllocationTable) throws(BenchError) -> Allocations {
    if !isFramed { shift(to: slow) }
    isShifting = use == .shifting
    drag(refreshes: isShifting ? 480 : 60, reach: 30, speed: 1)
    // Counts once without using the result, because counting itself loads code and tables into memory.
    table.isCounting = true
    drag(refreshes: 60, reach: 30, speed: 1)
    table.isCounting = false
    table.clear()
    var painted = 0
    compositor.stage.onCommit = { surface, record in
      if record.hasContent, surface.role.isWindow { painted += 1 }
    }
    let memory = child.cost.ownMemory
    table.isCounting = true
    drag(refreshes: frames, reach: 30, speed: 1)
    table.isCounting = false
    compositor.stage.onCommit = nil
    let growth = child.cost.ownMemory - memory
    guard !child.hasEnded else { throw .client(name: client.name, "ended during a drag") }
    return Allocations(
      use: use.rawValue,
      frames: painted, own: table.own, libraries: table.libraries, growth: growth,
      ways: describe(table.ways, per: max(painted, 1)))
  }

  /// The row of a slow gear. The needle moves while the speed rises to it.
  private var slow: Int { rows.count - 8 }

  private func takeHold() {
    let seat = compositor.stage.seat
    let rim = wheel.rim(0)
    guard !isFramed else {
      seat.pointerEnter(rim.x, rim.y)
      seat.pointerButton(true)
      return
    }
    seat.touchDown(1, rows[0].x, rows[0].y)
    seat.touchFrame()
    for row in rows.indices { shift(to: row) }
    seat.touchDown(2, rim.x, rim.y)
    seat.touchFrame()
  }

  private func letGo() {
    let seat = compositor.stage.seat
    if isFramed {
      seat.pointerButton(false)
      seat.pointerLeave()
    } else {
      seat.touchUp(1)
      seat.touchUp(2)
      seat.touchFrame()
    }
    compositor.run(milliseconds: 500)
  }

  private func shift(to row: Int) {
    compositor.stage.seat.touchMotion(1, rows[row].x, rows[row].y)
    compositor.stage.seat.touchFrame()
    compositor.run(milliseconds: 40)
  }

  /// The y of the lever's finger while it shifts: from neutral to the fastest gear and back.
  private var lever: Double {
    let (slow, fast) = (rows[0].y, rows[rows.count - 1].y)
    return slow + (fast - slow) * (0.5 - 0.5 * cos(Double(motions) / 60))
  }

  /// Turns the wheel left and right by `reach` degrees, to a new angle with each refresh.
  private func drag(refreshes: Int, reach: Double, speed: Double) {
    let seat = compositor.stage.seat
    let duration = Int64(refreshes) * compositor.interval
    compositor.run(for: duration, after: compositor.interval / 5, every: compositor.interval) { [self] in
      motions += 1
      let point = wheel.rim(reach * sin(Double(motions) / 40 * speed))
      if isFramed {
        seat.pointerMotion(point.x, point.y)
      } else {
        seat.touchMotion(2, point.x, point.y)
        if isShifting { seat.touchMotion(1, rows[0].x, lever) }
        seat.touchFrame()
      }
      compositor.stage.flush()
    }
  }

  private func describe(_ ways: [AllocationTable.Site], per frames: Int) -> [String] {
    let symbols = ProgramSymbols(client.words[0])
    let names = symbols.names(of: Array(Set(ways.flatMap { $0.stack.compactMap { $0 } })))
    return ways.map { way in
      let stack = way.stack.map { $0.flatMap { names[$0] } ?? "library" }
      // Shows adjacent equal calls once (those within libraries all have the same name), and leaves out Swift's runtime.
      var calls: [String] = []
      for call in stack where call != calls.last && !call.contains("swift_") { calls.append(call) }
      let share = String(format: "%.2f", Double(way.count) / Double(frames))
      return "\(share) \(way.isOwn ? "own" : "library"): \(calls.prefix(8).joined(separator: " < "))"
    }
  }
}

// The actor is explicit, because without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// Allocation counts in a file that the measured program maps too, with the layout of `struct allocations`.
@MainActor final class AllocationTable {
  /// A call stack that allocates.
  struct Site {
    var count: Int
    /// True if the program's own code allocated, false if a shared library did.
    var isOwn: Bool
    /// Return addresses in the program's code, innermost first; nil for code of shared libraries.
    var stack: [UInt64?]
  }

  /// The file's path, which COCKPIT_ALLOCATIONS passes to the program.
  let path = NSTemporaryDirectory() + "cockpit-bench-allocations-\(getpid())"
  private let words: UnsafeMutablePointer<UInt64>
  private static let header = 6
  private static let sites = 1024
  private static let depth = 24
  private static let wordsPerSite = 2 + depth
  private static let byteCount = (header + sites * wordsPerSite) * 8

  init() throws(BenchError) { words = try mapShared(path, byteCount: AllocationTable.byteCount) }

  isolated deinit {
    munmap(words, AllocationTable.byteCount)
    unlink(path)
  }

  /// True while the program's allocations are counted.
  var isCounting: Bool {
    get { words[0] != 0 }
    set { words[0] = newValue ? 1 : 0 }
  }

  /// True once the program has loaded the library.
  var isThere: Bool { words[3] != 0 }

  /// Clears the counts. Must not be called while counting.
  func clear() {
    for index in 4..<AllocationTable.byteCount / 8 { words[index] = 0 }
  }

  /// The number of allocations by the program's own code.
  var own: Int { Int(words[4]) }

  /// The number of allocations by shared libraries.
  var libraries: Int { Int(words[5]) }

  /// The call stacks of the allocations, the most frequent first.
  var ways: [Site] {
    let (base, start, end) = (words[1], words[2], words[3])
    let all = (0..<AllocationTable.sites).map { words + AllocationTable.header + $0 * AllocationTable.wordsPerSite }
    return all.prefix { $0[0] > 0 }.map { site in
      let addresses = (2..<AllocationTable.wordsPerSite).map { site[$0] }.prefix { $0 != 0 }
      return Site(
        count: Int(site[0]), isOwn: site[1] != 0,
        stack: addresses.map { $0 >= start && $0 < end ? $0 - base : nil })
    }
    .sorted { $0.count > $1.count }
  }
}

/// The functions of a program, listed by `nm`; empty if that is missing or the program was stripped.
struct ProgramSymbols {
  private var places: [UInt64] = []
  private var names: [String] = []

  init(_ path: String) {
    let listed = Child.run(["/usr/bin/env", "nm", "-n", "--defined-only", path]) ?? Data()
    for line in String(decoding: listed, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, parts[1].lowercased() == "t" || parts[1] == "W", let place = UInt64(parts[0], radix: 16)
      else { continue }
      places.append(place)
      names.append(String(parts[2]))
    }
  }

  /// The names of the functions that contain the addresses `places`, made readable by `swift demangle` if that is installed.
  func names(of places: [UInt64]) -> [UInt64: String] {
    var raw: [UInt64: String] = [:]
    for place in places {
      let index = self.places.lastIndex { $0 <= place }
      raw[place] = index.map { names[$0] } ?? String(place, radix: 16)
    }
    let mangled = Array(Set(raw.values))
    let plain = Dictionary(zip(mangled, demangled(mangled)), uniquingKeysWith: { first, _ in first })
    return raw.mapValues { plain[$0] ?? $0 }
  }
}

/// Names of functions, made readable by `swift demangle` if that is installed.
func demangled(_ names: [String]) -> [String] {
  let words = ["/usr/bin/env", "swift", "demangle", "--compact", "--simplified"] + names
  guard !names.isEmpty, let output = Child.run(words) else { return names }
  let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  return zip(names, lines).map { name, line in line.isEmpty ? name : String(line) }
}
