import Wayland

/// A popup: its parent, its position, and the press that opened it.
struct PopupState {
  let parent: Window
  /// In points of the parent's window geometry.
  var placement: PopupPlacement
  /// The press of a menu, which takes the keys and every press elsewhere; nil for a popup without input.
  var grab: (touch: TouchID, seat: WlSeat, serial: UInt32)?
  /// The popup's corner on its parent's surface, once the compositor has said it.
  var origin: Point?
  /// The largest size that was asked for: some compositors make a popup larger.
  var largest: Size
  /// The position that the popup is to move to when it is shown.
  var wanted: PopupPlacement?

  /// Records that a size was asked for.
  mutating func noteAsked(_ size: Size) {
    largest = Size(width: max(largest.width, size.width), height: max(largest.height, size.height))
  }

  /// Creates the objects of the role. The grab precedes the first commit, as the protocol requires.
  func makeRole(of surface: WlSurface, _ wmBase: XdgWmBase) -> (XdgSurface, XdgPopup)? {
    guard !parent.objects.isIVI else { return nil }
    let xdgSurface = wmBase.getXdgSurface(surface: surface)
    let positioner = wmBase.positioner(for: placement)
    defer { positioner.end() }
    let popup = parent.objects.makePopup(xdgSurface, positioner)
    if let grab { popup.grab(seat: grab.seat, serial: grab.serial) }
    return (xdgSurface, popup)
  }
}

extension Window {
  /// Shows a popup over the window (xdg_popup); nil before the window has shown anything, over an ivi surface, and for a
  /// contact that is not down.
  public func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? {
    guard canShowPopups, placement.anchor.isFinite else { return nil }
    let fitting = inGeometry(placement)
    var request = PopupState(parent: self, placement: fitting, largest: fitting.size)
    if let touch {
      // xdg_popup.grab: over a popup only if that popup has a grab too.
      guard popup == nil || popup?.grab != nil,
        let press = application?.seat(touch.seat)?.press(of: touch.contact, on: self, handsOver: false)
      else { return nil }
      endMenus(of: touch.seat)
      guard canShowPopups else { return nil }
      request.grab = (touch, press.seat, press.serial)
    }
    let options = WindowOptions(title: "", applicationID: "", size: fitting.size)
    let opened = application?.open(WindowRequest(content: content, options: options) { _ in }, globals, popup: request)
    return opened.map { Popup($0, over: self) }
  }

  private var canShowPopups: Bool { isOpen && !wasClosed && model.frameNumber > 0 && !objects.isIVI }

  /// Closes the seat's menus except those that contain this window: a compositor ends the connection for a grab over anything
  /// but the topmost popup with a grab. Their objects are destroyed now, even if their contents are notified later.
  private func endMenus(of seat: SeatID) {
    let around = Array(sequence(first: self) { $0.popup?.parent })
    for menu in application?.windows.reversed() ?? []
    where menu.popup?.grab?.touch.seat == seat && !around.contains(where: { $0 === menu }) { menu.closeAtOnce() }
  }

  /// Closes a popup and ends its objects now, those of the popups over it first.
  func closeAtOnce() {
    for popup in popups.reversed() { popup.closeAtOnce() }
    objects.end()
    close()
  }

  fileprivate func move(_ popup: Window, to placement: PopupPlacement) -> Bool {
    guard popup.isOpen, placement.anchor.isFinite, popup.objects.canMove else { return false }
    let wanted = inGeometry(placement)
    popup.popup?.wanted = wanted
    popup.moveIfShown()
    return true
  }

  /// Requests the popup's new position once it is shown, because xdg_popup.reposition requires a mapped popup.
  func moveIfShown() {
    guard let placement = popup?.wanted, model.frameNumber > 0 else { return }
    popup?.wanted = nil
    popup?.noteAsked(placement.size)
    objects.move(to: placement)
  }

  /// Converts the anchor from surface to window-geometry coordinates and clips it, as xdg_positioner requires.
  private func inGeometry(_ placement: PopupPlacement) -> PopupPlacement {
    let geometry = model.layout.geometry
    let window = Rect(x: 0, y: 0, width: Double(geometry.width), height: Double(geometry.height))
    let anchor = placement.anchor.offsetBy(dx: -Double(geometry.x), dy: -Double(geometry.y))
    let x = min(max(anchor.minX, 0), max(window.maxX - 1, 0))
    let y = min(max(anchor.minY, 0), max(window.maxY - 1, 0))
    var moved = placement
    moved.anchor = Rect(
      x: x, y: y, width: max(min(anchor.maxX, window.maxX) - x, 1), height: max(min(anchor.maxY, window.maxY) - y, 1))
    return fitted(moved, in: window)
  }

  /// The placement of a popup that can be seen whole, since not every compositor makes a popup fit: one that is larger than its
  /// output is cut where its content cannot scroll. A window that covers its output, or all of it but the panels, knows the place
  /// too; a popup that would reach beyond such a window is put into it.
  private func fitted(_ placement: PopupPlacement, in window: Rect) -> PopupPlacement {
    var placement = placement
    if let room {
      placement.size = Size(
        width: min(placement.size.width, room.width), height: min(placement.size.height, room.height))
    }
    let state = model.configure.state
    guard popup == nil, state.isFullscreen || state.isMaximized else { return placement }
    let (below, above) = (placement.frame(within: window), placement.flippedVertically.frame(within: window))
    let frame = below.height >= min(placement.size.height, above.height) ? below : above
    guard frame != placement.frame(within: window.insetBy(dx: -1e6, dy: -1e6)), !frame.isEmpty else { return placement }
    return PopupPlacement(
      anchor: Rect(
        x: min(frame.minX, window.maxX - 1), y: min(frame.minY, window.maxY - 1), width: 1, height: 1),
      anchorEdge: .topLeft, gravity: .bottomRight, size: frame.size, adjustment: placement.adjustment)
  }

  /// The window whose content gets keys sent to this surface: a menu's keys go to the window under it, so that its keyboard
  /// shortcuts keep working.
  var keyWindow: Window { popup?.parent.keyWindow ?? self }
}

/// A popup for the content that opened it. It keeps nothing alive, and does nothing once the popup is closed.
private final class Popup: PopupWindow {
  private weak var window: Window?
  private weak var parent: Window?

  init(_ window: Window, over parent: Window) {
    (self.window, self.parent) = (window, parent)
  }

  func move(to placement: PopupPlacement) -> Bool {
    guard let window, let parent else { return false }
    return parent.move(window, to: placement)
  }

  func close() { window?.close() }
}

extension XdgWmBase {
  /// The positioner for `placement`; the caller destroys it.
  func positioner(for placement: PopupPlacement) -> XdgPositioner {
    let positioner = createPositioner()
    func whole(_ value: Double) -> Int32 { Int32(onTheWire: value) }
    func side(_ value: Double) -> Int32 { max(1, whole(value.rounded(.up))) }
    positioner.setSize(width: side(placement.size.width), height: side(placement.size.height))
    let (x, y) = (whole(placement.anchor.minX.rounded(.down)), whole(placement.anchor.minY.rounded(.down)))
    positioner.setAnchorRect(
      x: x, y: y, width: max(1, whole(placement.anchor.maxX.rounded(.up)) - x),
      height: max(1, whole(placement.anchor.maxY.rounded(.up)) - y))
    positioner.setAnchor(anchor: .init(rawValue: placement.anchorEdge.rawValue))
    positioner.setGravity(gravity: .init(rawValue: placement.gravity.rawValue))
    positioner.setConstraintAdjustment(constraintAdjustment: placement.adjustment.rawValue)
    return positioner
  }
}
