// Owns the editor of what is typed: texts, files of pictures, and whatever may also be nothing.
// Must not know how properties are listed.

import Interface

/// A line of text. An empty one is nothing, where the property may have none; several numbers stand with commas between.
final class TextEditor: PropertyEditor {
  private let field = TextField()
  /// The kind inside, and whether there may be nothing.
  private let kind: InspectableKind
  private let isOptional: Bool

  override init(_ property: any AnyInspectable, of target: View) {
    if case .optional(let inner) = property.kind {
      (kind, isOptional) = (inner, true)
    } else {
      (kind, isOptional) = (property.kind, false)
    }
    super.init(property, of: target)
    field.placeholder =
      switch kind {
      case .image: "File.png"
      case .text: isOptional ? ChoiceEditor.none : ""
      default: ChoiceEditor.none
      }
    field.validate = { [unowned self] in value(of: $0) == nil ? nil : $0 }
    add(field, "field") { [unowned self] in if let value = value(of: $0.text) { set(value) } }
  }

  /// The value that `text` writes; nil where it is none.
  private func value(of text: String) -> JSONValue? {
    if isOptional, text.allSatisfy(\.isWhitespace) { return .null }
    let parts = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    switch kind {
    case .integer, .number:
      return NumberFormat(fractionDigits: kind == .integer ? 0 : 9).value(text).map { .number($0) }
    case .point, .size, .range: return numbers(parts, 2)
    case .rect, .insets: return numbers(parts, 4)
    case .image: return text.isEmpty ? nil : .string(text)
    default: return .string(text)
    }
  }

  private func numbers(_ parts: [Substring], _ count: Int) -> JSONValue? {
    let numbers = parts.compactMap { NumberFormat(fractionDigits: 9).value(String($0)) }
    return numbers.count == count && parts.count == count ? JSONValue(numbers: numbers) : nil
  }

  override func show(_ value: JSONValue) {
    guard isFree(field) else { return }
    let format = NumberFormat(fractionDigits: 3)
    field.text =
      switch value {
      case .string(let text): text
      case .number(let number): format.text(number)
      case .array(let values): values.map { format.text($0.finiteNumber ?? 0) }.joined(separator: ", ")
      default: ""
      }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: field.sizeThatFits(size).height)
  }

  override func layoutSubviews() { field.frame = bounds }
}
