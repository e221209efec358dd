// The protocol objects of one window, made and ended in legal order.

import Interface
import Wayland

/// A wl_surface with its xdg toplevel role and extensions. Knows requests; decides nothing.
final class ToplevelSurface {
  let surface: WlSurface
  let xdgSurface: XdgSurface
  let toplevel: XdgToplevel
  let viewport: WpViewport?
  let fractionalScale: WpFractionalScaleV1?
  let decoration: ZxdgToplevelDecorationV1?
  private let compositor: WlCompositor

  /// Makes the objects and describes the window; the caller sets handlers and commits.
  init(globals: Globals, options: WindowOptions, minimumSize: Size) {
    compositor = globals.compositor
    surface = compositor.createSurface()
    // Fractional scale needs the viewport: the buffer's size is then no whole multiple of the surface's.
    viewport = globals.viewporter?.getViewport(surface: surface)
    fractionalScale = viewport == nil ? nil : globals.fractionalScale?.getFractionalScale(surface: surface)
    xdgSurface = globals.wmBase.getXdgSurface(surface: surface)
    toplevel = xdgSurface.getToplevel()
    decoration = globals.decoration?.getToplevelDecoration(toplevel: toplevel)
    toplevel.setTitle(title: options.title)
    toplevel.setAppId(appId: options.applicationID)
    toplevel.setMinSize(width: Int32(minimumSize.width.rounded(.up)), height: Int32(minimumSize.height.rounded(.up)))
    decoration?.setMode(mode: .serverSide)
    if options.isFullscreen { toplevel.setFullscreen(output: nil) }
  }

  /// Promises that the whole surface of `size` is opaque, or takes the promise back.
  func setOpaque(_ isOpaque: Bool, size: Size) {
    guard isOpaque else { return surface.setOpaqueRegion(region: nil) }
    let region = compositor.createRegion()
    region.add(x: 0, y: 0, width: Int32(size.width), height: Int32(size.height))
    surface.setOpaqueRegion(region: region)
    region.destroy()
  }

  /// Ends the objects: extensions and roles before what they extend (xdg-decoration, xdg-shell).
  func end() {
    decoration?.end()
    toplevel.end()
    xdgSurface.end()
    fractionalScale?.end()
    viewport?.end()
    surface.end()
  }
}
