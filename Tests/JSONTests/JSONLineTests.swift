import Testing

@testable import JSON

/// Tests of reading lines that programs write, which are RFC 8259 and nothing else, and of writing them.
@Suite struct JSONLineTests {
  nonisolated static let good: [(String, JSONValue)] = [
    ("{}", .object([:])), (" [ ] ", .array([])), ("[1,-2.5,1e3]", JSONValue(numbers: [1, -2.5, 1000])),
    ("true", .bool(true)), ("null", .null), ("\"a\\n\\u00e9\\ud83d\\ude00/\\/\"", .string("a\né😀//")),
    (#"{"a":{"b":[false]}}"#, .object(["a": .object(["b": .array([.bool(false)])])])), ("0", .number(0)),
    ("-0.5", .number(-0.5)), ("\t\r\n 1E-2 \n", .number(0.01)), ("1e+2", .number(100)), ("-0", .number(-0.0)),
    (#"{"":1}"#, .object(["": .number(1)])), (#""\b\f\n\r\t\"\\\/""#, .string("\u{8}\u{c}\n\r\t\"\\/")),
    (#""\uFFFF\u0000\uDBFF\uDFFF""#, .string("\u{ffff}\0\u{10ffff}")),
    ("\"\u{7f}\u{2028}\"", .string("\u{7f}\u{2028}")),
    ("[[],[{}],\"\"]", .array([.array([]), .array([.object([:])]), .string("")])),
    ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)), ("5e-324", .number(.leastNonzeroMagnitude)),
    ("0.1", .number(0.1)), ("9007199254740993", .number(9_007_199_254_740_992)),
    (String(repeating: "9", count: 64), .number(1e64)),
    (String(repeating: "[", count: 16) + String(repeating: "]", count: 16), nested(16)),
  ]

  private static func nested(_ depth: Int) -> JSONValue {
    (1..<depth).reduce(.array([])) { value, _ in .array([value]) }
  }

  @Test(arguments: good) func `a value`(text: String, value: JSONValue) throws {
    #expect(JSONValue(line: text.utf8) == value)
    #expect(try JSONValue(Array(text.utf8), .file) == value, "files may hold what lines hold")
    #expect(JSONValue(line: value.jsonText.utf8) == value, "what is written is read again")
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\"}", "01", "1.", ".5", "+1", "1e", "NaN", "Infinity",
    "1e999", "-", "-01", "00", "1.e1", "1e+", "-Infinity", "0x10", "1_000", "１", "1,", ",", "[,]", "[1,,2]", "{,}",
    "tru", "nul", "truee", "True", "\"", "\"\\", "\"\\u12\"", "\"\\x\"", "\"\\x41\"", "\"\\v\"", "\"\\'\"", "'a'",
    "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\ud83d\\dc97\"", "\"\\udc00\"", "\"\\ud800\\n\"", "\"\\u00g0\"",
    "\"\\u+123\"", "\"a\nb\"",
    "\"a\tb\"", "\"\\\n\"", "[1 2]", "{\"a\" 1}", "{\"a\":}", "{\"a\":1 \"b\":2}", "{1:2}", "{null:2}", "[1}", "{]",
    "]", "1 2",
    "{} {}", "// c", "1//", "/**/1", "\u{b}1", "\u{c}1", "\u{a0}1", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}",
    "\u{feff}{}", "\u{0}", "\"\u{0}\"", String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
    String(repeating: "1", count: 65),
  ])
  func `no value`(text: String) { #expect(JSONValue(line: text.utf8) == nil) }

  @Test func `letters that are none make no text`() {
    for bytes in [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] as [[UInt8]] {
      #expect(JSONValue(line: [0x22] + bytes + [0x22]) == nil)
    }
    #expect(JSONValue(line: [0x22, 0xc3, 0xa9, 0x22]) == .string("é"))
  }

  @Test func `a line that is cut anywhere is none, and the place of what is missing is within it`() throws {
    let text = Array(#"{"a":[1.5,true,null,{"b":"c\u00e9\ud83d\ude00é"}],"d":-1e-3}"#.utf8)
    #expect(JSONValue(line: text) != nil)
    for count in 0..<text.count {
      let cut = Array(text.prefix(count))
      #expect(JSONValue(line: cut) == nil)
      for grammar in [JSONGrammar.line, .file] {
        #expect {
          try JSONValue(cut, grammar)
        } throws: {
          (0...count).contains(($0 as? JSONError)?.offset ?? -1)
        }
      }
    }
  }

  @Test func `a line has a greatest length`() {
    let most = JSONGrammar.line.greatestLength
    let line = [0x22] + [UInt8](repeating: UInt8(ascii: "a"), count: most - 2) + [0x22]
    #expect(JSONValue(line: line) != nil && JSONValue(line: line + [0x20]) == nil)
  }

  @Test func `what a value holds is asked for by kind`() {
    let value = JSONValue(line: #"{"n":2.5,"w":7,"t":"x","b":false,"l":[1],"o":{},"far":1e16}"#.utf8)
    #expect(value?["n"]?.finiteNumber == 2.5 && value?["n"]?.whole == nil && value?["w"]?.whole == 7)
    #expect(value?["far"]?.whole == nil && value?["t"]?.text == "x" && value?["b"]?.bool == false)
    #expect(value?["l"]?.items == [.number(1)] && value?["o"]?["x"] == nil && value?["none"] == nil)
    #expect(value?["t"]?.finiteNumber == nil && value?["n"]?.text == nil && value?["o"]?.items == nil)
    #expect(value?["l"]?["0"] == nil && value?["l"]?.bool == nil)
  }

  @Test func `JSON for people has a line for each part`() {
    let text = JSONText.object([
      ("z", .value(.number(1))), ("a", .list([.value(JSONValue(numbers: [1, 2])), .object([])])), ("e", .list([])),
    ])
    #expect(text.text == "{\n  \"z\": 1,\n  \"a\": [\n    [1, 2],\n    {}\n  ],\n  \"e\": []\n}")
  }
}
