internal import WaylandServer

/// A window that follows the pointer or a finger.
struct DesktopGrab {
  enum Kind {
    case move
    /// `edges` as in xdg_toplevel.resize_edge: 1 for top, 2 for bottom, 4 for left, 8 for right.
    case resize(edges: UInt32)
  }

  let kind: Kind
  let toplevel: StageToplevel
  /// The place where it began, and the window's frame then.
  let start: Point, frame: Rect
  /// The finger that moves it; nil for the pointer.
  let finger: Int32?
}

extension StageDesktop {
  // MARK: Pointer

  /// Moves the pointer to a place on the screen, as a device with places of its own does: clients get no relative motion.
  public func movePointer(to place: Point) { movePointer(by: place - pointer, isRelative: false) }

  /// Moves the pointer, unless a client has locked it; it stays on the screen, and on the surface that it is confined to.
  public func movePointer(by way: Point) { movePointer(by: way, isRelative: true) }

  private func movePointer(by way: Point, isRelative: Bool) {
    if isRelative { seat?.sendRelativeMotion(way) }
    let constraint = stage?.constraints.first(where: \.isActive)
    if constraint?.isLock != true {
      let bounds =
        constraint.map { Rect(origin: $0.surface.origin + $0.bounds.origin, size: $0.bounds.size) } ?? screen
      let place = pointer + way
      pointer = Point(
        x: min(max(place.x, bounds.minX), max(bounds.minX, bounds.maxX - 1)),
        y: min(max(place.y, bounds.minY), max(bounds.minY, bounds.maxY - 1)))
      follow(pointer, finger: nil)
    }
    refresh()
    if constraint?.isLock == true { seat?.pointerFrame() }
  }

  /// Presses or releases a button of the mouse; returns the serial of the event. A press activates the window under it and dismisses
  /// other clients' popups.
  @discardableResult
  public func pressButton(_ isPressed: Bool, button: UInt32 = StageSeat.leftButton) -> UInt32 {
    if isPressed {
      touchScreen(at: pointer)
      buttons.insert(button)
    } else {
      buttons.remove(button)
    }
    let serial = seat?.pointerButton(isPressed, button: button) ?? 0
    if !isPressed, buttons.isEmpty, grab?.finger == nil { grab = nil }
    refresh()
    return serial
  }

  /// Brings the pointer's focus and position up to date.
  func focusPointer() {
    guard let seat, seat.capabilities.contains(.pointer) else { return }
    if let grab, grab.finger == nil { return seat.pointerLeave() }
    var hit = hit(pointer)
    // A held button keeps the focus where it was pressed.
    if !buttons.isEmpty, let focus = seat.pointerFocus, focus.isShown { hit = (focus, pointer - focus.origin) }
    if let hit, hit.surface === seat.pointerFocus {
      if hit.point != seat.pointerPlace { seat.pointerMotion(hit.point.x, hit.point.y) }
    } else {
      seat.pointerLeave()
      if let hit { seat.pointerEnter(hit.point.x, hit.point.y, on: hit.surface) }
    }
  }

  private func touchScreen(at place: Point) {
    let surface = hit(place)?.surface
    dismissPopups(unlessOf: surface)
    if let surface { activate(surface) }
  }

  // MARK: Fingers

  /// Puts a finger down at a place on the screen; returns the serial of the event. If no surface takes input there, its events go
  /// nowhere, and the serial is 0.
  @discardableResult
  public func touchDown(_ id: Int32, at place: Point) -> UInt32 {
    touchScreen(at: place)
    guard let seat, let hit = hit(place) else { return 0 }
    let serial = seat.touchDown(id, hit.point.x, hit.point.y, on: hit.surface)
    seat.touchFrame()
    return serial
  }

  /// Moves a finger. Its events go to the surface that it was put down on.
  public func touchMove(_ id: Int32, to place: Point) {
    follow(place, finger: id)
    guard let seat, let surface = seat.touchPoints[id]?.surface else { return }
    let point = place - surface.origin
    seat.touchMotion(id, point.x, point.y)
    seat.touchFrame()
  }

  /// Lifts a finger.
  public func touchUp(_ id: Int32) {
    if grab?.finger == id { grab = nil }
    if let seat, seat.touchPoints[id] != nil {
      seat.touchUp(id)
      seat.touchFrame()
    }
    refresh()
  }

  /// Lifts the fingers on a surface that is about to end.
  func endTouches(on surface: StageSurface) {
    for (id, touch) in seat?.touchPoints ?? [:] where touch.surface === surface { touchUp(id) }
  }

  // MARK: Moving windows

  /// Starts to move or resize a window, if `serial` is that of a press held now.
  func startGrab(_ kind: DesktopGrab.Kind, of toplevel: StageToplevel, _ serial: UInt32) {
    guard let seat, seat.isPress(serial), grab == nil, toplevel.surface.isMapped else { return }
    let finger = seat.touchPoints.first { $0.value.serial == serial }
    let start = finger.map { $0.value.surface.origin + $0.value.place } ?? pointer
    grab = DesktopGrab(
      kind: kind, toplevel: toplevel, start: start,
      frame: Rect(origin: toplevel.surface.place ?? .zero, size: toplevel.window.size), finger: finger?.key)
    if finger != nil { seat.touchCancel() }
    refresh()
  }

  /// Moves or resizes the window that follows the pointer (`finger` is nil) or a finger.
  private func follow(_ place: Point, finger: Int32?) {
    guard let grab, grab.finger == finger else { return }
    let way = place - grab.start
    var frame = grab.frame
    switch grab.kind {
    case .move: frame.origin = frame.origin + way
    case .resize(let edges):
      if edges & 4 != 0 { (frame.origin.x, frame.size.width) = (frame.minX + way.x, frame.width - way.x) }
      if edges & 8 != 0 { frame.size.width += way.x }
      if edges & 1 != 0 { (frame.origin.y, frame.size.height) = (frame.minY + way.y, frame.height - way.y) }
      if edges & 2 != 0 { frame.size.height += way.y }
      grab.toplevel.desktopSize = Size(width: max(1, frame.width), height: max(1, frame.height))
    }
    grab.toplevel.surface.place = frame.origin
  }

  // MARK: Constraints

  /// Activates and deactivates pointer constraints. One is active while its surface has the pointer and its window the keyboard.
  func updateConstraints() {
    guard let stage, let seat else { return }
    for constraint in stage.constraints {
      let surface = constraint.surface
      let hasPointer = seat.pointerFocus === surface && constraint.bounds.contains(pointer - surface.origin)
      constraint.activate(hasPointer && seat.keyboardFocus?.root === surface.root)
    }
  }
}
