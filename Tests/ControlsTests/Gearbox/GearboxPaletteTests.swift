import CockpitControls
import Controls
import Testing

/// Tests of the gate's colours against the article's.
@Suite struct GearboxPaletteTests {
  let palette = GearboxPalette()

  func colors(knobRow: Int) -> [Color] {
    (0..<12).map { palette.color(ofRow: $0, knobRow: knobRow, gearCount: 10) }
  }

  let ramp: [Color] = [
    0xff0000, 0xed5002, 0xf25102, 0xed5d03, 0xf27202, 0xf18a02, 0xf2a102, 0xf2b702, 0xecc202, 0xf2c602,
  ].map { Color(hex: $0) }

  @Test(arguments: 0..<10)
  func `G23, G24: forward rows are lit from the knob's down`(knobRow: Int) {
    let expected = Array(repeating: Color.white, count: knobRow) + ramp[knobRow...] + [.white, .white]
    #expect(colors(knobRow: knobRow) == expected)
  }

  @Test func `G25: N lights red and R green, and neither lights a forward row`() {
    let white = Array(repeating: Color.white, count: 10)
    #expect(colors(knobRow: 10) == white + [Color(hex: 0xff0000), .white])
    #expect(colors(knobRow: 11) == white + [.white, Color(hex: 0x00ff00)])
  }

  @Test func `another number of gears spreads the ramp over its rows`() {
    let five = (0..<5).map { palette.color(ofRow: $0, knobRow: 0, gearCount: 5) }
    #expect(five.first == ramp.first)
    #expect(five.last == ramp.last)
    #expect(palette.color(ofRow: 0, knobRow: 0, gearCount: 1) == ramp.first)
    #expect(palette.color(ofRow: 2, knobRow: 0, gearCount: 4) == ramp[6])
  }

  @Test func `a ramp without colours lights nothing, one of one colour lights all`() {
    #expect(GearboxPalette(forward: []).color(ofRow: 3, knobRow: 0, gearCount: 10) == .white)
    #expect(GearboxPalette(forward: [.black]).color(ofRow: 3, knobRow: 0, gearCount: 10) == .black)
  }
}
