/// Writes a protocol's enums as Swift types.
enum EnumEmitter {
  /// A nested type: an option set for a bitfield, else an open enumeration, since a newer peer may send values that this
  /// one's XML does not name.
  static func emit(_ value: ProtocolEnum, of interface: String) -> String {
    let name = SwiftNames.enumType(value.name)
    let conformance = value.isBitfield ? "OptionSet, Hashable, Sendable" : "RawRepresentable, Hashable, Sendable"
    var text = "\n  /// \(interface).\(value.name)\n  nonisolated public struct \(name): \(conformance) {\n"
    text += "    /// The value on the wire.\n    public let rawValue: UInt32\n\n"
    text += "    /// Any value, known or not.\n    public init(rawValue: UInt32) { self.rawValue = rawValue }\n\n"
    for entry in value.entries where !(value.isBitfield && entry.value == 0) {
      text += SwiftNames.comment(entry.summary, fallback: entry.name, indent: "    ")
      text += "    public static let \(SwiftNames.member(entry.name)) = \(name)(rawValue: \(entry.value))\n"
    }
    return text + "  }\n"
  }
}
