// Requests with objects that another library made.

import CWayland
import WaylandWire

extension WlSurface {
  /// `wl_surface.attach` with a buffer of libwayland-cursor's, which stays its owner.
  public func attachForeign(buffer: OpaquePointer) {
    withWireArguments(3) { arguments in
      arguments[0].o = buffer
      arguments[1].i = 0
      arguments[2].i = 0
      marshal(1, arguments)
    }
  }
}
