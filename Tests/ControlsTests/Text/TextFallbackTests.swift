import ControlHarness
import Controls
import Testing

/// Tests of letters that the default font lacks: Chinese, Arabic and emoji, with fonts for them and without.
@MainActor @Suite(.serialized) struct TextFallbackTests {
  private let font = Font(size: 24)

  private func layout(_ text: String, _ library: FontLibrary) -> TextLayout {
    TextLayout(text, font: font, library: library)
  }

  private func drawn(
    _ layout: TextLayout, _ color: Color = .black, scale: Scale = .one, turn: Double = 0
  ) -> Snapshot {
    var snapshot = Snapshot(garbage: scale.pixelSize(Size(width: 100, height: 60)))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer, scale: scale) { canvas in
        canvas.fill(.white)
        canvas.rotate(turn, around: Point(x: 50, y: 30))
        canvas.draw(layout, at: Point(x: 50, y: 30), color, anchor: .center)
      }
    }
    return snapshot
  }

  /// The number of pixels that are neither grey nor white.
  private func colorful(_ snapshot: Snapshot) -> Int {
    snapshot.pixels.count { pixel in
      let parts = [16, 8, 0].map { Int((pixel >> UInt32($0)) & 255) }
      return (parts.max() ?? 0) - (parts.min() ?? 0) > 40
    }
  }

  @Test func `the fonts for these tests are installed`() {
    #expect(ControlHarness.chineseFonts.fontCount == 3, "fonts-droid-fallback is missing")
    #expect(ControlHarness.emojiFonts.fontCount == 4, "fonts-noto-color-emoji is missing")
  }

  @Test(arguments: ["方向盘", "汽车 km/h", "日本語"])
  func `Chinese and its neighbours come from a font that has them`(text: String) {
    let (with, without) = (layout(text, ControlHarness.chineseFonts), layout(text, ControlHarness.fonts))
    #expect(with.missingLetterCount == 0 && without.missingLetterCount > 0)
    #expect(!with.outline.isEmpty && with.outline != without.outline)
    #expect(drawn(with) != drawn(without))
    // The line is no higher than Latin by more than the other font's lines are.
    #expect(with.size.height < 2 * layout("x", ControlHarness.fonts).size.height)
  }

  @Test func `Arabic is joined and runs from right to left`() {
    let word = layout("سرعة", ControlHarness.fonts)
    #expect(word.missingLetterCount == 0)
    let apart = "سرعة".unicodeScalars.map { layout(String($0), ControlHarness.fonts).size.width }.reduce(0, +)
    #expect(word.size.width < apart - 3)
    // The first letter is at the right.
    let mixed = layout("س.", ControlHarness.fonts)
    let dots = drawn(mixed).pixels.indices.filter { drawn(mixed).pixels[$0] & 255 < 128 }.map { $0 % 100 }
    #expect((dots.min() ?? 0) < 50)
  }

  @Test func `emoji are drawn in their own colours, at every scale, turned, faded and clipped`() {
    let emoji = layout("🚗", ControlHarness.emojiFonts)
    #expect(emoji.missingLetterCount == 0)
    let upright = drawn(emoji)
    #expect(colorful(upright) > 100)
    #expect(colorful(drawn(emoji, scale: Scale(2))) > 3 * colorful(upright))
    #expect(colorful(drawn(emoji, turn: 0.5)) > 100)
    #expect(drawn(emoji, turn: 0.5) != upright)
    var clipped = Snapshot(garbage: PixelSize(width: 100, height: 60))
    clipped.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.fill(.white)
        canvas.clip(to: Rect(x: 50, y: 0, width: 50, height: 60))
        canvas.multiplyAlpha(0.5)
        canvas.draw(emoji, at: Point(x: 50, y: 30), .black, anchor: .center)
      }
    }
    #expect((0..<50).allSatisfy { x in (0..<60).allSatisfy { clipped[x, $0] == 0xffff_ffff } })
    #expect(clipped != upright && colorful(clipped) > 20)
  }

  @Test func `letters beside emoji take the text's colour and stand where they did`() {
    let text = layout("Go 🚗", ControlHarness.emojiFonts)
    let (black, red) = (drawn(text), drawn(text, Color(hex: 0xff0000)))
    #expect(black != red)
    // The car is the same in both.
    let right = (62..<90).allSatisfy { x in (0..<60).allSatisfy { black[x, $0] == red[x, $0] } }
    #expect(right)
    #expect(colorful(red) > colorful(black) + 50)
  }

  @Test func `a machine without such fonts shows boxes, one without any nothing, and none breaks`() {
    let none = FontLibrary(files: [], defaultFamily: "None")
    let texts = ["方向盘", "سرعة", "🚗", "👩‍👩‍👧‍👦🏳️‍🌈", "\u{fe0f}\u{200d}", "a🚗\0方\u{202e}x", "\u{1f3fb}", "\u{e000}\u{10ffff}"]
    for text in texts {
      for library in [
        ControlHarness.fonts, ControlHarness.chineseFonts, ControlHarness.emojiFonts, none, FontLibrary(),
      ] {
        let found = layout(text, library)
        #expect(found.size.height >= 0)
        for turn in [0.0, 0.3] { _ = drawn(found, turn: turn) }
        _ = found.outline
        _ = TextLayout(text, font: font, limits: TextLimits(width: 20, lineCount: 1), library: library)
      }
      #expect(drawn(layout(text, none)) == drawn(layout("", none)))
    }
    #expect(drawn(layout("方", ControlHarness.fonts)) != drawn(layout("", ControlHarness.fonts)))
  }
}
