/// The description of a property, once for all views of a class, made by `@Inspectable`. `View.inspectables` lists them for
/// files, inspectors, observers and animations.
public class AnyProperty {
  /// The name in code and files, such as `trackTintColor`.
  public let name: String
  /// The property in one sentence, for users of files and inspectors; empty if its declaration has no docstring.
  public let about: String
  /// The user-visible name and heading, if the list contains them; otherwise they follow from `name`.
  package let givenTitle, givenGroup: String?
  /// The least and greatest value of a number, to which every assignment is clamped; nil if all numbers are allowed.
  public let limits: ClosedRange<Double>?
  /// The range of a slider in an editor if the limits are absent or too far apart for one; nil for none.
  public let reach: ClosedRange<Double>?
  /// The effect of a change.
  public let effect: InspectableEffect
  /// True if `View.inspection` includes the property.
  public let isReported: Bool
  /// How the property is shown and edited.
  public let kind: InspectableKind
  let path: AnyKeyPath
  /// The path of the stored value; nil if the property stores it itself.
  let storage: AnyKeyPath?
  private let source: AnyKeyPath?
  private let limiterPaths: [AnyKeyPath]
  /// The inherited property before which this one is listed; nil to append it.
  let successor: AnyKeyPath?
  /// The key of its animations; created once, since every change uses it.
  final lazy var animationKey = "property." + name
  fileprivate let reaction: ((View) -> Void)?
  /// The views that are reacting to a change of the property.
  fileprivate final var reacting: [View] = []

  fileprivate init(
    _ name: String, _ path: AnyKeyPath, about: String, of storage: AnyKeyPath?, _ effect: InspectableEffect,
    title: String?, group: String?, limits: ClosedRange<Double>?, reach: ClosedRange<Double>?,
    derivedFrom source: AnyKeyPath?, limitedBy limiters: [AnyKeyPath], isReported: Bool, before successor: AnyKeyPath?,
    kind: InspectableKind, reaction: ((View) -> Void)?
  ) {
    (self.name, self.about) = (name, about)
    (self.path, self.storage, self.source, self.successor) = (path, storage, source, successor)
    limiterPaths = limiters
    self.effect = effect
    (givenTitle, givenGroup) = (title, group)
    (self.limits, self.reach) = (limits, reach)
    self.isReported = isReported
    self.kind = kind
    self.reaction = reaction
  }

  /// The name of the property of which this one is another form, such as `gear` for a knob's position; nil if it has its own
  /// value. Files may set either; only the second is written and copied.
  public var derivedFrom: String? { source.flatMap { PropertyTable.declared($0)?.name } }

  /// The properties that decide what a value of this one becomes; also the one of which it is another form.
  final var limiters: [AnyProperty] { ((source.map { [$0] } ?? []) + limiterPaths).compactMap(PropertyTable.declared) }

  /// The place in the order in which values are set together: 0 for a property that no other limits, otherwise one more than the
  /// greatest of its limits. Set in this order, a value need not be set again.
  package final private(set) lazy var rank: Int = rank(inside: [])

  private final func rank(inside outer: [AnyProperty]) -> Int {
    // Properties that wrongly limit each other in a circle are set in the order of the file.
    let inner = limiters.filter { limiter in !(outer + [self]).contains { $0 === limiter } }
    return inner.map { 1 + $0.rank(inside: outer + [self]) }.max() ?? 0
  }

  final func isReacting(of view: View) -> Bool { reacting.contains { $0 === view } }

  /// The value of `view` as JSON, for files and clipboards.
  public func json(of view: View) -> JSONValue { .null }

  /// Gives `view` a value from JSON. The same happens as when code sets it.
  public final func set(_ json: JSONValue, on view: View) throws(InspectableError) { try setter(json)(view) }

  /// Reads a value from JSON and returns a function that sets it on views later, so that an error is known before any view
  /// changes.
  package func setter(_ json: JSONValue) throws(InspectableError) -> (View) -> Void { { _ in } }

  fileprivate func observe(_ view: View, _ body: @escaping () -> Void) -> ObservationToken { ObservationToken() }
}

/// A property whose values are of one type.
public final class Property<Value: InspectableValue>: AnyProperty {
  private let read: (View) -> Value
  private let write: (View, Value) -> Void
  private let normalise: ((Value) -> Value)?

  /// Describes the property at `path`, whose value is stored at `storage` or, if that is nil, by the property itself. Calls are
  /// written by `@Inspectable`, which explains the other arguments.
  public init<Owner: View>(
    _ name: String, _ path: ReferenceWritableKeyPath<Owner, Value>, about: String = "",
    of storage: AnyKeyPath? = nil, _ effect: InspectableEffect, title: String? = nil, group: String? = nil,
    limits: ClosedRange<Double>? = nil, reach: ClosedRange<Double>? = nil, derivedFrom: AnyKeyPath? = nil,
    limitedBy: [AnyKeyPath] = [], isReported: Bool = false, before: AnyKeyPath? = nil,
    normalise: (@MainActor (Value) -> Value)? = nil, then reaction: ((Owner) -> @MainActor () -> Void)? = nil
  ) {
    func owner(_ view: View) -> Owner {
      guard let owner = view as? Owner else { preconditionFailure("\(type(of: view)) has no property \(name)") }
      return owner
    }
    read = { owner($0)[keyPath: path] }
    write = { owner($0)[keyPath: path] = $1 }
    self.normalise = normalise
    super.init(
      name, path, about: about, of: storage, effect, title: title, group: group, limits: limits, reach: reach,
      derivedFrom: derivedFrom, limitedBy: limitedBy, isReported: isReported, before: before,
      kind: Value.inspectableKind,
      reaction: reaction.map { react in { react(owner($0))() } })
  }

  /// Reads the property of `view`, as code reads it.
  public func value(of view: View) -> Value { read(view) }

  /// Sets the value on `view`, as if code set the property. A value with NaN or infinite components is ignored.
  public func set(_ value: Value, on view: View) { write(view, value) }

  /// `value`, or the nearest one that the property accepts; nil for a value with NaN or infinite components, which is ignored.
  /// Every assignment comes through here.
  fileprivate func normal(_ value: Value) -> Value? {
    guard value.isUsable else { return nil }
    let limited = limits.map { value.limited(to: $0) } ?? value
    return normalise?(limited) ?? limited
  }

  public override func json(of view: View) -> JSONValue { read(view).json }

  package override func setter(_ json: JSONValue) throws(InspectableError) -> (View) -> Void {
    let value = try Value(json: json)
    return { [self] in set(value, on: $0) }
  }

  fileprivate func observe(
    _ view: View, changes body: @escaping (PropertyChange<Value>) -> Void
  ) -> ObservationToken {
    var known = read(view)
    return view.makePropertyState().addObserver(of: self) { [unowned view, read] in
      let change = PropertyChange(old: known, new: read(view))
      guard change.new != change.old else { return }
      known = change.new
      body(change)
    }
  }

  fileprivate override func observe(_ view: View, _ body: @escaping () -> Void) -> ObservationToken {
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

/// What an observer of a property is told.
nonisolated public struct PropertyChange<Value> {
  /// The value before.
  public let old: Value
  /// The value now.
  public let new: Value
}

nonisolated extension PropertyChange: Sendable where Value: Sendable {}

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
  /// Those that limit others or are limited by others, the limits first.
  private(set) lazy var coupled: [AnyProperty] = {
    let limiters = Set(all.flatMap(\.limiters).map { ObjectIdentifier($0) })
    return all.filter { !$0.limiters.isEmpty || limiters.contains(ObjectIdentifier($0)) }.sorted { $0.rank < $1.rank }
  }()
  private static var tables: [ObjectIdentifier: PropertyTable] = [:]
  /// Stand-ins for properties that are not inspectable, each reported as a fault.
  private static var strangers: [AnyKeyPath: AnyProperty] = [:]
  private static var reportedFaults: Set<AnyKeyPath> = []

  static func of(_ type: View.Type) -> PropertyTable {
    if let found = tables[ObjectIdentifier(type)] { return found }
    let made = PropertyTable(type.inspectables)
    tables[ObjectIdentifier(type)] = made
    return made
  }

  private init(_ all: [AnyProperty]) {
    self.all = all
    let kept = all.compactMap { property in property.storage.map { ($0, property) } }
    byPath = Dictionary(kept + all.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
  }

  /// The property at `path` in the list of the class that `path` names; nil if it has no such property.
  static func declared(_ path: AnyKeyPath) -> AnyProperty? {
    (Swift.type(of: path).rootType as? View.Type).flatMap { of($0).byPath[path] }
  }

  /// The property of `view` at `path`, also one that its class removed from the list; nil if it is not inspectable.
  static func known(_ path: AnyKeyPath, of view: View) -> AnyProperty? {
    of(type(of: view)).byPath[path] ?? declared(path)
  }

  static func property<Owner: View, Value: InspectableValue>(
    _ path: ReferenceWritableKeyPath<Owner, Value>, of view: View
  ) -> Property<Value> {
    if let property = known(path, of: view) as? Property<Value> { return property }
    if let onFault = view.root?.onFault, reportedFaults.insert(path).inserted {
      onFault("\(path) is not inspectable, so that its changes are unknown: declare it by @Inspectable")
    }
    if let property = strangers[path] as? Property<Value> { return property }
    let made = Property("\(path)", path, .display)
    strangers[path] = made
    return made
  }
}

extension View {
  /// The properties listed by the view's class: those of the superclass before those of its subclasses.
  public var inspectables: [AnyProperty] { PropertyTable.of(type(of: self)).all }

  /// Those of the properties that limit others or are limited by others, in the order in which values are set together.
  package var coupledInspectables: [AnyProperty] { PropertyTable.of(type(of: self)).coupled }

  /// True if `property` limits others of the view's properties or is limited by others.
  package func isCoupled(_ property: AnyProperty) -> Bool { coupledInspectables.contains { $0 === property } }

  /// The property with the given name in code and files; nil if the view has none.
  public func inspectable(named name: String) -> AnyProperty? { inspectables.first { $0.name == name } }

  /// Reports that the value of a property that is stored elsewhere changed: the class reacts, the effect is applied, and
  /// observers that knew a different value are notified. `path` is that of the property, from the class that declares it:
  /// `didChange(\Dial.value)`; or that of the stored value: `didChange(\Dial.model.value)`.
  public func didChange<Owner: View>(_ path: PartialKeyPath<Owner>) {
    guard let property = PropertyTable.known(path, of: self) else { return }
    endAnimation(of: property, forStep: true)
    finishChange(of: property) { true }
  }

  /// Reports that a table of values by state has changed from `old`. For each state whose value changed, applies the effect of
  /// its property at `path` and notifies its observers. A state that has no property uses the effect of the normal state, at
  /// `normal`.
  func didChange<Owner: View, Value: Equatable>(
    from old: StateTable<Value>, to new: StateTable<Value>, normal: PartialKeyPath<Owner>,
    _ path: (Control.State) -> PartialKeyPath<Owner>
  ) {
    for state in new.changes(from: old) {
      let path = state == .normal ? normal : path(state)
      if PropertyTable.known(path, of: self) != nil {
        didChange(path)
      } else if let property = PropertyTable.known(normal, of: self) {
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
  ) -> ObservationToken {
    PropertyTable.property(path, of: self).observe(self, changes: body)
  }

  /// Has `body` called after every change of `property`, whatever its type, as long as the token is held.
  public func observe(_ property: AnyProperty, _ body: @escaping () -> Void) -> ObservationToken {
    property.observe(self, body)
  }

  /// Sets a property that stores its value itself. Calls are written by `@Inspectable`.
  public final func setProperty<Value>(
    _ property: Property<Value>, to newValue: Value, get: () -> Value, set: (Value) -> Void
  ) {
    let old = get()
    // Skipped if nothing changes, except for an animation that setting ends.
    guard newValue != old || propertyState != nil, let new = property.normal(newValue) else { return }
    endAnimation(of: property, forStep: true)
    guard new != old else { return }
    set(new)
    finishChange(of: property) { get() != old }
  }

  /// Sets a property whose value is stored elsewhere; the code that stores it reports the change. Calls are written by
  /// `@Inspectable`.
  public final func setProperty<Value>(_ property: Property<Value>, to newValue: Value, set: (Value) -> Void) {
    guard let new = property.normal(newValue) else { return }
    endAnimation(of: property)
    set(new)
  }

  /// Runs the view's own reaction, then marks display or layout, then notifies observers.
  fileprivate func finishChange(of property: AnyProperty, isChanged: () -> Bool) {
    if let reaction = property.reaction {
      // Set again by the view's own reaction: only the outermost change is shown and reported, when all has settled.
      guard !property.isReacting(of: self) else { return }
      property.reacting.append(self)
      reaction(self)
      property.reacting.removeLast()
      guard isChanged() else { return }
    }
    mark(property.effect)
    propertyState?.notifyObservers(of: property)
  }

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
