import UICore
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
  /// Ends `object`, which the compositor took away, after the last event that was on its way to it; keeps it until then.
  func retire(_ object: any MakesObjects)
}

/// Protocol objects some of whose events make objects.
///
/// The compositor numbers its objects without gaps. libwayland drops an event of an ended object together with the object that
/// the event made; the next number then looks wrong and ends the connection. So such an object ends only when the compositor has
/// taken it away and has answered a `wl_display.sync`, which follows everything it sent before (`InputRouter.retire`).
protocol MakesObjects: AnyObject {
  /// Ends the objects, those too that events made since the compositor took the maker away.
  func endObjects()
}

/// An object that waits for its last events, which come before the answer.
struct LeavingObject {
  let object: any MakesObjects
  let answer: WlCallback
}
