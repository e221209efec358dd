import Wayland

/// A wl_surface with its role and extensions. It sends requests; it decides nothing.
final class ToplevelSurface {
  /// The objects that give the surface its position on the screen: one, on an xdg surface for a window or a popup.
  private struct Role {
    var xdgSurface: XdgSurface?
    var toplevel: XdgToplevel?
    var ivi: IviSurface?
    var strip: ZwlrLayerSurfaceV1?
    var popup: XdgPopup?
  }

  /// A message about the surface's size, state or position.
  enum Event {
    case toplevel(XdgToplevel.Event)
    /// The preceding states and sizes apply from now on.
    case configured(serial: UInt32)
    /// A size without states; a zero side is left to the client.
    case sized(width: Int32, height: Int32)
    /// A popup's corner, from the corner of its parent's window.
    case placed(x: Int32, y: Int32)
    case closed
    /// The compositor shows a strip no longer, mostly because its output is gone.
    case removed
  }

  let surface: WlSurface
  let viewport: WpViewport?
  let fractionalScale: WpFractionalScaleV1?
  let decoration: ZxdgToplevelDecorationV1?
  var onEvent: ((Event) -> Void)?
  private let role: Role
  private let compositor: WlCompositor
  private let wmBase: XdgWmBase
  /// The number of positions that a popup was asked to move to.
  private var moves: UInt32 = 0

  /// Creates the objects and describes the window, of `size` if it is a strip, or the popup; the caller sets handlers and
  /// commits.
  init(globals: Globals, options: WindowOptions, size: Size, popup: PopupState? = nil) {
    compositor = globals.compositor
    wmBase = globals.wmBase
    surface = compositor.createSurface()
    // Fractional scale needs the viewport: the buffer's size is then no whole multiple of the surface's.
    viewport = globals[WpViewporter.self]?.getViewport(surface: surface)
    fractionalScale =
      viewport == nil ? nil : globals[WpFractionalScaleManagerV1.self]?.getFractionalScale(surface: surface)
    role = ToplevelSurface.role(of: surface, globals, options, size, popup)
    let toplevel = role.toplevel
    decoration = toplevel.flatMap { globals[ZxdgDecorationManagerV1.self]?.getToplevelDecoration(toplevel: $0) }
    toplevel?.setTitle(title: options.title.onTheWire)
    toplevel?.setAppId(appId: options.applicationID.onTheWire)
    decoration?.setMode(mode: .serverSide)
    if options.isFullscreen { toplevel?.setFullscreen(output: nil) }
    listen()
  }

  /// The objects of the role that the options ask for, or those of an ordinary window where the compositor has none for it.
  private static func role(
    of surface: WlSurface, _ globals: Globals, _ options: WindowOptions, _ thick: Size, _ popup: PopupState?
  ) -> Role {
    if let (xdgSurface, popup) = popup?.makeRole(of: surface, globals.wmBase) {
      return Role(xdgSurface: xdgSurface, popup: popup)
    }
    switch options.role {
    case .ivi(let id):
      if let manager = globals[IviApplication.self] {
        return Role(ivi: manager.surfaceCreate(iviId: id, surface: surface))
      }
      Log.write(.window, .error, "the compositor offers no ivi_application: an ordinary window is shown")
    case .strip(let side):
      if let manager = globals[ZwlrLayerShellV1.self] {
        let strip = manager.getLayerSurface(
          surface: surface, output: nil, layer: .top, namespace: options.applicationID.onTheWire)
        describe(strip, along: side, thick)
        return Role(strip: strip)
      }
      Log.write(.window, .error, "the compositor offers no zwlr_layer_shell_v1: an ordinary window is shown")
    case .window: break
    }
    let xdgSurface = globals.wmBase.getXdgSurface(surface: surface)
    return Role(xdgSurface: xdgSurface, toplevel: xdgSurface.getToplevel())
  }

  /// Makes it as long as the side and as thick as the options say, and reserves no space: windows keep the area beneath it.
  private static func describe(_ strip: ZwlrLayerSurfaceV1, along side: WindowRole.Side, _ thick: Size) {
    switch side {
    case .top, .bottom:
      strip.setSize(width: 0, height: UInt32(thick.height))
      strip.setAnchor(anchor: [side == .top ? .top : .bottom, .left, .right])
    case .left, .right:
      strip.setSize(width: UInt32(thick.width), height: 0)
      strip.setAnchor(anchor: [side == .left ? .left : .right, .top, .bottom])
    }
    // The surface gets keys when the user touches it, if the compositor supports that.
    if strip.version >= 4 { strip.setKeyboardInteractivity(keyboardInteractivity: .onDemand) }
  }

  private func listen() {
    role.toplevel?.onEvent = { [unowned self] in onEvent?(.toplevel($0)) }
    role.ivi?.onEvent = { [unowned self] in
      guard case .configure(let width, let height) = $0 else { return }
      onEvent?(.sized(width: width, height: height))
      onEvent?(.configured(serial: 0))
    }
    role.strip?.onEvent = { [unowned self] in
      switch $0 {
      case .configure(let serial, let width, let height):
        onEvent?(.sized(width: Int32(clamping: width), height: Int32(clamping: height)))
        onEvent?(.configured(serial: serial))
      case .closed: onEvent?(.removed)
      }
    }
    role.popup?.onEvent = { [unowned self] in
      switch $0 {
      case .configure(let x, let y, let width, let height):
        onEvent?(.placed(x: x, y: y))
        onEvent?(.sized(width: width, height: height))
      case .popupDone: onEvent?(.closed)
      // The configure before it has the new position.
      case .repositioned: break
      }
    }
    role.xdgSurface?.onEvent = { [unowned self] in
      if case .configure(let serial) = $0 { onEvent?(.configured(serial: serial)) }
    }
  }

  /// The object of an ordinary window, which the user moves, resizes and closes, and which may have a decoration, states and a
  /// menu.
  var toplevel: XdgToplevel? { role.toplevel }

  var isStrip: Bool { role.strip != nil }

  /// True for a strip and a popup, which take input only where their content does.
  var limitsInput: Bool { isStrip || role.popup != nil }

  /// True for an ivi surface: it commits before the first configure, and no popup can be shown over it.
  var isIVI: Bool { role.ivi != nil }

  /// True for a popup that can be moved.
  var canMove: Bool { role.popup.map { $0.version >= 3 } ?? false }

  func move(to placement: PopupPlacement) {
    guard canMove, let popup = role.popup else { return }
    let positioner = wmBase.positioner(for: placement)
    moves &+= 1
    popup.reposition(positioner: positioner, token: moves)
    positioner.end()
  }

  /// The object that a popup over this surface is created with.
  func makePopup(_ popupSurface: XdgSurface, _ positioner: XdgPositioner) -> XdgPopup {
    let popup = popupSurface.getPopup(parent: role.xdgSurface, positioner: positioner)
    role.strip?.getPopup(popup: popup)
    return popup
  }

  /// Says that the next commit honours the configure `serial`.
  func acknowledge(_ serial: UInt32) {
    role.xdgSurface?.ackConfigure(serial: serial)
    role.strip?.ackConfigure(serial: serial)
  }

  /// Reports the window geometry within the surface.
  func setGeometry(_ area: PixelRect) {
    guard toplevel != nil else { return }
    role.xdgSurface?.setWindowGeometry(
      x: Int32(area.x), y: Int32(area.y), width: Int32(area.width), height: Int32(area.height))
  }

  /// Promises that `area` is opaque, and nothing else; an empty area withdraws the promise.
  func setOpaque(_ area: Rect) {
    let region = region(area.isEmpty ? nil : [area])
    surface.setOpaqueRegion(region: region)
    region?.destroy()
  }

  /// Sets the areas of the surface that take input; nil for everywhere.
  func setInput(_ area: [Rect]?) {
    let region = region(area)
    surface.setInputRegion(region: region)
    region?.destroy()
  }

  private func region(_ area: [Rect]?) -> WlRegion? {
    guard let area else { return nil }
    let region = compositor.createRegion()
    for rect in area {
      region.add(
        x: Int32(onTheWire: rect.minX), y: Int32(onTheWire: rect.minY), width: Int32(onTheWire: rect.width),
        height: Int32(onTheWire: rect.height))
    }
    return region
  }

  /// Destroys the objects, each before the object that it extends (xdg-decoration, xdg-shell). A second call does nothing.
  func end() {
    guard surface.isAlive else { return }
    let onTop: [Proxy?] = [
      decoration, role.toplevel, role.ivi, role.strip, role.popup, role.xdgSurface, fractionalScale, viewport,
    ]
    for object in onTop { object?.end() }
    surface.end()
  }
}
