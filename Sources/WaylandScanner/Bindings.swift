import Foundation

/// The bindings that a target needs: for clients or servers, and of which protocols.
///
/// They are read from a list file. Each of its lines is a keyword and a value: `import MODULE`, `protocol FILE` (to write
/// bindings for), `overlay FILE` (extends interfaces of a protocol above it), or `uses FILE` (has its bindings in an imported
/// module). Lines that begin with # are comments.
struct Bindings {
  enum Side: String {
    case client, server
  }

  let side: Side
  var imports: [String] = []
  var files: [(path: String, file: ProtocolFile)] = []
  /// The interfaces that have their bindings in imported modules. The written bindings may refer to them.
  var foreign: [ProtocolInterface] = []

  var interfaces: [ProtocolInterface] { files.flatMap { $0.file.interfaces } }

  init(listFile: String, side: Side, resolve: (String) -> String) throws {
    self.side = side
    guard let text = try? String(contentsOfFile: listFile, encoding: .utf8) else {
      throw ScannerError(description: "\(listFile): cannot be read")
    }
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split(separator: " ")
      guard let word = words.first, !word.hasPrefix("#") else { continue }
      func mistake(_ text: String) -> ScannerError {
        ScannerError(description: "\(listFile):\(number + 1): \(text)")
      }
      guard words.count == 2 else { throw mistake("a line is a word and a value") }
      let value = String(words[1])
      switch word {
      case "import":
        imports.append(value)
      case "protocol":
        files.append((value, try ProtocolFile(path: resolve(value))))
      case "uses":
        foreign += try ProtocolFile(path: resolve(value)).interfaces
      case "overlay":
        for newer in try ProtocolFile(path: resolve(value)).interfaces { extend(with: newer) }
      default:
        throw mistake("unknown word \(word)")
      }
    }
  }

  private mutating func extend(with newer: ProtocolInterface) {
    for file in files.indices {
      for index in files[file].file.interfaces.indices where files[file].file.interfaces[index].name == newer.name {
        files[file].file.interfaces[index].extend(with: newer)
      }
    }
  }

  var importLines: String { imports.map { "import \($0)\n" }.joined() }

  /// The Swift class of the interface `name`; nil if no loaded protocol defines it.
  func className(_ name: String?) -> String? {
    guard let name, (interfaces + foreign).contains(where: { $0.name == name }) else { return nil }
    return SwiftNames.type(name) + (side == .server ? "Resource" : "")
  }

  /// True for an interface whose objects an event ends.
  func endsItself(_ name: String?) -> Bool {
    guard let known = (interfaces + foreign).first(where: { $0.name == name }) else { return false }
    return known.name == "wl_callback" || known.events.contains(where: \.isDestructor)
  }

  /// The Swift type of the enum `name`, as an argument of `interface` gives it: `enum` or `interface.enum`. nil if no loaded
  /// protocol defines it.
  func enumType(_ name: String?, within interface: ProtocolInterface) -> String? {
    guard let name else { return nil }
    let parts = name.split(separator: ".").map(String.init)
    let owner = parts.count == 2 ? parts[0] : interface.name
    let known = (interfaces + foreign).first { $0.name == owner }
    guard let last = parts.last, known?.enums.contains(where: { $0.name == last }) == true,
      let ownerClass = className(owner)
    else { return nil }
    return ownerClass + "." + SwiftNames.enumType(last)
  }
}
