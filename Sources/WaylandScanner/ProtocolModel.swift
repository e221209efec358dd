/// The content of a protocol XML file, as values. Knows nothing of XML or of Swift source.
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

  /// The signature in libwayland's letters: since, then `?` and a letter for each argument.
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

    var letter: String {
      switch self {
      case .int: "i"
      case .uint: "u"
      case .fixed: "f"
      case .string: "s"
      case .object: "o"
      case .newID: "n"
      case .array: "a"
      case .fd: "h"
      }
    }
  }

  var name: String
  var type: Kind
  var interface: String?
  var allowsNull: Bool
  /// `name` or `interface.name` of the enum that gives the value its meaning.
  var enumName: String?

  /// The name that the argument has in Swift.
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
  /// Adds the messages and enums that only a newer description of the same interface has. Messages are only ever
  /// appended, since their order is their opcode.
  mutating func extend(with newer: ProtocolInterface) {
    version = max(version, newer.version)
    for request in newer.requests where !requests.contains(where: { $0.name == request.name }) {
      requests.append(request)
    }
    for event in newer.events where !events.contains(where: { $0.name == event.name }) {
      events.append(event)
    }
    for newEnum in newer.enums {
      if let index = enums.firstIndex(where: { $0.name == newEnum.name }) {
        for entry in newEnum.entries where !enums[index].entries.contains(where: { $0.name == entry.name }) {
          enums[index].entries.append(entry)
        }
      } else {
        enums.append(newEnum)
      }
    }
  }
}
