// Owns what every inspectable property can do, whatever its type.
// Must not know any single type or view.

/// One property of one view, as files, inspectors and tests use it (K18). `View.inspectables` gives a view's.
public protocol AnyInspectable: AnyObject {
  /// The name in code and files, such as `trackTintColor`.
  var name: String { get }
  /// The name for people, such as `Track Tint Color`.
  var title: String { get }
  /// Under which heading it is shown: the title's first word, or what its declaration says.
  var group: String { get }
  /// How it is shown and edited.
  var kind: InspectableKind { get }
  /// The least and the greatest value of a number that has such; for others nil.
  var limits: ClosedRange<Double>? { get }
  /// The name of the property whose value this one says in another way, such as `gear` for a knob's position; nil for one with a
  /// value of its own. Files may set either; writers and copies keep the other one.
  var derivedFrom: String? { get }
  /// The value as JSON.
  var jsonValue: JSONValue { get }
  /// Takes a value from JSON; `view` is the one that has the property. The same happens as when code sets it.
  func set(json: JSONValue, on view: View) throws(InspectableError)
  /// Has `body` called after every change, as long as the token is held.
  func observeAny(_ body: @escaping () -> Void) -> PropertyObservation
}

/// What becomes due when a property changes.
nonisolated public enum InspectableEffect: Hashable, Sendable {
  /// Nothing: the property is not seen.
  case none
  /// The view is drawn again.
  case display
  /// The view is drawn again, its static drawing too.
  case staticDisplay
  /// The view is laid out and drawn again, its static drawing too.
  case layout
}

/// A change of a property.
nonisolated public struct PropertyChange<Value> {
  /// The value before.
  public let old: Value
  /// The value now.
  public let new: Value
}

nonisolated extension PropertyChange: Sendable where Value: Sendable {}
