import CLinux
import DriveLink
import Foundation
import Glibc
import Linux

// The actor is explicit, because without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// The receiving end of `--drive`.
@MainActor final class BenchConsumer {
  /// The kind of address that `--drive` gets, and how the consumer behaves there.
  enum Kind: String, CaseIterable {
    case pipeReads = "`-`, a pipe: reads"
    case pipeStalls = "`-`, a pipe: never reads"
    case pipeCloses = "`-`, a pipe: its reader goes"
    case file = "`-`, a file"
    case fullFile = "`-`, a full disk (`/dev/full`)"
    case closed = "`-`, closed from the start"
    case unixReads = "`unix:` reads"
    case unixAbsent = "`unix:` no such socket"
    case unixRefuses = "`unix:` nobody listens"
    case unixNeverAccepts = "`unix:` never accepts"
    case unixStalls = "`unix:` never reads"
    case unixCloses = "`unix:` closes each time"
    case udpReads = "`udp:` reads"
    case udpAbsent = "`udp:` nobody listens"
    case udpUnknown = "`udp:` unknown host"

    /// The consumer on the same kind of address that reads everything.
    var listening: Kind {
      if rawValue.hasPrefix("`unix") { .unixReads } else if rawValue.hasPrefix("`udp") { .udpReads } else { .pipeReads }
    }
  }

  let kind: Kind
  /// The value for `--drive`.
  private(set) var place = "-"
  /// The standard output for the client.
  private(set) var output: Child.Output = .inherited
  private var reader: Int32 = -1
  private var listener: Int32 = -1
  private let path = NSTemporaryDirectory() + "cockpit-bench-consumer-\(getpid())"
  private var accepted: [Int32] = []
  private var bytes = [UInt8](repeating: 0, count: 1 << 16)

  init(_ kind: Kind) throws(BenchError) {
    self.kind = kind
    switch kind {
    case .pipeReads, .pipeStalls, .pipeCloses:
      var ends: [Int32] = [-1, -1]
      guard cockpit_pipe(&ends) == 0 else { throw .system(operation: "pipe", errno: errno) }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      (reader, output) = (ends[0], .descriptor(ends[1]))
    case .file: output = .descriptor(try Self.open(path, O_CREAT | O_TRUNC))
    case .fullFile: output = .descriptor(try Self.open("/dev/full"))
    case .closed: output = .closed
    case .unixReads, .unixAbsent, .unixRefuses, .unixNeverAccepts, .unixStalls, .unixCloses:
      place = "unix:\(path)"
      if kind != .unixAbsent { listener = try Self.listen(at: path, backlog: kind == .unixRefuses ? nil : 4) }
    case .udpReads, .udpAbsent: place = "udp:127.0.0.1:\(try bindPort())"
    case .udpUnknown: place = "udp:no-such-host.invalid:5005"
    }
  }

  isolated deinit {
    childStarted()
    for descriptor in accepted + [reader, listener] where descriptor >= 0 { close(descriptor) }
    unlink(path)
  }

  /// Closes this process's copy of the client's output. Call it once the client has started.
  func childStarted() {
    if case .descriptor(let descriptor) = output { close(descriptor) }
    output = .inherited
  }

  /// Does what the kind of consumer does; called at least 60 times a second.
  func serve() {
    switch kind {
    case .pipeReads, .udpReads: drain(reader)
    case .pipeCloses where reader >= 0:
      close(reader)
      reader = -1
    case .unixReads, .unixStalls, .unixCloses:
      let next = cockpit_accept(listener)
      if next >= 0, kind == .unixCloses { close(next) } else if next >= 0 { accepted.append(next) }
      if kind == .unixReads { accepted.forEach(drain) }
    default: break
    }
  }

  /// The number of bytes read so far.
  private(set) var readCount = 0

  private func drain(_ descriptor: Int32) {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 0) > 0 else { return }
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return }
      readCount += count
    }
  }

  /// The file at `path`, opened for writing.
  private static func open(_ path: String, _ flags: Int32 = 0) throws(BenchError) -> Int32 {
    let file = Glibc.open(path, O_WRONLY | O_CLOEXEC | flags, 0o600)
    guard file >= 0 else { throw .system(operation: "open", errno: errno) }
    return file
  }

  /// A non-blocking socket bound to `path`. With a `backlog` of nil it does not listen, so connections are refused.
  static func listen(at path: String, backlog: Int32? = 4) throws(BenchError) -> Int32 {
    unlink(path)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    let isBound =
      withUnixAddress(path) { bind(listener, $0, $1) } == 0
      && (backlog == nil || Glibc.listen(listener, backlog ?? 0) == 0)
    guard isBound else {
      defer { close(listener) }
      throw .system(operation: "bind", errno: errno)
    }
    return listener
  }

  /// A UDP port of the loopback network: kept open by `.udpReads`, otherwise closed again so that no process has it.
  private func bindPort() throws(BenchError) -> UInt16 {
    let made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { raw in
      raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, length) == 0 && getsockname(made, $0, &length) == 0
      }
    }
    guard isBound else { throw .system(operation: "bind", errno: errno) }
    if kind == .udpReads { reader = made } else { close(made) }
    return UInt16(bigEndian: address.sin_port)
  }
}
