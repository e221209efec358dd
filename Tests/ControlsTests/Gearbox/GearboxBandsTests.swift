import CockpitControls
import ControlHarness
import Controls
import Testing
import UICore

/// Tests of which touches belong to which row: even bands, and the article's thresholds as an option.
@MainActor @Suite(.serialized) struct GearboxBandsTests {
  @Test(arguments: [1, 4, 10, 20])
  func `G-D5: by default a touch chooses the row whose line is nearest, N and R included`(gears: Int) {
    let geometry = GearboxGeometry(size: Size(width: 200, height: 580 + Double(gears - 10) * 20), gearCount: gears)
    #expect(geometry.bands == .even)
    let lines = (0..<geometry.rowCount).map { geometry.y(ofRow: $0) }
    var wrong: [Double] = []
    for step in 0...(Int(geometry.gate.maxY) * 8) {
      let y = Double(step) / 8
      let distances = lines.map { abs($0 - y) }
      // Midway between two lines, the upper one's band ends.
      if geometry.row(atArticleY: y) != distances.firstIndex(of: distances.min() ?? 0) { wrong.append(y) }
    }
    #expect(wrong == [])
  }

  @Test func `G-D5: the borders of N and R lie midway, and nowhere else by default`() {
    let geometry = ThrottleGearbox(frame: Rect(origin: .zero, size: GearboxGeometry.articleSize)).geometry
    for (border, row) in [(190.0, 8), (220, 9), (260, 10)] {
      #expect(geometry.row(atArticleY: border) == row && geometry.row(atArticleY: border.nextUp) == row + 1)
    }
  }

  @Test(arguments: zip([30.0, 50, 70, 90, 110, 130, 150, 170, 190, 210, 270], 0..<11))
  func `G19 to G22: the article's thresholds are one property away, in code and by name`(y: Double, row: Int) throws {
    let box = ThrottleGearbox(frame: Rect(origin: .zero, size: GearboxGeometry.articleSize))
    try box.inspectable(named: "bands")?.set(.string("article"), on: box)
    #expect(box.bands == .article)
    #expect(box.geometry.row(atArticleY: y) == row && box.geometry.row(atArticleY: y.nextUp) == row + 1)
  }

  @Test(arguments: [
    (GearboxGeometry.Bands.even, 215.0, Gear.forward(1)), (.article, 215, .neutral), (.even, 225, .neutral),
    (.even, 265, .reverse), (.article, 265, .neutral), (.article, 275, .reverse),
  ])
  func `G-D5, G20: a finger gets the gear of the gate's bands`(bands: GearboxGeometry.Bands, y: Double, gear: Gear) {
    let box = ThrottleGearbox()
    let harness = ControlHarness(box, size: GearboxGeometry.articleSize)
    // From where the touch is not on the knob (G26), and R is open (G-D6).
    box.gear = gear == .reverse ? .neutral : .forward(10)
    harness.frame()
    box.bands = bands
    harness.touch(.began, at: Point(x: 100, y: y))
    #expect(box.gear == gear)
    harness.touch(.ended, at: Point(x: 100, y: y))
  }

  @Test func `G-D5: a drag past R's end waits in R, where the finger finds it again`() {
    for bands in GearboxGeometry.Bands.allCases {
      let box = ThrottleGearbox()
      let harness = ControlHarness(box, size: GearboxGeometry.articleSize)
      box.bands = bands
      func move(_ y: Double) -> Gear {
        harness.touch(.moved, at: Point(x: 100, y: y))
        return box.gear
      }
      harness.touch(.began, at: Point(x: 100, y: 240))
      #expect(move(280) == .reverse)
      #expect(move(400) == .reverse && move(5000) == .reverse)
      #expect(box.knobPosition == Point(x: 73, y: 264), "R's row is the last one")
      // The finger took the knob in its middle: it has it again as soon as it is back at R's border.
      let border = bands == .even ? 260.0 : 270
      #expect(move(border + 0.5) == .reverse && move(border) == .neutral)
      #expect(move(5000) == .reverse)
      harness.touch(.ended, at: Point(x: 100, y: 5000))
      #expect(box.gear == .reverse, "a latched lever stays where it was let go (G28)")
    }
  }

  @Test func `G-D5: beyond the top end a drag waits in the highest gear`() {
    let box = ThrottleGearbox()
    let harness = ControlHarness(box, size: GearboxGeometry.articleSize)
    harness.touch(.began, at: Point(x: 100, y: 60))
    for y in [10.0, -1, -4000] {
      harness.touch(.moved, at: Point(x: 100, y: y))
      #expect(box.knobPosition == Point(x: 73, y: 4))
    }
    harness.touch(.moved, at: Point(x: 100, y: 31))
    #expect(box.gear == .forward(9))
    harness.touch(.ended, at: Point(x: 100, y: 31))
  }
}
