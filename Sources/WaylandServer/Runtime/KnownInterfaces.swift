// What the bindings know, for tests that look whether they have it all.

import CWaylandServer
import WaylandWire

extension InterfaceTable {
  /// The descriptions of every interface that the server's bindings have a class for.
  public static var ofWaylandServer: [wl_interface] { ofThisModule.all }
}
