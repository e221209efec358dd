import CWayland
import WaylandWire

extension Proxy {
  /// Sends the request `opcode`, whose one argument is the callback that it makes.
  fileprivate func makeCallback(inPlaceOf ended: inout WlCallback?, _ opcode: UInt32) -> WlCallback {
    withWireArguments(1) { arguments in
      arguments[0].n = 0
      return construct(inPlaceOf: &ended, opcode, arguments)
    }
  }
}

extension WlDisplay {
  /// `wl_display.sync`, reusing the memory of an ended callback (`Proxy.construct(inPlaceOf:)`): it is
  /// asked ten times a second while somebody drives.
  public func sync(inPlaceOf ended: inout WlCallback?) -> WlCallback { makeCallback(inPlaceOf: &ended, 0) }
}

extension WlSurface {
  /// `wl_surface.frame`, with an ended callback's memory where there is one (`Proxy.construct(inPlaceOf:)`): it is asked for
  /// with every frame.
  public func frame(inPlaceOf ended: inout WlCallback?) -> WlCallback { makeCallback(inPlaceOf: &ended, 3) }

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

extension WpPresentation {
  /// `wp_presentation.feedback`, with an ended one's memory where there is one (`Proxy.construct(inPlaceOf:)`).
  public func feedback(surface: WlSurface, inPlaceOf ended: inout WpPresentationFeedback?) -> WpPresentationFeedback {
    guard maySend(1, with: surface) else { return WpPresentationFeedback(ended: ()) }
    return withWireArguments(2) { arguments in
      arguments[0].o = wireObject(surface)
      arguments[1].n = 0
      return construct(inPlaceOf: &ended, 1, arguments)
    }
  }
}
