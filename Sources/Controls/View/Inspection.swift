/// The facts about a view besides type, name and frame, for `--dump-tree` and tests.
nonisolated public struct Inspection: Hashable, Sendable {
  /// The names of the states held; empty for views without states.
  public var state: [String]
  /// The values of the view's settings, by name.
  public var values: [String: JSONValue]

  /// Says `state` and `values`.
  public init(state: [String] = [], values: [String: JSONValue] = [:]) {
    self.state = state
    self.values = values
  }

  /// The same inspection with more values; nil values are left out. For views that extend their superclass's inspection.
  public func adding(_ more: KeyValuePairs<String, JSONValue?>) -> Inspection {
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
  public var values: [String: JSONValue]
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
      ("values", .value(.object(values))), ("subviews", .list(subviews.map(\.json))),
    ])
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
