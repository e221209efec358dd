import Controls

/// The types of views that layout files name.
///
/// A type registered under a name is made as code makes it: there is one initialiser, so a control from a file and one made
/// in code behave the same (K1).
public struct ViewRegistry {
  private var makers: [String: () -> View] = [:]

  /// A registry without types; `ViewRegistry.controls` has those of this module.
  public init() {}

  /// Has layout files name views that `make` makes `name`. A second registration of a name replaces the first.
  public mutating func register(_ name: String, _ make: @escaping () -> View) {
    makers[name] = make
  }

  /// Has layout files name views of `type` as the type is named in code. A name in writing is found faster, which counts
  /// at a program's start.
  public mutating func register<Registered: View>(_ type: Registered.Type, _ make: @escaping () -> Registered) {
    register(_typeName(type, qualified: false), make)
  }

  /// The names that files may use, sorted.
  public var typeNames: [String] { makers.keys.sorted() }

  /// A new view of the type called `name`; nil when there is none.
  public func makeView(_ name: String) -> View? { makers[name]?() }

  /// The name that was perhaps meant.
  func nearestType(to name: String) -> String? { EditDistance.nearest(to: name, in: makers.keys.sorted()) }
}
