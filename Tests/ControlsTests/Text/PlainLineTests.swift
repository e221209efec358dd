import ControlHarness
import Testing

@testable import Controls
@testable import Drawing

/// Tests of lines that are set without Pango: they must look the same.
@MainActor @Suite(.serialized) struct PlainLineTests {
  nonisolated private static let texts = [
    "0", "8", "120", "km/h", "READY", "← 90°", "450° →", "-12.5 %", "AVATAR To. Ty, f(x) = 1/2", "ffi fl office",
    "R-D1 24",
    "  two  blanks ", "“Quotes” – and — dashes…", "Größe, Ångström, œuvre, Łódź", "1,000.00", "x² · 3µm ¿Qué? ½",
    "(5 km)", "−∞",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", " ",
  ]
  private static let fonts = [
    Font(size: 64), Font(size: 12.5), Font(size: 17, weight: .semibold), Font(size: 20, weight: .bold),
    Font(size: 9, weight: .medium, hasTabularDigits: false), Font(size: 30, weight: .light, family: "DejaVu Sans"),
    Font(size: 14, family: "No Such Family"),
  ]

  private func path(_ text: any SetText) -> Path { TextLayout(set: text, ControlHarness.fonts).outline }

  private func expectSame(_ plain: PlainLine, _ pango: PangoText, _ text: String) {
    #expect(plain.size == pango.size, "\(text)")
    #expect(plain.ink == pango.ink || (plain.ink.isEmpty && pango.ink.isEmpty), "\(text)")
    #expect(plain.baseline == pango.baseline, "\(text)")
    #expect(pango.lineCount == 1 && !pango.isTruncated && !pango.hasColor && pango.missingCount == 0, "\(text)")
    #expect(path(plain) == path(pango), "\(text)")
  }

  @Test(arguments: texts) func `a plain line is the same as Pango's`(text: String) throws {
    for font in Self.fonts {
      let plain = try #require(PlainLine(text, font, ControlHarness.fonts))
      expectSame(plain, try #require(PangoText(text, font, ControlHarness.fonts)), text)
      for count in [1, 2] {
        let limits = TextLimits(width: plain.size.width + 0.5, lineCount: count, alignment: .center)
        let limited = try #require(PlainLine(text, font, limits: limits, ControlHarness.fonts))
        expectSame(limited, try #require(PangoText(text, font, limits, ControlHarness.fonts)), text)
      }
    }
  }

  @Test(arguments: [
    "", "方向盘", "é́", "a\tb", "a\nb", "🚗", "©", "a\u{ad}b", "שלום", "a\0b", String(repeating: "W", count: 300),
  ])
  func `other texts are Pango's`(text: String) {
    #expect(PlainLine(text, Font(size: 20), ControlHarness.fonts) == nil)
    #expect(!PlainLine.isPlain(text))
  }

  @Test func `letters that the font lacks, and lines that must be broken or cut, are Pango's`() {
    let fonts = ControlHarness.fonts
    #expect(PlainLine("ŉ", Font(size: 20), fonts) != nil)
    #expect(PlainLine("abc", Font(size: 20), FontLibrary(files: [], defaultFamily: "DejaVu Sans")) == nil)
    for limits in [TextLimits(width: 10), TextLimits(width: 10, lineCount: 1)] {
      #expect(PlainLine("Wide", Font(size: 20), limits: limits, fonts) == nil)
    }
    #expect(
      PlainLine("Wide", Font(size: 20), limits: TextLimits(width: 10, lineCount: 1, truncation: .clip), fonts) != nil)
    #expect(PlainLine("12", Font(size: 20), limits: TextLimits(direction: .rightToLeft), fonts) == nil)
  }

  @Test func `a caret stands where Pango puts it, in a plain line too`() {
    let layout = TextLayout("AVATAR 12", font: Font(size: 20), library: ControlHarness.fonts)
    #expect(abs(layout.caretX(atUTF8: 9) - layout.size.width) < 0.01)
    #expect(layout.utf8Offset(atX: layout.caretX(atUTF8: 4) + 0.5) == 4)
  }
}
