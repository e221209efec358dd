/// A way to read and to set a value that is kept elsewhere: what a control needs to know of a model.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let origin: AnyObject?
  private let path: [AnyKeyPath]
  private let get: () -> Value
  private let set: (Value) -> Void

  init(origin: AnyObject?, path: [AnyKeyPath], get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    (self.origin, self.path, self.get, self.set) = (origin, path, get, set)
  }

  /// A binding by two functions. `set` may refuse: the control then shows what `get` says.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.init(origin: nil, path: [], get: get, set: set)
  }

  /// A value that nobody changes, for previews and tests.
  public static func constant(_ value: Value) -> Binding { Binding(get: { value }, set: { _ in }) }

  /// The value. What reads it in a body is told of changes.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding itself, to pass on: `$name`.
  public var projectedValue: Binding { self }

  /// A binding to a part of the value: `$size.width`.
  public subscript<Part>(dynamicMember part: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(origin: origin, path: path + [part]) {
      get()[keyPath: part]
    } set: {
      var value = get()
      value[keyPath: part] = $0
      // Of an object a part alone has changed, and that is known.
      if !(Value.self is AnyObject.Type) { set(value) }
    }
  }

  /// True if both are known to speak of the same value.
  func isSame(as other: Binding) -> Bool { origin != nil && origin === other.origin && path == other.path }
}

extension Binding: PlacedProperty {
  func isSame(as other: Any) -> Bool { (other as? Binding).map { isSame(as: $0) } ?? false }
}

/// Gives bindings to the properties of an `@Observable` model: `$lamp.brightness`.
@propertyWrapper @dynamicMemberLookup public struct Bindable<Model: AnyObject & Observable> {
  /// The model whose properties the bindings read and set.
  public let wrappedValue: Model

  /// Bindings to the properties of `wrappedValue`.
  public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }

  /// Bindings to the properties of `model`, where it is no property: `Bindable(lamp).brightness`.
  public init(_ model: Model) { wrappedValue = model }

  /// This value, whose members are bindings: `$lamp`.
  public var projectedValue: Bindable { self }

  /// A binding to the model's property at `property`.
  public subscript<Value>(dynamicMember property: ReferenceWritableKeyPath<Model, Value>) -> Binding<Value> {
    let model = wrappedValue
    return Binding(origin: model, path: [property]) {
      model[keyPath: property]
    } set: {
      model[keyPath: property] = $0
    }
  }
}

extension Bindable: PlacedProperty {
  func isSame(as other: Any) -> Bool { (other as? Bindable)?.wrappedValue === wrappedValue }
}
