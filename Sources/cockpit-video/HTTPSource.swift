import CLinux
import CSockets
import Glibc
import Linux
import UICore
import VideoLink
import VideoReading

/// Pictures from an HTTP server. It connects again whenever the connection ends or says nothing for three seconds.
final class HTTPSource: FrameSource {
  private enum Phase {
    case waiting(until: MonotonicTime)
    case lookup(HostLookup)
    case connecting
    case talking
  }

  private let first: HTTPAddress
  /// Where a redirection led.
  private var address: HTTPAddress
  private var redirections = 0
  private var phase = Phase.waiting(until: .zero)
  private var socket: ConnectedSocket?
  private var targets: [HostLookup.Address] = []
  private var backOff = BackOff(least: .milliseconds(100), most: .seconds(2))
  private var response = HTTPReader()
  private var reader: StreamReader?
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  /// When nothing more is awaited.
  private var patience = MonotonicTime.zero

  private static let silence = Duration.seconds(3)
  private static let lookup = Duration.seconds(5)

  init(_ address: HTTPAddress) { (first, self.address) = (address, address) }

  var waits: [pollfd] {
    switch phase {
    case .waiting: []
    case .lookup(let lookup): [pollfd(fd: lookup.event.number, events: Int16(POLLIN), revents: 0)]
    case .connecting: socket.map { [pollfd(fd: $0.number, events: Int16(POLLOUT), revents: 0)] } ?? []
    case .talking: socket.map { [pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)] } ?? []
    }
  }

  var deadline: MonotonicTime? {
    if case .waiting(let time) = phase { time } else { patience }
  }

  func step(_ sink: PictureSink) {
    do throws(VideoReadError) {
      try advance(sink)
    } catch {
      reader?.flush(sink)
      end(error.description, sink)
    }
  }

  private func end(_ reason: String, _ sink: PictureSink) {
    (socket, reader, targets) = (nil, nil, [])
    phase = .waiting(until: .system + backOff.wait())
    sink.cockpit.report(.source(.ended, text: reason))
  }

  private func advance(_ sink: PictureSink) throws(VideoReadError) {
    let now = MonotonicTime.system
    switch phase {
    case .waiting(let time):
      guard now >= time else { return }
      sink.cockpit.report(.source(.connecting, text: "\(address.host):\(address.port)"))
      guard let lookup = HostLookup(address.host, address.port) else {
        throw VideoReadError("no thread to look \(address.host) up: \(systemMessage(errno))")
      }
      phase = .lookup(lookup)
      patience = now + Self.lookup
    case .lookup(let lookup):
      guard let found = lookup.addresses else {
        if now >= patience { throw VideoReadError("\(address.host) is not found in time") }
        return
      }
      guard !found.isEmpty else { throw VideoReadError("\(address.host) is unknown") }
      targets = found
      try connectNext()
    case .connecting:
      guard let socket else { return }
      switch socket.connection {
      case .open:
        guard socket.send(address.request) else { throw VideoReadError("the server takes no request") }
        (response, reader) = (HTTPReader(), nil)
        phase = .talking
        patience = now + Self.silence
      case .failed(let reason): try connectNext(reason)
      case .pending: if now >= patience { try connectNext(ETIMEDOUT) }
      }
    case .talking: try receive(sink)
    }
  }

  /// Connects to the next of the host's addresses. Throws if there is none left.
  private func connectNext(_ reason: Int32 = 0) throws(VideoReadError) {
    guard let target = targets.first else {
      throw VideoReadError("\(address.host):\(address.port): \(systemMessage(reason))")
    }
    targets.removeFirst()
    guard let made = ConnectedSocket(target) else { return try connectNext(errno) }
    socket = made
    phase = .connecting
    patience = .system + Self.silence
  }

  private func receive(_ sink: PictureSink) throws(VideoReadError) {
    guard let socket else { return }
    // All that waits is read before anything is decoded; but pictures that come faster than they are read must not hide each other for ever.
    var hasRead = false
    for _ in 0..<16 {
      let count = unsafe recv(socket.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      let now = MonotonicTime.system
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        if !hasRead, now >= patience { throw VideoReadError("the server has sent nothing for three seconds") }
        break
      }
      guard count >= 0 else { throw VideoReadError("the connection broke: \(systemMessage(errno))") }
      guard count > 0 else { throw VideoReadError("the server has closed the connection") }
      hasRead = true
      patience = now + Self.silence
      try take(buffer.prefix(count), now, sink)
      if case .talking = phase {} else { return }
    }
    reader?.flush(sink)
  }

  private func take(
    _ bytes: ArraySlice<UInt8>, _ arrival: MonotonicTime, _ sink: PictureSink
  ) throws(VideoReadError) {
    var rest = bytes
    while let piece = try response.next(&rest) {
      switch piece {
      case .head(let head):
        guard try begin(head, sink) else { return }
      case .content(let content): try reader?.take(content, arrival, sink)
      case .end: throw VideoReadError("the server has ended the stream")
      }
    }
  }

  /// Judges the server's answer. Returns false if it leads elsewhere.
  private func begin(_ head: HTTPHead, _ sink: PictureSink) throws(VideoReadError) -> Bool {
    if 301...308 ~= head.status, head.status != 304 {
      guard redirections == 0, let place = head.fields["location"], let next = address.following(place) else {
        (redirections, address) = (0, first)
        throw VideoReadError("the server leads elsewhere: \(head.fields["location"] ?? "nowhere")")
      }
      (redirections, address) = (1, next)
      (socket, reader) = (nil, nil)
      phase = .waiting(until: .zero)
      return false
    }
    (redirections, address) = (0, first)
    guard head.status == 200 else { throw VideoReadError("the server answers \(head.status) \(head.reason)") }
    let type = head.fields["content-type"]?.lowercased() ?? ""
    guard !type.hasPrefix("text/") else { throw VideoReadError("the server sends a page (\(type)) and no pictures") }
    let reader = StreamReader(head)
    sink.receiving = reader.hint(path: address.path)
    self.reader = reader
    backOff.reset()
    return true
  }
}

/// A TCP connection that never waits.
final class ConnectedSocket {
  /// How far connecting is.
  enum Connection {
    case pending
    case open
    case failed(Int32)
  }

  private let descriptor: Descriptor
  var number: Int32 { descriptor.number }

  /// Begins to connect; nil if that fails at once, for the reason in `errno`.
  init?(_ address: HostLookup.Address) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard let made = Descriptor(Glibc.socket(address.family, type, 0)) else { return nil }
    let result = unsafe address.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return Int32(-1) }
      return unsafe connect(made.number, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard result == 0 || errno == EINPROGRESS else {
      let reason = errno
      _ = consume made
      errno = reason
      return nil
    }
    descriptor = made
  }

  /// How far connecting is.
  var connection: Connection {
    var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&entry, 1, 0) > 0 else { return .pending }
    var (reason, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    guard unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &reason, &length) == 0 else { return .failed(errno) }
    return reason == 0 ? .open : .failed(reason)
  }

  /// Sends a short text; false if it can't.
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }
}
