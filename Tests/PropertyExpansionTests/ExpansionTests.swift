import Testing

@testable import PropertyExpansion

/// A class in which an inspectable property may be declared.
private let dial = "@ListsProperties class Dial: View {}"
private let hasAccessors =
  "'a' has accessors: react to a change by 'then:', or give the key path of the stored value"

/// Tests of the code that the macros write, and of the errors that end a build.
struct ExpansionTests {
  private func property(
    _ attribute: String, _ declaration: String, in context: String = "@ListsProperties final class Dial: Control {}"
  ) throws -> PropertyExpansion {
    try PropertyExpansion(AttributeSource(attribute), declaration, within: context)
  }

  @Test func `a stored property gets a place, a description and accessors`() throws {
    let expansion = try property(
      "/// The roundness. @Inspectable(no)\n@Inspectable(.display, limits: 0...1, then: Dial.changed)",
      "@Inspectable(.display, limits: 0...1, then: Dial.changed) public final var roundness: Double = 1.0 / 2 // half")
    #expect(
      expansion.peers == """
        private final var _roundness: Double = 1.0 / 2 // half

        private static let roundnessProperty = Controls.Property("roundness", \\Dial.roundness, .display, limits: 0...1, \
        then: Dial.changed)
        """)
    #expect(
      expansion.accessors == """
        {
          get { _roundness }
          set { setProperty(Dial.roundnessProperty, to: newValue, get: { _roundness }, set: { _roundness = $0 }) }
        }
        """)
  }

  @Test(
    arguments: [
      ("\\Dial.model.step", "self.model.step"), ("\\Dial[holds: .selected]", "self[holds: .selected]"),
      ("\\Button.titles[.normal, default: \"\"]", "self.titles[.normal, default: \"\"]"),
      ("\\Outer.Dial.x", "self.x"), ("\\.model.step", "self.model.step"),
    ])
  func `a property at a key path reads and sets what is there`(path: String, place: String) throws {
    let expansion = try property("@Inspectable(\(path), .none, isReported: true)", "@Inspectable(x) var step: Double")
    #expect(
      expansion.peers == """
        private static let stepProperty = Controls.Property("step", \\Dial.step, of: \(path), .none, isReported: true)
        """)
    #expect(
      expansion.accessors
        == "{ get { \(place) } set { setProperty(Dial.stepProperty, to: newValue) { \(place) = $0 } } }")
  }

  @Test(
    arguments: [
      ("var a: Color?", "_a: Color?"), ("public private(set) var a = [1, 2]", "_a = [1, 2]"),
      ("var `in` = Pair<Int, Int>(1, 2)", "_in = Pair<Int, Int>(1, 2)"),
      ("var a: Dictionary<String, Array<Int>> = [:]", "_a: Dictionary<String, Array<Int>> = [:]"),
      ("var a = { (b: Int) in b }(1)", "_a = { (b: Int) in b }(1)"), ("var a = b < c ? d : e", "_a = b < c ? d : e"),
    ])
  func `what is stored begins as it was written`(declaration: String, stored: String) throws {
    let peers = try property("@Inspectable(.none)", "@Inspectable(.none) " + declaration).peers
    #expect(peers.hasPrefix("private final var \(stored)\n\n"))
  }

  @Test(
    arguments: [
      ("var a = 1", "struct Dial {}", "declare 'a' in its class, not in a type"),
      ("var a = 1", "extension Dial {}", "declare 'a' in its class, not in an extension"),
      ("var a = 1", "func f() {}", "@Inspectable is for properties of View and its subclasses"),
      ("var a = 1", "", "@Inspectable is for properties of View and its subclasses"),
      (
        "var a = 1", "@MainActor final class Dial: View {}",
        "'Dial' declares inspectable properties: write @ListsProperties before the class"
      ),
      (
        "var a = 1", "@ListsProperties class Dial<Value>: View {}",
        "the generic class 'Dial' cannot declare inspectable properties: a base class can"
      ),
      ("func a() {}", dial, "@Inspectable is for properties"),
      ("var a: Int", dial, "'a' needs a value to begin with"),
      ("static var a = 1", dial, "an inspectable property cannot be 'static'"),
      ("override var a = 1", dial, "an inspectable property cannot be 'override'"),
      ("var a = 1, b = 2", dial, "declare each inspectable property with its own 'var'"),
      ("var a = 1 { didSet { b() } }", dial, hasAccessors),
      ("var a: Int { get { 1 } set {} }", dial, hasAccessors),
    ])
  func `what cannot be a property ends the build with one sentence`(
    declaration: String, context: String, message: String
  ) {
    #expect(throws: ExpansionError(message)) {
      try property("@Inspectable(.none)", "@Inspectable(.none) " + declaration, in: context)
    }
  }

  @Test func `what is kept at a key path has no value of its own`() {
    #expect(throws: ExpansionError("'a' is kept at a key path: it has no value of its own")) {
      try property("@Inspectable(\\Dial.b, .none)", "@Inspectable(\\Dial.b, .none) var a = 1")
    }
  }

  @Test(
    arguments: [
      ("final class", "override"), ("public final class", "public override"), ("open class", "open override"),
      ("package class", "package override"), ("private class", "override"),
      ("@MainActor fileprivate class", "override"),
    ])
  func `a class lists what it declares, in order, as openly as the class is`(class: String, access: String) throws {
    let list = try ListExpansion(
      AttributeSource("@ListsProperties"),
      """
      /// A class of @Inspectable var doc = 1
      @ListsProperties \(`class`) Dial: Control, Other where A == B {
        @Inspectable(.none, then: { $0.x }) public var b = "@Inspectable(.none) var c"
        // @Inspectable(.none) var d = 1
        @Controls.Inspectable(
          .none)
        /// e
        private final var `e`: Int?
        var f = 1
        class Inner: View { @Inspectable(.none) var g = 1 }
        func h() { @Inspectable(.none) var i = 1 }
        @Other var j = 1
        @Inspectable(\\Dial.k, .none) @available(*, deprecated) var a: Int
      }
      """)
    #expect(
      list.member == """
        \(access) class var inspectables: [Controls.AnyProperty] { \
        super.inspectables.adding([bProperty, eProperty, aProperty]) }
        \(access) class var about: String { "A class of @Inspectable var doc = 1" }
        """)
  }

  @Test func `a class may remove what it inherited, and the first class inherits nothing`() throws {
    let removed = try ListExpansion(
      AttributeSource("@ListsProperties(without: \\Control.isSelected, \\View.name)"),
      "@ListsProperties(without: \\Control.isSelected, \\View.name) class Switch: Control {}")
    #expect(removed.member.hasSuffix("adding([], without: [\\Control.isSelected, \\View.name]) }"))
    let first = try ListExpansion(
      AttributeSource("@ListsProperties"), "@ListsProperties open class View { @Inspectable(.none) var a = 1 }")
    #expect(
      first.member.hasPrefix("/// The class in one sentence")
        && first.member.contains("open class var about: String { \"\" }")
        && first.member.hasSuffix("open class var inspectables: [Controls.AnyProperty] { [aProperty] }"))
  }

  @Test(
    arguments: [
      ("/// The name. By default empty.\n", "The name."),
      ("/// One, 0...1,\n  /// of 1.5 or `a.b`.\n", "One, 0...1, of 1.5 or `a.b`."),
      ("/// A title\n///\n/// and more.\n", "A title"),
      ("// Not.\n/// Says \"a\" and \\.\n@Other(1) ", #"Says \"a\" and \\."#),
      ("  /// It ends (here.) And\n", "It ends (here.)"),
    ])
  func `the first sentence of a docstring is the description`(comment: String, sentence: String) throws {
    let peers = try property("@Inspectable(.none)", comment + "@Inspectable(.none) var a = 1").peers
    #expect(peers.hasSuffix("Property(\"a\", \\Dial.a, about: \"\(sentence)\", .none)"))
    let list = try ListExpansion(
      AttributeSource("@ListsProperties"), comment + "@ListsProperties public class A: View {}")
    #expect(list.member.hasSuffix("\npublic override class var about: String { \"\(sentence)\" }"))
  }

  @Test func `no property depends on the platform, and only classes have lists`() {
    #expect(throws: ExpansionError("'a' is in '#if': an inspectable property is always there")) {
      try ListExpansion(
        AttributeSource("@ListsProperties"),
        "class A: View {\n#if os(Linux)\n@Inspectable(.none) var a = 1\n#endif\n@Inspectable(.none) var b = 1\n}")
    }
    #expect(throws: ExpansionError("@ListsProperties is for View and its subclasses")) {
      try ListExpansion(AttributeSource("@ListsProperties"), "struct A {}")
    }
  }

  // MARK: Messages

  private func answer(_ message: String) -> String? { Answer(to: Array(message.utf8))?.text }

  private func request(_ role: String, declaration: String) -> String {
    let context =
      #"[{"source": "@ListsProperties class Dial: View {}", "kind": "declaration"}, {"source": "enum Outer {}"}]"#
    return """
      {"expandAttachedMacro": {"macro": {"name": "Inspectable"}, "macroRole": "\(role)", "discriminator": "$s", "unknown": [1],
        "attributeSyntax": {"kind": "attribute", "source": "\\n  // A.\\n  @Inspectable(.none)",
          "location": {"fileID": "A/a.swift", "fileName": "/a.swift", "offset": 12, "line": 2, "column": 3}},
        "declSyntax": {"source": "@Inspectable(.none) \(declaration)"}, "lexicalContext": \(context)}}
      """
  }

  @Test func `the compiler's messages are answered`() throws {
    #expect(answer(#"{"getCapability": {"capability": {"protocolVersion": 99}}}"#)?.contains("protocolVersion") == true)
    let peer = try #require(answer(request("peer", declaration: "var a = 1")))
    #expect(peer.contains("private final var _a = 1") && peer.contains(#""diagnostics": []"#))
    #expect(try #require(answer(request("accessor", declaration: "var a = 1"))).contains("get { _a }"))
    let error = try #require(answer(request("peer", declaration: "lazy var a = 1")))
    #expect(error.contains("cannot be 'lazy'") && error.contains(#""offset": 23"#) && error.contains("/a.swift"))
    #expect(error.contains("let aProperty: Controls.AnyProperty = { fatalError() }()"))
    let accessor = try #require(answer(request("accessor", declaration: "lazy var a = 1")))
    #expect(accessor.contains("get { fatalError() }") && accessor.contains(#""diagnostics": []"#))
    #expect(answer(#"{"loadPluginLibrary": {}}"#) == nil && answer("{") == nil && answer("") == nil)
  }
}
