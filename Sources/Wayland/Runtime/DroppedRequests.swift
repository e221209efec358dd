// Requests that can't be sent, because an object that they need has ended.

import CWayland

/// The one rule for objects that have ended: a request on one, or with one as an argument, is dropped and told. An object that
/// such a request would have made has ended too.
///
/// Objects end at any time: compositors take seats, outputs and connections away while somebody still refers to them.
@MainActor public enum DroppedRequests {
  /// Gets a line for each dropped request; nil tells nobody.
  public static var report: ((String) -> Void)?

  static func note(_ interface: UnsafePointer<wl_interface>, _ opcode: UInt32, _ reason: String) {
    guard let report else { return }
    var name = "request \(opcode)"
    if opcode < UInt32(interface.pointee.method_count), let methods = interface.pointee.methods {
      name = String(cString: methods[Int(opcode)].name)
    }
    report("\(String(cString: interface.pointee.name)).\(name) was not sent: \(reason) has ended")
  }
}
