import CWaylandUtil

/// The description of an interface, which libwayland reads. Its memory is never freed.
@safe public struct WireInterface {
  /// libwayland's structure.
  public let pointer: UnsafePointer<wl_interface>

  /// The interface's name.
  public var name: String { unsafe String(cString: pointer.pointee.name) }
  /// The newest version that the description knows.
  public var version: Int32 { unsafe pointer.pointee.version }

  /// The description of the request `opcode`; nil if the interface has none.
  public func request(_ opcode: UInt32) -> WireMessage? {
    guard opcode < UInt32(unsafe pointer.pointee.method_count) else { return nil }
    return unsafe pointer.pointee.methods.map { unsafe WireMessage($0[Int(opcode)]) }
  }

  /// The description of the event `opcode`; nil if the interface has none.
  public func event(_ opcode: UInt32) -> WireMessage? {
    guard opcode < UInt32(unsafe pointer.pointee.event_count) else { return nil }
    return unsafe pointer.pointee.events.map { unsafe WireMessage($0[Int(opcode)]) }
  }

  /// The descriptions of the requests, in the order of their opcodes.
  public var requests: [WireMessage] { unsafe (0..<UInt32(pointer.pointee.method_count)).compactMap(request) }
  /// The descriptions of the events, in the order of their opcodes.
  public var events: [WireMessage] { unsafe (0..<UInt32(pointer.pointee.event_count)).compactMap(event) }
}

/// The name of a request or an event, and the types of its arguments.
public struct WireMessage {
  /// The message's name.
  public let name: String
  /// libwayland's signature: the version that the message came with, if that is not 1, then the kinds, each after `?` if it may
  /// be NULL.
  public let signature: String
  /// libwayland's letter for each argument on the wire.
  public let kinds: String
  /// The name of each argument's interface; nil if the argument is no object, or may be one of any interface.
  public let interfaces: [String?]

  /// Reads libwayland's description.
  public init(_ message: wl_message) {
    name = unsafe String(cString: message.name)
    signature = unsafe String(cString: message.signature)
    kinds = signature.filter { !$0.isNumber && $0 != "?" }
    interfaces = kinds.indices.enumerated().map { index, _ in
      unsafe message.types?[index].map { unsafe String(cString: $0.pointee.name) }
    }
  }

  /// The version that the message came with.
  public var since: Int { Int(signature.prefix { $0.isNumber }) ?? 1 }
}

/// The interface descriptions that libwayland reads to marshal and demarshal messages. Their memory is never freed.
@safe public final class InterfaceTable {
  /// A request or an event: its name, libwayland's signature, and the interface of each argument (nil if the argument is not an
  /// object, or if its interface is not known).
  public struct Message {
    let name: StaticString
    let signature: StaticString
    let types: [WireInterface?]

    /// Describes a message; `types` has one entry per argument on the wire.
    public init(_ name: StaticString, _ signature: StaticString, _ types: [WireInterface?]) {
      self.name = name
      self.signature = signature
      self.types = types
    }
  }

  private let interfaces: UnsafeMutableBufferPointer<wl_interface>

  /// Makes a table of `count` interfaces, which `fill` defines by `define`. Entries may refer to each other in any order.
  public init(count: Int, fill: (InterfaceTable) -> Void) {
    unsafe interfaces = .allocate(capacity: count)
    unsafe interfaces.initialize(repeating: wl_interface())
    fill(self)
  }

  /// The entry `index`; its address never changes.
  public func at(_ index: Int) -> WireInterface {
    guard unsafe interfaces.indices.contains(index), let start = unsafe interfaces.baseAddress else {
      preconditionFailure("no such interface")
    }
    return unsafe WireInterface(pointer: UnsafePointer(start + index))
  }

  /// All entries, in order.
  public var all: [WireInterface] { unsafe interfaces.indices.map { at($0) } }

  /// Sets the entry `index`. Call it only from the initialiser's `fill`.
  public func define(
    _ index: Int, _ name: StaticString, version: Int32, requests: [Message], events: [Message]
  ) {
    unsafe UnsafeMutablePointer(mutating: at(index).pointer).pointee = unsafe wl_interface(
      name: pointer(name), version: version, method_count: Int32(requests.count), methods: messages(requests),
      event_count: Int32(events.count), events: messages(events))
  }

  private func messages(_ list: [Message]) -> UnsafePointer<wl_message>? {
    guard !list.isEmpty else { return nil }
    let memory = UnsafeMutablePointer<wl_message>.allocate(capacity: list.count)
    for (index, message) in list.enumerated() {
      let count = max(1, message.types.count)
      let types = UnsafeMutablePointer<UnsafePointer<wl_interface>?>.allocate(capacity: count)
      unsafe types.initialize(repeating: nil, count: count)
      for (position, type) in message.types.enumerated() { unsafe types[position] = type?.pointer }
      unsafe (memory + index).initialize(
        to: wl_message(name: pointer(message.name), signature: pointer(message.signature), types: types))
    }
    return unsafe UnsafePointer(memory)
  }

  /// The bytes of a static string, which are NUL-terminated and never move.
  private func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
