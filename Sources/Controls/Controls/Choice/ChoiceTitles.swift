/// Names with a vertical bar between them. In a name, a bar and a backslash stand behind a backslash.
nonisolated enum ChoiceTitles {
  /// The names in `text`: none in an empty one. A backslash before anything else is itself.
  static func titles(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var titles = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        titles[titles.count - 1] += character == "|" || character == "\\" ? String(character) : "\\\(character)"
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "|" {
        titles.append("")
      } else {
        titles[titles.count - 1].append(character)
      }
    }
    if isEscaped { titles[titles.count - 1] += "\\" }
    return titles
  }

  /// The text from which `titles` gives `names` again.
  static func text(_ names: [String]) -> String {
    names.map { name in
      var written = ""
      for character in name {
        if character == "|" || character == "\\" { written += "\\" }
        written.append(character)
      }
      return written
    }.joined(separator: "|")
  }
}
