import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The reason why the scanner failed: a text for the developer, with the file if there is one.
struct ScannerError: Error, CustomStringConvertible {
  var description: String
}

final class ProtocolParser: NSObject, XMLParserDelegate {
  private var file = ProtocolFile()
  private var message: ProtocolMessage?
  private var failure: String?

  /// Reads the protocol XML file at `path`.
  ///
  /// - Throws: `ScannerError` if the file cannot be read, is not well-formed, or contains an argument of an unknown type.
  static func parse(path: String) throws -> ProtocolFile {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ScannerError(
        description:
          "\(path): cannot be read; the protocol files come with Debian's libwayland-dev and wayland-protocols")
    }
    let delegate = ProtocolParser()
    let parser = XMLParser(data: data)
    parser.delegate = delegate
    guard parser.parse(), delegate.failure == nil else {
      let reason = delegate.failure ?? parser.parserError.map { "\($0)" } ?? "not well-formed"
      throw ScannerError(description: "\(path):\(parser.lineNumber): \(reason)")
    }
    return delegate.file
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let name = attributes["name"] ?? ""
    let last = file.interfaces.count - 1
    switch element {
    case "protocol":
      file.name = name
    case "interface":
      file.interfaces.append(ProtocolInterface(name: name, version: Int(attributes["version"] ?? "1") ?? 1))
    case "request", "event":
      message = ProtocolMessage(
        name: name, since: Int(attributes["since"] ?? "1") ?? 1, isDestructor: attributes["type"] == "destructor")
    case "arg":
      guard let kind = ProtocolArgument.Kind(rawValue: attributes["type"] ?? "") else {
        failure = "argument \(name) has the unknown type \(attributes["type"] ?? "(none)")"
        parser.abortParsing()
        return
      }
      message?.arguments.append(
        ProtocolArgument(
          name: name, type: kind, interface: attributes["interface"], allowsNull: attributes["allow-null"] == "true",
          enumName: attributes["enum"]))
    case "enum" where last >= 0:
      file.interfaces[last].enums.append(ProtocolEnum(name: name, isBitfield: attributes["bitfield"] == "true"))
    case "entry" where last >= 0 && !file.interfaces[last].enums.isEmpty:
      let text = attributes["value"] ?? "0"
      let value = text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
      let lastEnum = file.interfaces[last].enums.count - 1
      file.interfaces[last].enums[lastEnum].entries.append(
        .init(name: name, value: value ?? 0, summary: attributes["summary"] ?? ""))
    case "description":
      let summary = attributes["summary"] ?? ""
      if message != nil {
        message?.summary = summary
      } else if last >= 0, file.interfaces[last].summary.isEmpty, file.interfaces[last].enums.isEmpty {
        file.interfaces[last].summary = summary
      }
    default:
      break
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    let lists: [String: WritableKeyPath<ProtocolInterface, [ProtocolMessage]>] = [
      "request": \.requests, "event": \.events,
    ]
    guard let list = lists[element], let done = message, let last = file.interfaces.indices.last else { return }
    file.interfaces[last][keyPath: list].append(done)
    message = nil
  }
}
