// What input devices need of the application: which window a surface is.

import Interface
import Wayland

/// Finds the window of a surface, and tells the time.
protocol InputRouter: AnyObject {
  var now: MonotonicTime { get }
  var loop: EventLoop { get }
  var outbox: Outbox { get }
  func window(of surface: WlSurface?) -> Window?
  func window(identified id: ObjectIdentifier) -> Window?
  /// Something was pressed or touched: what is copied next is copied by it.
  func pressed(_ serial: UInt32, on seat: SeatID)
  /// Tells every window that input is lost.
  func tellLoss(_ loss: InputLoss)
  /// Ends `object`, which the compositor took away, when the events have come that were under way: keeps it until then.
  func retire(_ object: any MakesObjects)
}

/// Protocol objects some of whose events make objects.
///
/// libwayland numbers what the compositor makes without gaps. It drops an event of an object that has ended, with the object
/// that the event made, and takes the next number for a mistake: the connection is over. So such an object ends only when the
/// compositor has taken it away and everything that it sent before has come (`InputRouter.retire`).
protocol MakesObjects: AnyObject {
  /// Ends the objects, and all that events made since they were let go of.
  func endObjects()
}

/// Something that waits for its last events: they come before the answer.
struct LeavingObject {
  let object: any MakesObjects
  let answer: WlCallback
}
