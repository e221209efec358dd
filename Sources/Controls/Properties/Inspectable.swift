/// Declares a property for files, inspectors, observers and animations, which the view stores.
///
///     @ListsProperties public final class Dial: Control {
///       @Inspectable(.display, limits: 0...1) public var curvaceousness = 1.0
///     }
///
/// Nothing else is written about the property: `@ListsProperties` before the class collects its list, and the first sentence of
/// the docstring is `AnyProperty.about`.
///
/// Every assignment is treated alike, by code, file, inspector or animation: a value with NaN or infinite components is ignored;
/// a number is clamped to the limits; if the result equals the old value, nothing else happens. Otherwise the class's reaction
/// may adjust other properties, then the view is marked for drawing or layout, then observers are notified. The view stores only
/// the value.
///
/// - Parameters:
///   - effect: The effect of a change; `.none` also if the class handles it itself.
///   - title: The user-visible name; by default derived from the property's.
///   - group: The inspector heading; defaults to the first word of the title.
///   - limits: The least and greatest number.
///   - reach: The range of an inspector's slider if the limits are absent or too far apart for one.
///   - derivedFrom: The property of which this one is another form; nil if it has its own value.
///   - limitedBy: The properties that decide what a value of this one becomes, as a least and a greatest value do: it is set after them
///     when both are set together, as by a file. Two that push each other are not listed by each other: the one set last wins.
///   - isReported: True to include it in `--dump-tree` and tests (`View.inspection`).
///   - before: The inherited property before which this one is listed; by default it is appended.
///   - normalise: Maps a value to a valid one. Must be idempotent, and the initial value must already be valid.
///   - reaction: The class's reaction to a change, as `Dial.valueChanged`, before the effect and before observers are notified;
///     adjust dependent properties in it. If it sets the property again, both count as one change.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_), suffixed(Property))
public macro Inspectable<Owner: View, Value: InspectableValue>(
  _ effect: InspectableEffect, title: String? = nil, group: String? = nil, limits: ClosedRange<Double>? = nil,
  reach: ClosedRange<Double>? = nil, derivedFrom: AnyKeyPath? = nil, limitedBy: [AnyKeyPath] = [],
  isReported: Bool = false, before: AnyKeyPath? = nil,
  normalise: @MainActor (Value) -> Value = { (value: Double) in value },
  then reaction: (Owner) -> @MainActor () -> Void = { (_: View) in {} }
) = #externalMacro(module: "PropertyMacros", type: "Inspectable")

/// Declares a property for files, inspectors, observers and animations, whose value is stored at a key path: in a model or a table
/// of states, or by a computed property.
///
///     @Inspectable(\Slider.model.step, .none, group: "Value") public var step: Double
///
/// Unusable values are ignored, limits apply and animations of the property end, as in the form that stores the value. The setter
/// at the key path then decides the value. The class reports each change by `View.didChange(_:)`, since one may cause others. The
/// parameters are those of the other form.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_), suffixed(Property))
public macro Inspectable<Owner: View, Value: InspectableValue>(
  _ storage: ReferenceWritableKeyPath<Owner, Value>, _ effect: InspectableEffect, title: String? = nil,
  group: String? = nil, limits: ClosedRange<Double>? = nil, reach: ClosedRange<Double>? = nil,
  derivedFrom: AnyKeyPath? = nil, limitedBy: [AnyKeyPath] = [], isReported: Bool = false, before: AnyKeyPath? = nil,
  normalise: (@MainActor (Value) -> Value)? = nil, then reaction: ((Owner) -> @MainActor () -> Void)? = nil
) = #externalMacro(module: "PropertyMacros", type: "Inspectable")

/// Gives a class the list of the properties that it declares by `@Inspectable`: the inherited ones, then its own in the order of
/// their declarations. Without it, such a property is an error. Also gives it `about`: the first sentence of the class's docstring.
///
/// `removed` are inherited properties that the list leaves out, such as one that a property of the class replaces.
@attached(member, names: named(inspectables), named(about))
public macro ListsProperties(without removed: AnyKeyPath...) =
  #externalMacro(module: "PropertyMacros", type: "ListsProperties")

extension [AnyProperty] {
  /// The properties of a class in order, from those of its superclass and its own; `@ListsProperties` writes the calls.
  public func adding(_ own: [AnyProperty], without removed: [AnyKeyPath] = []) -> [AnyProperty] {
    var list = filter { !removed.contains($0.path) }
    for property in own {
      let index = property.successor.flatMap { path in list.firstIndex { $0.path == path } }
      list.insert(property, at: index ?? list.endIndex)
    }
    return list
  }
}
