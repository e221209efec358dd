import WaylandWire

/// Writes the messages to and from compositors as text, such as `-> wl_surface@12.attach(wl_buffer@20, 0, 0)`. Received messages
/// have no arrow.
@MainActor public enum MessageTrace {
  /// Receives a line for each message. If it is nil, messages are not traced, at no cost.
  public static var sink: ((String) -> Void)?

  /// Reports a request; `made` is the object that it created.
  static func request(
    on handle: ProxyHandle, of interface: WireInterface, _ opcode: UInt32, _ arguments: WireArguments,
    made: ProxyHandle? = nil
  ) {
    guard let sink, let message = interface.request(opcode) else { return }
    sink("-> \(handle.name).\(line(message, arguments, made: made))")
  }

  static func event(on handle: ProxyHandle, _ message: WireMessage, _ arguments: WireArguments) {
    sink?("\(handle.name).\(line(message, arguments, made: nil))")
  }

  private static func line(_ message: WireMessage, _ arguments: WireArguments, made: ProxyHandle?) -> String {
    let values = message.kinds.enumerated().map { index, kind in value(kind, arguments, index, made: made) }
    return "\(message.name)(\(values.joined(separator: ", ")))"
  }

  private static func value(_ kind: Character, _ arguments: WireArguments, _ index: Int, made: ProxyHandle?) -> String {
    switch kind {
    case "i": "\(arguments.int(index))"
    case "u": "\(arguments.uint(index))"
    case "f": "\(arguments.fixed(index))"
    case "s": arguments.optionalText(index).map { "\"\($0)\"" } ?? "nil"
    case "o": arguments.handle(index)?.name ?? "nil"
    case "n": (made ?? arguments.handle(index)).map { "new \($0.name)" } ?? "new"
    case "a": "\(arguments.numbers(index).count * 4) bytes"
    case "h": "fd"
    default: "?"
    }
  }
}

/// Reports requests that are dropped: those on an ended object, or with one as an argument. An object that a dropped request
/// would have created counts as ended too.
///
/// Objects end at any time: compositors remove seats and outputs, and connections break, while callers still refer to them.
@MainActor public enum DroppedRequests {
  /// Receives a line for each dropped request; nil to report none.
  public static var report: ((String) -> Void)?

  static func note(_ interface: WireInterface, _ opcode: UInt32, _ reason: String) {
    guard let report else { return }
    let name = interface.request(opcode)?.name ?? "request \(opcode)"
    report("\(interface.name).\(name) was not sent: \(reason) has ended")
  }
}
