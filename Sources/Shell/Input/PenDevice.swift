import UICore
import Wayland

/// A tablet tool, from its coming to its going.
final class PenDevice: InputDevice {
  private let proxy: ZwpTabletToolV2
  private let contact: TouchID.Contact
  private let seat: SeatID
  private unowned let application: Application
  private let cursor: PointerCursor
  private var accumulator: PenAccumulator
  private var focus: ObjectIdentifier?

  /// Called when the pen was taken away.
  var onRemoved: ((PenDevice) -> Void)?

  init(proxy: ZwpTabletToolV2, number: UInt32, seat: SeatID, application: Application, cursor: PointerCursor) {
    self.proxy = proxy
    self.application = application
    self.cursor = cursor
    self.seat = seat
    contact = .pen(number)
    accumulator = PenAccumulator(touch: TouchID(seat: seat, contact: contact))
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  func endBatch() {
    if accumulator.isPending { deliver(application.now) }
  }

  func cancel(on window: Window) {
    guard focus == ObjectIdentifier(window) else { return }
    accumulator.cancel()
    deliver(application.now)
  }

  func handOver(_ contact: TouchID.Contact, on window: Window) -> UInt32? {
    guard contact == self.contact, focus == ObjectIdentifier(window), let serial = accumulator.serial else {
      return nil
    }
    accumulator.cancel()
    return serial
  }

  func setCursor(_ shape: CursorShape?, over window: Window) {
    if focus == ObjectIdentifier(window) { cursor.set(shape, scale: window.scale) }
  }

  func end() {
    accumulator.cancel()
    deliver(application.now)
    cursor.end()
    proxy.end()
  }

  private func handle(_ event: ZwpTabletToolV2.Event) {
    switch event {
    case .capability(.pressure):
      accumulator.notePressureIsKnown()
    case .proximityIn(let serial, _, let surface):
      guard let window = application.window(of: surface) else { return }
      if let focus, focus != ObjectIdentifier(window) {
        accumulator.cancel()
        deliver(application.now)
      }
      focus = ObjectIdentifier(window)
      cursor.enter(serial: serial, scale: window.scale)
    case .proximityOut:
      accumulator.cancel()
      deliver(application.now)
      focus = nil
    case .down(let serial):
      guard focus != nil else { return }
      application.pressed(serial, on: seat)
      accumulator.down(serial: serial)
    case .up:
      accumulator.up()
    case .motion(let x, let y):
      accumulator.motion(to: Point(x: x, y: y))
    case .pressure(let pressure):
      accumulator.press(pressure)
    case .frame(let time):
      deliver(MonotonicTime(milliseconds: time))
    case .removed:
      onRemoved?(self)
    default:
      break
    }
  }

  private func deliver(_ time: MonotonicTime) {
    let points = accumulator.take(time: time)
    guard !points.isEmpty, let focus else { return }
    application.window(identified: focus)?.receive(.touches(points))
  }
}

/// Gathers what a tablet's pen does until the frame that makes it count (zwp_tablet_tool_v2.frame).
///
/// The tip on the surface is a finger; a pen that hovers is none.
nonisolated struct PenAccumulator: Sendable {
  private let touch: TouchID
  private var location = Point.zero
  private var pressure: Double?
  private var phases: [TouchPoint.Phase] = []
  /// The serial of the tip's coming down, while it is down.
  private(set) var serial: UInt32?

  init(touch: TouchID) {
    self.touch = touch
  }

  /// True when something was gathered that no frame has made count yet.
  var isPending: Bool { !phases.isEmpty }

  /// The pen can tell its pressure.
  mutating func notePressureIsKnown() { pressure = pressure ?? 0 }

  /// The tip came down; where that is, the same frame says.
  mutating func down(serial: UInt32) {
    if self.serial != nil { phases.append(.cancelled) }
    self.serial = serial
    phases.append(.began)
  }

  /// The pen moved.
  mutating func motion(to location: Point) {
    guard location.isFinite else { return }
    self.location = location
    noteChange()
  }

  /// The pressure changed, from 0 to 65535.
  mutating func press(_ pressure: UInt32) {
    self.pressure = min(1, Double(pressure) / 65_535)
    noteChange()
  }

  /// The tip was lifted.
  mutating func up() {
    guard serial != nil else { return }
    serial = nil
    phases.append(.ended)
  }

  /// The pen left or was taken away. A touch whose beginning was not told is forgotten.
  mutating func cancel() {
    guard serial != nil else { return }
    serial = nil
    if let untold = phases.lastIndex(of: .began) {
      phases.removeSubrange(untold...)
    } else {
      phases.removeAll { $0 == .moved }
      phases.append(.cancelled)
    }
  }

  /// What counts now, oldest first. A frame is atomic: all of it happened at its last place.
  mutating func take(time: MonotonicTime) -> [TouchPoint] {
    defer { phases.removeAll(keepingCapacity: true) }
    return phases.map { TouchPoint(id: touch, phase: $0, location: location, pressure: pressure, time: time) }
  }

  private mutating func noteChange() {
    guard serial != nil, phases.last != .began, phases.last != .moved else { return }
    phases.append(.moved)
  }
}
