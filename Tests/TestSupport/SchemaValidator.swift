import Foundation

/// A JSON schema that finds the faults of a value.
package struct SchemaValidator {
  private let schema: ParsedJSON

  /// The schema of a file below the package's docs folder.
  package init(_ name: String) throws { schema = try ParsedJSON(SchemaValidator.document(name)) }

  /// The path of a file below the package's docs folder.
  package static func path(_ name: String) -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return root.deletingLastPathComponent().appendingPathComponent("docs/\(name)").path
  }

  /// The text of a file below the package's docs folder.
  package static func document(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// The faults of a text; empty when it is good.
  package func mistakes(inText text: String) -> [String] {
    do {
      return mistakes(in: try ParsedJSON(text))
    } catch {
      return ["no JSON: \(error)"]
    }
  }

  /// The faults of a value; empty when it is good.
  package func mistakes(in value: ParsedJSON) -> [String] { check(value, schema, "") }

  /// The words that a property may have.
  package func words(of property: String) -> [String] {
    schema["properties"]?[property]?["enum"]?.items.compactMap(\.text) ?? []
  }

  private func check(_ value: ParsedJSON, _ schema: ParsedJSON, _ path: String) -> [String] {
    if case .bool(let isGood) = schema { return isGood ? [] : ["\(path): never good"] }
    return schema.properties.flatMap { check(value, $0.key, $0.value, of: schema, path) }
  }

  private func check(
    _ value: ParsedJSON, _ keyword: String, _ argument: ParsedJSON, of schema: ParsedJSON, _ path: String
  ) -> [String] {
    func demand(_ isGood: Bool?) -> [String] { isGood == false ? ["\(path): \(value) by \(keyword) \(argument)"] : [] }
    switch keyword {
    case "type":
      let kinds = argument.text.map { [$0] } ?? argument.items.compactMap(\.text)
      return demand(kinds.contains { isType($0, value) })
    case "const": return demand(value == argument)
    case "enum": return demand(argument.items.contains(value))
    case "minimum": return demand(value.number.map { $0 >= argument.number ?? 0 })
    case "maximum": return demand(value.number.map { $0 <= argument.number ?? 0 })
    case "minLength": return demand(value.text.map { Double($0.count) >= argument.number ?? 0 })
    case "maxLength": return demand(value.text.map { Double($0.count) <= argument.number ?? 0 })
    case "maxItems": return demand(Double(value.items.count) <= argument.number ?? 0)
    case "pattern":
      return demand(value.text.map { $0.range(of: argument.text ?? "", options: .regularExpression) != nil })
    case "items": return value.items.flatMap { check($0, argument, path + "[]") }
    case "required": return argument.items.flatMap { demand(value[$0.text ?? ""] != nil) }
    case "properties":
      return argument.properties.flatMap { name, inner in
        value[name].map { check($0, inner, "\(path).\(name)") } ?? []
      }
    case "minProperties": return demand(Double(value.properties.count) >= argument.number ?? 0)
    case "maxProperties": return demand(Double(value.properties.count) <= argument.number ?? 0)
    case "propertyNames": return value.properties.keys.flatMap { check(.text($0), argument, path) }
    case "additionalProperties":
      let known = schema["properties"]?.properties ?? [:]
      let others = value.properties.filter { known[$0.key] == nil }
      return others.flatMap { check($0.value, argument, "\(path).\($0.key)") }
    case "allOf": return argument.items.flatMap { check(value, $0, path) }
    case "not": return demand(!check(value, argument, path).isEmpty)
    case "if":
      let branch = check(value, argument, path).isEmpty ? schema["then"] : schema["else"]
      return branch.map { check(value, $0, path) } ?? []
    case "$schema", "title", "description", "then", "else", "default": return []
    default: return ["the schema says \(keyword), which is not understood here"]
    }
  }

  private func isType(_ name: String?, _ value: ParsedJSON) -> Bool {
    switch (name, value) {
    case ("object", .object), ("array", .list), ("string", .text), ("boolean", .bool), ("number", .number),
      ("null", .null):
      true
    case ("integer", .number(let number)): number == number.rounded()
    default: false
    }
  }
}
