import CockpitControls
import ControlHarness
import Controls
import Foundation
import ScreenJudging
import ScreenshotTesting
import Testing
import UICore

@testable import cockpit

/// Small faults of the picture that a designer sees, each measured on the pixels.
@MainActor @Suite(.serialized) struct PictureDetailTests {
  private func harness(
    _ size: (Double, Double), _ look: SceneLook = SceneLook(), _ change: (CockpitScene) -> Void = { _ in }
  )
    -> ControlHarness
  {
    let scene = CockpitScene()
    scene.adopt(look)
    scene.car.followsTelemetry = true
    change(scene)
    scene.car.showControls()
    let harness = ControlHarness(
      size: Size(width: size.0, height: size.1), root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    harness.advance(by: .seconds(3))
    return harness
  }

  /// The colours of a row of pixels of the gate's plate, from inside its border to its middle.
  private func row(_ y: Int, of gate: Rect, _ picture: Snapshot) -> [UInt32] {
    (Int(gate.minX) + 3..<Int(gate.midX)).map { picture[$0, y] }
  }

  @Test(arguments: [(1024.0, 600.0), (640, 360), (1280, 800)])
  func `a line of the gate leaves nothing beside its number`(size: (Double, Double)) throws {
    let harness = harness(size)
    let gearbox = try #require(harness.root as? CockpitScene).gearbox
    let (gate, geometry) = (gearbox.windowFrame, gearbox.geometry)
    let picture = harness.shown
    for number in 1...10 {
      let y = Int(gate.minY + geometry.y(ofRow: geometry.row(of: .forward(number))))
      let (line, above) = (row(y, of: gate, picture), row(y - 9, of: gate, picture))
      // Left of the column of numbers the plate is as empty as between two rows.
      let count = Int(gate.width * 0.06) - 3
      #expect(zip(line, above).prefix(count).allSatisfy { Contrast.ratio($0, $1) < 1.05 }, "gear \(number)")
    }
  }

  @Test(arguments: [(800.0, 480.0, 1.0), (1920, 1080, 3), (3840, 2160, 5)])
  func `the gate's lines grow with the window`(width: Double, height: Double, least: Double) throws {
    let harness = harness((width, height))
    let gearbox = try #require(harness.root as? CockpitScene).gearbox
    let (gate, geometry) = (gearbox.windowFrame, gearbox.geometry)
    let y = gate.minY + geometry.y(ofRow: geometry.row(of: .forward(5)))
    let x = Int(gate.minX + geometry.lines(inRow: geometry.row(of: .forward(5))).left.maxX) - 4
    let picture = harness.shown
    let ground = picture[x, Int(y) - Int(height / 60)]
    let drawn = (-12...12).filter { Contrast.ratio(picture[x, Int(y) + $0], ground) > 2 }.count
    #expect(drawn >= Int(least), "\(drawn) pixels")
  }

  @Test(arguments: [170.0, 300, 485, 700]) func `numbers that mirror each other stand level`(side: Double) {
    let dial = Speedometer()
    dial.frame = Rect(x: 0, y: 0, width: side, height: side)
    dial.sizes = TextSizes(label: max((side * 0.035).rounded(), 12), value: 14)
    func width(_ label: Speedometer.FaceText) -> Double {
      FontLibrary.shared.layout(label.text, font: dial.labelFont).inkBounds.width
    }
    let numbers = dial.labels.filter { Int($0.text) != nil }
    #expect(numbers.count >= 6)
    for (label, mirrored) in zip(numbers, numbers.reversed()) {
      #expect(abs(label.place.y - mirrored.place.y) < 1e-6, "\(label.text) and \(mirrored.text)")
      guard label.place.x < side / 2 - 1 else { continue }
      let (left, right) = (label.place.x - width(label) / 2, mirrored.place.x + width(mirrored) / 2)
      #expect(abs(left + right - side) < 1e-6, "\(label.text) and \(mirrored.text) end equally far from the axis")
    }
  }

  @Test(arguments: [(480.0, 320.0), (1280.0, 720.0)]) func `the upright stroke of the dial is sharp`(
    width: Double, height: Double
  )
    throws
  {
    let harness = harness((width, height))
    let scene = try #require(harness.root as? CockpitScene)
    let dial = scene.cluster.speedometer
    let middle = dial.windowFrame.center
    let y = Int(middle.y - dial.radius * 0.9)
    let (ground, stroke) = (scene.palette.dial, scene.palette.text)
    for x in Int(middle.x) - 6...Int(middle.x) + 6 {
      let pixel = harness.shown[x, y] & 0xffffff
      #expect(
        [ground, stroke].contains { Self.isNear(pixel, $0) }, "\(x - Int(middle.x)): \(String(pixel, radix: 16))")
    }
  }

  private static func isNear(_ pixel: UInt32, _ color: Color) -> Bool {
    let parts = [(16, color.red), (8, color.green), (0, color.blue)]
    return parts.allSatisfy { shift, part in abs(Double(pixel >> UInt32(shift) & 0xff) - part * 255) <= 3 }
  }

  @Test func `no stroke of the scale is left beside the needle as a second mark`() throws {
    let harness = harness((1280, 800)) { $0.cluster.speedometer.speed = 61 }
    let scene = try #require(harness.root as? CockpitScene)
    let dial = scene.cluster.speedometer
    for speed in stride(from: 55.0, through: 65, by: 0.5) {
      dial.speed = speed
      harness.advance(by: .seconds(2))
      let (center, radius) = (dial.windowFrame.center, dial.radius)
      let distance = radius * 0.9
      /// How bright the pixel is that lies `way` pixels beside the needle's middle.
      func light(_ way: Double) -> Double {
        let angle = dial.angle(of: speed) + way / distance
        let (x, y) = (center.x + cos(angle) * distance, center.y + sin(angle) * distance)
        let pixel = harness.shown[Int(x), Int(y)]
        return Double(pixel >> 8 & 0xff)
      }
      let dark = scene.palette.dial.green * 255 + 24
      for side in [-1.0, 1] {
        let steps = stride(from: 2.0, through: 14, by: 0.25).map { (way: $0, isLit: light($0 * side) > dark) }
        guard let edge = steps.first(where: { !$0.isLit }),
          let next = steps.first(where: { $0.way > edge.way && $0.isLit })
        else { continue }
        #expect(next.way - edge.way >= 1.5, "\(speed) km/h: a mark \(next.way - edge.way) pixels beside the needle")
      }
    }
  }

  @Test(arguments: [(1024.0, 600.0), (800.0, 480.0)])
  func `a number of the gate looks the same on both sides`(width: Double, height: Double) throws {
    let harness = harness((width, height))
    let scene = try #require(harness.root as? CockpitScene)
    let gate = scene.gearbox.windowFrame
    let geometry = GearboxGeometry(size: gate.size, fit: .filling)
    for row in 0..<geometry.rowCount {
      let y = gate.minY + geometry.y(ofRow: row)
      /// The pixels of the text around `part` of the gate's width, without what surrounds them.
      func ink(_ part: Double) -> [[UInt32]] {
        let half = geometry.numberSize * 0.72 + 3
        let middle = gate.minX + gate.width * part
        let ground = harness.shown[Int(middle - half), Int(y - geometry.numberSize * 0.8)]
        let rows = (Int(y - geometry.numberSize * 0.6)...Int(y + geometry.numberSize * 0.6)).map { y in
          (Int(middle - half)...Int(middle + half)).map { x in harness.shown[x, y] }
        }
        let columns = rows[0].indices.filter { column in rows.contains { $0[column] != ground } }
        guard let first = columns.first, let last = columns.last else { return [] }
        return rows.map { Array($0[first...last]) }
      }
      let (left, right) = (ink(27.0 / 200), ink(173.0 / 200))
      let isSame = left == right && !left.isEmpty
      #expect(isSame, "row \(row)")
    }
  }

  @Test func `the beacon can be seen at every moment of its pulse, and a still shows its whole light`() throws {
    for look in SceneGoldenTests.Look.all {
      let palette = CockpitTheme.matching(look.look.theme)
      let weak = palette.teal.mixed(with: palette.onLamp, Beacon.weakest)
      #expect(Contrast.ratio(weak, palette.teal) >= 3, "\(look.name): \(Contrast.ratio(weak, palette.teal))")
    }
    let scene = CockpitScene()
    let still = ControlHarness(size: Size(width: 800, height: 480), root: scene)
    let lamp = scene.cluster.beacon.windowFrame
    let dot = still.shown[Int(lamp.minX + lamp.height * 0.56), Int(lamp.midY)]
    #expect(Self.isNear(dot, scene.palette.onLamp), "\(String(dot, radix: 16))")
  }

  /// By day the wheel casts a shadow that has no edge: neither a printed disc below, nor a cut where the dashboard ends.
  @Test(arguments: [(1280.0, 800.0), (2560.0, 1080.0), (600.0, 600.0)])
  func `the wheel's shadow has no edges`(width: Double, height: Double) throws {
    let harness = harness((width, height), SceneLook(isLight: true))
    let scene = try #require(harness.root as? CockpitScene)
    let wheel = scene.wheel.windowFrame
    let radius = wheel.width / 2
    // Below the rim, where the shadow is broadest, beside the column.
    for angle in [52.0, 128] {
      let direction = (x: cos(angle * .pi / 180), y: sin(angle * .pi / 180))
      let levels = stride(from: radius + 2, to: radius * 1.09, by: 0.5).compactMap { distance -> Int? in
        let (x, y) = (Int(wheel.midX + direction.x * distance), Int(wheel.midY + direction.y * distance))
        return x < Int(width) && y < Int(height) ? Int(harness.shown[x, y] >> 8 & 0xff) : nil
      }
      let steps = zip(levels, levels.dropFirst()).map { abs($1 - $0) }
      // The shadow of a small wheel falls within a few pixels; each is still no more than a third of it.
      let most = max(6, ((levels.last ?? 0) - (levels.first ?? 0)) / 3)
      #expect(steps.allSatisfy { $0 <= most }, "\(angle) degrees: \(levels)")
      guard let first = levels.first, let last = levels.last, levels.count > 20 else { continue }
      #expect(last - first >= 10, "there is a shadow: \(levels)")
    }
  }

  /// The wheel's shadow alone, on white.
  private final class ShadowOnWhite: View {
    let backdrop = Backdrop()

    override func draw(_ canvas: Canvas) {
      canvas.fill(bounds, .white)
      backdrop.drawShadow(canvas)
    }
  }

  @Test func `the wheel's shadow ends in points at its sides, and is cut off nowhere`() {
    let harness = ControlHarness(size: Size(width: 500, height: 560))
    let view = ShadowOnWhite(frame: harness.root.bounds)
    view.backdrop.frame = view.bounds
    view.backdrop.wheel = Rect(x: 30, y: 40, width: 440, height: 440)
    harness.root.addSubview(view)
    harness.frame()
    let (picture, wheel) = (harness.shown, WheelGeometry(size: view.backdrop.wheel.size))
    let middle = view.backdrop.wheel.center
    func level(_ x: Int, _ y: Int) -> Int { Int(picture[x, y] >> 8 & 0xff) }
    var darkest = 255
    for y in 1..<560 {
      var run = 0
      for x in 0..<500 {
        let distance = hypot(Double(x) + 0.5 - middle.x, Double(y) - middle.y)
        // Along the rim and the hub, which hide it, the shadow begins at once.
        let isHidden = [wheel.outerRadius, wheel.hubRadius].contains { abs(distance - $0) < 4 }
        run = !isHidden && level(x, y - 1) - level(x, y) > 3 ? run + 1 : 0
        #expect(run < 8, "a straight edge ends at (\(x), \(y))")
        darkest = min(darkest, level(x, y))
      }
    }
    #expect(darkest < 235, "there is a shadow")
  }

  @Test(arguments: [(2560.0, 1080.0), (3440, 1440)], [false, true])
  func `broad gaps between gate, dial and wheel have air vents`(size: (Double, Double), isLight: Bool) throws {
    let harness = harness(size, SceneLook(isLight: isLight))
    let scene = try #require(harness.root as? CockpitScene)
    let (gate, dial, wheel) = (scene.gearbox, scene.cluster.speedometer, scene.wheel)
    for (left, right) in [(gate as View, dial as View), (dial, wheel)] {
      let (start, end) = (left.windowFrame.maxX, right.windowFrame.minX)
      #expect(end - start > dial.windowFrame.width * 0.39, "such a window has broad gaps")
      let column = (0..<Int(size.1)).map { Int(harness.shown[Int((start + end) / 2), $0] >> 8 & 0xff) }
      let edges = zip(column, column.dropFirst()).filter { abs($0 - $1) >= 4 }.count
      #expect(edges >= 10, "a frame and four slats: \(edges)")
    }
  }

  @Test(arguments: [(480.0, 320.0), (640.0, 360.0)])
  func `N is heavier than numbers of its size, so that it does not look like one more`(width: Double, height: Double)
    throws
  {
    let harness = harness((width, height))
    let gearbox = try #require(harness.root as? CockpitScene).gearbox
    let (gate, geometry) = (gearbox.windowFrame, gearbox.geometry)
    let (x, reach) = (gate.minX + gate.width * 27 / 200, geometry.numberSize * 0.6)
    /// The breadth, in pixels, of the first upright stroke of a row's text, whatever its colour.
    func stroke(_ gear: Gear) -> Double {
      let y = Int(gate.minY + geometry.y(ofRow: geometry.row(of: gear)) + 3)
      let levels = (Int(x - reach)...Int(x + reach)).map { Double(harness.shown[$0, y] >> 16 & 0xff) }
      guard let ground = levels.min(), let most = levels.max(), most > ground + 20 else { return .nan }
      let ink = levels.map { ($0 - ground) / (most - ground) }
      return ink.drop { $0 < 0.05 }.prefix { $0 >= 0.05 }.reduce(0, +)
    }
    let (letter, number) = (stroke(.neutral), stroke(.forward(1)))
    #expect(letter > number * 1.3, "N's stroke has \(letter) pixels, 1's \(number)")
  }
}
