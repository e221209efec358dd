import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The reason why the scanner failed: a text for the developer, with the file if there is one.
struct ScannerError: Error, CustomStringConvertible {
  var description: String
}

struct ProtocolFile {
  /// The XML file's name, without its folder.
  let fileName: String
  /// The lines of the XML that name its authors, each once.
  let copyright: [String]
  var interfaces: [ProtocolInterface]

  /// Reads the file at `path`.
  ///
  /// - Throws: `ScannerError` if the file cannot be read, is not well-formed, or contains an argument of an unknown type.
  init(path: String) throws {
    do {
      let root = try XMLDocument(contentsOf: URL(fileURLWithPath: path)).rootElement() ?? XMLElement(name: "protocol")
      fileName = URL(fileURLWithPath: path).lastPathComponent
      let licence = root.elements(forName: "copyright").first?.stringValue ?? ""
      copyright = licence.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.hasPrefix("Copyright") && $0.contains { $0.isNumber } }
      interfaces = try root.elements(forName: "interface").map { try ProtocolInterface($0) }
    } catch {
      throw ScannerError(description: "\(path): \(error)")
    }
  }
}

struct ProtocolInterface {
  let name: String
  var version: Int
  var requests: [ProtocolMessage]
  var events: [ProtocolMessage]
  var enums: [ProtocolEnum]

  fileprivate init(_ element: XMLElement) throws {
    name = element["name"] ?? ""
    version = Int(element["version"] ?? "") ?? 1
    requests = try element.elements(forName: "request").map { try ProtocolMessage($0) }
    events = try element.elements(forName: "event").map { try ProtocolMessage($0) }
    enums = element.elements(forName: "enum").map { ProtocolEnum($0) }
  }
}

struct ProtocolMessage {
  let name: String
  let since: Int
  let isDestructor: Bool
  let arguments: [ProtocolArgument]

  fileprivate init(_ element: XMLElement) throws {
    name = element["name"] ?? ""
    since = Int(element["since"] ?? "") ?? 1
    isDestructor = element["type"] == "destructor"
    arguments = try element.elements(forName: "arg").map { try ProtocolArgument($0) }
  }

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

  let type: Kind
  let interface: String?
  let allowsNull: Bool
  /// `name` or `interface.name` of the enum that gives the value its meaning.
  let enumName: String?
  let label: String

  fileprivate init(_ element: XMLElement) throws {
    let name = element["name"] ?? ""
    guard let type = Kind(rawValue: element["type"] ?? "") else {
      throw ScannerError(description: "argument \(name) has the unknown type \(element["type"] ?? "(none)")")
    }
    self.type = type
    interface = element["interface"]
    allowsNull = element["allow-null"] == "true"
    enumName = element["enum"]
    label = SwiftNames.argument(name)
  }
}

struct ProtocolEnum {
  struct Entry {
    let name: String
    let value: UInt32
  }

  let name: String
  let isBitfield: Bool
  var entries: [Entry]

  fileprivate init(_ element: XMLElement) {
    name = element["name"] ?? ""
    isBitfield = element["bitfield"] == "true"
    entries = element.elements(forName: "entry").map { entry in
      let text = entry["value"] ?? ""
      let value = text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
      return Entry(name: entry["name"] ?? "", value: value ?? 0)
    }
  }
}

extension XMLElement {
  fileprivate subscript(attribute: String) -> String? { self.attribute(forName: attribute)?.stringValue }
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
