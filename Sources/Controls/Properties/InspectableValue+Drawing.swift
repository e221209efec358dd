nonisolated extension Color: InspectableValue, Animatable {
  /// A colour.
  public static var inspectableKind: InspectableKind { .color }

  /// As `"#rrggbb"` or `"#rrggbbaa"` if that is exact, otherwise as `[red, green, blue, alpha]`.
  public var json: JSONValue {
    let text = hexString
    return Color(text: text) == self ? .string(text) : JSONValue(numbers: [red, green, blue, alpha])
  }

  /// From `"#rgb"`, `"#rrggbb"`, `"#rrggbbaa"`, `"clear"`, `"white"`, `"black"`, or `[red, green, blue]` with or without
  /// alpha, each 0...1.
  public static func read(_ json: JSONValue) -> Color? {
    if let text = json.text { return Color(text: text) }
    guard let parts = json.numbers(4) ?? json.numbers(3).map({ $0 + [1] }), parts.allSatisfy({ (0...1).contains($0) })
    else {
      return nil
    }
    return Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }

  /// False with NaN or infinite components.
  public var isUsable: Bool { red.isFinite && green.isFinite && blue.isFinite && alpha.isFinite }
}

nonisolated extension HorizontalAlignment: InspectableValue {
  /// The case with the given name; layout files may also use `natural` for `leading`.
  public init(json: JSONValue) throws(InspectableError) {
    let json = json == .string("natural") ? .string(Self.leading.rawValue) : json
    self = try Self.choice(json, among: Self.allCases.map { ($0.rawValue, $0) })
  }
}

nonisolated extension VerticalAlignment: InspectableValue {}

nonisolated extension LayoutDirection: InspectableValue {}

nonisolated extension TextTruncation: InspectableValue {}
