import TestSupport
import Testing

@testable import Controls

/// Tests of a text in pieces: whatever changes, it is the text that a string would be, and counts as one.
@MainActor @Suite struct TextPiecesTests {
  private static let parts = [
    "a", "one two", "\n", "\n\n", "é", "e", "\u{301}", "🇩🇪", "👩‍👩‍👧", "שלום", "x\ny", "a long line of words", "\t", "",
  ]

  @Test func `lines are pieces without their ends, and at least one`() {
    #expect(TextPieces("").all.map(\.text) == [""])
    let pieces = TextPieces("one\n\ntwo\n")
    #expect(
      pieces.all.map(\.text) == ["one", "", "two", ""] && pieces.all.map(\.endsLine) == [true, true, true, false])
    #expect(pieces.count == 9 && pieces.text == "one\n\ntwo\n")
    #expect((0...9).map { pieces.piece(at: $0).index } == [0, 0, 0, 0, 1, 2, 2, 2, 2, 3])
  }

  @Test func `a long line is several pieces, between characters`() {
    let pieces = TextPieces("ab👩‍👩‍👧cdefg\nh", limit: 6)
    #expect(pieces.all.map(\.text) == ["ab", "👩‍👩‍👧", "cdefg", "h"] && pieces.count == 10)
    #expect(pieces.all.map(\.endsLine) == [false, false, true, false])
    #expect(pieces.piece(at: 2).index == 1, "a place between two pieces belongs to the second")
    let cluster = TextPieces("e" + String(repeating: "\u{301}", count: 20), limit: 6)
    #expect(cluster.all.allSatisfy { $0.text.unicodeScalars.count <= 6 })
  }

  @Test(arguments: 0..<20) func `any changes make the text that a string would be`(seed: Int) {
    var random = Random(seed)
    let limit = seed % 2 == 0 ? 4000 : 7
    var (pieces, text) = (TextPieces(limit: limit), "")
    for _ in 0..<60 {
      // Between scalars, as all changes are.
      let places =
        text.unicodeScalars.indices.map { text.utf8.distance(from: text.startIndex, to: $0) } + [text.utf8.count]
      let ends = [places[random.below(places.count)], places[random.below(places.count)]].sorted()
      let new = (0..<random.below(4)).map { _ in Self.parts[random.below(Self.parts.count)] }.joined()
      #expect(pieces.substring(ends[0]..<ends[1]) == Self.part(of: text, ends[0]..<ends[1]))
      pieces.replace(ends[0]..<ends[1], with: new)
      text = Self.part(of: text, 0..<ends[0]) + new + Self.part(of: text, ends[1]..<text.utf8.count)
      #expect(Array(pieces.text.utf8) == Array(text.utf8) && pieces.utf8Count == text.utf8.count)
      #expect(pieces.scalarCount == text.unicodeScalars.count)
      if limit == 4000 { #expect(pieces.count == text.count) }
      // The same as when it is made at once, for what concerns places.
      for place in 0...pieces.count {
        let byte = pieces.utf8(place)
        #expect(pieces.place(utf8: byte) == place)
        if place < pieces.count { #expect(pieces.place(utf8: pieces.utf8(place + 1) - 1) == place) }
      }
      if limit == 4000 { #expect(pieces == TextPieces(text, limit: limit)) }
      #expect(pieces.all.dropLast().allSatisfy { $0.endsLine || !$0.text.isEmpty })
    }
  }

  private static func part(of text: String, _ bytes: Range<Int>) -> String {
    String(decoding: Array(text.utf8)[bytes], as: UTF8.self)
  }
}
