/// Turns protocol names into Swift names.
enum SwiftNames {
  private static let keywords: Set<String> = [
    "default", "repeat", "in", "class", "self", "operator", "init", "import", "switch", "case", "return",
    "protocol", "enum", "internal", "public", "extension", "where", "is", "as", "for", "true", "false", "none",
    "static",
  ]

  /// `wl_data_offer` -> `WlDataOffer`.
  static func type(_ name: String) -> String {
    name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// `set_title` -> `setTitle`, safe as an identifier.
  static func member(_ name: String) -> String {
    let upper = type(name)
    var text = upper.prefix(1).lowercased() + upper.dropFirst()
    if text.first?.isNumber == true { text = "_" + text }
    return keywords.contains(text) ? "`\(text)`" : text
  }

  /// An argument's name: a keyword gets a suffix, since it would need quoting in some places and must not have it in others.
  static func argument(_ name: String) -> String {
    let text = member(name)
    return text.hasPrefix("`") ? text.dropFirst().dropLast() + "Value" : text
  }

  /// An enum's type inside its class: names that Swift or the bindings need themselves get a suffix.
  static func enumType(_ name: String) -> String {
    let plain = type(name)
    return ["Error", "Event", "Request", "Type"].contains(plain) ? plain + "Code" : plain
  }

  /// The values of an enum's case in brackets; nothing without values.
  static func list(_ values: [String]) -> String { values.isEmpty ? "" : "(\(values.joined(separator: ", ")))" }

  /// The comment line of a declaration; an empty summary names the protocol's word.
  static func comment(_ summary: String, fallback: String, indent: String) -> String {
    let text = summary.isEmpty ? fallback : summary
    return indent + "/// " + text.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
  }
}
