// Owns tests of reading JSON: what is read, and where mistakes are.
// Must not test what a text means.

import FoundationEssentials
import Testing

@testable import Controls

@MainActor @Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)).value }

  /// The mistake in a text, as "line:column message".
  private func mistake(_ text: [UInt8]) -> String? {
    do throws(JSONSyntaxError) {
      _ = try JSONReader.read(text)
      return nil
    } catch {
      let place = TextPlace(offset: error.offset, in: text)
      return "\(place.line):\(place.column) \(error.message)"
    }
  }

  @Test("comments and commas after the last value are read, as are all values")
  func values() throws {
    let text = """
      \u{feff}// a scene
      { /* of */ "a": [1, -2.5e3, 0, 0.1, 1e-7, 123456789012345678,], "b": {"c": null, "d": true, "e": false,},
        "text": "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude97 中", // end
      } /**/
      """
    #expect(
      try read(text)
        == .object([
          "a": JSONValue(numbers: [1, -2500, 0, 0.1, 1e-7, 123_456_789_012_345_680]),
          "b": .object(["c": .null, "d": .bool(true), "e": .bool(false)]),
          "text": .string("\"\\/\u{8}\u{c}\n\r\tä🚗 中"),
        ]))
    #expect(try read("[]") == .array([]))
    #expect(try read("{}") == .object([:]))
    #expect(try read(" 7 ") == .number(7))
  }

  @Test(
    "a mistake is told with its line, its column and what is expected",
    arguments: [
      ("", "1:1 the text ends where a value is expected"), ("[1, 2", "1:1 the list has no end: ] is missing"),
      ("{\"a\": 1", "1:1 the object has no end: } is missing"),
      ("[1 2]", "1:4 expected , or ] after a value of a list"),
      ("{\"a\" 1}", "1:6 expected : after a name"), ("{a: 1}", "1:2 expected a name in \" \""),
      ("{\"a\": 1 \"b\": 2}", "1:9 expected , or } after a value of an object"), ("[,]", "1:2 expected a value"),
      ("{\n  \"ä\": tru\n}", "2:8 expected a value; texts stand in \" \""),
      ("[01]", "1:2 a number does not begin with 0"),
      ("[1.]", "1:4 expected a digit after the point"), ("[-]", "1:3 expected a digit"),
      ("[1e]", "1:4 expected a digit after the e"), ("[1e999]", "1:2 the number is too large"),
      ("[NaN]", "1:2 expected a value"), ("[Infinity]", "1:2 expected a value"),
      ("1 2", "1:3 unexpected text after the end"),
      ("\"abc", "1:1 the text has no end: \" is missing"), ("\"a\\nb\\", "1:1 the text has no end: \" is missing"),
      ("\"a\nb\"", "1:3 a text ends on the line on which it begins; write \\n for a new line"),
      ("\"\\x\"", "1:3 after \\ comes one of \" \\ / b f n r t u"),
      ("\"\\u12g4\"", "1:6 \\u needs four hexadecimal digits"),
      ("\"\\ud83d\"", "1:8 half of a pair of \\u"), ("\"\\ude97\"", "1:8 half of a pair of \\u"),
      ("[1] /* x", "1:5 the comment has no end"), ("[1] / x", "1:5 a comment begins with // or /*"),
      ("{\"a\": 1,\n\"a\": 2}", "2:1 \"a\" is there twice"), ("'a'", "1:1 expected a value"),
    ])
  func mistakes(text: String, expected: String) {
    #expect(mistake(Array(text.utf8)) == expected)
  }

  @Test("names are compared however many there are")
  func manyNames() {
    let names = (0..<40).map { "\"n\($0)\": 0" }
    #expect(mistake(Array(("{" + names.joined(separator: ",") + "}").utf8)) == nil)
    for index in [3, 15, 16, 17, 39] {
      let text = "{" + (names + ["\"n\(index)\": 1"]).joined(separator: ",") + "}"
      #expect(mistake(Array(text.utf8))?.hasSuffix("\"n\(index)\" is there twice") == true)
    }
  }

  @Test("10,000 levels are a mistake, not the end of the program")
  func depth() {
    for open in ["[", "{\"a\":"] {
      let text = Array(String(repeating: open, count: 10_000).utf8)
      #expect(mistake(text)?.hasSuffix("more than 256 lists and objects inside each other") == true)
    }
    let deepest = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
    #expect(mistake(Array(deepest.utf8)) == nil)
    #expect(mistake(Array("[\(deepest)]".utf8)) != nil)
  }

  @Test("texts that are not UTF-8 are mistakes")
  func encoding() {
    #expect(mistake([0x22, 0xff, 0x22]) == "1:1 the text is not UTF-8")
    #expect(mistake([0x22, 0x5c, 0x6e, 0xc3, 0x22]) == "1:1 the text is not UTF-8")
    #expect(mistake([0xff]) == "1:1 expected a value")
    #expect(mistake([0]) == "1:1 expected a value")
  }

  @Test("numbers are read to the last bit")
  func numbers() throws {
    var random = Random(7)
    for _ in 0..<2000 {
      let digits = random.below(17) + 1
      var text = random.below(2) == 0 ? "-" : ""
      text += "\(random.below(9) + 1)"
      for _ in 1..<max(digits, 2) { text += "\(random.below(10))" }
      if random.below(2) == 0 {
        text += "."
        for _ in 0...random.below(9) { text += "\(random.below(10))" }
      }
      if random.below(4) == 0 { text += "e\(random.below(60) - 30)" }
      #expect(try read(text) == .number(try #require(Double(text))), "\(text)")
    }
  }

  @Test("whatever bytes come, the answer is a value or a mistake within the text; Foundation reads what we read")
  func garbage() throws {
    let good =
      Array(
        #"{"a": [1, 2.5, {"b": "c\u00e4"}, true, null,], /* x */ "d": "中", "e": -0.5e-3, // y"#.utf8)
      + Array("\n}".utf8)
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    var random = Random(20)
    var readCount = 0
    for round in 0..<20_000 {
      var bytes = good
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        default: bytes.insert(good[random.below(good.count)], at: place)
        }
      }
      do throws(JSONSyntaxError) {
        _ = try JSONReader.read(bytes)
        readCount += 1
        #expect(
          (try? decoder.decode(Anything.self, from: Data(bytes))) != nil,
          "round \(round) \(String(decoding: bytes, as: UTF8.self))")
      } catch {
        #expect((0...bytes.count).contains(error.offset))
      }
    }
    #expect(readCount > 500)
  }

  private struct Anything: Decodable {}
}
