/// A value that belongs to one place of a panel: it lives as long as the view there does, whatever is described anew.
///
///     struct Counter: View {
///       @State private var count = 0
///       var body: some View { Button("\(count)") { count += 1 } }
///     }
///
/// A change evaluates the bodies that read it, here or through a binding. The value that the property is declared with is that of a new place.
@propertyWrapper public struct State<Value>: StateProperty {
  private let cell: StateCell<Value>

  /// A value that is `wrappedValue` at first.
  public init(wrappedValue: Value) { cell = StateCell(wrappedValue) }

  /// The value. Setting it to an equal one, or to the same object, changes nothing.
  public var wrappedValue: Value {
    get { cell.value }
    nonmutating set { cell.value = newValue }
  }

  /// A binding to the value, `$name`, for a control that sets it.
  public var projectedValue: Binding<Value> {
    let cell = cell.owner
    return Binding(origin: cell, path: []) {
      cell.value
    } set: {
      cell.value = $0
    }
  }

  func adopt(_ older: Any) {
    if let older = older as? State { cell.adopt(older.cell) }
  }
}

/// A property of a description whose value belongs to the place.
protocol StateProperty {
  /// Makes this one speak of the value that `older`, the property in the older description of the same place, speaks of.
  func adopt(_ older: Any)
}

/// Where a state is kept. A description is made with a cell of its own, which then speaks of that of its place.
final class StateCell<Value>: nonisolated Observable {
  private let registrar = ObservationRegistrar()
  private var stored: Value
  private var adopted: StateCell?

  init(_ value: Value) { stored = value }

  /// The cell that has the value.
  var owner: StateCell { adopted ?? self }

  var value: Value {
    get {
      let owner = owner
      owner.registrar.access(owner, keyPath: \.stored)
      return owner.stored
    }
    set {
      let owner = owner
      guard !isSame(owner.stored, newValue) else { return }
      owner.registrar.withMutation(of: owner, keyPath: \.stored) { owner.stored = newValue }
    }
  }

  func adopt(_ older: StateCell) {
    if older.owner !== self { adopted = older.owner }
  }
}
