/// The description of a property, once for all views of a class. `View.inspectables` lists them for files, inspectors,
/// observers and animations.
public class AnyProperty {
  /// The name in code and files, such as `trackTintColor`.
  public let name: String
  /// The user-visible name and heading, if the list contains them; otherwise they follow from `name`.
  package let givenTitle, givenGroup: String?
  /// The least and greatest value of a number; nil if absent.
  public let limits: ClosedRange<Double>?
  /// The name of the property of which this one is another form, such as `gear` for a knob's position; nil if it has its own
  /// value. Files may set either; only the second is written and copied.
  public let derivedFrom: String?
  /// The effect of a change.
  public let effect: InspectableEffect
  /// True for what `View.inspection` says of a view.
  public let isReported: Bool
  /// How the property is shown and edited.
  public let kind: InspectableKind
  let path: AnyKeyPath
  /// The key of its animations; created once, since every change uses it.
  final lazy var animationKey = "property." + name
  fileprivate let reaction: ((View) -> Void)?

  fileprivate init(
    _ name: String, _ path: AnyKeyPath, _ effect: InspectableEffect, title: String?, group: String?,
    limits: ClosedRange<Double>?, derivedFrom: String?, isReported: Bool, kind: InspectableKind,
    reaction: ((View) -> Void)?
  ) {
    self.name = name
    self.path = path
    self.effect = effect
    (givenTitle, givenGroup) = (title, group)
    self.limits = limits
    self.derivedFrom = derivedFrom
    self.isReported = isReported
    self.kind = kind
    self.reaction = reaction
  }

  /// True when there are values between two of its values, so that `View.animate` moves it.
  public var animates: Bool { false }

  /// The value of `view` as JSON, for files and clipboards.
  public func json(of view: View) -> JSONValue { .null }

  /// The value of `view` for users and tools; nil if absent.
  final func inspectionValue(of view: View) -> Inspection.Value? {
    switch json(of: view) {
    case .bool(let value): .bool(value)
    case .number(let value): kind == .integer ? .integer(Int(clamping: value)) : .number(value)
    case .string(let value): .text(value)
    case .null, .array, .object: nil
    }
  }

  /// Gives `view` a value from JSON. The same happens as when code sets it.
  public final func set(_ json: JSONValue, on view: View) throws(InspectableError) { try setter(json)(view) }

  /// Reads a value from JSON and returns a function that sets it on views later, so that an error is known before any view
  /// changes.
  package func setter(_ json: JSONValue) throws(InspectableError) -> (View) -> Void { { _ in } }

  fileprivate func observe(_ view: View, _ body: @escaping () -> Void) -> Observation { Observation() }
}

/// A property whose values are of one type.
public final class Property<Value: InspectableValue>: AnyProperty {
  private let read: (View) -> Value
  private let write: (View, Value) -> Void
  private let normalise: ((Value) -> Value)?

  /// Describes the property at `path`.
  ///
  /// - Parameters:
  ///   - name: The name in code and files.
  ///   - path: The property, by the class that declares it: `\Dial.value`. It is either an `@Inspectable`, or computed; then
  ///     the class must call `View.didChange(_:)` with the same path whenever the value changes.
  ///   - effect: The effect of a change; `.none` also if the class handles it itself.
  ///   - title: The user-visible name; by default derived from `name`.
  ///   - group: The inspector heading; defaults to the first word of the title.
  ///   - limits: The least and greatest number. An `@Inspectable` is clamped to them; for a computed property they only apply
  ///     to editors.
  ///   - derivedFrom: The name of the property of which this one is another form; nil if it has its own value.
  ///   - isReported: True to include it in `--dump-tree` and tests (`View.inspection`).
  ///   - normalise: Maps a value to a valid one. Must be idempotent, and the initial value must already be valid.
  ///   - reaction: The class's reaction to a change, before the effect and before observers are notified; adjust dependent
  ///     properties here. If it sets the property again, both count as one change.
  public init<Owner: View>(
    _ name: String, _ path: ReferenceWritableKeyPath<Owner, Value>, _ effect: InspectableEffect, title: String? = nil,
    group: String? = nil, limits: ClosedRange<Double>? = nil, derivedFrom: String? = nil,
    isReported: Bool = false, normalise: ((Value) -> Value)? = nil, then reaction: ((Owner) -> Void)? = nil
  ) {
    func owner(_ view: View) -> Owner {
      guard let owner = view as? Owner else { preconditionFailure("\(type(of: view)) has no property \(name)") }
      return owner
    }
    read = { owner($0)[keyPath: path] }
    write = { owner($0)[keyPath: path] = $1 }
    self.normalise = normalise
    super.init(
      name, path, effect, title: title, group: group, limits: limits, derivedFrom: derivedFrom,
      isReported: isReported, kind: Value.inspectableKind, reaction: reaction.map { react in { react(owner($0)) } })
  }

  /// The value of `view`.
  public func value(of view: View) -> Value { read(view) }

  /// Sets the value on `view`, as if code set the property. A value with NaN or infinite components is ignored.
  public func set(_ value: Value, on view: View) {
    if value.isUsable { write(view, value) }
  }

  /// `value`, or the nearest one that the property accepts.
  fileprivate func normal(_ value: Value) -> Value {
    let limited = limits.map { value.limited(to: $0) } ?? value
    return normalise?(limited) ?? limited
  }

  /// True for values that can be interpolated.
  public override var animates: Bool { Value.self is any Animatable.Type }

  /// The value as its type writes it.
  public override func json(of view: View) -> JSONValue { read(view).json }

  package override func setter(_ json: JSONValue) throws(InspectableError) -> (View) -> Void {
    let value = try Value(json: json)
    return { [self] in set(value, on: $0) }
  }

  fileprivate func observe(
    _ view: View, changes body: @escaping (PropertyChange<Value>) -> Void
  ) -> Observation {
    var known = read(view)
    return view.makePropertyState().addObserver(of: self) { [unowned view, read] in
      let change = PropertyChange(old: known, new: read(view))
      guard change.new != change.old else { return }
      known = change.new
      body(change)
    }
  }

  fileprivate override func observe(_ view: View, _ body: @escaping () -> Void) -> Observation {
    observe(view, changes: { _ in body() })
  }
}

/// The effect of a property's change.
nonisolated public enum InspectableEffect: Hashable, Sendable {
  /// No effect: the property is not visible, or the class handles it itself.
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

/// Stores the value of a property in its class's list, and applies the effect that the list gives when it changes.
///
///     @Inspectable public var curvaceousness = 1.0
///     public override class var inspectables: [AnyProperty] {
///       super.inspectables + [Property("curvaceousness", \Dial.curvaceousness, .display, limits: 0...1)]
///     }
///
/// Every assignment is treated alike: a value with NaN or infinite components is ignored; a number is clamped to the limits; if
/// the result equals the old value, nothing else happens. Otherwise the class's reaction may adjust other properties, then the
/// view is marked for drawing or layout, then observers are notified. The view stores only the value. A property that the
/// class's list omits, for example if a subclass forgets `super.inspectables`, is only redrawn, and the root's `onFault` is
/// called once.
@propertyWrapper
public struct Inspectable<Value: InspectableValue> {
  @usableFromInline var value: Value

  /// A property with `wrappedValue` at first.
  public init(wrappedValue: Value) { value = wrappedValue }

  /// A property that is nil at first.
  public init() where Value: ExpressibleByNilLiteral { value = nil }

  /// The value as the property of `view`.
  public static subscript<Owner: View>(
    _enclosingInstance view: Owner, wrapped path: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Inspectable<Value>>
  ) -> Value {
    // Inlined, so that a class of another module reads its property without a key path.
    @inlinable @inline(__always) get { view[keyPath: storage].value }
    set {
      let old = view[keyPath: storage].value
      // Skipped if nothing changes, except for an animation that setting ends.
      guard newValue != old || view.propertyState != nil, newValue.isUsable else { return }
      let property = PropertyTable.of(view).property(path, of: view)
      view.endAnimation(of: property, forStep: true)
      let new = property.normal(newValue)
      guard new != old else { return }
      view[keyPath: storage].value = new
      view.finishChange(of: property) { view[keyPath: storage].value != old }
    }
  }

  /// Not to be used: only views have inspectable properties.
  @available(*, unavailable, message: "@Inspectable is for properties of View and its subclasses")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }
}

/// Stores a value of a view that affects its drawing or layout but is not a property for files and inspectors.
///
///     @Redraws var isLit = false
///     @Redraws(.layout) var columnCount = 2
///
/// Changing it marks the view as the wrapper says; assigning an equal value does nothing.
@propertyWrapper
public struct Redraws<Value: Equatable> {
  @usableFromInline var value: Value
  @usableFromInline let effect: InspectableEffect

  /// A value that is `wrappedValue` at first; a change has `effect`.
  @inlinable public init(wrappedValue: Value, _ effect: InspectableEffect = .display) {
    (value, self.effect) = (wrappedValue, effect)
  }

  /// A value that is nil at first.
  @inlinable public init(_ effect: InspectableEffect = .display) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, effect)
  }

  /// The value in `view`.
  @inlinable
  public static subscript<Owner: View>(
    _enclosingInstance view: Owner, wrapped path: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Redraws>
  ) -> Value {
    // Inlined, so that no key path is left: writing through one would allocate.
    @inline(__always) get { view[keyPath: storage].value }
    @inline(__always) set {
      guard newValue != view[keyPath: storage].value else { return }
      view[keyPath: storage].value = newValue
      view.mark(view[keyPath: storage].effect)
    }
  }

  /// Not to be used: only views are drawn.
  @available(*, unavailable, message: "@Redraws is for properties of View's subclasses")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }
}

/// The properties of one class of views; its list is read once.
final class PropertyTable {
  let all: [AnyProperty]
  private let byPath: [AnyKeyPath: AnyProperty]
  /// Properties missing from the class's list, created on first use, each reported as a fault.
  private var unlisted: [AnyKeyPath: AnyProperty] = [:]
  private var reportedFaults: Set<AnyKeyPath> = []
  private static var known: [ObjectIdentifier: PropertyTable] = [:]

  static func of(_ view: View) -> PropertyTable {
    let type = type(of: view)
    if let found = known[ObjectIdentifier(type)] { return found }
    let made = PropertyTable(type.inspectables)
    known[ObjectIdentifier(type)] = made
    return made
  }

  private init(_ all: [AnyProperty]) {
    self.all = all
    byPath = Dictionary(all.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
  }

  /// The property at `path`; nil if the class omits it.
  func anyProperty(_ path: AnyKeyPath) -> AnyProperty? { byPath[path] }

  func property<Owner: View, Value: InspectableValue>(
    _ path: ReferenceWritableKeyPath<Owner, Value>, of view: View
  ) -> Property<Value> {
    if let property = byPath[path] as? Property<Value> { return property }
    if let onFault = view.root?.onFault, reportedFaults.insert(path).inserted {
      onFault(
        "\(type(of: view)).inspectables leaves out \(path): list it, or super.inspectables, or name the class that declares it"
      )
    }
    if let property = unlisted[path] as? Property<Value> { return property }
    let made = Property("\(path)", path, .display)
    unlisted[path] = made
    return made
  }
}

extension View {
  /// The properties listed by the view's class: those of the superclass before those of its subclasses.
  public var inspectables: [AnyProperty] { PropertyTable.of(self).all }

  /// The property with the given name in code and files; nil if the view has none.
  public func inspectable(named name: String) -> AnyProperty? { inspectables.first { $0.name == name } }

  /// Reports that a computed property's value changed: applies its effect and notifies observers that knew a different value.
  /// `path` names the class that declares it: `didChange(\Dial.value)`. Nothing happens if a subclass omits the property from
  /// its list.
  public func didChange<Owner: View>(_ path: PartialKeyPath<Owner>) {
    guard let property = PropertyTable.of(self).anyProperty(path) else { return }
    endAnimation(of: property, forStep: true)
    finishChange(of: property) { true }
  }

  /// Reports that a table of values by state has changed from `old`. For each state whose value changed, applies the effect of
  /// its property at `path` and notifies its observers. A state that is in no list uses the effect of the normal state, at
  /// `normal`.
  func didChange<Owner: View, Value: Equatable>(
    from old: StateTable<Value>, to new: StateTable<Value>, normal: PartialKeyPath<Owner>,
    _ path: (Control.State) -> PartialKeyPath<Owner>
  ) {
    let table = PropertyTable.of(self)
    for state in new.changes(from: old) {
      let path = state == .normal ? normal : path(state)
      if table.anyProperty(path) != nil {
        didChange(path)
      } else if let property = table.anyProperty(normal) {
        finishChange(of: property) { true }
      }
    }
  }

  /// Adds `body`, which is called after every change of the property at `path` with the old and the new value, as long as the
  /// token is held. `path` names the class that declares it: `observe(\Slider.value)`.
  ///
  /// Observers are notified in the order in which they were added. If an observer sets the property again, later observers are
  /// notified once, with the final value, or not at all if it is the old one.
  public func observe<Owner: View, Value: InspectableValue>(
    _ path: ReferenceWritableKeyPath<Owner, Value>, _ body: @escaping (_ change: PropertyChange<Value>) -> Void
  ) -> Observation {
    PropertyTable.of(self).property(path, of: self).observe(self, changes: body)
  }

  /// Has `body` called after every change of `property`, whatever its type, as long as the token is held.
  public func observe(_ property: AnyProperty, _ body: @escaping () -> Void) -> Observation {
    property.observe(self, body)
  }

  /// Runs the view's own reaction, then marks display or layout, then notifies observers.
  fileprivate func finishChange(of property: AnyProperty, isChanged: () -> Bool) {
    if let reaction = property.reaction {
      let state = makePropertyState()
      // Set again by the view's own reaction: only the outermost change is shown and reported, when all has settled.
      guard !state.isReacting(to: property) else { return }
      state.reacting.append(property)
      reaction(self)
      state.reacting.removeLast()
      guard isChanged() else { return }
    }
    mark(property.effect)
    propertyState?.notifyObservers(of: property)
  }

  /// Marks the view for what is due.
  @usableFromInline func mark(_ effect: InspectableEffect) {
    switch effect {
    case .none: break
    case .display: setNeedsDisplay()
    case .staticDisplay: setNeedsStaticDisplay()
    case .layout:
      setNeedsLayout()
      setNeedsStaticDisplay()
    }
  }
}
