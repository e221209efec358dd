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
    var text = "// Generated from the protocol \(file.name). Do not edit.\n\n" + bindings.importLines
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
      \(SwiftNames.comment(interface.summary, fallback: interface.name, indent: ""))///
      /// Protocol interface `\(interface.name)`, version \(interface.version).
      public final class \(name): \(base)\(conformance) {
        /// The description that libwayland reads.
        public override class var interface: UnsafePointer<wl_interface> { InterfaceTable.ofThisModule.at(\(index)) }

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
      text += SwiftNames.comment(entry.summary, fallback: entry.name, indent: "    ")
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
    case .array: "[UInt8]"
    case .fd: isIncoming ? "ReceivedFile" : "Int32"
    }
  }

  // MARK: Incoming

  private func emitIncoming(_ messages: [ProtocolMessage], of interface: ProtocolInterface) -> String {
    var text = "\n  /// A message of the other side.\n  public enum \(incomingType) {\n"
    for message in messages {
      text += SwiftNames.comment(message.summary, fallback: message.name, indent: "    ")
      let payload = message.arguments.map { "\($0.label): \(type($0, in: interface, isIncoming: true))" }
      text += "    case \(SwiftNames.member(message.name))\(SwiftNames.list(payload))\n"
    }
    text += """
        }

        /// Called for each message, in order.
        public var \(handler): ((\(incomingType)) -> Void)?

        /// Turns a message into the enum and hands it over.
        public override func dispatch(opcode: UInt32, arguments: UnsafeMutablePointer<wl_argument>) {
          switch opcode {

      """
    for (opcode, message) in messages.enumerated() {
      let values = message.arguments.enumerated().map { position, argument in
        "\(argument.label): \(incomingValue(argument, at: position, in: interface))"
      }
      text += "    case \(opcode):\n"
      text += "      let message = \(incomingType).\(SwiftNames.member(message.name))\(SwiftNames.list(values))\n"
      if isClient, message.isDestructor || (interface.name == "wl_callback" && message.name == "done") {
        text += "      let handler = \(handler)\n      discard()\n      handler?(message)\n"
      } else {
        text += "      \(handler)?(message)\n"
        if !isClient, message.isDestructor { text += "      destroy()\n" }
      }
    }
    return text + "    default: break\n    }\n  }\n"
  }

  private func incomingValue(_ argument: ProtocolArgument, at index: Int, in interface: ProtocolInterface) -> String {
    let slot = "arguments[\(index)]"
    switch argument.type {
    case .int, .uint:
      let field = argument.type == .int ? "\(slot).i" : "\(slot).u"
      guard let type = bindings.enumType(argument.enumName, within: interface) else { return field }
      return "\(type)(rawValue: \(argument.type == .int ? "UInt32(bitPattern: \(field))" : field))"
    case .fixed: return "Double(\(slot).f) / 256"
    case .string: return argument.allowsNull ? "optionalText(\(slot))" : "text(\(slot))"
    case .object: return "object(\(slot))"
    case .newID: return isClient ? "created(\(slot))" : "created(\(slot), by: self)"
    case .array: return "bytes(\(slot))"
    case .fd: return "ReceivedFile(\(slot).h)"
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
    var text = "\n" + SwiftNames.comment(message.summary, fallback: message.name, indent: "  ")
    text += "  ///\n  /// `\(interface.name).\(message.name)`, since version \(message.since).\n"
    if result != nil { text += "  @discardableResult\n" }
    text += "  public func \(verb)\(isGeneric ? "<T: Proxy>" : "")(\(parameters.joined(separator: ", ")))"
    text += result.map { " -> \($0)" } ?? ""
    return text + " {\n\(body(message, opcode: opcode, result: result))  }\n"
  }

  private func body(_ message: ProtocolMessage, opcode: Int, result: String?) -> String {
    // The closures that enclose the call, outermost first, and the statements within them.
    var scopes: [String] = []
    var steps: [String] = []
    var slot = 0
    for argument in message.arguments {
      let (name, value) = (argument.label, "arguments[\(slot)]")
      let hasEnum = argument.enumName != nil
      switch argument.type {
      case .int: steps.append("\(value).i = \(hasEnum ? "wireInt(\(name))" : name)")
      case .uint: steps.append("\(value).u = \(hasEnum ? "wireUInt(\(name))" : name)")
      case .fixed: steps.append("\(value).f = wireFixed(\(name))")
      case .object: steps.append("\(value).o = wireObject(\(name))")
      case .fd: steps.append("\(value).h = \(name)")
      case .string:
        scopes.append("withWireText(\(name)) { text\(slot) in")
        steps.append("\(value).s = text\(slot)")
      case .array:
        scopes.append("withWireBytes(\(name)) { array\(slot) in")
        steps.append("\(value).a = array\(slot)")
      case .newID where !isClient: steps.append("\(value).o = wireObject(\(name))")
      case .newID where argument.interface != nil: steps.append("\(value).n = 0")
      case .newID:
        steps += ["\(value).s = T.interface.pointee.name", "arguments[\(slot + 1)].u = version"]
        slot += 2
      }
      slot += 1
    }
    scopes.append("withWireArguments(\(slot)) { arguments in")
    if !isClient {
      steps.append("post(\(opcode), arguments)")
    } else if let result {
      let version = result == "T" ? "version" : "self.version"
      steps.append("return construct(\(result).self, \(opcode), version: \(version), arguments)")
    } else {
      steps.append("\(message.isDestructor ? "destruct" : "marshal")(\(opcode), arguments)")
    }
    var text = guardArguments(message, opcode: opcode, result: result)
    func add(_ line: String, depth: Int) { text += String(repeating: "  ", count: depth + 2) + line + "\n" }
    for (depth, scope) in scopes.enumerated() { add((result == nil ? "" : "return ") + scope, depth: depth) }
    for step in steps { add(step, depth: scopes.count) }
    for depth in scopes.indices.reversed() { add("}", depth: depth) }
    return text
  }

  /// The guard that drops a client's request if an argument is a destroyed object; empty for servers, or without objects.
  private func guardArguments(_ message: ProtocolMessage, opcode: Int, result: String?) -> String {
    let objects = message.arguments.filter { $0.type == .object }
    guard isClient, !objects.isEmpty else { return "" }
    let tests = objects.map { "maySend(\(opcode), with: \($0.label))" }
    let otherwise = result.map { "return \($0)(ended: ())" } ?? "return"
    return "    guard \(tests.joined(separator: ", ")) else { \(otherwise) }\n"
  }

  /// The client's `end()`, which sends the interface's first destructor request without arguments; empty without one.
  private func emitDestructor(_ interface: ProtocolInterface) -> String {
    let known = interface.requests.enumerated().first { $1.isDestructor && $1.arguments.isEmpty }
    guard let (opcode, message) = known else { return "" }
    return """

        /// Ends the object by `\(message.name)` where its version has it.
        public override func end() {
          guard isAlive, version >= \(message.since) else { return discard() }
          withWireArguments(0) { destruct(\(opcode), $0) }
        }

      """
  }
}
