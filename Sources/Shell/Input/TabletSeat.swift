import UICore
import Wayland

/// The tablets of one seat (tablet-v2). Pens come when they are first used; tablets themselves and the pads of buttons on
/// them do nothing here, and are kept until they go.
final class TabletSeat {
  private let proxy: ZwpTabletSeatV2
  private let seat: SeatID
  private let globals: Globals
  private unowned let router: any InputRouter
  private var pens: [PenDevice] = []
  private var penCount: UInt32 = 0
  private var tablets: [ZwpTabletV2] = []
  private var pads: [TabletPad] = []
  /// True once the seat went: what still comes is only kept to be ended.
  private var isLeaving = false

  init(proxy: ZwpTabletSeatV2, seat: SeatID, globals: Globals, router: any InputRouter) {
    self.proxy = proxy
    self.seat = seat
    self.globals = globals
    self.router = router
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  /// A batch of messages ended.
  func endBatch() {
    for pen in pens { pen.endBatch() }
  }

  /// Cancels what pens do on `window`.
  func cancel(on window: Window) {
    for pen in pens { pen.cancel(on: window) }
  }

  /// Hands the touch of a pen over to the compositor.
  func handOver(_ contact: TouchID.Contact, on window: Window) -> UInt32? {
    pens.first { $0.contact == contact }?.handOver(on: window)
  }

  /// Chooses the pens' picture over `window`.
  func setCursor(_ shape: CursorShape, over window: Window) {
    for pen in pens { pen.setCursor(shape, over: window) }
  }

  /// The window has another scale: the pens' pictures with it.
  func rescaleCursor(over window: Window) {
    for pen in pens { pen.rescaleCursor(over: window) }
  }

  /// The seat went: lets go of every pen and ends the objects.
  func end() {
    for pen in pens { pen.end() }
    pens.removeAll()
    isLeaving = true
    router.retire(self)
  }

  private func handle(_ event: ZwpTabletSeatV2.Event) {
    switch event {
    case .toolAdded(let tool):
      guard !isLeaving else { return tool.end() }
      penCount += 1
      let cursor = PointerCursor(.tool(tool), globals: globals)
      let pen = PenDevice(proxy: tool, number: penCount, seat: seat, router: router, cursor: cursor)
      pen.onRemoved = { [unowned self] pen in
        pens.removeAll { $0 === pen }
        pen.end()
      }
      pens.append(pen)
      Log.write(.input, .info, "seat \(seat.value) has a pen")
    case .tabletAdded(let tablet):
      tablets.append(tablet)
      tablet.onEvent = { [unowned self, unowned tablet] in
        guard case .removed = $0 else { return }
        tablets.removeAll { $0 === tablet }
        tablet.end()
      }
    case .padAdded(let proxy):
      let pad = TabletPad(proxy: proxy)
      pad.onRemoved = { [unowned self] pad in
        pads.removeAll { $0 === pad }
        pad.end()
      }
      pads.append(pad)
    }
  }
}

extension TabletSeat: MakesObjects {
  func endObjects() {
    for pad in pads { pad.end() }
    pads.removeAll()
    for tablet in tablets { tablet.end() }
    tablets.removeAll()
    proxy.end()
  }
}

/// A tablet's pad. It is kept with its parts until it is removed, or goes with its seat's other tablets (`MakesObjects`).
final class TabletPad {
  private let proxy: ZwpTabletPadV2
  private var parts: [Proxy] = []

  /// Called when the pad was taken away.
  var onRemoved: ((TabletPad) -> Void)?

  init(proxy: ZwpTabletPadV2) {
    self.proxy = proxy
    proxy.onEvent = { [unowned self] in
      switch $0 {
      case .group(let group): keep(group)
      case .removed: onRemoved?(self)
      default: break
      }
    }
  }

  /// Ends the objects.
  func end() {
    for part in parts.reversed() { part.end() }
    parts.removeAll()
    proxy.end()
  }

  private func keep(_ group: ZwpTabletPadGroupV2) {
    parts.append(group)
    group.onEvent = { [unowned self] in
      switch $0 {
      case .ring(let ring): parts.append(ring)
      case .strip(let strip): parts.append(strip)
      default: break
      }
    }
  }
}
