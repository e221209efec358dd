import CockpitControls
import ControlHarness
import Controls
import Testing

/// The tests that probe single pixels of the gate for the article's geometry and colours, and what a change repaints.
@MainActor @Suite(.serialized) struct GearboxPixelTests {
  let ground: UInt32 = 0xff10_1820

  /// A gearbox of 200 x 580 over a coloured ground, in a window of `height`.
  func shown(
    _ gear: Gear, scale: Scale = .one, height: Double = 310, checksDamage: Bool = false,
    set: (ThrottleGearbox) -> Void = { _ in }
  ) -> (ControlHarness, ThrottleGearbox) {
    let root = RootView()
    root.backgroundColor = Color(hex: 0x101820)
    let size = Size(width: 200, height: height)
    let harness = ControlHarness(size: size, scale: scale, root: root)
    let box = ThrottleGearbox(frame: Rect(origin: .zero, size: GearboxGeometry.articleSize))
    box.gear = gear
    set(box)
    root.addSubview(box)
    harness.checksDamage = checksDamage
    harness.frame()
    return (harness, box)
  }

  let lineRows = [20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 240, 280]
  let ramp: [UInt32] = [
    0xff0000, 0xed5002, 0xf25102, 0xed5d03, 0xf27202, 0xf18a02, 0xf2a102, 0xf2b702, 0xecc202, 0xf2c602,
  ]

  /// The colour that the article gives a row's lines.
  func articleColor(row: Int, knobRow: Int) -> UInt32 {
    let lit: Bool = row < 10 ? row >= knobRow : row == knobRow
    guard lit else { return 0xffff_ffff }
    return 0xff00_0000 | (row == 10 ? 0xff0000 : row == 11 ? 0x00ff00 : ramp[row])
  }

  @Test(arguments: 0..<12)
  func `G14 to G17, G23 to G25: every line has its place, its thickness and its colour`(knobRow: Int) {
    let (harness, _) = shown(ThrottleGearbox().geometry.gear(atRow: knobRow))
    for (row, y) in lineRows.enumerated() {
      let color = articleColor(row: row, knobRow: knobRow)
      for x in [44, 60, 72, 128, 140, 155] {
        #expect(harness.shown[x, y] == color, "row \(row) at \(x)")
        #expect(harness.shown[x, y - 1] == ground && harness.shown[x, y + 1] == ground, "row \(row) at \(x)")
      }
      let outer = row == 9 ? 2 : 42
      // The ends lie on half pixels: half covered, and clear beyond.
      for (end, beyond) in [(outer, outer - 1), (199 - outer, 200 - outer)] where beyond >= 0 && beyond < 200 {
        #expect(harness.shown[end, y] != ground && harness.shown[end, y] != color, "row \(row)")
        #expect(harness.shown[beyond, y] == ground, "row \(row)")
      }
    }
  }

  @Test func `G14: the slot between 87.5 and 112.5 is open`() {
    let (harness, _) = shown(.reverse)
    for y in lineRows.dropLast() {
      #expect(harness.shown[86, y] != ground && harness.shown[113, y] != ground)
      for x in 88...111 { #expect(harness.shown[x, y] == ground, "\(x), \(y)") }
    }
  }

  @Test func `G14: at scale 2 a line is the two pixel rows around its place`() {
    let (harness, _) = shown(.neutral, scale: Scale(2))
    for y in lineRows.dropLast(2) {
      #expect((-2...1).map { harness.shown[120, 2 * y + $0] } == [ground, 0xffff_ffff, 0xffff_ffff, ground])
    }
  }

  @Test func `G10: the background is clear, and the lower half empty`() {
    let (harness, _) = shown(.forward(10), height: 580)
    #expect((300 * 200..<580 * 200).allSatisfy { harness.shown.pixels[$0] == ground })
    for point in [(100, 50), (10, 100), (190, 150), (100, 210)] {
      #expect(harness.shown[point.0, point.1] == ground, "\(point)")
    }
  }

  @Test(arguments: [(Gear.neutral, 230, UInt32(0xff0000)), (.reverse, 270, 0x00ff00)])
  func `G16, G17, G25, G-D11: letters stand at 20 and mirrored, in their colour when engaged`(
    gear: Gear, top: Int, color: UInt32
  ) {
    let (harness, _) = shown(gear)
    func ink(_ xs: Range<Int>) -> (xs: ClosedRange<Int>, ys: ClosedRange<Int>, colors: Set<UInt32>)? {
      var (left, right, upper, lower) = (Int.max, Int.min, Int.max, Int.min)
      var colors = Set<UInt32>()
      for y in top..<(top + 26) where y != top + 10 {
        for x in xs where harness.shown[x, y] != ground {
          (left, right) = (min(left, x), max(right, x))
          (upper, lower) = (min(upper, y), max(lower, y))
          colors.insert(harness.shown[x, y] & 0xffffff)
        }
      }
      return left <= right ? (left...right, upper...lower, colors) : nil
    }
    guard let left = ink(0..<42), let right = ink(158..<200) else {
      Issue.record("no letters")
      return
    }
    let layout = FontLibrary.shared.layout(gear.description, font: Font(size: 20))
    #expect(abs(Double(left.xs.lowerBound) - (20 + layout.inkBounds.minX)) <= 1)
    #expect(abs(Double(left.ys.lowerBound) - (Double(top) + layout.inkBounds.minY)) <= 1)
    #expect(abs(Double(right.xs.upperBound + 1) - (180 - layout.size.width + layout.inkBounds.maxX)) <= 1)
    #expect(left.ys == right.ys)
    #expect(left.colors.contains(color) && right.colors.contains(color))
  }

  @Test(arguments: 0..<12)
  func `G12, G13, G18: the knob covers its 54 x 32 at x 73, over everything`(row: Int) {
    let gear = ThrottleGearbox().geometry.gear(atRow: row)
    let (harness, _) = shown(gear) { $0.knobDrawing = { canvas, knob, _ in canvas.fill(knob, Color(hex: 0x123456)) } }
    let top = lineRows[row] - 16
    var wrong = 0
    for y in (top - 1)...(top + 32) {
      for x in 72...127 {
        let isInside = y >= top && y < top + 32 && x >= 73 && x < 127
        if (harness.shown[x, y] == 0xff12_3456) != isInside { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test func `G11: a drawing of one's own gets the gear and the state`() {
    let seen = Log()
    let (harness, box) = shown(.neutral) {
      $0.knobDrawing = { _, knob, look in seen.add("\(Int(knob.minY)) \(look.gear) \(look.isHighlighted)") }
    }
    _ = seen.take()
    harness.touch(.began, at: Point(x: 100, y: 20))
    #expect(Set(seen.take()) == ["4 10 true"])
    box.isEnabled = false
    harness.frameIfNeeded()
    #expect(Set(seen.take()) == ["224 N false"])
  }

  @Test func `G-D2: a change repaints both knobs and the rows whose colour changed, and nothing else`() {
    let (harness, box) = shown(.forward(5))
    box.gear = .forward(6)
    harness.frameIfNeeded()
    // Rows 4 and 5 have the knob, row 4 is lit now: two knobs and two lines, each joined for 256 pixels at most.
    #expect(harness.lastDamage.area < 3500 + 2 * 256)
    #expect(!harness.lastDamage.contains(x: 60, y: 80) && !harness.lastDamage.contains(x: 60, y: 120))
    #expect(harness.lastDamage.contains(x: 60, y: 100) && harness.lastDamage.contains(x: 140, y: 100))
    #expect(harness.lastDamage.contains(x: 73, y: 84) && harness.lastDamage.contains(x: 126, y: 135))
    #expect(!harness.lastDamage.contains(x: 100, y: 240))
  }

  @Test func `G-D2: every change at every scale and place repaints enough`() {
    // The harness compares the repaired picture with a whole one, byte for byte, after each frame.
    for factor in [1.0, 1.25, 1.5, 2] {
      let (harness, box) = shown(.neutral, scale: Scale(factor), height: 180, checksDamage: true) {
        $0.frame = Rect(x: 3.3, y: 1.7, width: 120, height: 310)
        $0.showsGearNumbers = true
        $0.showsSlot = true
      }
      for gear in [Gear.forward(10), .forward(1), .reverse, .forward(5), .neutral, .reverse] {
        box.gear = gear
        harness.frameIfNeeded()
        box.isHighlighted.toggle()
        harness.frameIfNeeded()
      }
      #expect(harness.checksDamage && harness.frameCount >= 12)
    }
  }
}
