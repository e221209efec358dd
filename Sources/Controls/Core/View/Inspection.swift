/// The facts about a view besides type, name and frame, for `--dump-tree` and tests.
nonisolated public struct Inspection: Hashable, Sendable {
  /// A value for users and tools.
  public enum Value: Hashable, Sendable {
    /// Yes or no.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// A text, or the name of a choice.
    case text(String)

    fileprivate var json: JSONValue {
      switch self {
      case .bool(let value): .bool(value)
      case .integer(let value): .number(Double(value))
      case .number(let value): .number(value.isFinite ? value : 0)
      case .text(let value): .string(value)
      }
    }
  }

  /// The names of the states held; empty for views without states.
  public var state: [String]
  /// The values of the view's settings, by name.
  public var values: [String: Value]

  /// Says `state` and `values`.
  public init(state: [String] = [], values: [String: Value] = [:]) {
    self.state = state
    self.values = values
  }

  /// The same inspection with more values; nil values are left out. For views that extend their superclass's inspection.
  public func adding(_ more: KeyValuePairs<String, Value?>) -> Inspection {
    var inspection = self
    for (name, value) in more where value != nil { inspection.values[name] = value }
    return inspection
  }
}

/// One view of a tree as data.
nonisolated public struct InspectedView: Hashable, Sendable {
  /// The class of the view.
  public var type: String
  /// The view's name, or an empty string.
  public var name: String
  /// The view's rectangle in the coordinates of the window, in points.
  public var frame: Rect
  /// True when the view itself is hidden.
  public var isHidden: Bool
  /// The names of the states held; empty for views without states.
  public var state: [String]
  /// The values of the view's settings, by name.
  public var values: [String: Inspection.Value]
  /// The views inside, from the back to the front.
  public var subviews: [InspectedView]

  /// The tree as JSON, each view's facts on separate lines.
  public var jsonText: String { json.text }

  private var json: JSONText {
    let frame = [
      "x": JSONValue.number(frame.minX), "y": .number(frame.minY), "width": .number(frame.width),
      "height": .number(frame.height),
    ]
    return .object([
      ("type", .value(.string(type))), ("name", .value(.string(name))), ("frame", .value(.object(frame))),
      ("isHidden", .value(.bool(isHidden))), ("state", .value(.array(state.map { .string($0) }))),
      ("values", .value(.object(values.mapValues(\.json)))), ("subviews", .list(subviews.map(\.json))),
    ])
  }

  /// The tree as lines of text, two blanks deeper for each level.
  public var lines: [String] {
    func short(_ value: Double) -> String {
      let rounded = (value * 100).rounded() / 100
      return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
    }
    var line = type
    if !name.isEmpty { line += " \"\(name)\"" }
    line += " \(short(frame.minX)),\(short(frame.minY)) \(short(frame.width))x\(short(frame.height))"
    if isHidden { line += " hidden" }
    if !state.isEmpty { line += " [" + state.joined(separator: " ") + "]" }
    for key in values.keys.sorted() {
      switch values[key] {
      case .bool(let value)?: line += " \(key)=\(value)"
      case .integer(let value)?: line += " \(key)=\(value)"
      case .number(let value)?: line += " \(key)=\(value)"
      case .text(let value)?: line += " \(key)=\"\(value)\""
      case nil: break
      }
    }
    return [line] + subviews.flatMap(\.lines).map { "  " + $0 }
  }
}

extension View {
  /// The view and everything inside as data.
  public func inspect() -> InspectedView {
    let said = inspection
    return InspectedView(
      type: String(describing: type(of: self)), name: name, frame: windowFrame, isHidden: isHidden, state: said.state,
      values: said.values, subviews: subviews.map { $0.inspect() })
  }
}
