// Owns what windows and devices ask of the application: whose surface, whose seat, which output.
// Must not know how a connection begins or ends.

import Interface
import Wayland

extension Application {
  /// True when presentation times are on the monotonic clock (CLOCK_MONOTONIC is 1 on Linux).
  var isMonotonicPresentation: Bool { globals?.presentationClock == 1 }

  func output(of proxy: WlOutput?) -> Output? { outputs.first { $0.proxy === proxy } }

  func isKnown(_ output: Output) -> Bool { outputs.contains { $0 === output } }

  func cancelInput(on window: Window) {
    for seat in seats { seat.cancel(on: window) }
  }

  func surrender(_ touch: TouchID, on window: Window) -> (seat: WlSeat, serial: UInt32)? {
    seats.first { $0.id == touch.seat }?.surrender(touch.contact, on: window)
  }

  func rescaleCursors(over window: Window) {
    for seat in seats { seat.rescaleCursor(over: window) }
  }

  /// Offers `text` for pasting to whoever pressed last; false where nobody did or the compositor has no clipboard.
  func copy(_ text: String) -> Bool {
    guard let lastPress, let seat = seats.first(where: { $0.id == lastPress.seat }) else { return false }
    return seat.copy(text, serial: lastPress.serial)
  }

  func setCursor(_ shape: CursorShape, for seat: SeatID, over window: Window) {
    seats.first { $0.id == seat }?.setCursor(shape, over: window)
  }
}

extension Application: InputRouter {
  func window(of surface: WlSurface?) -> Window? {
    guard let surface else { return nil }
    return windows.first { $0.parts.surface === surface }
  }

  func window(identified id: ObjectIdentifier) -> Window? {
    windows.first { ObjectIdentifier($0) == id }
  }

  func pressed(_ serial: UInt32, on seat: SeatID) { lastPress = (seat, serial) }

  func tellLoss(_ loss: InputLoss) {
    for window in windows { window.receive(.lost(loss)) }
    if loss.cause == .terminating {
      for request in waiting where request.wasShown { outbox.post(.call { request.content.handle(.lost(loss)) }) }
    }
    outbox.deliver()
  }

  func retire(_ object: any MakesObjects) {
    guard let answer = connection?.root.sync() else { return object.endObjects() }
    leaving.append(LeavingObject(object: object, answer: answer))
    answer.onEvent = { [unowned self, unowned object] _ in
      object.endObjects()
      leaving.removeAll { $0.object === object }
    }
  }

  /// Ends what waits for its last events: none will come.
  func endLeaving() {
    for left in leaving {
      left.answer.discard()
      left.object.endObjects()
    }
    leaving.removeAll()
  }
}
