import CLinux
import CSockets
import Glibc
import Linux
import Testing

/// A server of bytes on this machine, whose connections the test writes to.
final class PictureServer {
  private let listener: Descriptor
  let port: UInt16

  init() throws {
    listener = try owned(socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let number = listener.number
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { raw in
      raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && listen(number, 8) == 0 && getsockname(number, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    try #require(isBound)
  }

  var address: String { "http://127.0.0.1:\(port)/stream" }

  /// The next connection, after its request.
  func accept(within milliseconds: Int32 = 10_000) throws -> Connection {
    var entry = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, milliseconds) > 0, "nobody connects")
    let connection = Connection(cockpit_accept(listener.number))
    try connection.readRequest()
    return connection
  }

  /// One client.
  final class Connection {
    private var number: Int32
    private(set) var request = ""

    init(_ number: Int32) {
      self.number = number
      var yes: Int32 = 1
      setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      var patience = timeval(tv_sec: 10, tv_usec: 0)
      setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { end() }

    fileprivate func readRequest() throws {
      var byte: UInt8 = 0
      while !request.hasSuffix("\r\n\r\n") {
        try #require(recv(number, &byte, 1, 0) == 1, "no request")
        request.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }

    /// Sends bytes; false if the client has gone or reads nothing for ten seconds.
    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Sends a text.
    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes as one chunk of HTTP/1.1 if the server is one that does.
    func send(_ bytes: [UInt8], chunked: Bool) {
      guard chunked, !bytes.isEmpty else {
        send(bytes)
        return
      }
      send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0d, 0x0a])
    }

    /// Closes the connection.
    func end() {
      if number >= 0 { close(number) }
      number = -1
    }
  }
}
