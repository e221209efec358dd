import Wayland

/// A wl_surface with its role and extensions. It sends requests; it decides nothing.
final class ToplevelSurface {
  /// The objects that give the surface its position on the screen.
  private enum Role {
    case window(XdgSurface, XdgToplevel)
    case ivi(IviSurface)
    case strip(ZwlrLayerSurfaceV1)
    case popup(XdgSurface, XdgPopup)
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
    /// The compositor closed the surface.
    case closed
  }

  let surface: WlSurface
  let viewport: WpViewport?
  let fractionalScale: WpFractionalScaleV1?
  let decoration: ZxdgToplevelDecorationV1?
  /// Called with each message about the surface's size, state or position.
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
    viewport = globals.viewporter?.getViewport(surface: surface)
    fractionalScale = viewport == nil ? nil : globals.fractionalScale?.getFractionalScale(surface: surface)
    role = ToplevelSurface.role(of: surface, globals, options, size, popup)
    guard case .window(_, let toplevel) = role else {
      decoration = nil
      listen()
      return
    }
    decoration = globals.decoration?.getToplevelDecoration(toplevel: toplevel)
    toplevel.setTitle(title: options.title.onTheWire)
    toplevel.setAppId(appId: options.applicationID.onTheWire)
    decoration?.setMode(mode: .serverSide)
    if options.isFullscreen { toplevel.setFullscreen(output: nil) }
    listen()
  }

  /// The objects of the role that the options ask for, or those of an ordinary window where the compositor has none for it.
  private static func role(
    of surface: WlSurface, _ globals: Globals, _ options: WindowOptions, _ thick: Size, _ popup: PopupState?
  ) -> Role {
    if let (xdgSurface, popup) = popup?.makeRole(of: surface, globals.wmBase) { return .popup(xdgSurface, popup) }
    switch options.role {
    case .ivi(let id):
      if let manager = globals.ivi { return .ivi(manager.surfaceCreate(iviId: id, surface: surface)) }
      Log.write(.window, .error, "the compositor offers no ivi_application: an ordinary window is shown")
    case .strip(let side):
      if let manager = globals.layerShell {
        let strip = manager.getLayerSurface(
          surface: surface, output: nil, layer: .top, namespace: options.applicationID.onTheWire)
        describe(strip, along: side, thick)
        return .strip(strip)
      }
      Log.write(.window, .error, "the compositor offers no zwlr_layer_shell_v1: an ordinary window is shown")
    case .window: break
    }
    let xdgSurface = globals.wmBase.getXdgSurface(surface: surface)
    return .window(xdgSurface, xdgSurface.getToplevel())
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
    switch role {
    case .window(_, let toplevel): toplevel.onEvent = { [unowned self] in onEvent?(.toplevel($0)) }
    case .ivi(let ivi):
      ivi.onEvent = { [unowned self] in
        guard case .configure(let width, let height) = $0 else { return }
        onEvent?(.sized(width: width, height: height))
        onEvent?(.configured(serial: 0))
      }
    case .strip(let strip):
      strip.onEvent = { [unowned self] in
        switch $0 {
        case .configure(let serial, let width, let height):
          onEvent?(.sized(width: Int32(clamping: width), height: Int32(clamping: height)))
          onEvent?(.configured(serial: serial))
        case .closed: onEvent?(.closed)
        }
      }
    case .popup(_, let popup):
      popup.onEvent = { [unowned self] in
        switch $0 {
        case .configure(let x, let y, let width, let height):
          onEvent?(.placed(x: x, y: y))
          onEvent?(.sized(width: width, height: height))
        case .popupDone: onEvent?(.closed)
        // The configure before it has the new position.
        case .repositioned: break
        }
      }
    }
    xdgSurface?.onEvent = { [unowned self] in
      if case .configure(let serial) = $0 { onEvent?(.configured(serial: serial)) }
    }
  }

  /// The object of a window or a popup.
  private var xdgSurface: XdgSurface? {
    switch role {
    case .window(let xdgSurface, _), .popup(let xdgSurface, _): xdgSurface
    case .ivi, .strip: nil
    }
  }

  /// True for a window that the user moves, resizes and closes. It may have a decoration, states and a menu.
  var isWindow: Bool { toplevel != nil }

  /// True for a strip along a side of the screen.
  var isStrip: Bool { if case .strip = role { true } else { false } }

  /// True for a strip and a popup, which take input only where their content does.
  var limitsInput: Bool {
    switch role {
    case .strip, .popup: true
    case .window, .ivi: false
    }
  }

  /// True for ivi surfaces: they commit before the first configure.
  var beginsUnconfigured: Bool { if case .ivi = role { true } else { false } }

  /// The object of an ordinary window.
  var toplevel: XdgToplevel? { if case .window(_, let toplevel) = role { toplevel } else { nil } }

  /// True for a popup that can be moved.
  var canMove: Bool { if case .popup(_, let popup) = role { popup.version >= 3 } else { false } }

  /// Requests a new position for a popup that can move.
  func move(to placement: PopupPlacement) {
    guard canMove, case .popup(_, let popup) = role else { return }
    let positioner = wmBase.positioner(for: placement)
    moves &+= 1
    popup.reposition(positioner: positioner, token: moves)
    positioner.end()
  }

  /// The object that a popup over this surface is created with; nil if it can have none.
  func makePopup(_ popupSurface: XdgSurface, _ positioner: XdgPositioner) -> XdgPopup? {
    guard takesPopups else { return nil }
    let popup = popupSurface.getPopup(parent: xdgSurface, positioner: positioner)
    if case .strip(let strip) = role { strip.getPopup(popup: popup) }
    return popup
  }

  /// True for a surface over which popups can be shown.
  var takesPopups: Bool { if case .ivi = role { false } else { true } }

  /// Says that the next commit honours the configure `serial`.
  func acknowledge(_ serial: UInt32) {
    xdgSurface?.ackConfigure(serial: serial)
    if case .strip(let strip) = role { strip.ackConfigure(serial: serial) }
  }

  /// Reports the window geometry within the surface.
  func setGeometry(_ area: PixelRect) {
    guard case .window(let xdgSurface, _) = role else { return }
    xdgSurface.setWindowGeometry(
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
    decoration?.end()
    switch role {
    case .window(_, let toplevel): toplevel.end()
    case .ivi(let ivi): ivi.end()
    case .strip(let strip): strip.end()
    case .popup(_, let popup): popup.end()
    }
    xdgSurface?.end()
    fractionalScale?.end()
    viewport?.end()
    surface.end()
  }
}
