import Glibc

/// Why something that a user dropped on a window is not one of the files that the window gets.
nonisolated public enum DropProblem: Hashable, Sendable {
  /// The address is on another machine, or of another kind than a file's.
  case remote(address: String)
  /// The address does not lead to a file: an escape in it is broken, or its path is not absolute.
  case malformed(address: String)
  /// The name of the file is not UTF-8.
  case name(address: String)
  /// The list of addresses is empty.
  case nothing
  /// There are more than 1 MiB of addresses, or the program that has them ended.
  case unreadable
}

nonisolated extension DropProblem: CustomStringConvertible {
  /// One line for the user.
  public var description: String {
    switch self {
    case .remote(let address): "\(DropProblem.short(address)) is not a file of this machine: copy it here first"
    case .malformed(let address): "\(DropProblem.short(address)) is not the address of a file"
    case .name(let address): "the name of \(DropProblem.short(address)) is not UTF-8: rename the file"
    case .nothing: "nothing was dropped: the list of files is empty"
    case .unreadable: "what was dropped cannot be read: it is more than a list of files, or its program ended"
    }
  }

  private static func short(_ address: String) -> String {
    let line = address.prefix(120).map { $0.isNewline || $0.asciiValue.map { $0 < 32 } ?? false ? "?" : $0 }
    return String(line) + (address.count > 120 ? "..." : "")
  }
}

/// The files that a user drops, from the URI list that other programs send.
nonisolated struct DroppedFiles: Equatable {
  /// The absolute paths of local files.
  private(set) var paths: [String] = []
  /// One for each address that is no local file.
  private(set) var problems: [DropProblem] = []

  /// Reads a text/uri-list (RFC 2483). An address may name this machine, `host` (RFC 8089).
  init(_ list: [UInt8], host: String = DroppedFiles.thisHost) {
    for line in list.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      guard line.first != UInt8(ascii: "#") else { continue }
      let address = String(decoding: line, as: UTF8.self)
      guard address.lowercased().hasPrefix("file:") else {
        // Without a scheme it is no address at all.
        let scheme = address.prefix { $0 != ":" && $0 != "/" }
        let isAddress = scheme.count < address.count && address.dropFirst(scheme.count).hasPrefix(":")
        problems.append(isAddress ? .remote(address: address) : .malformed(address: address))
        continue
      }
      var rest = line.dropFirst(5)
      if rest.starts(with: "//".utf8) {
        rest = rest.dropFirst(2)
        let named = rest.prefix { $0 != UInt8(ascii: "/") }
        guard DroppedFiles.isHere(String(decoding: named, as: UTF8.self), host) else {
          problems.append(.remote(address: address))
          continue
        }
        rest = rest.dropFirst(named.count)
      }
      guard rest.first == UInt8(ascii: "/"), let path = DroppedFiles.decoded(rest) else {
        problems.append(.malformed(address: address))
        continue
      }
      if let path = String(validating: path, as: UTF8.self) {
        paths.append(path)
      } else {
        problems.append(.name(address: address))
      }
    }
    if paths.isEmpty, problems.isEmpty { problems = [.nothing] }
  }

  /// The name of this machine, as programs put it into addresses.
  static var thisHost: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
      guard let start = name.baseAddress, unsafe gethostname(start, 255) == 0 else { return "" }
      unsafe start[255] = 0
      return unsafe String(cString: start)
    }
  }

  /// Whether the host of an address is this machine. Some programs name it with its domain and some without.
  private static func isHere(_ named: String, _ host: String) -> Bool {
    let (named, host) = (named.lowercased(), host.lowercased())
    if named.isEmpty || named == "localhost" || named == host { return true }
    return !host.isEmpty && (named.hasPrefix(host + ".") || host.hasPrefix(named + "."))
  }

  /// The bytes with percent-encoding such as %41 decoded; nil for an invalid escape or an encoded zero.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      rest = rest.dropFirst(2)
      guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0 else {
        return nil
      }
      bytes.append(value)
    }
    return bytes
  }
}
