/// The code that `@Inspectable` makes of a property: its description, and accessors for every assignment.
///
///     @Inspectable(.display, limits: 0...1) public var curvaceousness = 1.0
///
/// becomes
///
///     public var curvaceousness = 1.0 {
///       get { _curvaceousness }
///       set { setProperty(Dial.curvaceousnessProperty, to: newValue, get: { _curvaceousness }, set: { _curvaceousness = $0 }) }
///     }
///     private final var _curvaceousness = 1.0
///     private static let curvaceousnessProperty = Controls.Property("curvaceousness", \Dial.curvaceousness, .display, limits: 0...1)
///
/// The first sentence of the property's docstring becomes its description: `about: "How round the track's ends are."`.
struct PropertyExpansion {
  /// The code beside the property: its description, and where it is stored.
  let peers: String
  /// The code in the property.
  let accessors: String

  /// Expands `attribute` at `declaration`, whose innermost enclosing declaration is `context`.
  init(_ attribute: AttributeSource, _ declaration: String, within context: String) throws(ExpansionError) {
    let variable = try VariableSource(declaration)
    let name = variable.name
    guard let owner = ClassSource(context) else {
      throw ExpansionError("@Inspectable is for properties of View and its subclasses")
    }
    guard owner.keyword == "class" else {
      throw ExpansionError(
        "declare '\(name)' in its class, not in \(owner.keyword == "extension" ? "an extension" : "a type")")
    }
    guard !owner.isGeneric else {
      throw ExpansionError("the generic class '\(owner.name)' cannot declare inspectable properties: a base class can")
    }
    guard owner.attributes.contains("ListsProperties") else {
      throw ExpansionError("'\(owner.name)' declares inspectable properties: write @ListsProperties before the class")
    }
    let description = "\(owner.name).\(name)Property"
    var (arguments, storage) = (attribute.argumentText, "")
    if attribute.arguments.prefix(while: { $0.label == nil }).count > 1 {
      guard !variable.hasValue else {
        throw ExpansionError("'\(name)' is kept at a key path: it has no value of its own")
      }
      let place = PropertyExpansion.place(attribute.arguments[0].text)
      accessors = "{ get { \(place) } set { setProperty(\(description), to: newValue) { \(place) = $0 } } }"
      arguments = "of: " + arguments
    } else {
      guard variable.hasValue || variable.isOptional else {
        throw ExpansionError("'\(name)' needs a value to begin with")
      }
      accessors = """
        {
          get { _\(name) }
          set { setProperty(\(description), to: newValue, get: { _\(name) }, set: { _\(name) = $0 }) }
        }
        """
      storage = "private final var _\(name)\(variable.rest)\n\n"
    }
    if let sentence = DocumentComment.sentence(of: declaration) { arguments = "about: \(sentence), " + arguments }
    peers =
      storage
      + "private static let \(name)Property = Controls.Property(\"\(name)\", \\\(owner.name).\(name), \(arguments))"
  }

  /// The code in place of `peers` beside a property named `name` that is an error, so that the error is the only one. It is
  /// never run, because a file with an error has no program.
  static func stub(_ name: String) -> String {
    "private static let \(name)Property: Controls.AnyProperty = { fatalError() }()"
  }

  /// The expression for the place that a key path names in `self`: `self.model.step` for `\Slider.model.step`.
  private static func place(_ path: String) -> String {
    let tokens = [SwiftToken](path)
    var index = tokens.startIndex + 1
    while index < tokens.endIndex, tokens[index].kind == .name, tokens[index].text.first?.isUppercase ?? false {
      index += 1
      let isNested = index + 1 < tokens.endIndex && tokens[index].text == "."
      guard isNested, tokens[index + 1].text.first?.isUppercase ?? false else { break }
      index += 1
    }
    return "self" + path.slice(tokens[index...])
  }
}

/// The code that `@ListsProperties` adds to a class: the list of its properties, and what its docstring says of the class.
struct ListExpansion {
  /// The code in the class.
  let member: String

  init(_ attribute: AttributeSource, _ declaration: String) throws(ExpansionError) {
    guard let owner = ClassSource(declaration), owner.keyword == "class" else {
      throw ExpansionError("@ListsProperties is for View and its subclasses")
    }
    if let name = owner.conditionalProperties.first {
      throw ExpansionError("'\(name)' is in '#if': an inspectable property is always there")
    }
    let access = ["open", "public", "package"].first(where: owner.modifiers.contains).map { $0 + " " } ?? ""
    let own = "[" + owner.properties.map { $0 + "Property" }.joined(separator: ", ") + "]"
    let sentence = DocumentComment.sentence(of: declaration)
    guard owner.hasSuperclass else {
      member = """
        /// The class in one sentence, the first of its docstring. `@ListsProperties` writes it.
        \(access)class var about: String { \(sentence ?? "\"\"") }
        /// The properties for files, inspectors, observers and animations: those of the superclass before those that the class
        /// declares. `@ListsProperties` writes it; it is read once per class.
        \(access)class var inspectables: [Controls.AnyProperty] { \(own) }
        """
      return
    }
    let removed =
      attribute.arguments.isEmpty ? "" : ", without: [\(attribute.arguments.map(\.text).joined(separator: ", "))]"
    let list =
      "\(access)override class var inspectables: [Controls.AnyProperty] { super.inspectables.adding(\(own)\(removed)) }"
    member = list + (sentence.map { "\n\(access)override class var about: String { \($0) }" } ?? "")
  }
}
