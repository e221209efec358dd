nonisolated extension LayoutLength {
  /// The reason why a text is not a length; completes a sentence.
  struct ParseError: Error, Hashable {
    let message: String
    var nearest: String?
  }

  /// Parses `text`, such as `50%` or `wheel.left - 8`. A name with blanks may stand in single quotes, and must if it has an
  /// operator between blanks: `'left - right'.width`.
  init(text: String) throws(ParseError) {
    self.init()
    let noLength = ParseError(
      message:
        "needs points, per cent or a sibling's edge, such as 12, \"50%\" or \"wheel.left - 8\"; \"\(text)\" isn't")
    guard var terms = Term.terms(of: text)?[...] else { throw noLength }
    var sign = 1.0
    while true {
      guard let term = terms.popFirst(), try add(term, sign: sign, text) else { throw noLength }
      if terms.first == .sign("*") {
        terms.removeFirst()
        guard case .word(let number)? = terms.popFirst(), let factor = LayoutLength.number(number[...]),
          reference != nil, term.isEdge
        else { throw noLength }
        reference?.factor *= factor
      }
      switch terms.popFirst() {
      case nil: return
      case .sign("+"): sign = 1
      case .sign("-"): sign = -1
      default: throw noLength
      }
    }
  }

  /// A part of a length's text.
  private enum Term: Hashable {
    /// `+`, `-` or `*`.
    case sign(Character)
    /// A number, a percentage, or a name with its edge.
    case word(String)
    /// A name in quotes, and its edge.
    case quoted(String, edge: String)

    var isEdge: Bool {
      switch self {
      case .sign: false
      case .word(let word): !word.hasSuffix("%") && LayoutLength.number(word[...]) == nil
      case .quoted: true
      }
    }

    /// The terms of `text`; nil if a quote has no end. Blanks around a sign separate terms, so that a name may have others.
    static func terms(of text: String) -> [Term]? {
      var terms: [Term] = []
      var words: [Substring] = []
      var rest = text[...]
      func close() {
        guard let first = words.first, let last = words.last else { return }
        terms.append(.word(String(text[first.startIndex..<last.endIndex])))
        words = []
      }
      while true {
        rest = rest.drop { $0 == " " }
        guard let first = rest.first else { break }
        if first == "'", words.isEmpty {
          guard let (name, end) = LayoutLength.unquoted(rest.dropFirst()) else { return nil }
          let edge = end.prefix { $0 != " " }
          terms.append(.quoted(name, edge: String(edge)))
          rest = end[edge.endIndex...]
          continue
        }
        let word = rest.prefix { $0 != " " }
        rest = rest[word.endIndex...]
        if word.count == 1, "+-*".contains(first) {
          close()
          terms.append(.sign(first))
        } else {
          words.append(word)
        }
      }
      close()
      return terms
    }
  }

  /// The name up to the closing quote, and what follows; nil without one. A backslash precedes a quote or a backslash in a name.
  private static func unquoted(_ text: Substring) -> (name: String, rest: Substring)? {
    var (name, rest) = ("", text)
    while let character = rest.popFirst() {
      if character == "'" { return (name, rest) }
      let isEscape = character == "\\" && (rest.first == "'" || rest.first == "\\")
      name.append(isEscape ? rest.removeFirst() : character)
    }
    return nil
  }

  /// `name` as a length's text has it: in quotes if it could be read in another way.
  private static func quoted(_ name: String) -> String {
    guard name.contains(" ") || name.hasPrefix("'") else { return name }
    return "'" + name.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }

  /// Adds a term; returns false if it is not a term.
  private mutating func add(_ term: Term, sign: Double, _ text: String) throws(ParseError) -> Bool {
    switch term {
    case .sign: return false
    case .quoted(let name, let edge):
      guard edge.hasPrefix(".") else { return false }
      try refer(to: name, edge: String(edge.dropFirst()), sign: sign, text)
    case .word(let word):
      if let number = LayoutLength.number(word[...]) {
        points += sign * number
      } else if word.hasSuffix("%"), let number = LayoutLength.number(word.dropLast()) {
        part += sign * number / 100
      } else if let dot = word.lastIndex(of: "."), dot > word.startIndex {
        try refer(to: String(word[..<dot]), edge: String(word[word.index(after: dot)...]), sign: sign, text)
      } else {
        return false
      }
    }
    return true
  }

  private mutating func refer(
    to name: String, edge edgeName: String, sign: Double, _ text: String
  ) throws(ParseError) {
    guard let edge = LayoutEdge(edgeName) else {
      let nearest = EditDistance.nearest(to: edgeName, in: LayoutEdge.names)
      throw ParseError(message: "no view has an edge \"\(edgeName)\"", nearest: nearest)
    }
    guard reference == nil else { throw ParseError(message: "\"\(text)\" refers to two views, one is possible") }
    reference = Reference(.named(name), edge: edge, factor: sign)
  }

  /// The value of a decimal number; nil for "nan" and hexadecimal forms.
  private static func number(_ text: Substring) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e || $0 == 0x2d }), let number = Double(text)
    else { return nil }
    return number.isFinite ? number : nil
  }

  /// The length as files write it: a number of points, or a sum as text.
  var json: JSONValue {
    if part == 0, reference == nil { return .number(points) }
    // The text form of a length has no exponents.
    let format = NumberFormat(fractionDigits: 9)
    var text = ""
    func add(_ word: String, _ isNegative: Bool) {
      if text.isEmpty {
        text = isNegative ? "-\(word)" : word
      } else {
        text += (isNegative ? " - " : " + ") + word
      }
    }
    if let reference, case .named(let name) = reference.sibling {
      let factor = abs(reference.factor)
      let word =
        "\(LayoutLength.quoted(name)).\(reference.edge.rawValue)" + (factor == 1 ? "" : " * \(format.text(factor))")
      // The text form has no sign before a name, so a negative factor is subtracted from 0.
      if reference.factor < 0 { text = "0" }
      add(word, reference.factor < 0)
    }
    if part != 0 { add("\(format.text(abs(part) * 100))%", part < 0) }
    if points != 0 { add(format.text(abs(points)), points < 0) }
    return .string(text)
  }
}
