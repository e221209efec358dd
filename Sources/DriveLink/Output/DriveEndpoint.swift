/// The destination of lines: `-`, `unix:PATH`, `udp:HOST:PORT` or `bridge:NAME:PLACE`.
public enum DriveEndpoint: Hashable, Sendable {
  /// The process' standard output (drive) or input (telemetry).
  case standard
  /// A socket in the file system that another process listens on.
  case unix(path: String)
  /// One datagram per line. The host is a name or an address; an IPv6 address is in brackets.
  case udp(host: String, port: UInt16)
  /// A receiver with its own protocol, such as `donkey:192.168.4.1`: a `cockpit-bridge` is started for it, and telemetry
  /// returns through it.
  case bridge(receiver: String)

  /// The longest path that a socket's address can hold, in bytes (sun_path without the NUL at its end).
  public static let longestPath = 107

  /// The endpoint named by `text`; nil if `text` is not valid.
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
    } else if text.hasPrefix("bridge:") {
      let receiver = String(text.dropFirst(7))
      guard let colon = receiver.firstIndex(of: ":"), colon > receiver.startIndex, receiver.utf8.count <= 255,
        receiver[..<colon].utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }),
        !receiver.hasPrefix("-"), !receiver[colon...].dropFirst().isEmpty,
        receiver.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
      else { return nil }
      self = .bridge(receiver: receiver)
    } else {
      return nil
    }
  }
}

extension DriveEndpoint {
  /// The endpoint named by `text` to read lines from: as in `init(_:)`, but `udp:PORT` or `udp:ADDRESS:PORT` is a port of this
  /// machine, on all its addresses or on one. nil if `text` is not valid.
  public init?(source text: String) {
    let isPort = text.hasPrefix("udp:") && !text.dropFirst(4).contains(":")
    self.init(isPort ? "udp:[::]:\(text.dropFirst(4))" : text)
    switch self {
    case .udp(let host, let port): if NameLookup.number(host, port) == nil { return nil }
    // The telemetry of a bridge comes from the bridge that the drive started.
    case .bridge: return nil
    case .standard, .unix: break
    }
  }
}

extension DriveEndpoint: CustomStringConvertible {
  /// The endpoint as written on a command line.
  public var description: String {
    switch self {
    case .standard: "-"
    case .unix(let path): "unix:\(path)"
    case .bridge(let receiver): "bridge:\(receiver)"
    case .udp(let host, let port): host.contains(":") ? "udp:[\(host)]:\(port)" : "udp:\(host):\(port)"
    }
  }
}
