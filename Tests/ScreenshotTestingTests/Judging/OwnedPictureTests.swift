import ScreenJudging
import ScreenshotTesting
import Testing

/// Tests of what is measured on bitmaps, each on a picture whose answer is known.
struct OwnedPictureTests {
  /// A picture that says of each pixel its colour and its owner.
  private func picture(
    _ width: Int, _ height: Int, _ roles: [OwnedPicture.Role], _ pixel: (Int, Int) -> (UInt32, UInt32)
  ) -> OwnedPicture {
    var snapshot = Snapshot(size: PixelSize(width: width, height: height))
    var owners = [UInt32](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width { (snapshot.pixels[y * width + x], owners[y * width + x]) = pixel(x, y) }
    }
    return OwnedPicture(snapshot, owners: owners, roles: roles)
  }

  private let box = PixelRect(x: 0, y: 0, width: 40, height: 40)

  @Test func `the contrast ratio is WCAG's`() {
    #expect(Contrast.ratio(0xff00_0000, 0xffff_ffff) == 21)
    #expect(Contrast.ratio(0xff12_3456, 0xff12_3456) == 1)
    // Known greys: #767676 is the lightest with 4.5 on white, #949494 with 3.
    #expect(Contrast.ratio(0xff76_7676, 0xffff_ffff) >= 4.5 && Contrast.ratio(0xff77_7777, 0xffff_ffff) < 4.5)
    #expect(Contrast.ratio(0xff94_9494, 0xffff_ffff) >= 3 && Contrast.ratio(0xff95_9595, 0xffff_ffff) < 3)
    #expect(abs(Contrast.ratio(0xffff_0000, 0xffff_ffff) - 3.998) < 0.001)
  }

  @Test func `a text's smoothed edges are no part of its contrast`() throws {
    // White strokes two pixels wide with grey edges on black.
    let shown = picture(40, 40, [.text]) { x, y in
      guard (8..<32).contains(y) else { return (0xff00_0000, 0) }
      return switch x % 10 {
      case 4, 5: (0xffff_ffff, 1)
      case 3, 6: (0xff80_8080, 0)
      default: (0xff00_0000, 0)
      }
    }
    let seen = try #require(shown.surroundings(of: 1, in: box))
    #expect(seen.ink == 0xffff_ffff && seen.contrast(allBut: 0.1) == 21)
    #expect(shown.surroundings(of: 2, in: box) == nil)
  }

  @Test func `thin letters count with the colour meant, unless something lies over them`() throws {
    func ink(_ shown: UInt32) throws -> UInt32 {
      let shown = picture(40, 40, [.text]) { x, _ in x % 10 == 5 ? (shown, 1) : (0xff00_0000, 0) }
      let white = OwnedPicture.Ink(pixel: 0xffff_ffff, opacity: 0.8)
      return try #require(shown.surroundings(of: 1, in: box, meant: white)).ink
    }
    #expect(try ink(0xffa0_a0a0) == 0xffcc_cccc)
    #expect(try ink(0xff40_4040) == 0xff40_4040)
  }

  @Test func `a faint area's edge is no step of the gradient under it`() {
    var snapshot = Snapshot(size: PixelSize(width: 20, height: 40))
    var strata = [UInt32](repeating: 1, count: 800)
    for index in 0..<800 {
      snapshot.pixels[index] = index < 400 ? 0xff20_2020 : 0xff30_3030
      if index >= 400 { strata[index] = 2 }
    }
    let owners = [UInt32](repeating: 1, count: 800)
    let roles = [OwnedPicture.Role.gradient, .ground]
    #expect(OwnedPicture(snapshot, owners: owners, strata: strata, roles: roles).widestBand() == nil)
    #expect(OwnedPicture(snapshot, owners: owners, roles: roles).widestBand()?.run == 20)
  }

  @Test func `a text that stands on two grounds has the contrast of the worse one`() throws {
    let shown = picture(40, 40, [.text]) { x, y in
      let ground: UInt32 = x < 20 ? 0xff00_0000 : 0xffc0_c0c0
      return (8..<32).contains(y) && x % 8 < 2 ? (0xffff_ffff, 1) : (ground, 0)
    }
    let seen = try #require(shown.surroundings(of: 1, in: box))
    #expect(seen.contrast(allBut: 0.1) < 2)
    #expect(seen.contrast(allBut: 0.8) == 21)
  }

  @Test func `the edge of two grounds is found under a text, and not beside it`() {
    func contrast(edge: Int) -> Double {
      picture(40, 40, [.ground, .ground, .text]) { x, y in
        (12..<28).contains(x) && (12..<28).contains(y) && x % 4 == 0
          ? (0xffff_ffff, 3) : y < edge ? (0xff00_0000, 1) : (0xff40_4040, 2)
      }.groundContrast(of: 3, in: PixelRect(x: 12, y: 12, width: 16, height: 16))
    }
    #expect(contrast(edge: 20) > 1.5)
    #expect(contrast(edge: 11) == 1)
  }

  @Test(arguments: [(0, 0), (1, 1), (2, nil), (3, nil)] as [(Int, Int?)])
  func `a line nearer than two pixels is a neighbour`(free: Int, found: Int?) {
    let shown = picture(40, 40, [.text, .line]) { x, y in
      if (10..<20).contains(x), (10..<20).contains(y) { return (0xffff_ffff, 1) }
      return y == 20 + free ? (0xff80_8080, 2) : (0xff00_0000, 0)
    }
    let neighbours = shown.neighbours(of: 1, in: PixelRect(x: 10, y: 10, width: 10, height: 10), within: 2)
    #expect(neighbours[2] == found)
  }

  @Test func `neighbours aslant count too, grounds never`() {
    let shown = picture(40, 40, [.text, .text, .ground]) { x, y in
      if (10..<20).contains(x), (10..<20).contains(y) { return (0xffff_ffff, 1) }
      if x >= 21, y >= 21 { return (0xffff_ffff, 2) }
      return (0xff00_0000, 3)
    }
    let box = PixelRect(x: 10, y: 10, width: 10, height: 10)
    #expect(shown.neighbours(of: 1, in: box, within: 2) == [2: 1])
  }

  @Test func `bands: a long run before a step of two levels, in gradients alone`() {
    func band(_ role: OwnedPicture.Role, run: Int, step: Int) -> OwnedPicture.Band? {
      picture(20, 100, [role]) { _, y in
        let level = UInt32(0x20 + y / run * step)
        return (0xff00_0000 | level << 16 | level << 8 | level, 1)
      }.widestBand()
    }
    #expect(band(.gradient, run: 12, step: 1) == nil)
    #expect(band(.gradient, run: 8, step: 2) == nil)
    #expect(band(.ground, run: 12, step: 2) == nil)
    let found = band(.gradient, run: 12, step: 2)
    #expect(found?.run == 12 && found?.step == 2 && found?.y == 12)
  }

  @Test func `eyes without cones confuse red and green, and tell blue from yellow`() {
    for vision in [ColorVision.protanopia, .deuteranopia] {
      #expect(vision.seen(0xff80_8080) == 0xff80_8080, "greys stay")
      let (red, green) = (vision.seen(0xffc4_211a), vision.seen(0xff6a_6a1a))
      #expect(Contrast.ratio(red, green) < 2.2)
      func hue(_ pixel: UInt32) -> Int { Int(pixel >> 16 & 255) - Int(pixel & 255) }
      #expect(hue(vision.seen(0xffff_ff00)) > 100 && hue(vision.seen(0xff00_00ff)) < -100)
      // Red and green have lost their difference: both are yellowish.
      #expect(abs(Int(red >> 16 & 255) - Int(red >> 8 & 255)) < 70)
    }
    #expect(ColorVision.usual.seen(0xff12_3456) == 0xff12_3456)
  }

  @Test func `two signs of one shape are the same sign, whatever their colours`() {
    func sign(_ color: UInt32, _ isInk: (Int, Int) -> Bool) -> Snapshot {
      var snapshot = Snapshot(size: PixelSize(width: 20, height: 20))
      for index in 0..<400 { snapshot.pixels[index] = isInk(index % 20, index / 20) ? color : 0xff10_1010 }
      return snapshot
    }
    func bar(_ x: Int, _ y: Int) -> Bool { (4..<8).contains(x) }
    func cross(_ x: Int, _ y: Int) -> Bool { (9..<11).contains(x) || (9..<11).contains(y) }
    for vision in ColorVision.allCases {
      let red = SignShape(sign(0xffff_3b30, bar), for: vision)
      #expect(red.difference(from: SignShape(sign(0xff34_d058, bar), for: vision)) == 0)
      #expect(red.difference(from: SignShape(sign(0xff34_d058, cross), for: vision)) > 0.5)
    }
  }
}
