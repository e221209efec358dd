import WaylandWire

extension WireInterface {
  /// The description of the interface with this name; nil if this module has none.
  public static func named(_ name: String) -> WireInterface? { byName[name] }

  private static let byName = Dictionary(
    InterfaceTable.ofModule.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
