import ControlHarness
import Controls
import Testing

/// Tests of texts: sizes, fallbacks, no fonts, drawing.
@MainActor @Suite(.serialized) struct TextTests {
  private let fonts = ControlHarness.fonts

  @Test func `the tests' font is installed`() {
    #expect(fonts.fontCount == 2, "fonts-dejavu-core is missing")
  }

  @Test func `sizes grow with the font and the text, and ink lies where letters are`() {
    let small = TextLayout("Hg", font: Font(size: 10), library: fonts)
    let large = TextLayout("Hg", font: Font(size: 20), library: fonts)
    #expect(abs(large.size.width - 2 * small.size.width) < 0.1)
    #expect(abs(large.size.height - 2 * small.size.height) < 0.6)
    #expect(large.baseline > 10 && large.baseline < large.size.height)
    #expect(large.inkBounds.height > 12 && large.inkBounds.height < large.size.height)
    // DejaVu Sans: H is 1540 of 2048 wide, capitals are 1493 high.
    let capital = TextLayout("H", font: Font(size: 2048 / 8), library: fonts)
    #expect(abs(capital.size.width - 1540 / 8) < 0.5)
    #expect(abs(capital.inkBounds.height - 1493 / 8) < 0.5)
  }

  @Test func `digits are equally wide, so numbers that change stand still`() {
    let widths = Set(
      (0...9).map {
        TextLayout(String(repeating: String($0), count: 3), font: Font(size: 17), library: fonts).size.width
      })
    #expect(widths.count == 1)
  }

  @Test func `lines break at the width asked for`() {
    let line = TextLayout("one two three four", font: Font(size: 12), library: fonts)
    let broken = TextLayout("one two three four", font: Font(size: 12), limits: TextLimits(width: 60), library: fonts)
    #expect(broken.size.height > 1.9 * line.size.height)
    #expect(broken.size.width <= 60)
    #expect(abs(broken.baseline - line.baseline) < 0.01)
  }

  @Test func `texts with zero bytes, without letters, or in letters that no font has, are harmless`() {
    for text in [
      "", "\0", "a\0b", "中文", "🚗", "\u{202e}abc", "e\u{301}\u{301}\u{301}", String(repeating: "W", count: 5000),
    ] {
      let layout = TextLayout(text, font: Font(size: 12), library: fonts)
      #expect(layout.size.height >= 0)
      _ = layout.outline
    }
    #expect(TextLayout("x", font: Font(size: .nan), library: fonts).size.width > 0)
    #expect(TextLayout("x", font: Font(size: 12, family: "No Such Family"), library: fonts).size.width > 0)
  }

  @Test func `the built-in outlines need no font, and stand in for capitals and digits where there is none`() {
    let none = FontLibrary(files: [], defaultFamily: "DejaVu Sans")
    for text in ["N", "120", "NO LINK", "已停止"] {
      let built = TextLayout(text, font: Font(builtIn: 20), library: none)
      let other = TextLayout(text, font: Font(builtIn: 20), library: fonts)
      #expect(!built.outline.isEmpty && built.outline == other.outline && built.size == other.size, "\(text)")
      #expect(TextLayout(text, font: Font(size: 20), library: none).outline == built.outline)
    }
    #expect(
      TextLayout("N", font: Font(size: 20), library: fonts).outline != TextLayout("N", font: Font(builtIn: 20)).outline)
    // Small letters become capitals there.
    let (small, large) = (
      TextLayout("ready", font: Font(size: 20), library: none), TextLayout("READY", font: Font(size: 20), library: none)
    )
    #expect(small.outline == large.outline)
    // A text that the outlines lack is set in a font.
    #expect(!TextLayout("öß", font: Font(builtIn: 20), library: fonts).outline.isEmpty)
    let digits = (0...9).map { TextLayout("\($0)", font: Font(builtIn: 64), library: none).size.width }
    #expect(Set(digits).count == 1)
  }

  @Test func `without any font nothing crashes: texts without outlines have sizes and are not seen`() {
    let none = FontLibrary(files: [], defaultFamily: "DejaVu Sans")
    #expect(none.fontCount == 0)
    let layout = TextLayout("ёжи", font: Font(size: 20), library: none)
    #expect(layout.size == Size(width: 36, height: 24))
    var snapshot = Snapshot(garbage: PixelSize(width: 50, height: 30))
    let before = snapshot
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.draw(layout, at: Point(x: 5, y: 5), .white)
        canvas.rotate(1)
        canvas.draw(layout, at: Point(x: 5, y: 5), .white)
      }
    }
    #expect(snapshot == before)
  }

  @Test func `installed fonts stand in for letters that the default lacks`() {
    let system = FontLibrary(defaultFamily: "DejaVu Sans")
    #expect(system.fontCount > 1)
    #expect(!TextLayout("N", font: Font(size: 20), library: system).outline.isEmpty)
  }

  @Test func `a text is set once, however often it is asked for`() {
    let font = Font(size: 13)
    #expect(fonts.layout("88", font: font) === fonts.layout("88", font: font))
    #expect(fonts.layout("88", font: font) !== fonts.layout("89", font: font))
  }

  @Test func `a text stays inside the clip, upright or turned`() {
    for angle in [0, 0.3] {
      var snapshot = Snapshot(garbage: PixelSize(width: 60, height: 40))
      snapshot.withBuffer { buffer in
        Canvas.draw(into: buffer) { canvas in
          canvas.fill(.black)
          canvas.clip(to: Rect(x: 10, y: 10, width: 20, height: 20))
          canvas.rotate(angle, around: Point(x: 20, y: 20))
          canvas.draw("WWWW", at: Point(x: 20, y: 20), font: Font(size: 30), .white, anchor: .center, library: fonts)
        }
      }
      let lit = snapshot.pixels.indices.filter { snapshot.pixels[$0] != 0xff00_0000 }
      #expect(lit.count > 50)
      #expect(lit.allSatisfy { (10..<30).contains($0 % 60) && (10..<30).contains($0 / 60) })
    }
  }

  @Test(arguments: [Scale.one, Scale(1.5), Scale(2)])
  func `letters cover the pixels of their ink, and baselines lie on whole pixels`(scale: Scale) {
    let layout = TextLayout("H", font: Font(size: 24), library: fonts)
    var snapshot = Snapshot(garbage: scale.pixelSize(Size(width: 40, height: 40)))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer, scale: scale) { canvas in
        canvas.fill(.black)
        canvas.draw(layout, at: Point(x: 20, y: 30.2), .white, anchor: .baselineCenter)
      }
    }
    let baseline = Int((30.2 * scale.factor).rounded())
    let rows = (0..<snapshot.size.height).filter { y in
      (0..<snapshot.size.width).contains { snapshot[$0, y] & 255 > 200 }
    }
    #expect(rows.last == baseline - 1)
    let area = snapshot.pixels.reduce(0.0) { $0 + Double($1 & 255) / 255 }
    let expected = layout.outline.area * scale.factor * scale.factor
    #expect(abs(area - expected) / expected < 0.02, "\(area) \(expected)")
  }
}

extension Path {
  /// The area by counting a fine raster.
  fileprivate var area: Double {
    var snapshot = Snapshot(garbage: PixelSize(width: 512, height: 512))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer, scale: Scale(10)) { canvas in
        canvas.fill(.black)
        canvas.fill(self, .white)
      }
    }
    return snapshot.pixels.reduce(0.0) { $0 + Double($1 & 255) / 255 } / 100
  }
}
