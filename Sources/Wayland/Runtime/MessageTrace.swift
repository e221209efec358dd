import CWayland

/// Writes the messages to and from compositors as text, such as `-> wl_surface@12.attach(wl_buffer@20, 0, 0)`. Received messages
/// have no arrow.
@MainActor public enum MessageTrace {
  /// Receives a line for each message. If it is nil, messages are not traced, at no cost.
  public static var sink: ((String) -> Void)?

  /// Reports a request; `made` is the object that it created.
  static func request(
    on raw: OpaquePointer, of interface: UnsafePointer<wl_interface>, _ opcode: UInt32,
    _ arguments: UnsafePointer<wl_argument>, made: OpaquePointer? = nil
  ) {
    guard let sink, let message = interface.request(opcode) else { return }
    sink("-> \(name(raw)).\(line(message, arguments, made: made))")
  }

  /// Reports a received event.
  static func event(on raw: OpaquePointer, _ message: wl_message, _ arguments: UnsafePointer<wl_argument>) {
    guard let sink else { return }
    sink("\(name(raw)).\(line(message, arguments, made: nil))")
  }

  /// The interface and the number of an object: `wl_surface@12`.
  private static func name(_ raw: OpaquePointer) -> String {
    "\(String(cString: wl_proxy_get_class(raw)))@\(wl_proxy_get_id(raw))"
  }

  private static func line(
    _ message: wl_message, _ arguments: UnsafePointer<wl_argument>, made: OpaquePointer?
  ) -> String {
    let signature = String(cString: message.signature).filter { !$0.isNumber && $0 != "?" }
    let values = signature.enumerated().map { index, kind in value(kind, arguments[index], made: made) }
    return "\(String(cString: message.name))(\(values.joined(separator: ", ")))"
  }

  private static func value(_ kind: Character, _ argument: wl_argument, made: OpaquePointer?) -> String {
    switch kind {
    case "i": "\(argument.i)"
    case "u": "\(argument.u)"
    case "f": "\(Double(argument.f) / 256)"
    case "s": argument.s.map { "\"\(String(cString: $0))\"" } ?? "nil"
    case "o": argument.o.map(name) ?? "nil"
    case "n": (made ?? argument.o).map { "new \(name($0))" } ?? "new"
    case "a": argument.a.map { "\($0.pointee.size) bytes" } ?? "nil"
    case "h": "fd"
    default: "?"
    }
  }
}

extension UnsafePointer<wl_interface> {
  /// The description of the request `opcode`; nil if the interface has none.
  fileprivate func request(_ opcode: UInt32) -> wl_message? {
    opcode < UInt32(pointee.method_count) ? pointee.methods?[Int(opcode)] : nil
  }
}

/// Reports requests that are dropped: those on an ended object, or with one as an argument. An object that a dropped request
/// would have created counts as ended too.
///
/// Objects end at any time: compositors remove seats and outputs, and connections break, while callers still refer to them.
@MainActor public enum DroppedRequests {
  /// Receives a line for each dropped request; nil to report none.
  public static var report: ((String) -> Void)?

  static func note(_ interface: UnsafePointer<wl_interface>, _ opcode: UInt32, _ reason: String) {
    guard let report else { return }
    let name = interface.request(opcode).map { String(cString: $0.name) } ?? "request \(opcode)"
    report("\(String(cString: interface.pointee.name)).\(name) was not sent: \(reason) has ended")
  }
}
