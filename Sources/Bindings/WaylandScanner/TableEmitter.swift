/// Writes the table of interfaces that libwayland reads, as Swift source: names, versions, signatures and argument types.
struct TableEmitter {
  let bindings: Bindings

  /// The table's source file. Its entries have the order of the interfaces in the list's protocols.
  func emit() -> String {
    var text = bindings.header(of: bindings.files.map(\.file)) + bindings.importLines
    text += "\nextension InterfaceTable {\n"
    text += "  /// The interfaces of this module's protocols.\n"
    text += "  static let ofModule = InterfaceTable(count: \(bindings.interfaces.count)) { table in\n"
    for (index, interface) in bindings.interfaces.enumerated() {
      text += "    table.define(\(index), \"\(interface.name)\", version: \(interface.version),\n"
      text += "      requests: [\(interface.requests.map(spec).joined(separator: ", "))],\n"
      text += "      events: [\(interface.events.map(spec).joined(separator: ", "))])\n"
    }
    return text + "  }\n}\n"
  }

  private func spec(_ message: ProtocolMessage) -> String {
    var types: [String] = []
    for argument in message.arguments {
      if argument.type == .newID, argument.interface == nil { types += ["nil", "nil"] }
      types.append(reference(argument.interface))
    }
    return ".init(\"\(message.name)\", \"\(message.signature)\", [\(types.joined(separator: ", "))])"
  }

  private func reference(_ name: String?) -> String {
    guard let name else { return "nil" }
    if let index = bindings.interfaces.firstIndex(where: { $0.name == name }) { return "table.at(\(index))" }
    if bindings.foreign.contains(where: { $0.name == name }), let type = bindings.className(name) {
      return "\(type).interface"
    }
    return "nil"
  }
}
