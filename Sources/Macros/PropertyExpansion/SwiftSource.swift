/// An attribute with its arguments, such as `@Inspectable(.display, limits: 0...1)`.
struct AttributeSource {
  struct Argument: Equatable {
    /// The label; nil if the argument has none.
    let label: String?
    let text: String
  }

  let arguments: [Argument]
  /// The text between the brackets; empty without arguments.
  let argumentText: String

  init(_ source: String) {
    let tokens = [SwiftToken](source)
    guard let open = tokens.firstIndex(where: { $0.text == "(" }),
      let close = tokens.lastIndex(where: { $0.text == ")" }), open < close
    else {
      (arguments, argumentText) = ([], "")
      return
    }
    let inside = tokens[(open + 1)..<close]
    argumentText = source.slice(inside)
    arguments = inside.split { $0.text == "," && $0.depth == 1 }.map { tokens in
      let isLabelled = tokens.first?.kind == .name && tokens.dropFirst().first?.text == ":"
      return Argument(
        label: isLabelled ? tokens.first?.text : nil, text: source.slice(isLabelled ? tokens.dropFirst(2) : tokens))
    }
  }
}

/// A variable with one name, as a macro is attached to it.
struct VariableSource {
  /// The name without backticks.
  let name: String
  /// The type and the first value as they were written: ` = 1.0`.
  let rest: String
  /// Whether a value to begin with was written, and whether the type is optional, which begins as nil without one.
  let (hasValue, isOptional): (Bool, Bool)

  /// - Throws: `ExpansionError` if it is no variable of an object, or does more than keep a value.
  init(_ source: String) throws(ExpansionError) {
    let tokens = [SwiftToken](source)
    guard let start = VariableSource.start(tokens) else { throw ExpansionError("@Inspectable is for properties") }
    name = tokens[start + 1].text.filter { $0 != "`" }
    let words = tokens[..<start].filter { $0.depth == 0 }.map(\.text)
    if let word = ["static", "class", "lazy", "weak", "unowned", "override"].first(where: words.contains) {
      throw ExpansionError("an inspectable property cannot be '\(word)'")
    }
    let tail = tokens[(start + 2)...]
    let equals = tail.firstIndex { $0.depth == 0 && $0.text == "=" }
    let type = tail[..<(equals ?? tail.endIndex)]
    var open = 0
    for token in tail where token.depth == 0 {
      if token.text.allSatisfy({ $0 == "<" }) { open += token.text.count }
      if token.text.last == ">", token.text != "->" { open -= token.text.filter { $0 == ">" }.count }
      if token.text == ",", open <= 0 { throw ExpansionError("declare each inspectable property with its own 'var'") }
    }
    let accessors: Set<String> = ["get", "set", "didSet", "willSet", "_read", "_modify"]
    let blocks = tail.indices.filter { tail[$0].text == "{" && tail[$0].depth == 0 }
    let isAccessors = blocks.contains { index in
      index < (equals ?? tail.endIndex) || (index + 1 < tail.endIndex && accessors.contains(tail[index + 1].text))
    }
    guard !isAccessors else {
      throw ExpansionError(
        "'\(name)' has accessors: react to a change by 'then:', or give the key path of the stored value")
    }
    rest = String(decoding: Array(source.utf8)[tokens[start + 1].range.upperBound...], as: UTF8.self)
    (hasValue, isOptional) = (equals != nil, type.last?.text.last == "?")
  }
}

extension VariableSource {
  /// The name in a declaration; nil if it declares no variable.
  static func name(_ source: String) -> String? {
    let tokens = [SwiftToken](source)
    return start(tokens).map { tokens[$0 + 1].text.filter { $0 != "`" } }
  }

  /// The index of `var` or `let`.
  private static func start(_ tokens: [SwiftToken]) -> Int? {
    tokens.indices.dropLast().first {
      tokens[$0].depth == 0 && ["var", "let"].contains(tokens[$0].text) && tokens[$0 + 1].kind == .name
    }
  }
}

/// A class, as a macro is attached to it or to one of its members.
struct ClassSource {
  /// The keyword that introduces it: `class`, or another for a type that is no class.
  let keyword: String
  let name: String
  /// The modifiers before the keyword, and the names of the attributes.
  let (modifiers, attributes): ([String], [String])
  let (isGeneric, hasSuperclass): (Bool, Bool)
  /// The names of the properties with `@Inspectable` in the class's body, in order; those in `#if` are in the second list.
  let (properties, conditionalProperties): ([String], [String])

  /// Nil for source that declares no type.
  init?(_ source: String) {
    let tokens = [SwiftToken](source)
    let keywords: Set<String> = ["class", "extension", "struct", "enum", "actor", "protocol"]
    guard let start = tokens.firstIndex(where: { $0.depth == 0 && $0.kind == .name && keywords.contains($0.text) }),
      start + 1 < tokens.count
    else { return nil }
    keyword = tokens[start].text
    name = tokens[start + 1].text
    modifiers = tokens[..<start].filter { $0.depth == 0 && $0.kind == .name }.map(\.text)
    attributes = ClassSource.attributes(tokens[..<start], depth: 0).map(\.name)
    let body = tokens[start...].firstIndex { $0.depth == 0 && $0.text == "{" } ?? tokens.endIndex
    let header = tokens[(start + 2)..<body]
    isGeneric = header.first?.text == "<"
    hasSuperclass = header.contains { $0.depth == 0 && $0.text == ":" }
    var (all, conditional): ([String], [String]) = ([], [])
    var conditions = 0
    let inside = tokens[body...]
    let marked = Set(ClassSource.attributes(inside, depth: 1).filter { $0.name == "Inspectable" }.map(\.index))
    var isMarked = false
    for index in inside.indices where inside[index].depth == 1 {
      if inside[index].text == "#", index + 1 < inside.endIndex {
        conditions += ["if": 1, "endif": -1][inside[index + 1].text] ?? 0
      }
      if marked.contains(index) { isMarked = true }
      guard isMarked, inside[index].text == "var", index + 1 < inside.endIndex else { continue }
      let name = inside[index + 1].text.filter { $0 != "`" }
      if conditions > 0 { conditional.append(name) } else { all.append(name) }
      isMarked = false
    }
    (properties, conditionalProperties) = (all, conditional)
  }

  /// The attributes among `tokens` and where they begin; of `Module.Name` the name.
  private static func attributes(_ tokens: ArraySlice<SwiftToken>, depth: Int) -> [(name: String, index: Int)] {
    tokens.indices.filter { tokens[$0].text == "@" && tokens[$0].depth == depth }.compactMap { index in
      guard index + 1 < tokens.endIndex else { return nil }
      var name = tokens[index + 1].text
      if index + 3 < tokens.endIndex, tokens[index + 2].text == "." { name = tokens[index + 3].text }
      return (name, index)
    }
  }
}

extension String {
  /// The text of `tokens`, which are tokens of this source.
  func slice(_ tokens: ArraySlice<SwiftToken>) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return String(decoding: Array(utf8)[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
  }
}
