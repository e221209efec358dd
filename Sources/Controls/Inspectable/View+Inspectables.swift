// Owns finding a view's inspectable properties.
// Must not know their types.

/// Where a class keeps one of its inspectable properties.
final class InspectableSlot {
  let name: PropertyName
  /// How many classes up from the view's own.
  let depth: Int
  /// Which of that class' stored properties.
  let index: Int

  init(name: PropertyName, depth: Int, index: Int) {
    self.name = name
    self.depth = depth
    self.index = index
  }
}

/// The inspectable properties of one class of views. Looking through a view's stored properties costs much more than
/// reading one of known place, so it is done once for a class, and only when more than plain properties are asked for.
private final class InspectableClass {
  let plain: [PlainProperty]
  private var found: [InspectableSlot]?
  private var slotByName: [String: InspectableSlot] = [:]

  private static var known: [ObjectIdentifier: InspectableClass] = [:]

  static func of(_ view: View) -> InspectableClass {
    let id = ObjectIdentifier(type(of: view))
    if let found = known[id] { return found }
    let made = InspectableClass(plain: type(of: view).builtInInspectables)
    known[id] = made
    return made
  }

  private init(plain: [PlainProperty]) {
    self.plain = plain
  }

  /// The places of the properties of `view`'s class, in their order.
  func slots(_ view: View) -> [InspectableSlot] {
    if let found { return found }
    var slots: [InspectableSlot] = []
    var mirrors = [Mirror(reflecting: view)]
    while let mirror = mirrors.last?.superclassMirror { mirrors.append(mirror) }
    for (depth, mirror) in mirrors.enumerated().reversed() {
      // View and Control keep plain properties only.
      if mirror.subjectType == View.self || mirror.subjectType == Control.self { continue }
      for (index, child) in mirror.children.enumerated() {
        // Casts to classes are fast; the first one of a type to a protocol takes 30 us.
        guard let label = child.label, child.value is InspectableBox else { continue }
        let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
        // A subclass' property hides one of the same name above it.
        slots.removeAll { $0.name.name == name }
        let slot = InspectableSlot(name: PropertyName(name), depth: depth, index: index)
        slots.append(slot)
        slotByName[name] = slot
      }
    }
    found = slots
    return slots
  }

  func slot(named name: String, _ view: View) -> InspectableSlot? {
    if found == nil { _ = slots(view) }
    return slotByName[name]
  }
}

/// Reads some properties of one view.
struct InspectableReader {
  private let view: View
  private let known: InspectableClass
  private var mirrors: [Mirror] = []

  init(_ view: View) {
    self.view = view
    known = InspectableClass.of(view)
  }

  /// All of the view's properties, in their order.
  mutating func all() -> [any AnyInspectable] {
    var all: [any AnyInspectable] = known.plain.map { PlainInspectable($0, of: view) }
    for slot in known.slots(view) {
      if let property = read(slot) { all.append(property) }
    }
    return all
  }

  /// The property of that name; nil when the view has none.
  mutating func property(named name: String) -> (any AnyInspectable)? {
    if let plain = known.plain.first(where: { $0.name.name == name }) { return PlainInspectable(plain, of: view) }
    return known.slot(named: name, view).flatMap { read($0) }
  }

  /// Tells the properties their names.
  mutating func nameAll() {
    for slot in known.slots(view) { _ = read(slot) }
  }

  private mutating func read(_ slot: InspectableSlot) -> InspectableBox? {
    if mirrors.isEmpty { mirrors.append(Mirror(reflecting: view)) }
    while mirrors.count <= slot.depth {
      guard let above = mirrors.last?.superclassMirror else { return nil }
      mirrors.append(above)
    }
    let children = mirrors[slot.depth].children
    let child = children[children.index(children.startIndex, offsetBy: slot.index)]
    guard let property = child.value as? InspectableBox else { return nil }
    if property.slot == nil { property.slot = slot }
    property.bind(to: view)
    return property
  }
}

extension View {
  /// The view's inspectable properties: plain ones first, then in the order of declaration, the superclass' before those
  /// of its subclasses.
  public var inspectables: [any AnyInspectable] {
    var reader = InspectableReader(self)
    return reader.all()
  }

  /// The property of that name in code and files; nil when the view has none.
  public func inspectable(named name: String) -> (any AnyInspectable)? {
    var reader = InspectableReader(self)
    return reader.property(named: name)
  }

  /// The names of all inspectable properties, in their order.
  public var inspectableNames: [String] {
    let known = InspectableClass.of(self)
    return known.plain.map(\.name.name) + known.slots(self).map(\.name.name)
  }

  /// Tells the inspectable properties their names.
  func nameInspectables() {
    var reader = InspectableReader(self)
    reader.nameAll()
  }
}
