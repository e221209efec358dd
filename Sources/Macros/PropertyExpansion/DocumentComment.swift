/// The comment above a declaration that documents it: the lines that begin with three slashes.
enum DocumentComment {
  /// The first sentence of the comment before `declaration`, as a literal of Swift; nil without a comment.
  ///
  /// Descriptions for users of files and inspectors are taken from here, so that a property is described once: for the reader of its code
  /// and for all others.
  static func sentence(of declaration: String) -> String? {
    var words: [Substring] = []
    for line in declaration.split(whereSeparator: \.isNewline) {
      let text = line.drop { $0 == " " || $0 == "\t" }
      guard text.hasPrefix("///") else {
        // The declaration begins; a comment of another kind is not its docstring.
        if text.isEmpty || text.hasPrefix("//") { continue }
        break
      }
      let spoken = text.dropFirst(3).split(separator: " ")
      // An empty line ends the paragraph.
      if spoken.isEmpty { break }
      for word in spoken {
        words.append(word)
        if isEnd(word) { return literal(words) }
      }
    }
    return words.isEmpty ? nil : literal(words)
  }

  /// A sentence ends with a full stop, also in front of a bracket or a quote; dots in names and numbers have no blank after them.
  private static func isEnd(_ word: Substring) -> Bool {
    word.last == "." || word.hasSuffix(".)") || word.hasSuffix(".\"")
  }

  private static func literal(_ words: [Substring]) -> String {
    let text = words.joined(separator: " ").map { character -> String in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      default: String(character)
      }
    }
    return "\"" + text.joined() + "\""
  }
}
