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
  init(globals: Globals, options: WindowOptions) {
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
    decoration?.setMode(mode: .serverSide)
    if options.isFullscreen { toplevel.setFullscreen(output: nil) }
  }

  /// Promises that `area` is opaque, and nothing else; empty takes the promise back.
  func setOpaque(_ area: Rect) {
    guard !area.isEmpty else { return surface.setOpaqueRegion(region: nil) }
    let region = compositor.createRegion()
    region.add(x: Int32(area.minX), y: Int32(area.minY), width: Int32(area.width), height: Int32(area.height))
    surface.setOpaqueRegion(region: region)
    region.destroy()
  }

  /// Ends the objects, each before the object that it extends (xdg-decoration, xdg-shell).
  func end() {
    decoration?.end()
    toplevel.end()
    xdgSurface.end()
    fractionalScale?.end()
    viewport?.end()
    surface.end()
  }
}
