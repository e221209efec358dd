/// Writes the Swift source of a protocol's classes, for either side: clients send requests and receive events, servers send
/// events and receive requests. Everything else is the same.
struct ClassEmitter {
  let bindings: Bindings

  private var isClient: Bool { bindings.side == .client }
  private var base: String { isClient ? "Proxy" : "Resource" }
  private var incomingType: String { isClient ? "Event" : "Request" }
  private var handler: String { isClient ? "onEvent" : "onRequest" }

  /// The source file of one protocol's classes; `firstIndex` is the index of its first interface in the table.
  func emit(_ file: ProtocolFile, firstIndex: Int) -> String {
    var text = bindings.header(of: [file]) + bindings.importLines
    for (offset, interface) in file.interfaces.enumerated() {
      text += "\n" + emit(interface, index: firstIndex + offset)
    }
    return text
  }

  private func emit(_ interface: ProtocolInterface, index: Int) -> String {
    let incoming = isClient ? interface.events : interface.requests
    let outgoing = isClient ? interface.requests : interface.events
    let name = bindings.className(interface.name) ?? SwiftNames.type(interface.name)
    let conformance = !isClient && !incoming.isEmpty ? ", TakesRequests" : ""
    var text = """
      /// Protocol interface `\(interface.name)`, version \(interface.version).
      public final class \(name): \(base)\(conformance) {
        /// The description that libwayland reads.
        public override class var interface: WireInterface { InterfaceTable.ofModule.at(\(index)) }

      """
    for value in interface.enums { text += emit(value, of: interface.name) }
    if !incoming.isEmpty { text += emitIncoming(incoming, of: interface) }
    for (opcode, message) in outgoing.enumerated() { text += emitOutgoing(message, opcode: opcode, of: interface) }
    if isClient { text += emitDestructor(interface) }
    return text + "}\n"
  }

  /// A nested type for an enum: an option set for a bitfield, otherwise a struct that accepts any raw value, because a newer peer
  /// may send values that this XML does not name.
  private func emit(_ value: ProtocolEnum, of interface: String) -> String {
    let name = SwiftNames.enumType(value.name)
    var text = """

        /// \(interface).\(value.name)
        nonisolated public struct \(name): \(value.isBitfield ? "OptionSet" : "RawRepresentable"), Hashable, Sendable {
          /// The value on the wire.
          public let rawValue: UInt32

          /// Any value, known or not.
          public init(rawValue: UInt32) { self.rawValue = rawValue }


      """
    for entry in value.entries where !(value.isBitfield && entry.value == 0) {
      text += "    /// `\(entry.name)`.\n"
      text += "    public static let \(SwiftNames.member(entry.name)) = \(name)(rawValue: \(entry.value))\n"
    }
    return text + "  }\n"
  }

  /// The Swift type of an argument. An incoming object is always optional, because it may have ended.
  private func type(_ argument: ProtocolArgument, in interface: ProtocolInterface, isIncoming: Bool) -> String {
    switch argument.type {
    case .int: bindings.enumType(argument.enumName, within: interface) ?? "Int32"
    case .uint: bindings.enumType(argument.enumName, within: interface) ?? "UInt32"
    case .fixed: "Double"
    case .string: argument.allowsNull ? "String?" : "String"
    case .object: (bindings.className(argument.interface) ?? base) + (isIncoming || argument.allowsNull ? "?" : "")
    case .newID: bindings.className(argument.interface) ?? base
    // Arrays of every protocol that is bound hold 32-bit numbers.
    case .array: isIncoming ? "[UInt32]" : "[UInt8]"
    case .fd: isIncoming ? "ReceivedFile" : "Int32"
    }
  }

  // MARK: Incoming

  private func emitIncoming(_ messages: [ProtocolMessage], of interface: ProtocolInterface) -> String {
    var text = "\n  /// A message of the other side.\n  public enum \(incomingType) {\n"
    for message in messages {
      text += "    /// `\(interface.name).\(message.name)`, since version \(message.since).\n"
      let payload = message.arguments.map { "\($0.label): \(type($0, in: interface, isIncoming: true))" }
      text += "    case \(SwiftNames.member(message.name))\(SwiftNames.list(payload))\n"
    }
    text += """
        }

        /// Called for each message, in order.
        public var \(handler): ((\(incomingType)) -> Void)?

        /// Turns a message into the enum and hands it over.
        public override func dispatch(opcode: UInt32, arguments: WireArguments) {
          switch opcode {

      """
    for (opcode, message) in messages.enumerated() {
      let values = message.arguments.enumerated().map { position, argument in
        "\(argument.label): \(incomingValue(argument, at: position, in: interface))"
      }
      text += "    case \(opcode):\n"
      text += "      let message = \(incomingType).\(SwiftNames.member(message.name))\(SwiftNames.list(values))\n"
      if isClient, message.isDestructor || interface.name == "wl_callback" {
        text += "      let handler = \(handler)\n      discard()\n      handler?(message)\n"
      } else {
        text += "      \(handler)?(message)\n"
        if !isClient, message.isDestructor { text += "      destroy()\n" }
      }
    }
    return text + "    default: break\n    }\n  }\n"
  }

  private func incomingValue(_ argument: ProtocolArgument, at index: Int, in interface: ProtocolInterface) -> String {
    switch argument.type {
    case .int, .uint:
      guard let type = bindings.enumType(argument.enumName, within: interface) else {
        return "arguments.\(argument.type)(\(index))"
      }
      return "\(type)(rawValue: arguments.uint(\(index)))"
    case .fixed: return "arguments.fixed(\(index))"
    case .string: return argument.allowsNull ? "arguments.optionalText(\(index))" : "arguments.text(\(index))"
    case .object: return "object(arguments, \(index))"
    case .newID: return isClient ? "created(arguments, \(index))" : "created(arguments, \(index), by: self)"
    case .array: return "arguments.numbers(\(index))"
    case .fd: return "ReceivedFile(arguments.int(\(index)))"
    }
  }

  // MARK: Outgoing

  private func emitOutgoing(_ message: ProtocolMessage, opcode: Int, of interface: ProtocolInterface) -> String {
    let newID = message.arguments.first { $0.type == .newID }
    let isGeneric = isClient && newID != nil && newID?.interface == nil
    // The result type: the class of the object that a client's request creates.
    let result = !isClient ? nil : isGeneric ? "T" : newID.flatMap { bindings.className($0.interface) }
    let parameters = message.arguments.flatMap { argument in
      if argument.type == .newID, isClient { return isGeneric ? ["_ type: T.Type", "version: UInt32"] : [] }
      return ["\(argument.label): \(type(argument, in: interface, isIncoming: false))"]
    }
    let verb = isClient ? SwiftNames.member(message.name) : "send" + SwiftNames.type(message.name)
    var text = "\n  /// `\(interface.name).\(message.name)`, since version \(message.since).\n"
    if result != nil { text += "  @discardableResult\n" }
    text += "  public func \(verb)\(isGeneric ? "<T: Proxy>" : "")(\(parameters.joined(separator: ", ")))"
    text += result.map { " -> \($0)" } ?? ""
    guard isClient else { return text + body(message, opcode: opcode, "post(\(opcode), arguments)") }
    guard let result else {
      let ending = message.isDestructor ? ", destroys: true" : ""
      return text + body(message, opcode: opcode, "marshal(\(opcode), arguments\(ending))")
    }
    let version = isGeneric ? "version" : "self.version"
    text += body(
      message, opcode: opcode, "construct(\(result).self, \(opcode), version: \(version), arguments)",
      returning: "\(result)(ended: ())")
    guard bindings.endsItself(newID?.interface) else { return text }
    text +=
      "\n  /// The same for an object in `slot`, which is used again if it has ended: see `Proxy.construct(into:)`.\n"
    text += "  public func \(verb)(\((parameters + ["into slot: inout \(result)?"]).joined(separator: ", "))) -> Bool"
    return text
      + body(message, opcode: opcode, "construct(into: &slot, \(opcode), arguments)", returning: "false")
  }

  /// A function's body: sets the arguments, and sends them by `call`. It returns the result of that, or `otherwise` for a request
  /// with a destroyed object; nothing if `otherwise` is nil.
  private func body(
    _ message: ProtocolMessage, opcode: Int, _ call: String, returning otherwise: String? = nil
  ) -> String {
    var steps: [String] = []
    var slot = 0
    for argument in message.arguments {
      // The number of a new object is 0 until libwayland sets it.
      if isClient, argument.type == .newID {
        if argument.interface == nil {
          steps += ["arguments.set(\(slot), T.interface)", "arguments.set(\(slot + 1), version)"]
          slot += 2
        }
      } else {
        steps.append("arguments.set(\(slot), \(argument.label))")
      }
      slot += 1
    }
    let objects = isClient ? message.arguments.filter { $0.type == .object } : []
    let tests = objects.map { "maySend(\(opcode), with: \($0.label))" }.joined(separator: ", ")
    let word = otherwise == nil ? "" : "return "
    return " {\n" + (tests.isEmpty ? "" : "    guard \(tests) else { return \(otherwise ?? "") }\n")
      + "    \(word)WireArguments.with(\(slot)) { arguments in\n"
      + steps.map { "      \($0)\n" }.joined() + "      \(word)\(call)\n    }\n  }\n"
  }

  /// The client's `end()`, which sends the interface's first destructor request without arguments; empty without one.
  private func emitDestructor(_ interface: ProtocolInterface) -> String {
    let known = interface.requests.enumerated().first { $1.isDestructor && $1.arguments.isEmpty }
    guard let (opcode, message) = known else { return "" }
    return """

        /// Ends the object by `\(message.name)` where its version has it.
        public override func end() {
          guard isAlive, version >= \(message.since) else { return discard() }
          WireArguments.with(0) { marshal(\(opcode), $0, destroys: true) }
        }

      """
  }
}
