/// Where video comes from, as users write it.
package enum VideoSource: Hashable, Sendable {
  /// JPEG pictures over HTTP.
  case http(HTTPAddress)
  /// A camera or server of RTSP, by its whole address.
  case rtsp(String)
  /// RTP that arrives at a port of this machine.
  case udp(port: UInt16)
  /// A camera of this machine, by its device.
  case camera(device: String)
  /// Standard input.
  case input
  /// A moving pattern of our own.
  case test(TestKind)

  /// What a test source does, after two seconds.
  package enum TestKind: String, Hashable, Sendable, CaseIterable {
    /// It goes on.
    case moving
    /// It repeats its last picture.
    case frozen
    /// It says nothing any more.
    case silent
    /// Its pictures can't be decoded.
    case broken
    /// It ends, and begins again.
    case ended
  }

  /// The source that `text` names. Throws what is wrong with it.
  package init(_ text: String) throws(VideoReadError) {
    let forms = "http://HOST[:PORT]/PATH, rtsp://..., udp:PORT, v4l2:/dev/videoN, - or test"
    if text == "-" {
      self = .input
    } else if text == "test" {
      self = .test(.moving)
    } else if text.hasPrefix("test:") {
      guard let kind = TestKind(rawValue: String(text.dropFirst(5))) else {
        let kinds = TestKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw VideoReadError("no such test: \(text) (there are \(kinds))")
      }
      self = .test(kind)
    } else if text.hasPrefix("udp:") {
      guard let port = UInt16(text.dropFirst(4)), port > 0 else { throw VideoReadError("no port: \(text)") }
      self = .udp(port: port)
    } else if text.hasPrefix("v4l2:") {
      let device = String(text.dropFirst(5))
      guard device.hasPrefix("/dev/") else { throw VideoReadError("no device: \(text), such as v4l2:/dev/video0") }
      self = .camera(device: device)
    } else if text.hasPrefix("rtsp://") || text.hasPrefix("rtspt://") {
      self = .rtsp(text)
    } else if text.hasPrefix("http://") {
      self = .http(try HTTPAddress(text))
    } else if text.hasPrefix("https://") {
      throw VideoReadError("https is not supported: use http, or RTSP")
    } else {
      throw VideoReadError("no source of video: \(text) (there are \(forms))")
    }
  }
}

/// An address of HTTP.
package struct HTTPAddress: Hashable, Sendable {
  package var host: String
  package var port: UInt16
  /// Path and query, from the slash on.
  package var path: String
  /// Name and password, as they stand before the host.
  package var user: String?

  package init(_ text: String) throws(VideoReadError) {
    guard text.hasPrefix("http://"), text.utf8.count <= VideoLimits.line,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { throw VideoReadError("no address of http: \(text)") }
    let rest = text.dropFirst(7)
    var authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let tail = rest[authority.endIndex...].prefix { $0 != "#" }
    if let at = authority.lastIndex(of: "@") {
      user = String(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    let digits: Substring?
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { throw VideoReadError("no host: \(text)") }
      host = String(authority[authority.index(after: authority.startIndex)..<end])
      let after = authority[authority.index(after: end)...]
      guard after.isEmpty || after.first == ":" else { throw VideoReadError("no host: \(text)") }
      digits = after.isEmpty ? nil : after.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = String(authority[..<colon])
      digits = authority[authority.index(after: colon)...]
    } else {
      (host, digits) = (String(authority), nil)
    }
    guard !host.isEmpty else { throw VideoReadError("no host: \(text)") }
    guard let number = digits.map({ UInt16($0) }) ?? 80, number > 0 else { throw VideoReadError("no port: \(text)") }
    port = number
    path = tail.isEmpty ? "/" : tail.first == "?" ? "/" + tail : String(tail)
  }

  /// The address that a server's field `Location` leads to from here; nil if it is no address of http.
  package func following(_ location: String) -> HTTPAddress? {
    if location.hasPrefix("/"), !location.hasPrefix("//") {
      var next = self
      next.path = location
      return location.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f } ? next : nil
    }
    return try? HTTPAddress(location)
  }

  /// What is sent to the server.
  package var request: String {
    let name = host.contains(":") ? "[\(host)]" : host
    var lines = ["GET \(path) HTTP/1.1", "Host: \(name)\(port == 80 ? "" : ":\(port)")"]
    lines += ["User-Agent: cockpit-video", "Accept: multipart/x-mixed-replace, image/jpeg", "Connection: close"]
    if let user { lines.append("Authorization: Basic \(Self.base64(Self.unescaped(user)))") }
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// Letters that addresses write as `%40`.
  private static func unescaped(_ text: String) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      if byte == 0x25, rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0...3 { text.append(index <= group.count ? letters[word >> (18 - 6 * index) & 63] : "=") }
    }
    return text
  }
}
