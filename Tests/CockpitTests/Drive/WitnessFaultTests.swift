import CockpitControls
import Controls
import Glibc
import Shell
import TestSupport
import Testing
import UICore
import Witnessing

@testable import cockpit

/// Faults that are put into the memory of a frame before its commit, as broken hardware, drivers or code make them.
@MainActor @Suite(.serialized) struct WitnessFaultTests {
  /// How many faults of each kind; COCKPIT_WITNESS_FAULTS asks for more.
  nonisolated static let count = getenv("COCKPIT_WITNESS_FAULTS").flatMap { Int(String(cString: $0)) } ?? 5

  nonisolated enum Fault: CaseIterable, CustomTestStringConvertible {
    case noFont, otherGlyph, swappedLamps, equalColors, covered, stale, rowOff, flippedBytes, wrongScale

    var testDescription: String { "\(self)" }
  }

  /// The pixels of an area.
  private struct Patch {
    let area: PixelArea
    var pixels: [[UInt32]]

    init(_ area: PixelArea, of buffer: borrowing PixelBuffer) {
      self.area = area
      pixels = []
      for y in area.y..<area.y + area.height {
        var row: [UInt32] = []
        for x in area.x..<area.x + area.width { row.append(buffer[x, y]) }
        pixels.append(row)
      }
    }

    /// Puts the pixels at the upper left corner of `place`.
    func put(into buffer: borrowing PixelBuffer, at place: PixelArea) {
      for (y, row) in pixels.enumerated() {
        for (x, pixel) in row.enumerated() where x < place.width && y < place.height {
          buffer[place.x + x, place.y + y] = pixel
        }
      }
    }
  }

  /// What happens to the memory, and what it takes for that.
  private final class Spoiler {
    let fault: Fault
    var random: Random
    /// Where the instruments are; empty until the desk is there.
    var cells: () -> [Cell] = { [] }
    var isArmed = false
    private(set) var hits = 0
    /// Whole frames of before, and the gears' letters that they showed.
    private var old: [[UInt32]] = []
    private var letters: [String: Patch] = [:]

    init(_ fault: Fault, seed: Int) { (self.fault, random) = (fault, Random(seed)) }

    func didDraw(_ buffer: PixelBuffer) {
      let cells = cells()
      guard let gear = cells.first, cells.count == 4 else { return }
      guard isArmed else {
        old = old.suffix(1) + [buffer.pixels]
        letters[gear.text] = Patch(gear.area, of: buffer)
        return
      }
      hits += 1
      let cell = cells[random.below(cells.count)]
      var patch = Patch(cell.area, of: buffer)
      let width = cell.area.width
      switch fault {
      case .noFont: for y in patch.pixels.indices { patch.pixels[y] = patch.pixels[y].map { _ in patch.pixels[y][0] } }
      case .otherGlyph:
        let others = letters.filter { $0.key != gear.text }.sorted { $0.key < $1.key }
        return others[random.below(others.count)].value.put(into: buffer, at: gear.area)
      case .swappedLamps:
        let lamps = cells.suffix(2).map(\.lamp)
        let patches = lamps.map { Patch($0, of: buffer) }
        for (lamp, patch) in zip(lamps.reversed(), patches) { patch.put(into: buffer, at: lamp) }
        return
      case .equalColors:
        let hundredths = 1 + random.below(24)
        for y in patch.pixels.indices {
          let ground = patch.pixels[y][0]
          patch.pixels[y] = patch.pixels[y].map { Self.mix(ground, $0, hundredths) }
        }
      case .covered:
        // At least a third of the text itself, from one side.
        let part = width * (35 + random.below(60)) / 100
        for y in patch.pixels.indices {
          for x in 0..<part { patch.pixels[y][x] = 0xff40_5060 }
        }
      case .stale:
        let frame = old[random.below(old.count)]
        for y in 0..<buffer.size.height {
          for x in 0..<buffer.size.width { buffer[x, y] = frame[y * buffer.size.width + x] }
        }
        return
      case .rowOff:
        let up = random.below(2) == 0
        let (rows, last) = (patch.pixels, patch.pixels.count - 1)
        patch.pixels = up ? Array(rows[1...] + rows[...0]) : Array(rows[last...] + rows[..<last])
      case .flippedBytes:
        for y in patch.pixels.indices {
          for x in 0..<width where random.below(4) == 0 { patch.pixels[y][x] ^= 0xff << UInt32(8 * random.below(3)) }
        }
      case .wrongScale:
        let factor = [0.5, 0.8, 0.9, 1.1, 1.25, 2][random.below(6)]
        let (whole, rows) = (patch.pixels, patch.pixels.count)
        for y in 0..<rows {
          for x in 0..<width {
            let (u, v) = (Double(x - width / 2) / factor, Double(y - rows / 2) / factor)
            let (column, row) = (Int(u.rounded()) + width / 2, Int(v.rounded()) + rows / 2)
            patch.pixels[y][x] = whole[min(max(row, 0), rows - 1)][min(max(column, 0), width - 1)]
          }
        }
      }
      patch.put(into: buffer, at: cell.area)
    }

    /// `ground` with so many hundredths of `ink`.
    private static func mix(_ ground: UInt32, _ ink: UInt32, _ hundredths: Int) -> UInt32 {
      var mixed: UInt32 = 0xff00_0000
      for shift in [UInt32(0), 8, 16] {
        let (a, b) = (Int(ground >> shift & 0xff), Int(ink >> shift & 0xff))
        mixed |= UInt32(a + (b - a) * hundredths / 100) << shift
      }
      return mixed
    }
  }

  @Test(arguments: Fault.allCases) func `a fault of a frame's memory ends the drive within 200 ms`(fault: Fault) throws
  {
    let spoiler = Spoiler(fault, seed: Fault.allCases.firstIndex(of: fault) ?? 0)
    let desk = try DriveDesk(prepare: { desk, _ in
      let watch = DisplayWatch(scene: desk.scene, session: desk.session, loop: desk.application.loop) {
        [loop = desk.application.loop] in PlayedWitness(loop)
      }
      desk.session.watch = watch
      desk.relay.parts += [watch, SessionProbe(didDraw: spoiler.didDraw)]
    })
    spoiler.cells = { [unowned desk] in
      let state = ShownState(gear: Gear(number: desk.line.command.gear), lamp: desk.output.lamp)
      return desk.scene.cluster.cells(showing: state, factor: 1, in: desk.scene.content)
    }
    // The stage finds pixels that changed outside of the damage: the faults.
    desk.toleratesEnd = true
    var slowest = Duration.zero
    for number in 0..<Self.count {
      desk.takeLever(to: .forward(2 + spoiler.random.below(4)))
      desk.pass(.milliseconds(60))
      #expect(desk.line.state == .driving, "\(number)")
      let (before, start) = (spoiler.hits, desk.stage.clock.now)
      spoiler.isArmed = true
      let place = desk.scene.lever(.forward(7 + spoiler.random.below(3)))
      desk.stage.seat.touchMotion(1, place.x, place.y)
      desk.stage.seat.touchFrame()
      desk.settle()
      while desk.line.state == .driving, desk.stage.clock.now - start < .seconds(1) {
        desk.stage.nextRefresh()
        desk.settle()
      }
      let time = desk.stage.clock.now - start
      slowest = max(slowest, time)
      #expect(
        spoiler.hits > before && desk.line.reason == .displayFault && time <= .milliseconds(200), "\(number): \(time)")
      spoiler.isArmed = false
      desk.lift(1)
      desk.scene.setNeedsLayout()
      desk.pass(.milliseconds(200))
    }
    print("\(Self.count) faults of the kind \(fault): safe line <= \(slowest) after the command")
    desk.end()
  }
}
