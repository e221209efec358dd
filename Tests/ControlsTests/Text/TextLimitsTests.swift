import ControlHarness
import Testing

@testable import Controls
@testable import Drawing

/// Tests of texts within limits: lines, dots, sides and directions.
@MainActor @Suite(.serialized) struct TextLimitsTests {
  private let fonts = ControlHarness.fonts
  private let font = Font(size: 16)

  private func layout(_ text: String, _ limits: TextLimits) -> TextLayout {
    TextLayout(text, font: font, limits: limits, library: fonts)
  }

  private func line(_ text: String) -> TextLayout { TextLayout(text, font: font, library: fonts) }

  @Test func `without limits it is the plain text`() {
    let text = "Rear window\nheating"
    let (plain, limited) = (line(text), layout(text, TextLimits()))
    #expect(plain.size == limited.size && plain.baseline == limited.baseline && plain.inkBounds == limited.inkBounds)
    let (one, two) = (Snapshot(of: Ink(plain)), Snapshot(of: Ink(limited)))
    // Lines set one by one begin at other fractions of cairo's 256ths of a pixel.
    #expect(one.flatMap { one in two.map { Tolerance.text.allows(one.difference(from: $0, levels: 2)) } } == true)
    #expect(limited.lineCount == 2 && plain.lineCount == 2 && !limited.isTruncated)
  }

  @Test(arguments: [TextTruncation.head, .middle, .tail]) func `one line that is too wide gets dots and fits`(
    truncation: TextTruncation
  ) {
    let text = "Rear window heating"
    let whole = line(text).size
    let cut = layout(text, TextLimits(width: 100, lineCount: 1, truncation: truncation))
    #expect(cut.isTruncated && cut.lineCount == 1)
    #expect(cut.size.width <= 100 && cut.size.width > 70)
    #expect(cut.size.height == whole.height)
    #expect(!layout(text, TextLimits(width: whole.width + 0.1, lineCount: 1, truncation: truncation)).isTruncated)
  }

  @Test func `dots stand where they were asked for`() {
    // What is left of the text is found by comparing outlines' widths with those of the pieces.
    func cut(_ truncation: TextTruncation) -> Path {
      layout("WWWWWWWWWWiiiiiiiiii", TextLimits(width: 80, lineCount: 1, truncation: truncation)).outline
    }
    let (head, middle, tail) = (cut(.head), cut(.middle), cut(.tail))
    #expect(head != middle && middle != tail && head != tail)
    // The i's have dots of their own, two parts each; a W has one.
    #expect(parts(head) > parts(middle) && parts(middle) > parts(tail))
  }

  private func parts(_ path: Path) -> Int {
    path.elements.reduce(0) { count, element in
      if case .move = element { return count + 1 }
      return count
    }
  }

  @Test func `clipping leaves the text as it is`() {
    let text = "Rear window heating"
    let cut = layout(text, TextLimits(width: 60, lineCount: 1, truncation: .clip))
    #expect(!cut.isTruncated && cut.size == line(text).size)
    let lines = layout(text, TextLimits(width: 60, lineCount: 2, truncation: .clip))
    #expect(lines.lineCount == 2 && lines.isTruncated && lines.size.width <= 60)
  }

  @Test func `more lines than allowed end with dots in the last one, whatever paragraphs there are`() {
    for text in [
      "one two three four five six seven", "one\ntwo\nthree\nfour five six seven", "one two three\n\n\nfour five",
    ] {
      let cut = layout(text, TextLimits(width: 70, lineCount: 2))
      #expect(cut.lineCount == 2 && cut.isTruncated, "\(text)")
      #expect(cut.size.width <= 70)
      #expect(abs(cut.size.height - 2 * line("x").size.height) < 0.01)
      #expect(cut.baseline == line("x").baseline)
    }
    let fits = layout("one two", TextLimits(width: 40, lineCount: 2))
    #expect(fits.lineCount == 2 && !fits.isTruncated)
  }

  @Test func `on one line breaks in the text are blanks`() {
    let joined = layout("one\ntwo\r\nthree\u{2028}four", TextLimits(width: 400, lineCount: 1))
    #expect(joined.lineCount == 1 && !joined.isTruncated)
    #expect(joined.size == line("one two three four").size)
  }

  @Test(arguments: [(HorizontalAlignment.left, 0.0), (.center, 0.5), (.right, 1)])
  func `shorter lines stand at the side asked for, also those of the other direction`(
    side: HorizontalAlignment, part: Double
  ) {
    for short in ["ii", "אב"] {
      let text = "WWWWWW\n" + short
      let found = layout(text, TextLimits(alignment: side))
      let lower = Snapshot(of: Ink(found))
      let (width, own) = (found.size.width, line(short).size.width)
      let start = (width - own) * part
      let columns = lower?.columns(below: found.size.height / 2) ?? []
      #expect(Double(columns.first ?? -9) >= start - 1 && Double(columns.last ?? 999) <= start + own + 1, "\(columns)")
      #expect(columns.count > 1)
    }
  }

  @Test func `a text without letters takes the direction given, one with letters its own`() {
    let numbers = "1) 2"
    let (left, right) = (
      layout(numbers, TextLimits(direction: .leftToRight)), layout(numbers, TextLimits(direction: .rightToLeft))
    )
    #expect(left.outline != right.outline)
    let word = "abc (d)"
    #expect(
      layout(word, TextLimits(direction: .leftToRight)).outline
        == layout(word, TextLimits(direction: .rightToLeft)).outline)
  }

  @Test func `the cut off line keeps its paragraph's direction`() {
    // Hebrew first, then Latin: the second line begins with Latin but belongs to a text from right to left.
    let text = "אבגד אבגד abcdef (ghi) jkl mno"
    let cut = layout(text, TextLimits(width: 90, lineCount: 2, alignment: .right, direction: .leftToRight))
    #expect(cut.isTruncated)
    // Dots at the end of such a line are at its left.
    let columns = Snapshot(of: Ink(cut))?.columns(below: cut.size.height * 0.85) ?? []
    #expect(Double(columns.first ?? 999) < cut.size.width / 2)
  }

  @Test func `absurd limits and texts are harmless`() {
    func check(_ text: String, _ width: Double, _ count: Int?) {
      let found = layout(text, TextLimits(width: width, lineCount: count))
      #expect(found.size.width >= 0 && found.size.width < 1e6 && found.size.height >= 0)
      #expect(found.lineCount >= 1)
    }
    for width in [0.0, -5, .nan, .infinity, 1e300] {
      for text in ["", "\0", "abc", "\n\n", "a\u{301}\u{301}"] {
        for count in [nil, 1, 3, -4, 0, Int.max] { check(text, width, count) }
      }
    }
    // Breaking an endless word took the square of its length: minutes for these.
    let endless = String(repeating: "W", count: 40_000)
    check(endless, 100, 1)
    check(endless, 0, 3)
    check(endless, 300, nil)
    check(endless, .nan, nil)
  }

  @Test func `without fonts a text that the built-in outlines lack has a size and is not seen`() {
    let none = FontLibrary(files: [], defaultFamily: "None")
    let found = TextLayout("zwölf Wörter", font: font, limits: TextLimits(width: 30, lineCount: 1), library: none)
    #expect(found.size == Size(width: 30, height: 19.2) && found.lineCount == 1)
    #expect(found.outline.isEmpty && found.missingLetterCount == 0)
  }

  @Test func `without fonts built-in capitals are drawn, as many as there is room for`() {
    let none = FontLibrary(files: [], defaultFamily: "None")
    func width(_ limit: Double?) -> Double {
      let found = TextLayout("twelve words", font: font, limits: TextLimits(width: limit, lineCount: 1), library: none)
      #expect(found.outline.isEmpty == (limit == 3) && found.missingLetterCount == 0)
      #expect(found.size.width <= limit ?? .infinity)
      return found.size.width
    }
    #expect(width(3) <= 3)
    #expect((15...30).contains(width(30)))
    #expect(width(nil) > 80 && width(500) == width(nil))
  }

  @Test func `limits and sizes are made usable whenever they are set`() {
    var limits = TextLimits(lineCount: 2)
    for (width, usable) in [(Double.nan, nil), (-.infinity, nil), (-3, 0), (80, 80)] as [(Double, Double?)] {
      limits.width = width
      #expect(limits.width == usable)
      #expect(TextLayout("two words on\nlines", font: Font(size: 12), limits: limits).lineCount <= 2)
    }
    limits.lineCount = 0
    #expect(limits.lineCount == 1)
    var font = Font(size: 12)
    for (size, usable) in [(0, 1), (Double.nan, 1), (5000, 2000), (14, 14)] as [(Double, Double)] {
      font.size = size
      #expect(font.size == usable)
    }
    font.size = 0
    #expect(TextLayout("a\nb", font: font, limits: TextLimits(width: 0)).size.height > 0)
    #expect(TextLayout("a\nb", font: font, limits: TextLimits(width: .nan)).size.height > 0)
  }
}

/// A view that is nothing but a text, black on white.
private final class Ink: View {
  private let layout: TextLayout

  init(_ layout: TextLayout) {
    self.layout = layout
    super.init(frame: Rect(x: 0, y: 0, width: layout.size.width.rounded(.up), height: layout.size.height.rounded(.up)))
    backgroundColor = .white
  }

  override func draw(_ canvas: Canvas) { canvas.draw(layout, at: .zero, .black) }
}

extension Snapshot {
  /// The columns that hold dark pixels below `y`.
  fileprivate func columns(below y: Double) -> [Int] {
    (0..<size.width).filter { x in (Int(y)..<size.height).contains { self[x, $0] & 255 < 128 } }
  }
}
