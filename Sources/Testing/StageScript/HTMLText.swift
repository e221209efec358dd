/// A page in HTML, of which only words of this program's own source are markup: every other text is escaped. Clients write titles, messages and
/// output, and none of that may become a part of the page.
struct HTMLText {
  /// The page so far.
  private(set) var source = ""

  /// Adds markup.
  mutating func put(_ markup: StaticString) { source += markup.description }

  /// Adds a text.
  mutating func put(text: String) { source += Self.escaped(text) }

  /// Adds a whole number.
  mutating func put(number: Int) { source += String(number) }

  /// Adds markup, a text, and markup.
  mutating func put(_ begin: StaticString, _ text: String, _ end: StaticString) {
    put(begin)
    put(text: text)
    put(end)
  }

  /// Adds the address of data, as the value of an attribute.
  mutating func put(png bytes: [UInt8]) {
    put("data:image/png;base64,")
    source += Self.base64(bytes)
  }

  /// A text in which nothing is markup, neither in an element nor in an attribute, and nothing is invisible: control characters, and those that
  /// turn the direction of a text, are shown. Scalar by scalar, since a character may be a < with an accent.
  static func escaped(_ text: String) -> String {
    var result = ""
    var hasReturned = false
    for scalar in text.unicodeScalars {
      // A line break of two characters is one.
      if hasReturned, scalar != "\n" { result.unicodeScalars.append("\u{240d}") }
      hasReturned = scalar == "\r"
      switch scalar {
      case "\r": break
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\0"..."\u{1f}": result.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{fffd}")
      case "\u{7f}": result.unicodeScalars.append("\u{2421}")
      case "\u{61c}", "\u{200e}", "\u{200f}", "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}":
        result += "[U+\(String(scalar.value, radix: 16, uppercase: true))]"
      case _ where scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint:
        result.unicodeScalars.append("\u{fffd}")
      default: result.unicodeScalars.append(scalar)
      }
    }
    if hasReturned { result.unicodeScalars.append("\u{240d}") }
    return result
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Bytes in base64.
  static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      let word = (0..<3).reduce(0) { $0 << 8 | Int($1 < count ? bytes[start + $1] : 0) }
      for place in 0..<4 { text.append(place <= count ? digits[word >> (18 - 6 * place) & 63] : UInt8(ascii: "=")) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
