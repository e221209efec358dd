import CWaylandServer
import WaylandWire

extension InterfaceTable {
  /// The descriptions of every interface that the server's bindings have a class for.
  public static var ofWaylandServer: [wl_interface] { ofThisModule.all }
}
