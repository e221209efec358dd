/// What a class of views says about one of its properties, once for all views of the class: `View.inspectables` lists them. Files,
/// inspectors, observers and animations all go by that list.
public class AnyProperty {
  /// The name in code and files, such as `trackTintColor`.
  public let name: String
  /// The name for people and the heading it is shown under, where the list says them; else they follow from `name`.
  package let givenTitle, givenGroup: String?
  /// The least and the greatest value of a number that has such; for others nil.
  public let limits: ClosedRange<Double>?
  /// The name of the property whose value this one says in another way, such as `gear` for a knob's position; nil for one with a
  /// value of its own. Files may set either; writers and copies keep the other one.
  public let derivedFrom: String?
  /// What becomes due when it changes.
  public let effect: InspectableEffect
  /// True for what `View.inspection` says of a view.
  public let isTold: Bool
  /// How it is shown and edited.
  public let kind: InspectableKind
  let path: AnyKeyPath
  /// What animations of it run under; made once, since every change asks for it.
  final lazy var animationKey = "property." + name
  fileprivate let reaction: ((View) -> Void)?

  fileprivate init(
    _ name: String, _ path: AnyKeyPath, _ effect: InspectableEffect, title: String?, group: String?,
    limits: ClosedRange<Double>?, derivedFrom: String?, isTold: Bool, kind: InspectableKind, reaction: ((View) -> Void)?
  ) {
    self.name = name
    self.path = path
    self.effect = effect
    (givenTitle, givenGroup) = (title, group)
    self.limits = limits
    self.derivedFrom = derivedFrom
    self.isTold = isTold
    self.kind = kind
    self.reaction = reaction
  }

  /// True when there are values between two of its values, so that `View.animate` moves it.
  public var animates: Bool { false }

  /// The value of `view` as JSON, for files and clipboards.
  public func json(of view: View) -> JSONValue { .null }

  /// The value of `view` as people and tools read it; nil for none.
  final func told(of view: View) -> Inspection.Value? {
    switch json(of: view) {
    case .bool(let value): .bool(value)
    case .number(let value): kind == .integer ? .integer(Int(clamping: value)) : .number(value)
    case .string(let value): .text(value)
    case .null, .array, .object: nil
    }
  }

  /// Gives `view` a value from JSON. The same happens as when code sets it.
  public final func set(_ json: JSONValue, on view: View) throws(InspectableError) { try setter(json)(view) }

  /// Reads a value from JSON, and gives it to views later: a mistake is known before any view changes.
  package func setter(_ json: JSONValue) throws(InspectableError) -> (View) -> Void { { _ in } }

  fileprivate func observe(_ view: View, _ body: @escaping () -> Void) -> Observation { Observation() }
}

/// A property whose values are of one type.
public final class Property<Value: InspectableValue>: AnyProperty {
  private let read: (View) -> Value
  private let write: (View, Value) -> Void
  private let normalise: ((Value) -> Value)?

  /// Says what there is to know of the property at `path`.
  ///
  /// - Parameters:
  ///   - name: The name in code and files.
  ///   - path: The property, by the class that declares it: `\Dial.value`. It is either an `@Inspectable`, or computed; then
  ///     the class calls `View.didChange(_:)` with the same path whenever the value is another.
  ///   - effect: What becomes due when it changes; `.none` also where the class sees to that itself.
  ///   - title: The name for people, where the one in code is not it.
  ///   - group: The inspector heading; defaults to the first word of the title.
  ///   - limits: The least and the greatest number. An `@Inspectable` is brought within them; of a computed property they are for
  ///     editors only.
  ///   - derivedFrom: The name of the property whose value this one says in another way; nil for one of its own.
  ///   - isTold: True for what `--dump-tree` and tests say of a view (`View.inspection`).
  ///   - normalise: Maps a value to a valid one. Must be idempotent, and the initial value must already be valid.
  ///   - reaction: What the class does about a change, before anything is due and observers are told: the place to adjust
  ///     properties that depend on each other. Where it sets the property again, both count as one change.
  public init<Owner: View>(
    _ name: String, _ path: ReferenceWritableKeyPath<Owner, Value>, _ effect: InspectableEffect, title: String? = nil,
    group: String? = nil, limits: ClosedRange<Double>? = nil, derivedFrom: String? = nil,
    isTold: Bool = false, normalise: ((Value) -> Value)? = nil, then reaction: ((Owner) -> Void)? = nil
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
      isTold: isTold, kind: Value.inspectableKind, reaction: reaction.map { react in { react(owner($0)) } })
  }

  /// The value of `view`.
  public func value(of view: View) -> Value { read(view) }

  /// Gives `view` a value, as if code set the property. One with NaN or infinite parts is ignored.
  public func set(_ value: Value, on view: View) {
    if value.isUsable { write(view, value) }
  }

  /// `value`, or the nearest one that the property takes.
  fileprivate func normal(_ value: Value) -> Value {
    let limited = limits.map { value.limited(to: $0) } ?? value
    return normalise?(limited) ?? limited
  }

  /// True for values that can be gone between.
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

/// What becomes due when a property changes.
nonisolated public enum InspectableEffect: Hashable, Sendable {
  /// Nothing: the property is not seen, or the class sees to it itself.
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

/// Keeps the value of a property that is in its class' list, and has a change of it do what the list says.
///
///     @Inspectable public var curvaceousness = 1.0
///     public override class var inspectables: [AnyProperty] {
///       super.inspectables + [Property("curvaceousness", \Dial.curvaceousness, .display, limits: 0...1)]
///     }
///
/// Whoever sets it, the same happens: a value with NaN or infinite parts is ignored; another is brought within the limits; one
/// equal to the old one ends it; the class' reaction may adjust other properties; the view is marked for drawing or layout; and
/// the observers are told. Only the value lies in the view. A property that the class' list leaves out, as where a subclass forgets
/// `super.inspectables`, is only drawn anew, and the root's `onFault` hears of it once.
@propertyWrapper
public struct Inspectable<Value: InspectableValue> {
  fileprivate var value: Value

  /// A property with `wrappedValue` at first.
  public init(wrappedValue: Value) { value = wrappedValue }

  /// A property that is nil at first.
  public init() where Value: ExpressibleByNilLiteral { value = nil }

  /// The value as the property of `view`.
  public static subscript<Owner: View>(
    _enclosingInstance view: Owner, wrapped path: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Inspectable<Value>>
  ) -> Value {
    get { view[keyPath: storage].value }
    set {
      let old = view[keyPath: storage].value
      // Nobody waits for anything where nothing changes, but for an animation that setting ends.
      guard newValue != old || view.propertyState != nil, newValue.isUsable else { return }
      let property = PropertyTable.of(view).property(path, of: view)
      view.endAnimation(of: property, forStep: true)
      let new = property.normal(newValue)
      guard new != old else { return }
      view[keyPath: storage].value = new
      view.settle(property) { view[keyPath: storage].value != old }
    }
  }

  /// Not to be used: only views have inspectable properties.
  @available(*, unavailable, message: "@Inspectable is for properties of View and its subclasses")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }
}

/// Keeps a value of a view that its drawing or layout follows, and that is no property for files and inspectors.
///
///     @Redraws var isLit = false
///     @Redraws(.layout) var columnCount = 2
///
/// Another value marks the view for what the wrapper says; an equal one does nothing.
@propertyWrapper
public struct Redraws<Value: Equatable> {
  @usableFromInline var value: Value
  @usableFromInline let effect: InspectableEffect

  /// A value that is `wrappedValue` at first; `effect` becomes due when it changes.
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
    // Inlined, so that no key path is left: writing through one would ask for memory.
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
  /// Those that the class should list, made up when they are first asked for, and of which faults told.
  private var unlisted: [AnyKeyPath: AnyProperty] = [:]
  private var told: Set<AnyKeyPath> = []
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

  /// The property at `path`; nil where the class leaves it out.
  func anyProperty(_ path: AnyKeyPath) -> AnyProperty? { byPath[path] }

  func property<Owner: View, Value: InspectableValue>(
    _ path: ReferenceWritableKeyPath<Owner, Value>, of view: View
  ) -> Property<Value> {
    if let property = byPath[path] as? Property<Value> { return property }
    if let onFault = view.root?.onFault, told.insert(path).inserted {
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
  /// What the view's class lists: the superclass' properties before those of its subclasses.
  public var inspectables: [AnyProperty] { PropertyTable.of(self).all }

  /// The property of that name in code and files; nil when the view has none.
  public func inspectable(named name: String) -> AnyProperty? { inspectables.first { $0.name == name } }

  /// Tells that a computed property has another value than before: what its class lists for it is carried out, and observers
  /// who knew another value are told. `path` names the class that declares it: `didChange(\Dial.value)`. Nothing happens where a
  /// subclass leaves the property out of its list.
  public func didChange<Owner: View>(_ path: PartialKeyPath<Owner>) {
    guard let property = PropertyTable.of(self).anyProperty(path) else { return }
    endAnimation(of: property, forStep: true)
    settle(property) { true }
  }

  /// Tells that a table of values by state is another than `old`. Each state whose value changed has its property, at `path`,
  /// carried out and told. One that is in no list has that of the normal state, at `normal`, carried out.
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
        settle(property) { true }
      }
    }
  }

  /// Has `body` called after every change of the property at `path` with the old and the new value, as long as the token is
  /// held. `path` names the class that declares it: `observe(\Slider.value)`.
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

  /// Runs the view's own reaction, then marks display or layout, then tells observers.
  fileprivate func settle(_ property: AnyProperty, isChanged: () -> Bool) {
    if let reaction = property.reaction {
      let state = makePropertyState()
      // Set again by the view's own answer: only the outermost change, when all is settled, is shown and told.
      guard !state.isReacting(to: property) else { return }
      state.reacting.append(property)
      reaction(self)
      state.reacting.removeLast()
      guard isChanged() else { return }
    }
    mark(property.effect)
    propertyState?.tellObservers(of: property)
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
