/// A position in a text as editors show it: line and column, both from 1. Columns count characters (Unicode scalars), not bytes.
package struct TextPlace: Hashable, Sendable {
  package let line: Int
  package let column: Int

  static let start = TextPlace(offset: 0, in: [])

  /// The position of the byte `offset` in `text`, which is UTF-8.
  package init(offset: Int, in text: [UInt8]) {
    var line = 1
    var column = 1
    for byte in text.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if byte & 0xc0 != 0x80 {
        column += 1
      }
    }
    (self.line, self.column) = (line, column)
  }
}
