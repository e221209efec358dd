nonisolated extension LayoutLength {
  /// The reason why a text is not a length; completes a sentence.
  struct ParseError: Error, Hashable {
    let message: String
    var nearest: String?
  }

  /// Parses `text`, such as `50%` or `wheel.left - 8`.
  init(text: String) throws(ParseError) {
    self.init()
    let noLength = ParseError(
      message:
        "needs points, per cent or a sibling's edge, such as 12, \"50%\" or \"wheel.left - 8\"; \"\(text)\" isn't")
    var words = text.split(separator: " ")[...]
    var sign = 1.0
    while true {
      guard let word = words.popFirst(), try add(word, sign: sign, text) else { throw noLength }
      if words.first == "*" {
        words.removeFirst()
        guard let factor = words.popFirst().flatMap({ LayoutLength.number($0) }), reference != nil,
          !word.hasSuffix("%"),
          LayoutLength.number(word) == nil
        else { throw noLength }
        reference?.factor *= factor
      }
      switch words.popFirst() {
      case nil: return
      case "+": sign = 1
      case "-": sign = -1
      default: throw noLength
      }
    }
  }

  /// Adds a term; returns false if `word` is not a term.
  private mutating func add(_ word: Substring, sign: Double, _ text: String) throws(ParseError) -> Bool {
    if let number = LayoutLength.number(word) {
      points += sign * number
    } else if word.hasSuffix("%"), let number = LayoutLength.number(word.dropLast()) {
      part += sign * number / 100
    } else if let dot = word.lastIndex(of: "."), dot > word.startIndex {
      let name = String(word[word.index(after: dot)...])
      guard let edge = LayoutEdge(name) else {
        let nearest = EditDistance.nearest(to: name, in: LayoutEdge.names)
        throw ParseError(message: "no view has an edge \"\(name)\"", nearest: nearest)
      }
      guard reference == nil else { throw ParseError(message: "\"\(text)\" refers to two views, one is possible") }
      reference = Reference(.named(String(word[..<dot])), edge: edge, factor: sign)
    } else {
      return false
    }
    return true
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
      let word = "\(name).\(reference.edge.rawValue)" + (factor == 1 ? "" : " * \(format.text(factor))")
      // The text form has no sign before a name, so a negative factor is subtracted from 0.
      if reference.factor < 0 { text = "0" }
      add(word, reference.factor < 0)
    }
    if part != 0 { add("\(format.text(abs(part) * 100))%", part < 0) }
    if points != 0 { add(format.text(abs(points)), points < 0) }
    return .string(text)
  }
}
