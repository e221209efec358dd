import CWaylandUtil

/// The interface descriptions that libwayland reads to marshal and demarshal messages. Their memory is never freed.
public final class InterfaceTable {
  /// A request or an event: its name, libwayland's signature, and the interface of each argument (nil if the argument is not an
  /// object, or if its interface is not known).
  public struct Message {
    let name: StaticString
    let signature: StaticString
    let types: [UnsafePointer<wl_interface>?]

    /// Describes a message; `types` has one entry per argument on the wire.
    public init(_ name: StaticString, _ signature: StaticString, _ types: [UnsafePointer<wl_interface>?]) {
      self.name = name
      self.signature = signature
      self.types = types
    }
  }

  private let interfaces: UnsafeMutablePointer<wl_interface>
  private let count: Int

  /// Makes a table of `count` interfaces, which `fill` defines by `define`. Entries may refer to each other in any order.
  public init(count: Int, fill: (InterfaceTable) -> Void) {
    self.count = count
    interfaces = .allocate(capacity: count)
    interfaces.initialize(repeating: wl_interface(), count: count)
    fill(self)
  }

  /// The entry `index`; its address never changes.
  public func at(_ index: Int) -> UnsafePointer<wl_interface> {
    precondition(index >= 0 && index < count, "no such interface")
    return UnsafePointer(interfaces + index)
  }

  /// All entries, in order.
  public var all: [wl_interface] { (0..<count).map { interfaces[$0] } }

  /// Sets the entry `index`. Call it only from the initialiser's `fill`.
  public func define(
    _ index: Int, _ name: StaticString, version: Int32, requests: [Message], events: [Message]
  ) {
    precondition(index >= 0 && index < count, "no such interface")
    interfaces[index] = wl_interface(
      name: pointer(name), version: version, method_count: Int32(requests.count), methods: messages(requests),
      event_count: Int32(events.count), events: messages(events))
  }

  private func messages(_ list: [Message]) -> UnsafePointer<wl_message>? {
    guard !list.isEmpty else { return nil }
    let memory = UnsafeMutablePointer<wl_message>.allocate(capacity: list.count)
    for (index, message) in list.enumerated() {
      let types = UnsafeMutablePointer<UnsafePointer<wl_interface>?>.allocate(capacity: max(1, message.types.count))
      types.initialize(repeating: nil, count: max(1, message.types.count))
      for (position, type) in message.types.enumerated() { types[position] = type }
      (memory + index).initialize(
        to: wl_message(name: pointer(message.name), signature: pointer(message.signature), types: types))
    }
    return UnsafePointer(memory)
  }

  /// The bytes of a static string, which are NUL-terminated and never move.
  private func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
