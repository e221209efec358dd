// One pen of a seat's tablets: its tip as a finger with pressure, its picture while it hovers.

import Interface
import Wayland

/// A tablet tool, from its coming to its going.
final class PenDevice {
  let proxy: ZwpTabletToolV2
  let contact: TouchID.Contact
  private let seat: SeatID
  private unowned let router: any InputRouter
  private let cursor: PointerCursor
  private var gatherer: PenGatherer
  private var focus: ObjectIdentifier?

  /// Called when the pen was taken away.
  var onRemoved: ((PenDevice) -> Void)?

  init(proxy: ZwpTabletToolV2, number: UInt32, seat: SeatID, router: any InputRouter, cursor: PointerCursor) {
    self.proxy = proxy
    self.router = router
    self.cursor = cursor
    self.seat = seat
    contact = .pen(number)
    gatherer = PenGatherer(touch: TouchID(seat: seat, contact: contact))
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  /// A batch of messages ended: what no frame closed counts now.
  func endBatch() {
    if gatherer.isPending { deliver(router.now) }
  }

  /// The window goes, or is hidden: the pen lets go.
  func cancel(on window: Window) {
    guard focus == ObjectIdentifier(window) else { return }
    gatherer.cancel()
    deliver(router.now)
  }

  /// Hands the pen's touch over to the compositor, as `TouchDevice.surrender` does.
  func surrender(on window: Window) -> UInt32? {
    guard focus == ObjectIdentifier(window), let serial = gatherer.serial else { return nil }
    gatherer.cancel()
    return serial
  }

  /// Shows `shape` while the pen is over `window`.
  func setCursor(_ shape: CursorShape, over window: Window) {
    if focus == ObjectIdentifier(window) { cursor.set(shape, scale: window.scale) }
  }

  /// The window has another scale: the cursor's picture with it.
  func rescaleCursor(over window: Window) {
    if focus == ObjectIdentifier(window) { cursor.rescale(window.scale) }
  }

  /// Lets go and ends the objects.
  func end() {
    gatherer.cancel()
    deliver(router.now)
    cursor.end()
    proxy.end()
  }

  private func handle(_ event: ZwpTabletToolV2.Event) {
    switch event {
    case .capability(.pressure):
      gatherer.notePressureIsKnown()
    case .proximityIn(let serial, _, let surface):
      guard let window = router.window(of: surface) else { return }
      if let focus, focus != ObjectIdentifier(window) {
        gatherer.cancel()
        deliver(router.now)
      }
      focus = ObjectIdentifier(window)
      cursor.noteEnter(serial: serial)
      cursor.set(.arrow, scale: window.scale)
    case .proximityOut:
      gatherer.cancel()
      deliver(router.now)
      focus = nil
    case .down(let serial):
      guard focus != nil else { return }
      router.pressed(serial, on: seat)
      gatherer.down(serial: serial)
    case .up:
      gatherer.up()
    case .motion(let x, let y):
      gatherer.motion(to: Point(x: x, y: y))
    case .pressure(let pressure):
      gatherer.press(pressure)
    case .frame(let time):
      deliver(MonotonicTime(milliseconds: time))
    case .removed:
      onRemoved?(self)
    default:
      break
    }
  }

  private func deliver(_ time: MonotonicTime) {
    let points = gatherer.take(time: time)
    guard !points.isEmpty, let focus else { return }
    router.window(identified: focus)?.receive(.touches(points))
  }
}
