/// A place for lines: `-`, `unix:PATH` or `udp:HOST:PORT`.
public enum DriveEndpoint: Hashable, Sendable {
  /// The process' standard output (drive) or input (telemetry).
  case standard
  /// A socket in the file system that somebody else listens on.
  case unix(path: String)
  /// A datagram for each line. The host is a name or a number; an IPv6 number stands in brackets.
  case udp(host: String, port: UInt16)

  /// The longest path that a socket's address can hold, in bytes (sun_path without its end).
  public static let longestPath = 107

  /// The place that `text` names; nil when it names none.
  public init?(_ text: String) {
    if text == "-" {
      self = .standard
    } else if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard (1...DriveEndpoint.longestPath).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
      self = .unix(path: path)
    } else if text.hasPrefix("udp:") {
      let rest = text.dropFirst(4)
      guard let colon = rest.lastIndex(of: ":") else { return nil }
      var host = String(rest[..<colon])
      let digits = rest[rest.index(after: colon)...]
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
      } else if host.contains(":") {
        return nil
      }
      guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }),
        !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0
      else { return nil }
      self = .udp(host: host, port: port)
    } else {
      return nil
    }
  }
}

extension DriveEndpoint {
  /// The place to read lines from that `text` names: as above, but `udp:PORT` or `udp:ADDRESS:PORT` is this machine's own port, of all
  /// its addresses or of one. Nil when it names none.
  public init?(source text: String) {
    let isPort = text.hasPrefix("udp:") && !text.dropFirst(4).contains(":")
    self.init(isPort ? "udp:[::]:\(text.dropFirst(4))" : text)
    if case .udp(let host, let port) = self, NameLookup.number(host, port) == nil { return nil }
  }
}

extension DriveEndpoint: CustomStringConvertible {
  /// The place's name on a command line.
  public var description: String {
    switch self {
    case .standard: "-"
    case .unix(let path): "unix:\(path)"
    case .udp(let host, let port): host.contains(":") ? "udp:[\(host)]:\(port)" : "udp:\(host):\(port)"
    }
  }
}
