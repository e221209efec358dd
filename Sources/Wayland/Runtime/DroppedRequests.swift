import CWayland

/// The rule for ended objects: a request on one, or with one as an argument, is dropped and reported. An object that such a request
/// would have made counts as ended too.
///
/// Objects end at any time: compositors take seats, outputs and connections away while callers still refer to them.
@MainActor public enum DroppedRequests {
  /// Receives a line for each dropped request; nil for silence.
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
