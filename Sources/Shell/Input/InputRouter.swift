// What input devices need of the application: which window a surface is.

import Interface
import Wayland

/// Finds the window of a surface, and tells the time.
protocol InputRouter: AnyObject {
  var now: MonotonicTime { get }
  var loop: EventLoop { get }
  func window(of surface: WlSurface?) -> Window?
  func window(identified id: ObjectIdentifier) -> Window?
  /// Something was pressed or touched: what is copied next is copied by it.
  func pressed(_ serial: UInt32, on seat: SeatID)
  /// Tells every window that input is lost.
  func tellLoss(_ loss: InputLoss)
}
