import WaylandWire

extension WireInterface {
  /// The description of the interface with this name; nil if this module has none.
  public static func named(_ name: String) -> WireInterface? { byName[name] }

  /// The descriptions of all interfaces of this module.
  public static var all: [WireInterface] { InterfaceTable.ofModule.all }

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
