enum SwiftNames {
  private static let keywords: Set<String> = [
    "default", "repeat", "in", "class", "self", "operator", "init", "import", "switch", "case", "return",
    "protocol", "enum", "internal", "public", "extension", "where", "is", "as", "for", "true", "false", "none",
    "static",
  ]

  /// A type's name: `wl_data_offer` becomes `WlDataOffer`.
  static func type(_ name: String) -> String {
    name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// A member's name: `set_title` becomes `setTitle`. A keyword gets backquotes, and a name that begins with a digit `_`.
  static func member(_ name: String) -> String {
    let upper = type(name)
    var text = upper.prefix(1).lowercased() + upper.dropFirst()
    if text.first?.isNumber == true { text = "_" + text }
    return keywords.contains(text) ? "`\(text)`" : text
  }

  /// An argument's name: a keyword gets the suffix `Value`, because backquotes are required in some places and not allowed in
  /// others.
  static func argument(_ name: String) -> String {
    let text = member(name)
    return text.hasPrefix("`") ? text.dropFirst().dropLast() + "Value" : text
  }

  /// The name of an enum's type, which is nested in its class. Names that Swift or the bindings use get the suffix `Code`.
  static func enumType(_ name: String) -> String {
    let plain = type(name)
    return ["Error", "Event", "Request", "Type"].contains(plain) ? plain + "Code" : plain
  }

  /// The associated values of an enum case, comma-separated in parentheses; empty without values.
  static func list(_ values: [String]) -> String { values.isEmpty ? "" : "(\(values.joined(separator: ", ")))" }
}
