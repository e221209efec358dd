// Owns a property that can be set by code, files and inspectors alike, and what happens when it changes.
// Must not know any single view.

/// A property of a view that redraws or lays it out when it changes, can be observed and animated, and is found by name.
///
///     @Inspectable(.display, limits: 0...1) public var curvaceousness = 1.0
///
/// Whoever sets it, the same happens: the value is brought within its limits (one with NaN or infinite parts is ignored);
/// a value equal to the old one ends it; the new one is kept; the view's `inspectableDidChange(_:)` may adjust other
/// properties; the view is marked for drawing or layout; and the observers are told. `$curvaceousness` is the property
/// itself, to observe or animate it; inside the class, `_curvaceousness` is the same.
@propertyWrapper
public final class Inspectable<Value: InspectableValue>: InspectableBox {
  /// What only some properties have.
  private final class Traits {
    var title: String?
    var group: String?
    var limits: ClosedRange<Double>?
    var normalise: ((Value) -> Value)?
  }

  /// The value; to change it use the property, or `set(_:on:)`.
  public private(set) var value: Value
  /// What becomes due when it changes.
  public let effect: InspectableEffect
  private let traits: Traits?
  private var observers: PropertyObservers<Void>?
  private var isChanging = false
  /// Counts the animations, so that one which ended early moves nothing any more.
  private var animationNumber = 0
  private(set) var isAnimating = false

  private init(_ value: Value, _ effect: InspectableEffect, _ traits: Traits?) {
    self.value = traits?.normalise?(value) ?? value
    self.effect = effect
    self.traits = traits
    super.init()
  }

  /// A property with `wrappedValue` at first.
  ///
  /// - Parameters:
  ///   - effect: What becomes due when it changes.
  ///   - title: The name for people, where the one in code is not it.
  ///   - group: The heading it is shown under, where the title's first word is not it.
  ///   - normalise: Makes a value one that the property takes. It must leave values alone that it made itself.
  public convenience init(
    wrappedValue: Value, _ effect: InspectableEffect = .display, title: String? = nil, group: String? = nil,
    normalise: ((Value) -> Value)? = nil
  ) {
    self.init(wrappedValue, effect, Self.traits(title, group, nil, normalise))
  }

  fileprivate convenience init(
    _ value: Value, _ effect: InspectableEffect, title: String?, group: String?, limits: ClosedRange<Double>,
    normalise: @escaping (Value) -> Value
  ) {
    self.init(value, effect, Self.traits(title, group, limits, normalise))
  }

  private static func traits(
    _ title: String?, _ group: String?, _ limits: ClosedRange<Double>?, _ normalise: ((Value) -> Value)?
  ) -> Traits? {
    guard title != nil || group != nil || normalise != nil else { return nil }
    let traits = Traits()
    (traits.title, traits.group, traits.limits, traits.normalise) = (title, group, limits, normalise)
    return traits
  }

  // MARK: As a property

  /// The value as the property of `view`.
  public static subscript<Owner: View>(
    _enclosingInstance view: Owner, wrapped _: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Inspectable<Value>>
  ) -> Value {
    get { view[keyPath: storage].value }
    set { view[keyPath: storage].set(newValue, on: view) }
  }

  /// The property itself.
  public static subscript<Owner: View>(
    _enclosingInstance view: Owner, projected _: KeyPath<Owner, Inspectable<Value>>,
    storage storage: ReferenceWritableKeyPath<Owner, Inspectable<Value>>
  ) -> Inspectable<Value> {
    let property = view[keyPath: storage]
    property.bind(to: view)
    return property
  }

  /// Not to be used: only views have inspectable properties.
  @available(*, unavailable, message: "@Inspectable is for properties of View and its subclasses")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// Not to be used: only views have inspectable properties.
  @available(*, unavailable, message: "@Inspectable is for properties of View and its subclasses")
  public var projectedValue: Inspectable<Value> { self }

  // MARK: Changes

  /// Sets the value as if the property of `view` were set. An animation of it ends where it is. True when it changed.
  @discardableResult public func set(_ newValue: Value, on view: View) -> Bool {
    guard newValue.isUsable else { return false }
    if isAnimating, !isChanging { endAnimation(on: view) }
    return change(to: newValue, on: view)
  }

  @discardableResult func change(to newValue: Value, on view: View) -> Bool {
    guard newValue.isUsable else { return false }
    let new = traits?.normalise?(newValue) ?? newValue
    let old = value
    guard new != old else { return false }
    bind(to: view)
    value = new
    // Set again by the view's own answer: only the outermost change, when all is settled, is shown and told.
    guard !isChanging else { return true }
    isChanging = true
    view.inspectableDidChange(self)
    isChanging = false
    guard value != old else { return false }
    switch effect {
    case .none: break
    case .display: view.setNeedsDisplay()
    case .staticDisplay: view.setNeedsStaticDisplay()
    case .layout:
      view.setNeedsLayout()
      view.setNeedsStaticDisplay()
    }
    observers?.tellOfValue()
    return true
  }

  /// Has `body` called after every change with the old and the new value, as long as the token is held. Observers are told
  /// in the order in which they came. Where one of them sets the property again, those after it hear of both changes as one.
  public func observe(_ body: @escaping (PropertyChange<Value>) -> Void) -> PropertyObservation {
    let observers = self.observers ?? PropertyObservers<Void>()
    self.observers = observers
    var known = value
    return observers.add { [unowned self] in
      guard value != known else { return }
      let change = PropertyChange(old: known, new: value)
      known = value
      body(change)
    }
  }

  // MARK: Animations

  private var animationKey: String { "property." + name }

  func runAnimation(
    _ animation: Animation, on view: View, _ completion: ((Bool) -> Void)?, at: @escaping (Double) -> Value
  ) {
    if isAnimating { endAnimation(on: view) }
    animationNumber += 1
    isAnimating = true
    let number = animationNumber
    view.addAnimation(animation, forKey: animationKey) { [weak view] fraction in
      guard let view, self.animationNumber == number else { return }
      self.change(to: at(fraction), on: view)
    } completion: { finished in
      if self.animationNumber == number { self.isAnimating = false }
      completion?(finished)
    }
  }

  /// Ends an animation; the value stays where it is.
  func endAnimation(on view: View) {
    animationNumber += 1
    isAnimating = false
    view.removeAnimation(forKey: animationKey)
  }

  // MARK: As any property

  /// The name for people.
  public override var title: String { traits?.title ?? super.title }

  /// The heading it is shown under.
  public override var group: String { traits?.group ?? super.group }

  /// How it is shown and edited.
  public override var kind: InspectableKind { Value.inspectableKind }

  /// The least and the greatest number.
  public override var limits: ClosedRange<Double>? { traits?.limits }

  /// The value as JSON.
  public override var jsonValue: JSONValue { value.json }

  /// Takes a value from JSON.
  public override func set(json: JSONValue, on view: View) throws(InspectableError) {
    set(try Value(json: json), on: view)
  }

  /// Has `body` called after every change, as long as the token is held.
  public override func observeAny(_ body: @escaping () -> Void) -> PropertyObservation {
    observe { _ in body() }
  }
}

extension Inspectable where Value: ExpressibleByNilLiteral {
  /// A property that is nil at first; the parameters are as for any property.
  public convenience init(
    _ effect: InspectableEffect = .display, title: String? = nil, group: String? = nil,
    normalise: ((Value) -> Value)? = nil
  ) {
    self.init(wrappedValue: nil, effect, title: title, group: group, normalise: normalise)
  }
}

extension Inspectable where Value == Double {
  /// A number that stays within `limits`; the other parameters are as for any property.
  public convenience init(
    wrappedValue: Double, _ effect: InspectableEffect = .display, limits: ClosedRange<Double>, title: String? = nil,
    group: String? = nil
  ) {
    self.init(wrappedValue, effect, title: title, group: group, limits: limits) {
      min(max($0, limits.lowerBound), limits.upperBound)
    }
  }
}

extension Inspectable where Value == Int {
  /// A whole number that stays within `limits`; the other parameters are as for any property.
  public convenience init(
    wrappedValue: Int, _ effect: InspectableEffect = .display, limits: ClosedRange<Int>, title: String? = nil,
    group: String? = nil
  ) {
    self.init(
      wrappedValue, effect, title: title, group: group,
      limits: Double(limits.lowerBound)...Double(limits.upperBound)
    ) {
      min(max($0, limits.lowerBound), limits.upperBound)
    }
  }
}
