import Controls
import Foundation
import Glibc
import Stage
import UICore

/// A cockpit whose wheel is turned with every refresh, on and on, and a library in it that counts.
final class AllocationMeasurer {
  /// How the cockpit is used meanwhile.
  enum Use: CaseIterable {
    /// One finger holds the lever in a gear, another turns the wheel, and lines are sent; the needle moves.
    case driving
    /// The same, and the lever runs through every gear.
    case shifting
    /// The pointer turns the wheel, in a window with a frame of the program's own, on a compositor that keeps buffers until
    /// it has got others.
    case framed

    /// For people.
    var description: String {
      switch self {
      case .driving: "two fingers drive"
      case .shifting: "two fingers drive and shift"
      case .framed: "the pointer turns the wheel in a frame"
      }
    }
  }

  private let client: ClientSpecification
  private let size: PixelSize
  private let use: Use
  private let wheel: WheelPlace
  /// The lever's places from neutral up to the fastest gear.
  private let rows: [Point]
  private let counter: String
  private let frames: Int
  private let compositor: MeasuringCompositor
  private var motions = 0
  private var isShifting = false

  /// Loads the library at `counter` into the client; `frames` refreshes are counted, `refresh` a second.
  init(
    _ client: ClientSpecification, size: PixelSize, use: Use, counter: String, frames: Int, refresh: Double
  ) throws(BenchError) {
    let bar = use == .framed ? DecorationGeometry.barHeight : 0
    let inside = PixelSize(width: size.width, height: size.height - Int(bar))
    guard let tree = ViewTree(of: client, size: inside), var wheel = WheelPlace(tree: tree),
      let gearbox = tree.frame(of: "ThrottleGearbox")
    else { throw .client(name: client.name, "names no wheel and gearbox in --dump-tree") }
    wheel.center.y += bar
    (self.client, self.size, self.use, self.wheel, self.counter, self.frames) =
      (client, size, use, wheel, counter, frames)
    let gate = GearboxGeometry(size: gearbox.size, fit: .filling)
    rows = (0...gate.row(of: .neutral)).reversed().map {
      Point(x: gearbox.midX, y: gearbox.minY + gate.y(ofRow: $0))
    }
    compositor = try MeasuringCompositor(size: size, drawsNoFrames: use == .framed, refresh: refresh)
    compositor.stage.releasePolicy = use == .framed ? .whenReplaced : .atFrame
  }

  func run() throws(BenchError) -> Allocations {
    let table = try AllocationTable()
    var environment = compositor.environment
    environment["LD_PRELOAD"] = counter
    environment["COCKPIT_ALLOCATIONS"] = table.path
    var words = client.words + ["--size", "\(size.width)x\(size.height)"]
    // Lines that nobody reads are overtaken by newer ones: the drive is the same.
    // A busy machine may keep this compositor from answering; frames of a drive that it ended are not those that are counted.
    if use != .framed {
      words += ["--drive", "unix:\(NSTemporaryDirectory())cockpit-bench-nobody-\(getpid())", "--answer-limit", "2000"]
    }
    let child = try Child(words, environment: environment)
    defer { child.end() }
    compositor.run(until: Time.now + 10_000_000_000) { self.compositor.surface != nil || child.hasEnded }
    guard table.isThere else { throw .client(name: client.name, "does not load \(counter)") }
    compositor.run(milliseconds: 500)
    takeHold()
    // Until every text was shown and every list has the length that it will need: wider and faster than what is counted.
    drag(seconds: use == .framed ? 6 : 12, reach: 45, speed: 3)
    if use != .framed {
      // Each speed is shown for some frames only, and a busy machine leaves some of them out: so again and again.
      for row in [slow, rows.count - 1, slow, rows.count - 1] {
        shift(to: row)
        drag(seconds: 5, reach: 45, speed: 3)
      }
      shift(to: slow)
    }
    isShifting = use == .shifting
    drag(seconds: isShifting ? 8 : 1, reach: 30, speed: 1)
    // Counting itself brings code and tables into memory.
    table.isCounting = true
    drag(seconds: 1, reach: 30, speed: 1)
    table.isCounting = false
    table.clear()
    var painted = 0
    compositor.stage.onCommit = { surface, record in
      if record.hasContent, surface.role == .window { painted += 1 }
    }
    let memory = child.cost.ownMemory
    table.isCounting = true
    drag(refreshes: frames, reach: 30, speed: 1)
    table.isCounting = false
    compositor.stage.onCommit = nil
    let growth = child.cost.ownMemory - memory
    guard !child.hasEnded else { throw .client(name: client.name, "ended during a drag") }
    return Allocations(
      use: use.description,
      frames: painted, own: table.own, libraries: table.libraries, growth: growth,
      ways: describe(table.ways, per: max(painted, 1)))
  }

  /// The row of a slow gear: on the way to its speed the needle moves.
  private var slow: Int { rows.count - 8 }

  private func takeHold() {
    let seat = compositor.stage.seat
    let rim = wheel.rim(0)
    guard use != .framed else {
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

  private func shift(to row: Int) {
    compositor.stage.seat.touchMotion(1, rows[row].x, rows[row].y)
    compositor.stage.seat.touchFrame()
    compositor.run(milliseconds: 40)
  }

  private func drag(seconds: Int64, reach: Double, speed: Double) {
    drag(refreshes: Int(seconds * 1_000_000_000 / compositor.interval), reach: reach, speed: speed)
  }

  /// Where the lever's finger is while it shifts: from neutral to the fastest gear and back.
  private var lever: Double {
    let (slow, fast) = (rows[0].y, rows[rows.count - 1].y)
    return slow + (fast - slow) * (0.5 - 0.5 * cos(Double(motions) / 60))
  }

  /// Turns the wheel to and fro by `reach` degrees, with each refresh to a place where it has not just been.
  private func drag(refreshes: Int, reach: Double, speed: Double) {
    let seat = compositor.stage.seat
    var next = compositor.nextRefresh + compositor.interval / 5
    let end = next + Int64(refreshes) * compositor.interval
    compositor.agenda = { [self] now in
      while now >= next, next < end {
        motions += 1
        let point = wheel.rim(reach * sin(Double(motions) / 40 * speed))
        if use == .framed {
          seat.pointerMotion(point.x, point.y)
        } else {
          seat.touchMotion(2, point.x, point.y)
          if isShifting { seat.touchMotion(1, rows[0].x, lever) }
          seat.touchFrame()
        }
        compositor.stage.display.flush()
        next += compositor.interval
      }
      return next < end ? next : nil
    }
    compositor.run(until: end)
    compositor.agenda = nil
  }

  private func describe(_ ways: [AllocationTable.Site], per frames: Int) -> [String] {
    let symbols = ProgramSymbols(client.words[0])
    let names = symbols.names(of: Array(Set(ways.flatMap { $0.stack.compactMap { $0 } })))
    return ways.map { way in
      let stack = way.stack.map { $0.flatMap { names[$0] } ?? "library" }
      // Of calls within libraries and Swift's runtime one tells enough.
      var calls: [String] = []
      for call in stack where call != calls.last && !call.contains("swift_") { calls.append(call) }
      let share = String(format: "%.2f", Double(way.count) / Double(frames))
      return "\(share) \(way.isOwn ? "own" : "library"): \(calls.prefix(8).joined(separator: " < "))"
    }
  }
}
