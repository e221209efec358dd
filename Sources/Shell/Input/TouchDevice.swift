@_spi(Devices) import UICore
import Wayland

/// The touch capability of one seat, from its arrival to its removal.
final class TouchDevice: InputDevice {
  private let proxy: WlTouch
  private let seat: SeatContext
  private let times: EventTimes
  private var accumulator: TouchAccumulator

  init(proxy: WlTouch, seat: SeatContext) {
    self.proxy = proxy
    self.seat = seat
    accumulator = TouchAccumulator(seat: seat.id)
    times = EventTimes(seat.globals[ZwpInputTimestampsManagerV1.self]?.getTouchTimestamps(touch: proxy))
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  func endBatch() {
    if accumulator.isPending { deliver() }
  }

  func cancel(on window: Window, onlyPlaces: Bool) {
    accumulator.cancel(on: window.inputTarget, time: seat.now)
    deliver()
  }

  func press(of contact: TouchID.Contact, on window: Window, handsOver: Bool) -> UInt32? {
    guard case .finger(let id) = contact else { return nil }
    return accumulator.press(id, on: window.inputTarget, handsOver: handsOver, time: seat.now)
  }

  func end() {
    accumulator.cancelAll(time: seat.now)
    deliver()
    times.end()
    // wl_touch.release exists since version 3; before that the object is only dropped.
    proxy.end()
  }

  private func handle(_ event: WlTouch.Event) {
    switch event {
    case .down(let serial, let time, let surface, let id, let x, let y):
      let time = times.time(time)
      guard let window = seat.window(of: surface) else { return }
      seat.pressed(serial)
      accumulator.down(id, on: window.inputTarget, at: Point(x: x, y: y), serial: serial, time: time)
    case .motion(let time, let id, let x, let y):
      let (time, point) = (times.time(time), Point(x: x, y: y))
      guard let finger = accumulator.fingers[id] else { return }
      let window = finger.target.window
      // A finger that opened a menu continues in it.
      if finger.offset == .zero,
        let (popup, origin) = seat.application?.popup(
          openedBy: TouchID(seat: seat.id, contact: .finger(id)), on: window, at: point)
      {
        accumulator.hand(id, over: popup.inputTarget, offset: origin, at: point, time: time)
      } else if let window, isStrip(window, leftBy: finger, for: point) {
        window.receive(.lost(InputLoss(.touchCancelled, seat: seat.id)))
        _ = accumulator.press(id, on: finger.target, handsOver: true, time: time)
      } else {
        accumulator.motion(id, to: point, time: time)
      }
    case .up(_, let time, let id):
      if accumulator.up(id, time: times.time(time)) { deliver() }
    case .frame:
      deliver()
    case .cancel:
      for target in Set(accumulator.fingers.values.map(\.target)) {
        target.window?.receive(.lost(InputLoss(.touchCancelled, seat: seat.id)))
      }
      accumulator.cancelAll(time: seat.now)
      deliver()
    case .shape, .orientation:
      break
    }
  }

  /// Whether `window` is a strip that a finger has left for another window by a jump to `point`. Compositors based on wlroots
  /// send such a finger's positions relative to the other window, and nothing else. A jump of more than half the strip's
  /// thickness is taken for that: no finger moves so far from one event to the next.
  private func isStrip(
    _ window: Window, leftBy finger: TouchAccumulator.Finger, for point: Point
  ) -> Bool {
    guard window.objects.isStrip else { return false }
    let (x, y) = (point.x - finger.location.x, point.y - finger.location.y)
    let limit = min(window.size.width, window.size.height) / 2
    return x * x + y * y > limit * limit
  }

  private func deliver() {
    let changes = accumulator.take()
    var index = 0
    while index < changes.count {
      let target = changes[index].target
      var points = seat.outbox.touchList()
      while index < changes.count, changes[index].target == target {
        points.append(changes[index].point)
        index += 1
      }
      target.window?.receive(.touches(points))
    }
  }
}

/// Gathers changes of fingers until the frame that applies them.
///
/// wl_touch.frame applies everything before it at once. Compositors that omit the frame are tolerated: the changes also apply
/// when no finger is left or a batch of messages ends without a frame, since a late `up` on a throttle is a safety defect.
nonisolated struct TouchAccumulator {
  /// A point and the surface that the finger went down on.
  struct Change {
    var target: InputTarget
    var point: TouchPoint
  }

  /// A finger that is down.
  struct Finger {
    var target: InputTarget
    var location: Point
    /// The serial of the finger's down event, which a move or resize by this finger needs.
    var serial: UInt32
    /// The target's corner on the surface on which the finger came down.
    var offset = Point.zero
  }

  let seat: SeatID
  private(set) var fingers: [Int32: Finger] = [:]
  private var changes: [Change] = []
  /// The changes taken last, kept for their storage.
  private var taken: [Change] = []

  init(seat: SeatID) {
    self.seat = seat
  }

  /// True while gathered changes wait for a frame.
  var isPending: Bool { !changes.isEmpty }

  /// wl_touch.down. If the id is already down, its cancel was lost, and the old finger is cancelled.
  mutating func down(_ id: Int32, on target: InputTarget, at location: Point, serial: UInt32, time: MonotonicTime) {
    if let old = fingers[id] { append(id, old.target, .cancelled, old.location, time) }
    fingers[id] = Finger(target: target, location: location, serial: serial)
    append(id, target, .began, location, time)
  }

  /// wl_touch.motion; ids that are not down are ignored.
  mutating func motion(_ id: Int32, to location: Point, time: MonotonicTime) {
    guard var finger = fingers[id], location.isFinite else { return }
    let location = location - finger.offset
    finger.location = location
    fingers[id] = finger
    if let index = changes.lastIndex(where: { $0.point.id.contact == .finger(id) }),
      changes[index].point.phase == .moved
    {
      changes[index].point.location = location
      changes[index].point.time = time
    } else {
      append(id, finger.target, .moved, location, time)
    }
  }

  /// wl_touch.up. Returns true if no finger is left and the gathered changes apply now.
  mutating func up(_ id: Int32, time: MonotonicTime) -> Bool {
    guard let finger = fingers.removeValue(forKey: id) else { return false }
    append(id, finger.target, .ended, finger.location, time)
    return fingers.isEmpty
  }

  /// wl_touch.cancel, or the removal of the device: cancels every finger.
  mutating func cancelAll(time: MonotonicTime) {
    cancel(where: { _, _ in true }, time: time)
  }

  /// Cancels the fingers on one surface, which is being removed.
  mutating func cancel(on target: InputTarget, time: MonotonicTime) {
    cancel(where: { $1.target == target }, time: time)
  }

  /// The serial of the finger `id` on `target`; nil if it is not down there. If `handsOver`, the finger is passed to the
  /// compositor, and cancelled.
  mutating func press(_ id: Int32, on target: InputTarget, handsOver: Bool, time: MonotonicTime) -> UInt32? {
    guard let finger = fingers[id], finger.target == target else { return nil }
    if handsOver { cancel(where: { other, _ in other == id }, time: time) }
    return finger.serial
  }

  /// Moves the finger `id` to another target, which lies at `offset` on the surface on which it came down: it is cancelled, and
  /// comes down there. `location` is on that surface.
  mutating func hand(_ id: Int32, over target: InputTarget, offset: Point, at location: Point, time: MonotonicTime) {
    guard var finger = fingers[id] else { return }
    cancel(where: { other, _ in other == id }, time: time)
    (finger.target, finger.offset, finger.location) = (target, offset, location - offset)
    fingers[id] = finger
    append(id, target, .began, finger.location, time)
  }

  /// Returns the changes that apply now, oldest first.
  mutating func take() -> [Change] {
    swap(&changes, &taken)
    changes.removeAll(keepingCapacity: true)
    return taken
  }

  /// Cancels the fingers that are down. A touch whose `down` was never delivered is dropped; queued `up` events are still
  /// delivered.
  private mutating func cancel(where isMeant: (Int32, Finger) -> Bool, time: MonotonicTime) {
    for (id, finger) in fingers.sorted(by: { $0.key < $1.key }) where isMeant(id, finger) {
      fingers[id] = nil
      let touch = TouchID(seat: seat, contact: .finger(id))
      let unreported = changes.lastIndex { $0.point.id == touch && $0.point.phase == .began }
      if let unreported {
        changes[unreported...].removeAll { $0.point.id == touch }
      } else {
        changes.removeAll { $0.point.id == touch && $0.point.phase == .moved }
        append(id, finger.target, .cancelled, finger.location, time)
      }
    }
  }

  private mutating func append(
    _ id: Int32, _ target: InputTarget, _ phase: TouchPoint.Phase, _ location: Point, _ time: MonotonicTime
  ) {
    let touch = TouchID(seat: seat, contact: .finger(id))
    let hand = Hand(.touch, seat: seat)
    let point = TouchPoint(id: touch, phase: phase, location: location, time: time, hand: hand)
    changes.append(Change(target: target, point: point))
  }
}
