/// The content of a protocol XML file.
struct ProtocolFile {
  var name = ""
  var interfaces: [ProtocolInterface] = []
}

struct ProtocolInterface {
  var name: String
  var version: Int
  var summary = ""
  var requests: [ProtocolMessage] = []
  var events: [ProtocolMessage] = []
  var enums: [ProtocolEnum] = []
}

struct ProtocolMessage {
  var name: String
  var since: Int
  var isDestructor: Bool
  var summary = ""
  var arguments: [ProtocolArgument] = []

  /// libwayland's signature: `since` if it is above 1, then for each argument a letter, after `?` if it may be NULL. A new object
  /// without a fixed interface has three letters: interface, version, number.
  var signature: String {
    var text = since > 1 ? String(since) : ""
    for argument in arguments {
      if argument.allowsNull { text += "?" }
      text += argument.type == .newID && argument.interface == nil ? "sun" : argument.type.letter
    }
    return text
  }
}

struct ProtocolArgument {
  enum Kind: String {
    case int, uint, fixed, string, object, newID = "new_id", array, fd

    /// libwayland's letter for the type: `h` (handle) for `fd`, otherwise the first of the name.
    var letter: String { self == .fd ? "h" : String(rawValue.prefix(1)) }
  }

  var name: String
  var type: Kind
  var interface: String?
  var allowsNull: Bool
  /// `name` or `interface.name` of the enum that gives the value its meaning.
  var enumName: String?

  /// The argument's name in Swift.
  var label: String { SwiftNames.argument(name) }
}

struct ProtocolEnum {
  struct Entry {
    var name: String
    var value: UInt32
    var summary: String
  }

  var name: String
  var isBitfield: Bool
  var entries: [Entry] = []
}

extension ProtocolInterface {
  /// Adds the messages, enums and enum entries of a newer description of the same interface that are missing here, and takes the
  /// higher version. Messages are appended, because their order determines their opcodes.
  mutating func extend(with newer: ProtocolInterface) {
    version = max(version, newer.version)
    requests.append(missingFrom: newer.requests, by: \.name)
    events.append(missingFrom: newer.events, by: \.name)
    for known in enums.indices {
      for newEnum in newer.enums where newEnum.name == enums[known].name {
        enums[known].entries.append(missingFrom: newEnum.entries, by: \.name)
      }
    }
    enums.append(missingFrom: newer.enums, by: \.name)
  }
}

extension Array {
  /// Appends the elements of `newer` whose names are missing in the array.
  fileprivate mutating func append(missingFrom newer: [Element], by name: KeyPath<Element, String>) {
    let known = Set(map { $0[keyPath: name] })
    self += newer.filter { !known.contains($0[keyPath: name]) }
  }
}
