// Owns the inspectable side of properties that are kept as plain ones, for speed.
// Must not know which those are.

/// How a plain property of views of one class is read and set: one for the class, listed in `builtInInspectables`.
public struct PlainProperty {
  let name: PropertyName
  let group: String
  let limits: ClosedRange<Double>?
  let kind: InspectableKind
  let derivedFrom: String?
  let get: (View) -> JSONValue
  let set: (JSONValue, View) throws(InspectableError) -> Void

  /// The property at `path`, which calls `View.plainPropertyDidChange(_:)` itself when it changed.
  ///
  /// - Parameters:
  ///   - name: The name in code and files.
  ///   - group: The heading it is shown under.
  ///   - limits: The least and the greatest value of a number, for editors.
  ///   - derivedFrom: The name of the property whose value this one says in another way; nil for one of its own.
  public init<Owner: View, Value: InspectableValue>(
    _ name: String, group: String, limits: ClosedRange<Double>? = nil, derivedFrom: String? = nil,
    _ path: ReferenceWritableKeyPath<Owner, Value>
  ) {
    self.name = PropertyName(name)
    self.group = group
    self.limits = limits
    self.derivedFrom = derivedFrom
    kind = Value.inspectableKind
    get = { view in (view as? Owner)?[keyPath: path].json ?? .null }
    set = { json, view throws(InspectableError) in
      let value = try Value(json: json)
      if value.isUsable, let view = view as? Owner { view[keyPath: path] = value }
    }
  }
}

/// A plain property of one view.
final class PlainInspectable: AnyInspectable {
  private let property: PlainProperty
  private weak var view: View?

  init(_ property: PlainProperty, of view: View) {
    self.property = property
    self.view = view
  }

  var name: String { property.name.name }
  var title: String { property.name.title }
  var group: String { property.group }
  var kind: InspectableKind { property.kind }
  var limits: ClosedRange<Double>? { property.limits }
  var derivedFrom: String? { property.derivedFrom }
  var jsonValue: JSONValue { view.map(property.get) ?? .null }

  func set(json: JSONValue, on view: View) throws(InspectableError) { try property.set(json, view) }

  func observeAny(_ body: @escaping () -> Void) -> PropertyObservation {
    guard let view else { return PropertyObservation() }
    let observers = view.plainObservers[name] ?? PropertyObservers<Void>()
    view.plainObservers[name] = observers
    return observers.add(body)
  }
}

extension View {
  /// Tells who observes the plain property `name` that it changed.
  public func plainPropertyDidChange(_ name: String) {
    if !plainObservers.isEmpty { plainObservers[name]?.tellOfValue() }
  }

  /// The plain properties that every view has.
  static let viewProperties = [
    PlainProperty("name", group: "View", \View.name), PlainProperty("isHidden", group: "View", \View.isHidden),
    PlainProperty("alpha", group: "View", limits: 0...1, \View.alpha),
    PlainProperty("backgroundColor", group: "View", \View.backgroundColor),
    PlainProperty("isUserInteractionEnabled", group: "View", \View.isUserInteractionEnabled),
    PlainProperty("layoutDirection", group: "View", \View.layoutDirection),
  ]
}

extension Control {
  /// The plain properties that every control has besides.
  static let controlProperties = [
    PlainProperty("isEnabled", group: "Control", \Control.isEnabled),
    PlainProperty("isSelected", group: "Control", \Control.isSelected),
  ]
}
