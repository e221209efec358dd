// A seat's touchscreen: wl_touch events to touch frames.

import Interface
import Wayland

/// The touch capability of one seat, from its coming to its going.
final class TouchDevice {
  private let proxy: WlTouch
  private let seat: SeatID
  private unowned let router: any InputRouter
  private var gatherer: TouchGatherer<ObjectIdentifier>

  init(proxy: WlTouch, seat: SeatID, router: any InputRouter) {
    self.proxy = proxy
    self.seat = seat
    self.router = router
    gatherer = TouchGatherer(seat: seat)
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  /// A batch of messages ended: what no frame closed counts now.
  func endBatch() {
    if gatherer.isPending { deliver() }
  }

  /// The window goes: its fingers with it.
  func cancel(on window: Window) {
    gatherer.cancel(on: ObjectIdentifier(window), time: router.now)
    deliver()
  }

  /// Hands a finger on `window` over to the compositor, which is told its serial. The content hears at the end of the batch
  /// that the finger is cancelled.
  func surrender(_ id: Int32, on window: Window) -> UInt32? {
    gatherer.surrender(id, on: ObjectIdentifier(window), time: router.now)
  }

  /// The capability went: cancels every finger and ends the object.
  func end() {
    gatherer.cancelAll(time: router.now)
    deliver()
    // wl_touch.release exists since version 3; before it the object is only forgotten.
    proxy.end()
  }

  private func handle(_ event: WlTouch.Event) {
    switch event {
    case .down(let serial, let time, let surface, let id, let x, let y):
      guard let window = router.window(of: surface) else { return }
      router.pressed(serial, on: seat)
      gatherer.down(
        id, on: ObjectIdentifier(window), at: Point(x: x, y: y), serial: serial, time: MonotonicTime(milliseconds: time)
      )
    case .motion(let time, let id, let x, let y):
      gatherer.motion(id, to: Point(x: x, y: y), time: MonotonicTime(milliseconds: time))
    case .up(_, let time, let id):
      if gatherer.up(id, time: MonotonicTime(milliseconds: time)) { deliver() }
    case .frame:
      deliver()
    case .cancel:
      for target in Set(gatherer.fingers.values.map(\.target)) {
        router.window(identified: target)?.receive(.lost(InputLoss(.touchCancelled, seat: gatherer.seat)))
      }
      gatherer.cancelAll(time: router.now)
      deliver()
    case .shape, .orientation:
      break
    }
  }

  private func deliver() {
    let changes = gatherer.take()
    var index = 0
    while index < changes.count {
      let target = changes[index].target
      var points = router.outbox.touchList()
      while index < changes.count, changes[index].target == target {
        points.append(changes[index].point)
        index += 1
      }
      router.window(identified: target)?.receive(.touches(points))
    }
  }
}

extension MonotonicTime {
  /// An event's timestamp in milliseconds, as input devices send it.
  init(milliseconds: UInt32) {
    self.init(nanoseconds: Int64(milliseconds) * 1_000_000)
  }
}
