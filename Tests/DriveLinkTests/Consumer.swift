import CLinux
import Glibc
import Linux
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// One end that lines arrive at.
final class Consumer {
  private var descriptor: Int32
  private var unread: [UInt8] = []

  /// Takes over a descriptor.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close() }

  /// Hangs up.
  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// The next line, or nil when none comes in time or the stream has ended.
  func line(within limit: Duration = .seconds(5)) -> String? {
    let deadline = MonotonicTime.system + limit
    while true {
      if let end = unread.firstIndex(of: 10) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let left = (deadline - .system).inNanoseconds / 1_000_000
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left >= 0, poll(&entry, 1, Int32(left) + 1) > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return nil }
      unread += bytes[..<count]
    }
  }

  /// The next line's values.
  func fields(within limit: Duration = .seconds(5)) throws -> JSON { try JSON(#require(line(within: limit))) }

  /// Drops all readable bytes; returns their number.
  func drain(_ buffer: inout [UInt8]) -> Int { recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) }

  /// Reads until a line with this number comes; the numbers read on the way, and it.
  func numbers(upTo sequence: Int) throws -> [Int] {
    var numbers: [Int] = []
    while numbers.last ?? 0 < sequence { numbers.append(Int(try #require(fields()["seq"]?.number))) }
    return numbers
  }
}

/// A UDP socket of this machine. The caller closes its descriptor.
struct UDPSocket {
  let descriptor: Int32
  let address: SocketAddress
  let port: UInt16

  /// A socket at `port`, or at a free one, of this machine's address 127.0.0.`host`.
  init(port: UInt16 = 0, host: UInt8 = 1) throws {
    let made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = (0x7f00_0000 + UInt32(host)).bigEndian
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { raw in
      raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, length) == 0 && getsockname(made, $0, &length) == 0 ? SocketAddress($0, length) : nil
      }
    }
    descriptor = made
    self.address = try #require(bound)
    self.port = UInt16(bigEndian: address.sin_port)
  }
}

extension UDPSocket {
  /// Takes the datagrams that have arrived; returns the sender of the newest one.
  func takeAll() -> sockaddr_in? {
    var (bytes, from) = ([UInt8](repeating: 0, count: 1024), sockaddr_in())
    var hasSender = false
    while true {
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let count = withUnsafeMutablePointer(to: &from) { raw in
        raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT), $0, &length)
        }
      }
      guard count >= 0 else { return hasSender ? from : nil }
      hasSender = true
    }
  }

  /// Informs `sender`, as a router would, that this socket's host cannot be reached. Only root may.
  func denyReach(to sender: sockaddr_in) throws {
    let raw = socket(AF_INET, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), Int32(IPPROTO_ICMP))
    defer { close(raw) }
    func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
    func bytes(_ address: in_addr) -> [UInt8] { withUnsafeBytes(of: address.s_addr) { Array($0) } }
    let own = try #require(
      address.withPointer { raw, _ in
        raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Optional($0.pointee) }
      })
    // Destination unreachable, host unreachable; then the head of the datagram that it is about.
    var packet: [UInt8] = [3, 1, 0, 0, 0, 0, 0, 0]
    packet +=
      [0x45, 0] + bytes(28) + [0, 0, 0, 0, 64, UInt8(IPPROTO_UDP), 0, 0] + bytes(sender.sin_addr) + bytes(own.sin_addr)
    packet += bytes(UInt16(bigEndian: sender.sin_port)) + bytes(port) + bytes(8) + [0, 0]
    var sum = stride(from: 0, to: packet.count, by: 2).reduce(0) { $0 + Int(packet[$1]) << 8 + Int(packet[$1 + 1]) }
    while sum > 0xffff { sum = sum & 0xffff + sum >> 16 }
    packet.replaceSubrange(2..<4, with: bytes(~UInt16(sum)))
    let sent = withUnsafePointer(to: sender) { raw2 in
      raw2.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(raw, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(sent == packet.count)
  }
}

/// A listening socket in the file system.
final class Listener {
  let path: String
  private let descriptor: Int32

  init(_ path: String, type: __socket_type = SOCK_STREAM) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = withUnixAddress(path) { bind(descriptor, $0, $1) }
    try #require(bound == 0)
    if type != SOCK_DGRAM { try #require(listen(descriptor, 4) == 0) }
  }

  deinit {
    Glibc.close(descriptor)
    unlink(path)
  }

  /// The next client.
  func accept(within limit: Duration = .seconds(5)) throws -> Consumer {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, Int32(limit.inNanoseconds / 1_000_000)) > 0, "nobody comes")
    return Consumer(cockpit_accept(descriptor))
  }

  /// The next client's socket, which the caller closes.
  func acceptDescriptor() throws -> Int32 {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 5000) > 0, "nobody comes")
    return cockpit_accept(descriptor)
  }

  /// Sends datagrams to itself until it takes no more: of a new sender's, whose own buffer is empty, none.
  func fill() throws {
    var count = 0
    repeat {
      let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { Glibc.close(sender) }
      try #require(withUnixAddress(path) { connect(sender, $0, $1) } == 0)
      count = 0
      while send(sender, path, 1, Int32(MSG_DONTWAIT)) == 1 { count += 1 }
    } while count > 0
  }

  /// The socket itself, for datagrams.
  var datagrams: Consumer { Consumer(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) }
}

/// Lines are read by Foundation here, not by the package's own reader.
typealias JSON = ParsedJSON
