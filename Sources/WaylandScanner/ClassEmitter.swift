/// The client's classes send requests and receive events; the server's send events and receive requests. All else is the
/// same, so one emitter writes both.
struct ClassEmitter {
  let bindings: Bindings

  private var isClient: Bool { bindings.side == .client }
  private var base: String { isClient ? "Proxy" : "Resource" }
  private var incomingType: String { isClient ? "Event" : "Request" }
  private var handler: String { isClient ? "onEvent" : "onRequest" }

  /// The source file of one protocol's classes; `firstIndex` is its first interface's place in the table.
  func emit(_ file: ProtocolFile, firstIndex: Int) -> String {
    var text = "// Generated from the protocol \(file.name). Do not edit.\n\n"
    text += "import \(isClient ? "CWayland" : "CWaylandServer")\n"
    for module in bindings.imports { text += "import \(module)\n" }
    for (offset, interface) in file.interfaces.enumerated() {
      text += "\n" + emit(interface, index: firstIndex + offset)
    }
    return text
  }

  private func emit(_ interface: ProtocolInterface, index: Int) -> String {
    let incoming = isClient ? interface.events : interface.requests
    let outgoing = isClient ? interface.requests : interface.events
    let name = bindings.className(interface.name) ?? SwiftNames.type(interface.name)
    var text = SwiftNames.comment(interface.summary, fallback: interface.name, indent: "")
    text += "///\n/// Protocol interface `\(interface.name)`, version \(interface.version).\n"
    text += "public final class \(name): \(base) {\n"
    text += "  /// The description that libwayland reads.\n"
    text += "  public override class var interface: UnsafePointer<wl_interface> { "
    text += "InterfaceTable.ofThisModule.at(\(index)) }\n"
    for value in interface.enums { text += EnumEmitter.emit(value, of: interface.name) }
    if !incoming.isEmpty { text += emitIncoming(incoming, of: interface) }
    for (opcode, message) in outgoing.enumerated() { text += emitOutgoing(message, opcode: opcode, of: interface) }
    if isClient { text += emitDestructor(interface) }
    return text + "}\n"
  }

  // MARK: Incoming

  private func emitIncoming(_ messages: [ProtocolMessage], of interface: ProtocolInterface) -> String {
    var text = "\n  /// What the other side sends.\n  public enum \(incomingType) {\n"
    for message in messages {
      text += SwiftNames.comment(message.summary, fallback: message.name, indent: "    ")
      let payload = message.arguments.map { "\(label($0)): \(incomingSwiftType($0, in: interface))" }
      text += "    case \(SwiftNames.member(message.name))"
      text += payload.isEmpty ? "\n" : "(\(payload.joined(separator: ", ")))\n"
    }
    text += "  }\n\n  /// Called for each message, in order.\n"
    text += "  public var \(handler): ((\(incomingType)) -> Void)?\n\n"
    text += "  /// Turns a message into the enum and hands it over.\n"
    text += "  public override func dispatch(opcode: UInt32, arguments: UnsafeMutablePointer<wl_argument>) {\n"
    text += "    switch opcode {\n"
    for (opcode, message) in messages.enumerated() {
      text += "    case \(opcode):\n"
      let values = message.arguments.enumerated().map { position, argument in
        "\(label(argument)): \(incomingValue(argument, at: position, in: interface))"
      }
      let value = ".\(SwiftNames.member(message.name))" + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
      text += "      let message = \(incomingType)\(value)\n"
      if isClient, message.isDestructor || (interface.name == "wl_callback" && message.name == "done") {
        text += "      let handler = \(handler)\n      discard()\n      handler?(message)\n"
      } else {
        text += "      \(handler)?(message)\n"
        if !isClient, message.isDestructor { text += "      destroy()\n" }
      }
    }
    return text + "    default: break\n    }\n  }\n"
  }

  private func incomingSwiftType(_ argument: ProtocolArgument, in interface: ProtocolInterface) -> String {
    switch argument.type {
    case .int, .uint:
      bindings.enumType(argument.enumName, within: interface) ?? (argument.type == .int ? "Int32" : "UInt32")
    case .fixed: "Double"
    case .string: argument.allowsNull ? "String?" : "String"
    case .object: (bindings.className(argument.interface) ?? base) + "?"
    case .newID: bindings.className(argument.interface) ?? base
    case .array: "[UInt8]"
    case .fd: "ReceivedFile"
    }
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
    let created = newID.flatMap { bindings.className($0.interface) }
    let isGeneric = isClient && newID != nil && newID?.interface == nil
    var parameters: [String] = []
    for argument in message.arguments {
      if argument.type == .newID {
        if isGeneric { parameters += ["_ type: T.Type", "version: UInt32"] }
        if !isClient { parameters.append("\(label(argument)): \(created ?? base)") }
      } else {
        parameters.append("\(label(argument)): \(outgoingSwiftType(argument, in: interface))")
      }
    }
    var text = "\n" + SwiftNames.comment(message.summary, fallback: message.name, indent: "  ")
    text += "  ///\n  /// `\(interface.name).\(message.name)`, since version \(message.since).\n"
    let result = isClient ? (isGeneric ? " -> T" : created.map { " -> \($0)" } ?? "") : ""
    let verb = isClient ? SwiftNames.member(message.name) : "send" + SwiftNames.type(message.name)
    if !result.isEmpty { text += "  @discardableResult\n" }
    text += "  public func \(verb)\(isGeneric ? "<T: Proxy>" : "")(\(parameters.joined(separator: ", ")))\(result) {\n"
    text += body(message, opcode: opcode, created: isGeneric ? "T" : created)
    return text + "  }\n"
  }

  private func body(_ message: ProtocolMessage, opcode: Int, created: String?) -> String {
    let count = message.arguments.reduce(0) { $0 + ($1.type == .newID && $1.interface == nil && isClient ? 3 : 1) }
    var call: String
    if !isClient {
      call = "post(\(opcode), arguments)"
    } else if let created {
      let version = created == "T" ? "version" : "self.version"
      call = "return construct(\(created).self, \(opcode), version: \(version), arguments)"
    } else {
      call = message.isDestructor ? "destruct(\(opcode), arguments)" : "marshal(\(opcode), arguments)"
    }
    var text = guardArguments(message, opcode: opcode, created: created)
    var indent = "    "
    var closing = ""
    var slot = 0
    var assignments: [String] = []
    for argument in message.arguments {
      let name = SwiftNames.argument(argument.name)
      let value = "arguments[\(slot)]"
      switch argument.type {
      case .int: assignments.append("\(value).i = \(number(argument, name, signed: true))")
      case .uint: assignments.append("\(value).u = \(number(argument, name, signed: false))")
      case .fixed: assignments.append("\(value).f = wireFixed(\(name))")
      case .object: assignments.append("\(value).o = wireObject(\(name))")
      case .fd: assignments.append("\(value).h = \(name)")
      case .string:
        text += "\(indent)\(result(created))withWireText(\(name)) { text\(slot) in\n"
        assignments.append("\(value).s = text\(slot)")
        closing = "\(indent)}\n" + closing
        indent += "  "
      case .array:
        text += "\(indent)\(result(created))withWireBytes(\(name)) { array\(slot) in\n"
        assignments.append("\(value).a = array\(slot)")
        closing = "\(indent)}\n" + closing
        indent += "  "
      case .newID:
        if argument.interface == nil, isClient {
          assignments.append("\(value).s = T.interface.pointee.name")
          assignments.append("arguments[\(slot + 1)].u = version")
          slot += 2
        } else if !isClient {
          assignments.append("\(value).o = wireObject(\(name))")
        } else {
          assignments.append("\(value).n = 0")
        }
      }
      slot += 1
    }
    text += "\(indent)\(result(created))withWireArguments(\(count)) { arguments in\n"
    for assignment in assignments { text += "\(indent)  \(assignment)\n" }
    return text + "\(indent)  \(call)\n\(indent)}\n" + closing
  }

  /// What keeps a client's request back that has an ended object as an argument.
  private func guardArguments(_ message: ProtocolMessage, opcode: Int, created: String?) -> String {
    let objects = message.arguments.filter { $0.type == .object }
    guard isClient, !objects.isEmpty else { return "" }
    let tests = objects.map { "maySend(\(opcode), with: \(SwiftNames.argument($0.name)))" }
    let otherwise = created.map { "return \($0)(ended: ())" } ?? "return"
    return "    guard \(tests.joined(separator: ", ")) else { \(otherwise) }\n"
  }

  private func result(_ created: String?) -> String { isClient && created != nil ? "return " : "" }

  private func number(_ argument: ProtocolArgument, _ name: String, signed: Bool) -> String {
    guard argument.enumName != nil else { return name }
    return signed ? "wireInt(\(name))" : "wireUInt(\(name))"
  }

  private func outgoingSwiftType(_ argument: ProtocolArgument, in interface: ProtocolInterface) -> String {
    switch argument.type {
    case .int, .uint:
      bindings.enumType(argument.enumName, within: interface) ?? (argument.type == .int ? "Int32" : "UInt32")
    case .fixed: "Double"
    case .string: argument.allowsNull ? "String?" : "String"
    case .object: (bindings.className(argument.interface) ?? base) + (argument.allowsNull ? "?" : "")
    case .newID: base
    case .array: "[UInt8]"
    case .fd: "Int32"
    }
  }

  /// The default way to end the object: its first destructor without arguments.
  private func emitDestructor(_ interface: ProtocolInterface) -> String {
    let known = interface.requests.enumerated().first { $1.isDestructor && $1.arguments.isEmpty }
    guard let (opcode, message) = known else { return "" }
    var text = "\n  /// Ends the object by `\(message.name)` where its version has it.\n"
    text += "  public override func end() {\n"
    text += "    guard isAlive, version >= \(message.since) else { return discard() }\n"
    text += "    withWireArguments(0) { destruct(\(opcode), $0) }\n  }\n"
    return text
  }

  private func label(_ argument: ProtocolArgument) -> String { SwiftNames.argument(argument.name) }
}
