import JSON
import Stage

/// The steps and the setup for programs that call them, as `stage help schema` prints them.
extension StepKind {
  /// An object with the list "steps", each with "name", "text" and a JSON Schema of its "parameters", and "setup", a schema of the
  /// members that a script has beside its steps.
  static var schema: JSONValue {
    let steps: [JSONValue] = all.map { kind in
      let parameters = Dictionary(uniqueKeysWithValues: kind.parameters.map { ($0.name, $0.schema) })
      let required = kind.parameters.filter(\.isRequired).map(\.name)
      return .object([
        "name": .string(kind.name), "text": .string(kind.text), "parameters": Schema.object(parameters, required),
      ])
    }
    return .object(["steps": .array(steps), "setup": Setup.schema])
  }
}

extension StepParameter {
  /// The JSON Schema of its values, with its meaning.
  fileprivate var schema: JSONValue {
    switch kind {
    case .number(let range): Schema.number("number", range, text)
    case .whole(let range): Schema.number("integer", Double(range.lowerBound)...Double(range.upperBound), text)
    case .text: Schema.value("string", text)
    case .flag: Schema.value("boolean", text)
    case .choice(let words): Schema.choice(words, text)
    case .choices(let words): Schema.list(of: Schema.choice(words), text)
    case .fingers:
      Schema.list(
        of: Schema.object(
          [
            "id": Schema.number("integer", 0...1_000_000),
            "path": Schema.list(of: Schema.list(of: Schema.value("number"), count: 2...2), count: 1...100_000),
          ], ["path"]), count: 1...1000, text)
    }
  }
}

extension Setup {
  /// The JSON Schema of the setup.
  fileprivate static var schema: JSONValue {
    let rules = Violation.Rule.allCases.map(\.rawValue)
    return Schema.object(
      [
        "globals": globals,
        "output": Schema.list(
          of: Schema.number("integer", 1...16_384), count: 2...2, "the output's size in pixels; 1280 x 720 by default"),
        "devices": Schema.list(
          of: Schema.choice(["pointer", "keyboard", "touch"]), "the seat's devices; all by default"),
        "allow": Schema.list(of: Schema.choice(rules), "rules that the client may break"),
        "strict": Schema.value("boolean", "whether advice fails the client too"),
      ], [])
  }
}

extension Setup {
  private static var globals: JSONValue {
    let names = Schema.choice(presets.map(\.name), "the preset of all others; everything by default")
    let versions = OfferedGlobals.versions.map { ($0.interface, Schema.number("integer", 0...Double($0.newest))) }
    let members = Dictionary(uniqueKeysWithValues: [("from", names)] + versions)
    return .object([
      "description": .string("what the compositor offers: a preset, or versions by interface, of which 0 is none"),
      "anyOf": .array([Schema.choice(presets.map(\.name)), Schema.object(members, [])]),
    ])
  }
}

/// The forms of JSON Schema that steps need.
private enum Schema {
  static func value(_ type: String, _ text: String? = nil, _ more: [String: JSONValue] = [:]) -> JSONValue {
    var members = more
    members["type"] = .string(type)
    if let text { members["description"] = .string(text) }
    return .object(members)
  }

  static func number(_ type: String, _ range: ClosedRange<Double>, _ text: String? = nil) -> JSONValue {
    value(type, text, ["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
  }

  static func choice(_ words: [String], _ text: String? = nil) -> JSONValue {
    value("string", text, ["enum": .array(words.map(JSONValue.string))])
  }

  static func list(of item: JSONValue, count: ClosedRange<Int>? = nil, _ text: String? = nil) -> JSONValue {
    var members = ["items": item]
    if let count {
      members["minItems"] = .number(Double(count.lowerBound))
      members["maxItems"] = .number(Double(count.upperBound))
    }
    return value("array", text, members)
  }

  static func object(_ members: [String: JSONValue], _ required: [String]) -> JSONValue {
    value(
      "object", nil,
      [
        "properties": .object(members), "required": .array(required.map(JSONValue.string)),
        "additionalProperties": .bool(false),
      ])
  }
}
