import FoundationEssentials
import TestSupport
import Testing

@testable import JSON

/// Tests of reading hand-written files: the values, and the places of mistakes.
@Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8), .file) }

  /// The mistake in a text, as "line:column message" or "line:column path: message".
  private func mistake(_ text: [UInt8]) -> String? {
    do throws(JSONError) {
      _ = try JSONValue(text, .file)
      return nil
    } catch {
      let path = error.path == .root ? "" : error.path.text + ": "
      return "\(error.place.line):\(error.place.column) \(path)\(error.message)"
    }
  }

  private func mistake(_ text: String) -> String? { mistake(Array(text.utf8)) }

  @Test("comments and commas after the last value are read, as are all values")
  func values() throws {
    let text = """
      \u{feff}// a scene
      { /* of */ "a": [1, -2.5e3, 0, 0.1, 1e-7, 123456789012345678,], "b": {"c": null, "d": true, "e": false,},
        "text": "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude97 中 // [", // end {
        "mixed": ["a", 1, {}, [], null, {"a": 1}, {"a": "b"}, [[1], ["c"]], true, 'it\\'s'], plain: +0x10,
      } /**/ /***/
      """
    #expect(
      try read(text)
        == .object([
          "a": JSONValue(numbers: [1, -2500, 0, 0.1, 1e-7, 123_456_789_012_345_680]),
          "b": .object(["c": .null, "d": .bool(true), "e": .bool(false)]),
          "text": .string("\"\\/\u{8}\u{c}\n\r\tä🚗 中 // ["),
          "mixed": .array([
            .string("a"), .number(1), .object([:]), .array([]), .null, .object(["a": .number(1)]),
            .object(["a": .string("b")]), .array([JSONValue(numbers: [1]), .array([.string("c")])]), .bool(true),
            .string("it's"),
          ]),
          "plain": .number(16),
        ]))
    for (text, value) in [("[]", JSONValue.array([])), ("{}", .object([:])), (" 7 ", .number(7)), ("null//", .null)] {
      #expect(try read(text) == value)
    }
  }

  @Test(
    "a mistake is told with its line, its column and what is expected",
    arguments: [
      ("", "1:1 expected a value"), ("// only this", "1:13 expected a value"),
      ("[1, 2", "1:1 the list has no end: ] is missing"),
      ("{\n  \"a\": [\n    1,\n    2\n", "2:8 the list has no end: ] is missing"),
      ("{\n  \"a\": 1", "1:1 the object has no end: } is missing"),
      ("{\n  \"a\": [1, 2\n}", "3:1 ] is missing: the list that begins on line 2 is still open"),
      ("[\n  {\"a\": 1\n]", "3:1 } is missing: the object that begins on line 2 is still open"),
      ("{\n  \"a\": 1\n}\n}", "4:1 } closes nothing"), ("[1]]", "1:4 ] closes nothing"),
      ("[1 2]", "1:4 expected , or the closing bracket after a value"),
      ("{\n  \"a\": 1\n  \"b\": 2\n}", "3:3 expected , or the closing bracket after a value"),
      ("[\n  {\"a\": 1}\n  {\"b\": 2}\n]", "3:3 expected , or the closing bracket after a value"),
      ("{\n  \"a\" 1\n}", "2:7 expected : after a name"), ("{\"a\"}", "1:5 expected : after a name"),
      ("{\"a\": 1, \"b\" \"c\": 2}", "1:14 expected : after a name"), ("{\"a\":}", "1:6 expected a value"),
      ("{\"a\":, \"b\": 1}", "1:6 expected a value"), ("[,]", "1:2 expected a value"),
      ("[1,,2]", "1:4 expected a value"),
      ("{,}", "1:2 expected a name in \" \""), ("{1: 2}", "1:2 expected a name in \" \""),
      ("{a-b: 1}", "1:2 expected a name in \" \""), ("{[1]: 2}", "1:2 expected a name in \" \""),
      ("{\n  \"ä\": nonsense\n}", "2:8 expected a value"), ("[tru]", "1:2 expected a value"),
      ("[#fff]", "1:2 expected a value"), ("{\"a\": 1: 2}", "1:8 expected , or the closing bracket after a value"),
      ("1 2", "1:3 expected nothing after the end"), ("{} x", "1:4 expected nothing after the end"),
      ("\"abc", "1:1 the text has no end on its line: \" is missing"),
      ("[\n  \"a,\n  \"b\"\n]", "2:3 the text has no end on its line: \" is missing"),
      ("['a\\", "1:2 the text has no end on its line: ' is missing"),
      ("[\"a\\\nb\"]", "1:2 the text has no end on its line: \" is missing"),
      ("[1] /* x *", "1:5 the comment has no end: */ is missing"),
      ("[1,\n/*/\n2]", "2:1 the comment has no end: */ is missing"),
      ("[1] / x", "1:5 expected nothing after the end"),
      ("{\"a\": x,\n \"b\": [}", "1:7 expected a value"),
      ("[1e+]", "1:4 expected digits after the e; texts stand in \" \""),
      ("{\"a\": [0, -1.5E-, 2]}", "1:16 expected digits after the e; texts stand in \" \""),
    ])
  func mistakes(text: String, expected: String) {
    #expect(mistake(text) == expected)
  }

  @Test(
    "a value that can't be read is told with its place among the others",
    arguments: [
      ("[1, 01]", "1:5 [1]: the number can't be read"),
      ("{\"a\": [{\"b\": 1.2.3}]}", "1:14 a[0].b: the number can't be read"),
      ("{\n  \"a\": 1e999}", "2:8 a: the number can't be read"),
      ("{\"b\": [1, {\"a\": 2}], // \"a\"\n\"a\": -}", "2:6 a: the number can't be read"),
      ("[[\"\\q\"]]", "1:3 [0][0]: the text can't be read"), ("[\"\\u12\"]", "1:2 [0]: the text can't be read"),
      ("{\"a\": \"\\ud83d\"}", "1:7 a: the text can't be read"),
      ("{\"a\": \"1\t2\"}", "1:7 a: the text can't be read"),
      ("[{},\n {\"\\q\": 1}]", "2:3 [1]: the name can't be read"),
    ])
  func unreadableValues(text: String, expected: String) {
    #expect(mistake(text) == expected)
  }

  @Test(
    "the line of a value is found in its text; of one that isn't there, the line of what is around it",
    arguments: [
      ("", "1"), ("a", "3"), ("a[0]", "4"), ("a[1].b", "6"), ("a[1].b[2]", "7"), ("a[2]", "9"), ("it's", "10"),
      ("a[1].c", "5"), ("a[7]", "3"), ("b", "1"), ("it's.x", "10"), ("a[0][0]", "4"), ("empty[0]", "11"), ("a.b", "3"),
    ])
  func linesOfValues(path: String, line: String) {
    let text = """
      { // [
        \"x\": {\"a\": [1, 2, [3]]},
        \"a\": [
          \"]\", /* , */
          { \"x\": {\"b\": 1},
            'b': [1, 2,
              3,
            ],},
          [[]]],
        'it\\'s': 5,
        empty: [], }
      """
    var place = JSONPath.root
    for part in path.split(separator: ".") {
      let names = part.split { "[]".contains($0) }
      for (index, name) in names.enumerated() {
        place = index > 0 ? .index(place, Int(name) ?? 0) : .key(place, String(name))
      }
    }
    let bytes = Array(text.utf8)
    #expect("\(TextPlace(of: place, in: bytes).line)" == line)
  }

  @Test("the first of several mistakes is told each time")
  func firstOfSeveral() {
    for _ in 0..<20 {
      #expect(mistake("{\"d\": 1, \"b\": 01, \"c\": 02, \"a\": 1}") == "1:15 b: the number can't be read")
    }
  }

  @Test("what others read in two ways is read in one, and numbers without an end are no property's value")
  func laxity() throws {
    for _ in 0..<20 { #expect(mistake("{\"a\": 1, \"a\": 2}") == "1:10 a: \"a\" is there twice") }
    for (text, number) in [("NaN", Double.nan), ("Infinity", .infinity), ("-Infinity", -.infinity)] {
      guard case .number(let value) = try read(text) else {
        Issue.record("\(text) is no number")
        continue
      }
      #expect(value == number || value.isNaN && number.isNaN)
      #expect(JSONValue.number(value).finiteNumber == nil && JSONValue(numbers: [1, value]).numbers(2) == nil)
    }
  }

  @Test("10,000 levels are a mistake, not the end of the program")
  func depth() throws {
    let message = "more than 256 lists and objects inside each other"
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"b\":", "}]")] {
      for count in [512, 10_000] {
        let text = String(repeating: open, count: count)
        #expect(mistake(text)?.hasSuffix(message) == true)
        #expect(mistake(text + "1" + String(repeating: close, count: count))?.hasSuffix(message) == true)
      }
    }
    let deepest = String(repeating: "[\n", count: 256) + String(repeating: "]", count: 256)
    #expect(mistake(deepest) == nil)
    #expect(mistake("[\(deepest)]") == "256:1 " + message)
    #expect(mistake(String(repeating: "[", count: 256) + "1 2")?.hasPrefix("1:259 expected ,") == true)
  }

  @Test("texts that are not UTF-8 are mistakes")
  func encoding() {
    #expect(mistake([0x5b, 0x0a, 0x22, 0xc3, 0xa4, 0xff, 0x22, 0x5d]) == "2:3 the text is not UTF-8")
    #expect(mistake([0x2f, 0x2f, 0xe4]) == "1:3 the text is not UTF-8", "not even in a comment")
    #expect(mistake([0x7b, 0xff]) == "1:2 the text is not UTF-8")
    for text in [[0], [0xff, 0xfe, 0x5b, 0, 0x5d, 0], [0x5b, 0, 0x31, 0, 0x65, 0, 0x2b, 0, 0x5d, 0]] as [[UInt8]] {
      #expect(mistake(text)?.hasSuffix("the text is not UTF-8") == true)
    }
    #expect(mistake(" [\"\0\"]") == "1:4 the text is not UTF-8")
  }

  @Test("numbers are read to the last bit")
  func numbers() throws {
    var random = Random(7)
    var texts: [String] = []
    for _ in 0..<2000 {
      var text = random.below(2) == 0 ? "-" : ""
      text += "\(random.below(9) + 1)"
      for _ in 0..<random.below(17) { text += "\(random.below(10))" }
      if random.below(2) == 0 {
        text += "."
        for _ in 0...random.below(9) { text += "\(random.below(10))" }
      }
      if random.below(4) == 0 { text += "e\(random.below(60) - 30)" }
      texts.append(text)
    }
    #expect(try read("[\(texts.joined(separator: ", "))]") == JSONValue(numbers: texts.map { Double($0) ?? .nan }))
  }

  @Test("a mistake is found wherever it is in a long text")
  func longTexts() throws {
    let view =
      "  {\"type\": \"View\", \"frame\": [1, 2.5, 3, 4], \"name\": \"ä // [\", /* { */ \"a\": {\"b\": [null, true,],},},\n"
    let bytes = Array(("[\n" + String(repeating: view, count: 3000) + "]").utf8)
    #expect(mistake(bytes) == nil)
    var random = Random(3)
    var found = 0
    for _ in 0..<60 {
      // An @ is a mistake but within a text or a comment.
      let place = random.below(bytes.count)
      var text = bytes
      text.insert(UInt8(ascii: "@"), at: place)
      guard let told = mistake(text) else { continue }
      found += 1
      #expect(told.hasPrefix("\(TextPlace(offset: place, in: text).line):"), "byte \(place): \(told)")
    }
    #expect(found > 30)
    let large = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20) + Array("[1 2".utf8)
    #expect(mistake(large)?.hasPrefix("1:\(1 << 20 + 4) expected ,") == true)
  }

  @Test("whatever bytes come, the answer is a value or a mistake within the text, and Foundation says the same")
  func garbage() throws {
    let good =
      Array(
        #"{"a": [1, 2.5, {"b": "c\u00e4"}, true, null,], /* x */ "d": "中", 'e': -0.5e-3, // y"#.unicodeScalars)
      + Array("\n}".unicodeScalars)
    let others = Array(#"{}[],:'"\/*xueE+-.0123fINä "#.unicodeScalars) + Array("\t\r\n\0".unicodeScalars)
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    var random = Random(20)
    var (readCount, mistakeCount) = (0, 0)
    for round in 0..<5000 {
      var text = good
      for _ in 0...random.below(4) {
        let place = random.below(text.count)
        switch random.below(4) {
        case 0: text[place] = others[random.below(others.count)]
        case 1: text.remove(at: place)
        case 2: text.insert(others[random.below(others.count)], at: place)
        default: text.insert(good[random.below(good.count)], at: place)
        }
      }
      var bytes = Array(String(String.UnicodeScalarView(text)).utf8)
      if round % 10 == 0 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      let comment = Comment(rawValue: "round \(round) \(String(decoding: bytes, as: UTF8.self))")
      // Foundation's decoder would end the program at the number 1e+, and takes zeros for UTF-16.
      let isSafe = !String(decoding: bytes, as: UTF8.self).contains(/[eE][+-]/) && !bytes.contains(0)
      let theirs = isSafe ? try? decoder.decode(Judged.self, from: Data(bytes)).value : nil
      do throws(JSONError) {
        let value = try JSONValue(bytes, .file)
        readCount += 1
        if isSafe { #expect(value.jsonText == theirs?.jsonText, comment) }
      } catch {
        mistakeCount += 1
        #expect((0...bytes.count).contains(error.offset), comment)
        #expect(theirs == nil, comment)
      }
    }
    #expect(readCount > 100 && mistakeCount > 1000)
  }

  @Test("the place of a value's name is told where the name is what is wrong")
  func namePlaces() {
    let text = Array("{\n  \"a\": [\n    {'bc':\n 1}]}".utf8)
    let path = JSONPath.key(.index(.key(.root, "a"), 0), "bc")
    #expect(TextPlace(of: path, in: text) == TextPlace(offset: text.count - 4, in: text))
    let name = TextPlace(of: path, in: text, ofName: true)
    #expect(name.line == 3 && name.column == 6)
    let none = TextPlace(of: .key(path, "x"), in: text, ofName: true)
    #expect(none == TextPlace(of: path, in: text), "what is not there is where it should be")
  }

  @Test("a file's text beyond the limit is not looked at")
  func length() {
    let text = [UInt8](repeating: UInt8(ascii: "["), count: JSONGrammar.file.greatestLength + 1)
    #expect(mistake(text)?.hasSuffix("the text is longer than 16777216 bytes") == true)
  }
}

/// The value that Foundation's decoder reads.
private struct Judged: Decodable {
  let value: JSONValue

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      var object: [String: JSONValue] = [:]
      for name in members.allKeys { object[name.stringValue] = try members.decode(Judged.self, forKey: name).value }
      value = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var list: [JSONValue] = []
      while !elements.isAtEnd { list.append(try elements.decode(Judged.self).value) }
      value = .array(list)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .null
      } else if let bool = try? container.decode(Bool.self) {
        value = .bool(bool)
      } else if let number = try? container.decode(Double.self) {
        value = .number(number)
      } else {
        value = .string(try container.decode(String.self))
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
