import JSON
import Stage
import WaylandServer
import WaylandWire

/// Follows the messages of one connection, in both directions, and describes each.
///
/// Objects of interfaces that the stage does not know are followed by their numbers alone.
struct ProtocolDecoder {
  /// The interfaces of the objects that live, by number.
  private var interfaces: [UInt32: String] = [1: "wl_display"]
  private var requests: [UInt8] = []
  private var events: [UInt8] = []

  /// Takes bytes as they came from the client (`isRequest`) or from the compositor; returns the messages that they complete.
  mutating func take(_ bytes: ArraySlice<UInt8>, isRequest: Bool) -> [ProtocolMessage] {
    let buffer = ((isRequest ? requests : events) + bytes)[...]
    var messages: [ProtocolMessage] = []
    var start = 0
    // What is no message makes the receiver close the connection.
    while let header = MessageHeader(buffer.dropFirst(start)), buffer.count - start >= header.size {
      let body = buffer[(start + 8)..<(start + header.size)]
      messages.append(message(header.object, header.opcode, isRequest: isRequest, body: body))
      start += header.size
    }
    let rest = Array(buffer.dropFirst(start))
    if isRequest { requests = rest } else { events = rest }
    return messages
  }

  private mutating func message(
    _ object: UInt32, _ opcode: UInt32, isRequest: Bool, body: ArraySlice<UInt8>
  ) -> ProtocolMessage {
    let interface = interfaces[object]
    let known = interface.flatMap { WireInterface.named($0) }
    guard let interface, let shape = isRequest ? known?.request(opcode) : known?.event(opcode) else {
      return ProtocolMessage(
        isRequest: isRequest, object: object, interface: interface ?? "", name: "\(opcode)", arguments: [])
    }
    let arguments = arguments(shape, body)
    if interface == "wl_display", !isRequest, shape.name == "delete_id", let id = arguments.first?.whole {
      interfaces[UInt32(clamping: id)] = nil
    }
    return ProtocolMessage(
      isRequest: isRequest, object: object, interface: interface, name: shape.name, arguments: arguments)
  }

  /// Reads the arguments, and remembers the new objects.
  private mutating func arguments(_ shape: WireMessage, _ body: ArraySlice<UInt8>) -> [JSONValue] {
    var values: [JSONValue] = []
    var index = body.startIndex
    var lastText = ""
    for (kind, interface) in zip(shape.kinds, shape.interfaces) {
      // Descriptors do not travel with the bytes.
      if kind == "h" {
        values.append(.string("descriptor"))
        continue
      }
      guard index + 4 <= body.endIndex else { break }
      let word = Self.word(body, index)
      index += 4
      switch kind {
      case "i": values.append(.number(Double(Int32(bitPattern: word))))
      case "f": values.append(.number(Double(Int32(bitPattern: word)) / 256))
      case "s", "a":
        let end = min(index + Int(word), body.endIndex)
        let bytes = body[index..<end]
        index = min(index + (Int(word) + 3) & ~3, body.endIndex)
        if kind == "s" {
          lastText = String(decoding: bytes.dropLast(), as: UTF8.self)
          values.append(word == 0 ? .null : .string(lastText))
        } else {
          values.append(.array(bytes.map { .number(Double($0)) }))
        }
      case "n":
        // The interface of a new object of any kind is the text before it.
        interfaces[word] = interface ?? lastText
        values.append(.number(Double(word)))
      case "o": values.append(word == 0 ? .null : .number(Double(word)))
      default: values.append(.number(Double(word)))
      }
    }
    return values
  }

  /// The word at the index `start`, in the byte order of little-endian machines, the only ones that Swift runs on here.
  private static func word(_ bytes: ArraySlice<UInt8>, _ start: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
  }
}

/// A request or an event.
struct ProtocolMessage {
  let isRequest: Bool
  let object: UInt32
  /// Empty if the object is not known.
  let interface: String
  /// The name; the number if the interface is not known.
  let name: String
  let arguments: [JSONValue]

  /// The line of a log, without the line break; `time` is in milliseconds.
  func line(time: Double, connection: Int) -> String {
    JSONValue.object([
      "time": .number((time * 1000).rounded() / 1000), "connection": .number(Double(connection)),
      "direction": .string(isRequest ? "request" : "event"), "object": .number(Double(object)),
      "interface": .string(interface), "message": .string(name), "arguments": .array(arguments),
    ]).jsonText
  }

  /// The argument `index` as a number; nil if it is missing or no number.
  func number(_ index: Int) -> Double? { arguments.indices.contains(index) ? arguments[index].finiteNumber : nil }
  /// The argument `index` as the number of an object or the like; 0 for null.
  func id(_ index: Int) -> UInt32 { UInt32(clamping: Int(number(index) ?? 0)) }
  /// The argument `index` as a text; nil if it is missing or no text.
  func text(_ index: Int) -> String? { arguments.indices.contains(index) ? arguments[index].text : nil }
}

extension ProtocolMessage {
  /// Reads a line of a log; nil if it is no message.
  init?(line: JSONValue) {
    guard let direction = line["direction"]?.text, let object = line["object"]?.whole,
      let interface = line["interface"]?.text, let name = line["message"]?.text,
      let arguments = line["arguments"]?.items
    else { return nil }
    self.init(
      isRequest: direction == "request", object: UInt32(clamping: object), interface: interface, name: name,
      arguments: arguments)
  }
}
