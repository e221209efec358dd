internal import WaylandServer

/// A window manager: it places and stacks windows, gives them the focus, arranges layer surfaces, and sends pointer and touch
/// events to whatever is at a place of the screen. Without it, a script does all that itself.
///
/// Places are logical points of the first output, whose top-left corner is the origin. Only the first seat is served.
public final class StageDesktop {
  /// The windows and layer surfaces that have a buffer, lowest first. Popups are above their parents.
  public private(set) var stack: [StageSurface] = []
  /// The part of the screen that exclusive layer surfaces leave to windows.
  public private(set) var workArea = Rect.zero
  /// The pointer's place on the screen, in logical points.
  public internal(set) var pointer = Point.zero
  /// The windows and layer surfaces with a buffer, the most recently focused last.
  private var recent: [StageSurface] = []
  var buttons: Set<UInt32> = []
  var grab: DesktopGrab?
  let foreign = StageForeignToplevels()
  private(set) weak var stage: Stage?
  private var isRefreshing = false

  init(stage: Stage) {
    self.stage = stage
    workArea = screen
  }

  /// The first output's space; empty without an output.
  public var screen: Rect { Rect(origin: .zero, size: stage?.outputs.first?.size ?? .zero) }

  var seat: StageSeat? { stage?.seats.first }

  // MARK: Windows

  /// Moves the top-left corner of a window's geometry, or of a layer surface, to a place on the screen.
  public func move(_ surface: StageSurface, to place: Point) {
    surface.place = place
    surface.layer?.fixedPlace = place
    refresh()
  }

  /// Raises a window or layer surface within its layer, and gives it the keyboard focus unless it wants none.
  public func activate(_ surface: StageSurface) {
    let root = surface.root
    guard root.isMapped else { return }
    root.window?.toplevel?.isMinimized = false
    raise(root)
    if wantsKeys(root) {
      recent.removeAll { $0 === root }
      recent.append(root)
    }
    refresh()
  }

  /// Minimises a window: it is not shown and has no focus until it is activated.
  public func minimize(_ toplevel: StageToplevel) {
    toplevel.isMinimized = true
    refresh()
  }

  /// Makes a window maximised or fullscreen, or restores it; nil leaves that as it is. The window gets a configure in any case.
  public func change(_ toplevel: StageToplevel, maximized: Bool? = nil, fullscreen: Bool? = nil) {
    toplevel.wantsMaximized = maximized ?? toplevel.wantsMaximized
    toplevel.wantsFullscreen = fullscreen ?? toplevel.wantsFullscreen
    let wasMinimized = toplevel.isMinimized
    toplevel.isMinimized = false
    guard toplevel.window.isConstructed else { return }
    configure(toplevel, always: true)
    if wasMinimized { activate(toplevel.surface) } else { refresh() }
  }

  /// The topmost surface that takes input at a place of the screen, and the point in its logical points; nil if no surface does, or
  /// another client has a popup with a grab.
  public func hit(_ place: Point) -> (surface: StageSurface, point: Point)? {
    for root in stack.reversed() where root.window?.toplevel?.isMinimized != true {
      guard let hit = stage?.aim(at: place, in: root) else { continue }
      if let popup = grabbingPopup, !popup.surface.resource.hasClient(of: hit.surface.resource) { return nil }
      return hit
    }
    return nil
  }

  private var grabbingPopup: StagePopup? { stage?.popups.last { $0.isGrabbing && $0.surface.isMapped } }

  /// Sends popup_done to the popups with a grab, unless they belong to the client of `surface`.
  func dismissPopups(unlessOf surface: StageSurface?) {
    guard let popup = grabbingPopup, surface?.resource.hasClient(of: popup.surface.resource) != true else {
      return
    }
    var outermost = popup
    while let outer = stage?.popups.first(where: { $0.surface === outermost.parentSurface }) { outermost = outer }
    outermost.dismiss()
    refresh()
  }

  // MARK: What clients do

  /// Follows a commit.
  func applied(_ surface: StageSurface, wasShown: Bool) {
    if surface.layer != nil { arrange() }
    if surface.role == .toplevel || surface.role == .layer {
      let isKnown = stack.contains { $0 === surface }
      if surface.isMapped, !isKnown { show(surface) } else if !surface.isMapped, isKnown { forget(surface) }
    }
    refresh()
  }

  /// Follows the request that ends a surface or its role, while its object still lives.
  func remove(_ surface: StageSurface) {
    surface.hide()
    endTouches(on: surface)
    forget(surface)
  }

  /// Drops a surface that has no buffer any more.
  func forget(_ surface: StageSurface) {
    stack.removeAll { $0 === surface }
    recent.removeAll { $0 === surface }
    if let toplevel = surface.window?.toplevel {
      (toplevel.wantsMaximized, toplevel.wantsFullscreen, toplevel.isMinimized) = (false, false, false)
      if grab?.toplevel === toplevel { grab = nil }
      foreign.close(toplevel)
    }
    if surface.role == .layer { arrange() }
    refresh()
  }

  private func show(_ surface: StageSurface) {
    if surface.place == nil {
      let (area, size) = (workArea, surface.window?.size ?? surface.logicalSize)
      surface.place = Point(
        x: (area.midX - size.width / 2).rounded(.down), y: (area.midY - size.height / 2).rounded(.down))
    }
    stack.append(surface)
    raise(surface)
    guard wantsKeys(surface) else { return }
    recent.append(surface)
    if let toplevel = surface.window?.toplevel {
      dismissPopups(unlessOf: nil)
      foreign.announce(toplevel, in: self)
    }
  }

  /// Follows a window's request.
  func handle(_ request: XdgToplevelResource.Request, of toplevel: StageToplevel) {
    switch request {
    case .setMaximized: change(toplevel, maximized: true)
    case .unsetMaximized: change(toplevel, maximized: false)
    case .setFullscreen: change(toplevel, fullscreen: true)
    case .unsetFullscreen: change(toplevel, fullscreen: false)
    case .setMinimized: minimize(toplevel)
    case .move(_, let serial): startGrab(.move, of: toplevel, serial)
    case .resize(_, let serial, let edges): startGrab(.resize(edges: edges.rawValue), of: toplevel, serial)
    case .setTitle, .setAppId: foreign.update(toplevel, in: self)
    default: break
    }
  }

  private func wantsKeys(_ surface: StageSurface) -> Bool {
    surface.layer.map { $0.interactivity.rawValue != 0 } ?? (surface.window?.toplevel != nil)
  }

  private func raise(_ surface: StageSurface) {
    stack.removeAll { $0 === surface }
    stack.append(surface)
    restack()
  }

  private func restack() {
    func rank(_ surface: StageSurface) -> UInt32 {
      surface.layer.map { $0.layer.rawValue < 2 ? $0.layer.rawValue : $0.layer.rawValue + 1 } ?? 2
    }
    stack = (0..<5).flatMap { wanted in stack.filter { rank($0) == wanted } }
  }

  // MARK: Focus

  /// Brings the focus, the states of windows and the pointer up to date after any change.
  func refresh() {
    guard !isRefreshing else { return }
    isRefreshing = true
    defer { isRefreshing = false }
    focusKeyboard()
    for toplevel in stage?.toplevels ?? [] where toplevel.window.isConstructed {
      place(toplevel)
      configure(toplevel)
      foreign.update(toplevel, in: self)
    }
    focusPointer()
    updateConstraints()
  }

  /// The surface that the keyboard should have.
  private var keyboardTarget: StageSurface? {
    if let popup = grabbingPopup { return popup.surface }
    if let exclusive = stack.last(where: { $0.layer?.holdsKeyboard == true }) { return exclusive }
    return recent.last { wantsKeys($0) && $0.window?.toplevel?.isMinimized != true }
  }

  /// The window that has the keyboard focus; nil if none does, or it is on a layer surface.
  public var activeToplevel: StageToplevel? { keyboardTarget?.root.window?.toplevel }

  /// True if the client of `device` has the keyboard focus.
  func hasFocus(_ device: Resource) -> Bool {
    guard let focus = seat?.keyboardFocus, focus.resource.isAlive else { return false }
    return focus.resource.hasClient(of: device)
  }

  private func focusKeyboard() {
    guard let seat else { return }
    let (old, new) = (seat.keyboardFocus, keyboardTarget)
    guard old !== new else { return }
    seat.textInputs.forEach { $0.leave() }
    seat.keyboardLeave()
    guard let new, new.resource.isAlive else { return }
    if old?.resource.hasClient(of: new.resource) != true { stage?.announceSelections(toClientOf: new.resource) }
    seat.keyboardEnter(on: new)
    for input in seat.textInputs where input.hasClient(of: new) { input.enter(new) }
  }

  // MARK: Arrangement

  /// Sends a window what the desktop wants of it, if that changed or `always` is true.
  func configure(_ toplevel: StageToplevel, always: Bool = false) {
    var states: Set<StageToplevel.State> = []
    var size = toplevel.desktopSize ?? .zero
    if toplevel === activeToplevel { states.insert(.activated) }
    if toplevel.wantsMaximized { states.insert(.maximized) }
    if toplevel.wantsFullscreen { states.insert(.fullscreen) }
    if toplevel.wantsMaximized { size = workArea.size }
    if toplevel.wantsFullscreen { size = screen.size }
    if grab?.toplevel === toplevel, case .resize = grab?.kind { states.insert(.resizing) }
    let wanted = Configure(width: Int(size.width), height: Int(size.height), states: states)
    if always || wanted != toplevel.configured { toplevel.configure(wanted) }
  }

  private func place(_ toplevel: StageToplevel) {
    let surface = toplevel.surface
    if toplevel.wantsMaximized || toplevel.wantsFullscreen {
      if toplevel.restoredPlace == nil { toplevel.restoredPlace = surface.place }
      surface.place = toplevel.wantsFullscreen ? screen.origin : workArea.origin
    } else if let place = toplevel.restoredPlace {
      surface.place = place
      toplevel.restoredPlace = nil
    }
  }

  /// Places the layer surfaces, those with an exclusive zone first, each in what the ones before it left.
  func arrange() {
    guard let stage else { return }
    var area = screen
    let (exclusive, others) = stage.layerSurfaces.filter(\.isConstructed).reduce(
      into: ([StageLayerSurface](), [StageLayerSurface]())
    ) {
      if $1.surface.isMapped, $1.exclusiveEdge != nil { $0.0.append($1) } else { $0.1.append($1) }
    }
    for layer in exclusive { area = layer.arrange(in: area) }
    for layer in others { _ = layer.arrange(in: layer.exclusiveZone == -1 ? screen : area) }
    workArea = area
    restack()
  }
}

extension Stage {
  /// Makes the stage place windows, choose the focus and arrange layer surfaces by itself, as compositors do. Call it before
  /// clients connect. Returns the desktop, which takes the script's input by places on the screen.
  @discardableResult
  public func manage() -> StageDesktop {
    let desktop = desktop ?? StageDesktop(stage: self)
    self.desktop = desktop
    return desktop
  }
}
