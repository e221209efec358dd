import Testing

@testable import PropertyExpansion

/// Tests of the tokens that Swift source consists of.
struct SwiftTokenTests {
  @Test(
    arguments: [
      ("var a = 1.5", ["var", "a", "=", "1.5"]), ("a.b ... c", ["a", ".", "b", "...", "c"]),
      ("x /* a /* b */ c */ y // z", ["x", "y"]), ("0...1", ["0", "...", "1"]),
      ("\\A.b[.c]", ["\\", "A", ".", "b", "[", ".", "c", "]"]),
      (#""a \"{ b" c"#, [#""a \"{ b""#, "c"]), (#""\(f("}") + "\(1)")" c"#, [#""\(f("}") + "\(1)")""#, "c"]),
      ("#\"a \" \\(b) \\#(c)\"# d", ["#\"a \" \\(b) \\#(c)\"#", "d"]),
      ("\"\"\"\n{ \" }\n\"\"\" x", ["\"\"\"\n{ \" }\n\"\"\"", "x"]),
      ("`class` b", ["`class`", "b"]), ("a = /\"{/ b", ["a", "=", "/\"{/", "b"]),
      ("a / b / c", ["a", "/", "b", "/", "c"]),
      ("#/ \" /# a", ["#/ \" /#", "a"]), ("Color?", ["Color", "?"]), ("größe", ["größe"]), ("", []), ("\"", ["\""]),
    ] as [(String, [String])])
  func `source falls into names, literals, operators and marks`(source: String, texts: [String]) {
    #expect([SwiftToken](source).map(\.text) == texts)
  }

  @Test func `each token knows how many brackets are open around it`() {
    let tokens = [SwiftToken]("a(b[c]{\"}\"})d")
    #expect(tokens.map(\.depth) == [0, 0, 1, 1, 2, 1, 1, 2, 1, 0, 0])
  }
}
