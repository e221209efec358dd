// Owns what all inspectable properties share whatever their type: their place, name and view.
// Must not know values.

/// What every `@Inspectable` property is. Only those have values: one of this class itself is never made.
public class InspectableBox: AnyInspectable {
  /// The place in its class; known once the view's properties were looked for.
  var slot: InspectableSlot?
  private(set) weak var view: View?

  init() {}

  /// Makes known whose property this is.
  func bind(to view: View) {
    if self.view !== view { self.view = view }
  }

  private var place: PropertyName? {
    if slot == nil { view?.nameInspectables() }
    return slot?.name
  }

  /// The name in code and files; empty as long as no view has the property.
  public final var name: String { place?.name ?? "" }

  /// The name for people.
  public var title: String { place?.title ?? "" }

  /// The heading it is shown under.
  public var group: String { place?.group ?? "" }

  /// How it is shown and edited.
  public var kind: InspectableKind { .text }

  /// The least and the greatest number.
  public var limits: ClosedRange<Double>? { nil }

  /// Nil: a stored value is derived from no other property.
  public final var derivedFrom: String? { nil }

  /// The value as JSON.
  public var jsonValue: JSONValue { .null }

  /// Takes a value from JSON.
  public func set(json: JSONValue, on view: View) throws(InspectableError) {}

  /// Has `body` called after every change, as long as the token is held.
  public func observeAny(_ body: @escaping () -> Void) -> PropertyObservation { PropertyObservation() }
}
