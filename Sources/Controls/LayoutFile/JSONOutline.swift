// Owns walking through a JSON text and knowing which brackets are open.
// Must not know whether what stands between them is JSON: that Foundation's decoder says.

/// The brackets that are open at a byte of a text.
nonisolated struct JSONOutline {
  /// Lists and objects inside each other, at most.
  static let maximumDepth = 256

  struct Bracket {
    let sign: Unicode.Scalar
    let offset: Int
    /// True from an object's : to the next comma.
    var hasColon = false

    /// What closes it.
    var end: Unicode.Scalar { sign == "[" ? "]" : "}" }
    var name: String { sign == "[" ? "list" : "object" }
  }

  /// What may come next, but for the closing bracket.
  enum Expected: String {
    case value = "a value"
    case name = "a name in \" \""
    case colon = ": after a name"
    case comma = ", or the closing bracket after a value"
    case end = "nothing after the end"
  }

  let text: [UInt8]
  private(set) var index = 0
  private(set) var open: [Bracket] = []
  /// The first sign of what was last, but for space and comments.
  private var last: Unicode.Scalar?

  /// At the beginning of `text`.
  init(_ text: [UInt8]) {
    self.text = text
    // A byte order mark is no part of the text.
    if text.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
  }

  var isAtEnd: Bool { index >= text.count }

  var expected: Expected {
    guard let bracket = open.last else { return last == nil ? .value : .end }
    let isNew = last == bracket.sign || last == ","
    if bracket.sign == "[" { return isNew ? .value : .comma }
    if isNew { return .name }
    return !bracket.hasColon ? .colon : last == ":" ? .value : .comma
  }

  /// Goes on over `count` bytes, and to the end of the text, comment, number or word that stands there.
  mutating func advance(by count: Int) throws(SyntaxMistake) {
    let goal = min(index + count, text.count)
    while index < goal { _ = try step() }
  }

  /// Throws if a bracket is open.
  func checkIsClosed() throws(SyntaxMistake) {
    guard let open = open.last else { return }
    throw SyntaxMistake(offset: open.offset, message: "the \(open.name) has no end: \(open.end) is missing")
  }

  private func sign(at index: Int) -> Unicode.Scalar { index < text.count ? Unicode.Scalar(text[index]) : "\0" }

  private func mistake(_ message: String) -> SyntaxMistake { SyntaxMistake(offset: index, message: message) }

  /// Goes over the sign, text, number, word or comment that stands here; false for space and comments.
  mutating func step() throws(SyntaxMistake) -> Bool {
    let sign = sign(at: index)
    switch sign {
    case "\t"..."\r", " ":
      index += 1
      return false
    case "/" where self.sign(at: index + 1) == "/" || self.sign(at: index + 1) == "*":
      try skipComment()
      return false
    case "\"", "'": try skipText(sign)
    case "[", "{":
      guard open.count < JSONOutline.maximumDepth else {
        throw mistake("more than \(JSONOutline.maximumDepth) lists and objects inside each other")
      }
      open.append(Bracket(sign: sign, offset: index))
      index += 1
    case "]", "}":
      guard let bracket = open.popLast() else { throw mistake("\(sign) closes nothing") }
      guard sign == bracket.end else {
        let line = TextPlace(offset: bracket.offset, in: text).line
        throw mistake("\(bracket.end) is missing: the \(bracket.name) that begins on line \(line) is still open")
      }
      index += 1
    case ",", ":":
      if !open.isEmpty { open[open.count - 1].hasColon = sign == ":" }
      index += 1
    default: try skipWord()
    }
    last = sign
    return true
  }

  private mutating func skipComment() throws(SyntaxMistake) {
    let start = index
    let isLine = sign(at: index + 1) == "/"
    index += 2
    while index < text.count {
      let sign = sign(at: index)
      if isLine, sign == "\n" || sign == "\r" { return }
      index += 1
      if !isLine, sign == "*", self.sign(at: index) == "/" {
        index += 1
        return
      }
    }
    guard isLine else { throw SyntaxMistake(offset: start, message: "the comment has no end: */ is missing") }
  }

  private mutating func skipText(_ quote: Unicode.Scalar) throws(SyntaxMistake) {
    let start = index
    index += 1
    while index < text.count {
      let sign = sign(at: index)
      if sign == "\n" { break }
      index += sign == "\\" && self.sign(at: index + 1) != "\n" ? 2 : 1
      if sign == quote { return }
    }
    throw SyntaxMistake(offset: start, message: "the text has no end on its line: \(quote) is missing")
  }

  /// Goes over a number, `true` or whatever else stands without quotes.
  private mutating func skipWord() throws(SyntaxMistake) {
    var before: Unicode.Scalar = "\0"
    while index < text.count {
      let sign = sign(at: index)
      switch sign {
      case "\t"..."\r", " ", "\"", "'", ",", ":", "[", "]", "{", "}": return
      case "/" where before != "\0": return
      // A number such as 1e+ ends the program in Foundation's decoder.
      case "+", "-":
        guard before != "e" && before != "E" || ("0"..."9").contains(self.sign(at: index + 1)) else {
          throw mistake("expected digits after the e; texts stand in \" \"")
        }
      default: break
      }
      before = sign
      index += 1
    }
  }
}
