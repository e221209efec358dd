@_spi(Devices) import UICore
import Wayland

/// A tablet tool from its arrival to its removal. Its tip on the surface is a finger; a hovering stylus is not.
final class PenDevice: InputDevice {
  /// A stylus has one tip.
  private static let tip: Int32 = 0

  private let proxy: ZwpTabletToolV2
  private let touch: TouchID
  private let seat: SeatContext
  private let cursor: PointerCursor
  private var accumulator: TouchAccumulator
  private var location = Point.zero
  /// From 0 to 1; nil until the stylus reports that it measures pressure.
  private var pressure: Double?
  private weak var focus: Window?

  init(proxy: ZwpTabletToolV2, number: UInt32, seat: SeatContext) {
    self.proxy = proxy
    self.seat = seat
    cursor = PointerCursor(of: proxy, globals: seat.globals)
    touch = TouchID(seat: seat.id, contact: .pen(number))
    accumulator = TouchAccumulator(seat: seat.id)
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  func endBatch() {
    if accumulator.isPending { deliver(seat.now) }
  }

  func cancel(on window: Window, onlyPlaces: Bool) {
    if focus === window { cancel() }
  }

  func press(of contact: TouchID.Contact, on window: Window, handsOver: Bool) -> UInt32? {
    guard contact == touch.contact else { return nil }
    return accumulator.press(PenDevice.tip, on: window.inputTarget, handsOver: handsOver, time: seat.now)
  }

  func setCursor(_ shape: CursorShape?, over window: Window) {
    if focus === window { cursor.set(shape, scale: window.scale) }
  }

  func end() {
    cancel()
    cursor.end()
    proxy.end()
  }

  private func handle(_ event: ZwpTabletToolV2.Event) {
    switch event {
    case .capability(.pressure):
      pressure = pressure ?? 0
    case .proximityIn(let serial, _, let surface):
      // The tip is up until `down` follows. A compositor that lost the pen outside the window has sent neither `up` nor
      // `proximity_out`, and the pen must not go on holding what it held.
      cancel()
      focus = seat.window(of: surface)
      guard let window = focus else { return }
      cursor.enter(serial: serial, scale: window.scale)
    case .proximityOut:
      cancel()
      focus = nil
    case .down(let serial):
      guard let focus else { return }
      seat.pressed(serial)
      accumulator.down(PenDevice.tip, on: focus.inputTarget, at: location, serial: serial, time: seat.now)
    case .up:
      _ = accumulator.up(PenDevice.tip, time: seat.now)
    case .motion(let x, let y):
      move(to: Point(x: x, y: y))
    case .pressure(let pressure):
      self.pressure = min(1, Double(pressure) / 65_535)
      move(to: location)
    case .frame(let time):
      deliver(MonotonicTime(milliseconds: time))
    case .removed:
      seat.seat?.remove(self)
    default:
      break
    }
  }

  private func move(to place: Point) {
    guard place.isFinite else { return }
    location = place
    accumulator.motion(PenDevice.tip, to: place, time: seat.now)
  }

  private func cancel() {
    accumulator.cancelAll(time: seat.now)
    deliver(seat.now)
  }

  /// Posts the gathered changes. A frame is atomic: all of it happened at its last position (zwp_tablet_tool_v2.frame), so a
  /// motion after the tip came down adds nothing.
  private func deliver(_ time: MonotonicTime) {
    let changes = accumulator.take()
    guard let target = changes.last?.target else { return }
    var points = seat.outbox.touchList()
    for change in changes where change.point.phase != .moved || points.last?.phase != .began {
      points.append(
        TouchPoint(
          id: touch, phase: change.point.phase, location: location, pressure: pressure, time: time,
          hand: Hand(.pen, seat: touch.seat)))
    }
    target.window?.receive(.touches(points))
  }
}
