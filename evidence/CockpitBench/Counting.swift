import Foundation
import Glibc
import Stage
import UICore

/// Figures that are counted instead of timed, and so are the same on every machine with the same libraries and fonts.
struct Counting {
  var cockpit: ClientSpecification
  /// The client that sends the same requests as the cockpit and draws nothing; nil to leave out the comparison.
  let floor: ClientSpecification?
  /// The client that draws a wheel by cairo, without text; nil to leave it out. (Pango's thread runs while the client starts, so with text
  /// the heap, and with it the work of later allocations, would differ by half a percent from run to run.)
  let bare: ClientSpecification?
  /// The folder of the clock and the counter.
  let tools: String
  /// The library that counts allocations.
  let allocations: String

  /// How a client is used while it is counted.
  enum Use: String, CaseIterable {
    /// A finger turns the wheel, to a new angle in each frame. With it belong the motions of a flood, and the rest after it.
    case wheel
    /// A finger moves the lever through all gears and back, one with each frame.
    case lever
  }

  /// The number of frames that are counted: the wheel's finger is back where it was.
  private static let frames = 64

  /// Records the figures of every client for `uses` in a window of `size`.
  func record(_ uses: [Use], in figures: inout Figures, size: PixelSize) throws(BenchError) {
    let places = try Places(of: cockpit, size: size)
    let damage = NSTemporaryDirectory() + "cockpit-bench-damage-\(getpid())"
    defer { unlink(damage) }
    for use in uses {
      let counted = try count(cockpit, use, places, size)
      counted.record(in: &figures, client: "cockpit", use, size)
      try recordWithoutCounter(in: &figures, use, places, size)
      guard var floor else { continue }
      do {
        try counted.script.write(toFile: damage, atomically: true, encoding: .utf8)
      } catch {
        throw .usage("\(damage): \(error.localizedDescription)")
      }
      // Any touch is on its wheel.
      floor.words += ["--damage", damage, "--wheel", "0,0,100000"]
      try count(floor, use, places, size).record(in: &figures, client: floor.name, use, size)
      guard var bare, use == .wheel else { continue }
      bare.words += ["--wheel", "\(places.wheel.center.x),\(places.wheel.center.y),\(places.wheel.radius)"]
      try count(bare, use, places, size).record(in: &figures, client: bare.name, use, size)
    }
    guard uses.contains(.wheel) else { return }
    try recordFlood(in: &figures, places, size)
    try recordRest(in: &figures, places, size)
  }

  /// Counts what `client` does in the frames of a use.
  private func count(
    _ client: ClientSpecification, _ use: Use, _ places: Places, _ size: PixelSize
  ) throws(BenchError) -> CountedFrames {
    Progress.show("\(client.name) at \(size.text), \(use.rawValue), counted")
    let client = try CountedClient(
      client, size: size, tools: .init(folder: tools, valgrind: CountedClient.Tools.counter))
    var hand = CountedHand(client.stage, use, places)
    try warmUp(client, &hand)
    // Counted from the middle of the first of these frames on.
    client.isCounting = true
    try client.pass(refreshes: 2) { hand.move() }
    return try CountedFrames(of: client) { () throws(BenchError) in
      try client.pass(refreshes: Counting.frames) { hand.move() }
    }
  }

  /// Until every text has been shown and every list has its full capacity; the speed that the lever sets becomes steady in 20 seconds.
  private func warmUp(_ client: CountedClient, _ hand: inout CountedHand) throws(BenchError) {
    try client.pass(refreshes: hand.use == .lever ? 2400 : 192) { hand.move() }
  }

  /// The functions of the cockpit in which most instructions of a use's frames are, as lines.
  func profile(_ use: Use, size: PixelSize, count: Int) throws(BenchError) -> [String] {
    let places = try Places(of: cockpit, size: size)
    Progress.show("cockpit at \(size.text), \(use.rawValue), profile")
    let file = NSTemporaryDirectory() + "cockpit-bench-profile-\(getpid())"
    defer { unlink(file) }
    let tool = ["--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=\(file)"]
    let client = try CountedClient(cockpit, size: size, tools: .init(folder: tools, valgrind: tool))
    var hand = CountedHand(client.stage, use, places)
    try warmUp(client, &hand)
    client.isCounting = true
    try client.pass(refreshes: Counting.frames) { hand.move() }
    client.isCounting = false
    try client.pass(refreshes: 2) { hand.move() }
    client.child.end(within: 30)
    let words = ["/usr/bin/env", "callgrind_annotate", "--threshold=100", file]
    let lines = String(decoding: Child.run(words) ?? Data(), as: UTF8.self).split(separator: "\n")
    let rows = lines.compactMap(ProfileRow.init)
    guard !rows.isEmpty else { throw .client(name: cockpit.name, "has no profile; is callgrind_annotate there?") }
    let names = demangled(rows.prefix(count).map(\.function))
    return zip(rows, names).map { row, name in
      let each = String(Int(row.instructions / Double(Counting.frames)))
      return "\(String(repeating: " ", count: max(0, 9 - each.count)))\(each)  \(row.object)  \(name)"
    }
  }

  /// Page faults and allocations, without the counter, which makes both of its own.
  private func recordWithoutCounter(
    in figures: inout Figures, _ use: Use, _ places: Places, _ size: PixelSize
  ) throws(BenchError) {
    Progress.show("cockpit at \(size.text), \(use.rawValue), counted")
    let table = try AllocationTable()
    let client = try CountedClient(
      cockpit, size: size, tools: .init(folder: tools, allocations: (table.path, allocations)))
    guard table.isThere else { throw .client(name: cockpit.name, "does not load \(allocations)") }
    var hand = CountedHand(client.stage, use, places)
    try warmUp(client, &hand)
    // Counting itself loads code.
    table.isCounting = true
    try client.pass(refreshes: Counting.frames) { hand.move() }
    table.isCounting = false
    table.clear()
    let faults = client.child.cost.pageFaults
    try client.pass(refreshes: Counting.frames) { hand.move() }
    let frames = Double(Counting.frames)
    figures.record(
      Double(client.child.cost.pageFaults - faults) / frames, "\(use): page faults a frame", "", scene: size.text)
    table.isCounting = true
    try client.pass(refreshes: Counting.frames) { hand.move() }
    table.isCounting = false
    figures.record(Double(table.own) / frames, "\(use): allocations a frame by own code", "", scene: size.text)
    figures.record(Double(table.libraries) / frames, "\(use): allocations a frame by libraries", "", scene: size.text)
  }

  /// What each motion of a wheel's finger costs that comes before the next refresh and so is not drawn by itself.
  private func recordFlood(in figures: inout Figures, _ places: Places, _ size: PixelSize) throws(BenchError) {
    Progress.show("cockpit at \(size.text), flood, counted")
    let client = try CountedClient(
      cockpit, size: size, tools: .init(folder: tools, valgrind: CountedClient.Tools.counter))
    var hand = CountedHand(client.stage, .wheel, places)
    try warmUp(client, &hand)
    client.isCounting = true
    try client.pass(refreshes: 2) { hand.move() }
    let motions = 64
    let before = client.counts
    try client.pass(times: motions, .microseconds(100)) { hand.move() }
    let counts = client.counts - before
    figures.record(counts.instructions / Double(motions), "flood: instructions a motion", "", scene: size.text)
    figures.record(counts.calls / Double(motions), "flood: system calls a motion", "", scene: size.text)
  }

  /// The wake-ups and commits in an hour without touches that begins ten seconds after a finger has let go of the wheel.
  private func recordRest(
    in figures: inout Figures, _ places: Places, _ size: PixelSize
  ) throws(BenchError) {
    Progress.show("cockpit at \(size.text), at rest, counted")
    let client = try CountedClient(cockpit, size: size, tools: .init(folder: tools))
    var hand = CountedHand(client.stage, .wheel, places)
    try warmUp(client, &hand)
    hand.lift()
    try client.pass(.seconds(10))
    var commits = 0
    client.stage.onCommit = { _, _ in commits += 1 }
    let before = client.counts
    try client.pass(.seconds(3600))
    figures.record((client.counts - before).wakeUps, "rest: wake-ups an hour", "", scene: size.text)
    figures.record(Double(commits), "rest: commits an hour", "", scene: size.text)
  }
}

/// The work of a client in some frames.
struct CountedFrames {
  var counts = Counts()
  /// The damage of each frame, as it was requested.
  var damage: [[PixelRect]] = []
  /// The sum of the frames' damaged pixels.
  var damagedPixels = 0

  /// No frames.
  init() {}

  /// What `client` does while `body` lets frames pass.
  @MainActor init(of client: CountedClient, _ body: () throws(BenchError) -> Void) throws(BenchError) {
    var (damage, pixels): ([[PixelRect]], Int) = ([], 0)
    client.stage.onCommit = { surface, record in
      if record.hasContent, surface.role.isWindow {
        damage.append(record.damage)
        pixels += record.damagedPixels
      }
    }
    let before = client.counts
    try body()
    counts = client.counts - before
    client.stage.onCommit = nil
    (self.damage, damagedPixels) = (damage, pixels)
  }

  /// The damage as lines for the client that draws nothing: a line of numbers for each frame.
  var script: String {
    damage.map { $0.map { "\($0.x) \($0.y) \($0.width) \($0.height)" }.joined(separator: " ") + "\n" }.joined()
  }

  /// The figures of a frame by their names; nil without frames.
  var values: [(name: String, value: Double?)] {
    let frames = Double(damage.count)
    let values = [
      ("instructions a frame", counts.instructions / frames), ("system calls a frame", counts.calls / frames),
      ("wake-ups a frame", counts.wakeUps / frames), ("bytes read and written a frame", counts.bytes / frames),
      ("overdraw factor", counts.pixelBytes / Double(damagedPixels * 4)),
      ("damaged pixels a frame", Double(damagedPixels) / frames),
      ("damage requests a frame", Double(damage.reduce(0) { $0 + $1.count }) / frames),
    ]
    return values.map { ($0.0, damage.isEmpty ? nil : $0.1) }
  }

  /// Records the figures of a frame.
  func record(in figures: inout Figures, client: String, _ use: Counting.Use, _ size: PixelSize) {
    for (name, value) in values { figures.record(value, "\(use): \(name)", "", client: client, scene: size.text) }
  }
}

/// A function in what callgrind_annotate prints: `1,234 (5.6%)  file:function [object]`.
struct ProfileRow {
  var instructions: Double
  var function: String
  /// The file name of the program or library.
  var object: String

  init?(_ line: Substring) {
    guard let percent = line.range(of: "%)"),
      let bracket = line.range(of: "(", options: .backwards, range: line.startIndex..<percent.lowerBound),
      let number = Double(line[..<bracket.lowerBound].filter { $0 != "," && $0 != " " }),
      let colon = line[percent.upperBound...].firstIndex(of: ":"), let open = line.lastIndex(of: "["), colon < open
    else { return nil }
    instructions = number
    function = line[line.index(after: colon)..<open].trimmingCharacters(in: .whitespaces)
    object = line[line.index(after: open)...].split(separator: "/").last.map { String($0.prefix { $0 != "]" }) } ?? ""
  }
}

/// The finger of a counted use.
private struct CountedHand {
  private let seat: StageSeat
  let use: Counting.Use
  private let places: Places
  private var motions = 0
  private static let finger: Int32 = 1

  init(_ stage: Stage, _ use: Counting.Use, _ places: Places) {
    (seat, self.use, self.places) = (stage.seat, use, places)
  }

  private var place: Point {
    switch use {
    case .wheel:
      let step = motions % 64
      return places.wheel.rim(-40 + 2.5 * Double(step < 32 ? step : 64 - step))
    case .lever:
      let last = places.lever.count - 1
      return places.lever[last - abs(last - motions % (2 * last))]
    }
  }

  /// Puts the finger down, then moves it on with each call.
  mutating func move() {
    if motions == 0 {
      seat.touchDown(CountedHand.finger, place.x, place.y)
    } else {
      seat.touchMotion(CountedHand.finger, place.x, place.y)
    }
    seat.touchFrame()
    motions += 1
  }

  func lift() {
    seat.touchUp(CountedHand.finger)
    seat.touchFrame()
  }
}
