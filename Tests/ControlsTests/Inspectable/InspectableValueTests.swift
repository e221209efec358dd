import Testing

@testable import Controls

/// Tests of the JSON forms of properties.
@MainActor @Suite struct InspectableValueTests {
  private func roundTrips<Value: InspectableValue>(_ values: [Value], _ form: [JSONValue]) throws {
    #expect(values.map(\.json) == form)
    for value in values { #expect(try Value(json: value.json) == value) }
  }

  @Test("K18: each type's values and their JSON are the same")
  func roundTrip() throws {
    try roundTrips([true, false], [.bool(true), .bool(false)])
    try roundTrips(["", "中文 \"x\""], [.string(""), .string("中文 \"x\"")])
    try roundTrips([0, -7, 1 << 52], [.number(0), .number(-7), .number(4_503_599_627_370_496)])
    try roundTrips([0.1, -1e300], [.number(0.1), .number(-1e300)])
    try roundTrips([Point(x: 1, y: -2.5)], [JSONValue(numbers: [1, -2.5])])
    try roundTrips([Size(width: 3, height: 4)], [JSONValue(numbers: [3, 4])])
    try roundTrips([Rect(x: 1, y: 2, width: 3, height: 4)], [JSONValue(numbers: [1, 2, 3, 4])])
    try roundTrips([EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)], [JSONValue(numbers: [1, 2, 3, 4])])
    try roundTrips([0.25...0.75, 1...1], [JSONValue(numbers: [0.25, 0.75]), JSONValue(numbers: [1, 1])])
    try roundTrips([ImageReference(path: "a/b.png")], [.string("a/b.png")])
    try roundTrips([ProbeShape.square, .circle], [.string("square"), .string("circle")])
    try roundTrips(
      [Color(hex: 0x2dd4bf), Color(hex: 0x102030, alpha: 0.2), .clear, Color(red: 0, green: 0.45, blue: 0.94)],
      [
        .string("#2dd4bf"), .string("#10203033"), .string("#00000000"),
        .array([.number(0), .number(0.45), .number(0.94), .number(1)]),
      ])
    try roundTrips([nil, Color.white], [.null, .string("#ffffff")])
  }

  @Test("colours are read in every way that people write them")
  func colors() throws {
    let forms: [(JSONValue, Color)] = [
      (.string("#fff"), .white), (.string("#AbC"), Color(hex: 0xaabbcc)), (.string("clear"), .clear),
      (.string("black"), .black), (JSONValue(numbers: [1, 0, 0]), Color(hex: 0xff0000)),
      (JSONValue(numbers: [1, 0, 0, 0.5]), Color(red: 1, green: 0, blue: 0, alpha: 0.5)),
    ]
    for (json, color) in forms { #expect(try Color(json: json) == color) }
    #expect(try EdgeInsets(json: .number(4)) == EdgeInsets(4))
  }

  @Test("what is no value of the type is an error that says what is needed")
  func badValues() {
    func error<Value: InspectableValue>(_: Value.Type, _ json: JSONValue) -> String {
      do throws(InspectableError) {
        return "no error: \(try Value(json: json))"
      } catch {
        return error.description
      }
    }
    #expect(error(Bool.self, .number(1)) == "needs true or false, not a number")
    #expect(error(String.self, .null) == "needs a text, not null")
    #expect(error(Int.self, .number(2.5)) == "needs a whole number, not a number")
    #expect(error(Int.self, .number(1e30)) == "needs a whole number, not a number")
    #expect(error(Double.self, .string("big")) == "needs a number; \"big\" isn't")
    #expect(error(Double.self, .number(.nan)) == "needs a number, not NaN")
    #expect(error(Int.self, .number(-.infinity)) == "needs a whole number, not an infinite number")
    #expect(error(Point.self, JSONValue(numbers: [1])) == "needs a point as [x, y], not a list")
    #expect(error(Size.self, .array([.number(1), .bool(true)])) == "needs a size as [width, height], not a list")
    #expect(error(Rect.self, .object([:])) == "needs a rectangle as [x, y, width, height], not an object")
    #expect(
      error(ClosedRange<Double>.self, JSONValue(numbers: [2, 1]))
        == "needs a range as [lower, upper], the lower first, not a list")
    #expect(error(ImageReference.self, .string("")) == "needs the name of a picture's file; \"\" isn't")
    for text in ["", "#", "#12", "#12345", "#1234567", "#gggggg", "123456", "blau", "#１２３"] {
      #expect(error(Color.self, .string(text)).hasPrefix("needs a colour such as"), "\(text)")
    }
    #expect(error(Color.self, JSONValue(numbers: [0, 0, 2])).hasPrefix("needs a colour"))
    #expect(error(Optional<Color>.self, .bool(true)).hasPrefix("needs a colour"))
    #expect(error(ProbeShape.self, .string("sqare")) == "\"sqare\" is no choice; did you mean \"square\"?")
    #expect(error(ProbeShape.self, .string("x")) == "\"x\" is no choice; it can be square, circle")
    #expect(error(ProbeShape.self, .number(1)) == "needs one of square, circle, not a number")
  }

  @Test("the nearest name is one that a slip of the hand makes, or none")
  func nearestName() {
    let names = ["angle", "startColor", "endColor", "trackTintColor"]
    #expect(EditDistance.nearest(to: "angel", in: names) == "angle")
    #expect(EditDistance.nearest(to: "startcolour", in: names) == "startColor")
    #expect(EditDistance.nearest(to: "trackTint", in: names) == "trackTintColor")
    #expect(EditDistance.nearest(to: "frobnicate", in: names) == nil)
    #expect(EditDistance.nearest(to: "", in: names) == nil)
    #expect(EditDistance.between(Array("ab".utf8), []) == 2)
    #expect(EditDistance.between(Array("kitten".utf8), Array("sitting".utf8)) == 3)
  }
}
