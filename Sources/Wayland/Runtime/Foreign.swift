import CWayland
import WaylandWire

extension Proxy {
  /// Sends the request `opcode`, whose only argument is the callback that it creates.
  fileprivate func makeCallback(inPlaceOf ended: inout WlCallback?, _ opcode: UInt32) -> WlCallback {
    withWireArguments(1) { arguments in
      arguments[0].n = 0
      return construct(inPlaceOf: &ended, opcode, arguments)
    }
  }
}

extension WlDisplay {
  /// Sends `wl_display.sync`. Reuses an ended callback to avoid an allocation (`Proxy.construct(inPlaceOf:)`), because syncs are
  /// sent ten times a second during a drive.
  public func sync(inPlaceOf ended: inout WlCallback?) -> WlCallback { makeCallback(inPlaceOf: &ended, 0) }
}

extension WlSurface {
  /// Sends `wl_surface.frame`. Reuses an ended callback to avoid an allocation (`Proxy.construct(inPlaceOf:)`), because it is
  /// sent with every frame.
  public func frame(inPlaceOf ended: inout WlCallback?) -> WlCallback { makeCallback(inPlaceOf: &ended, 3) }

  /// Sends `wl_surface.attach`, without an offset, for a buffer that libwayland-cursor owns.
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
  /// Sends `wp_presentation.feedback`. Reuses an ended feedback to avoid an allocation (`Proxy.construct(inPlaceOf:)`).
  public func feedback(surface: WlSurface, inPlaceOf ended: inout WpPresentationFeedback?) -> WpPresentationFeedback {
    guard maySend(1, with: surface) else { return WpPresentationFeedback(ended: ()) }
    return withWireArguments(2) { arguments in
      arguments[0].o = wireObject(surface)
      arguments[1].n = 0
      return construct(inPlaceOf: &ended, 1, arguments)
    }
  }
}
