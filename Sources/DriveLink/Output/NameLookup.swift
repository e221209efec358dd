import Glibc
import Linux
import Synchronization

/// Looks up names on a dedicated thread, one at a time, because a resolver may take half a minute and the calling thread is the
/// watchdog.
///
/// The thread owns everything it needs, so it may outlive this object.
final class NameLookup: Sendable {
  enum Answer: Sendable {
    /// The addresses of the host, in the system's order of preference.
    case found([SocketAddress])
    /// The errno nearest to the reason why there is no address.
    case failed(Int32)
  }

  private enum State: Sendable {
    case idle
    case looking
    case done(Answer)
  }

  /// The maximum number of addresses of a host that are tried.
  private static let mostAddresses = 8

  private let resolve: @Sendable (_ host: String, _ port: UInt16) -> Answer
  private let whenDone: @Sendable () -> Void
  private let start: @Sendable (_ body: @escaping @Sendable () -> Void) -> Int32
  private let state = Mutex(State.idle)

  /// Looks up names by `resolve`, which may block, and calls `whenDone` on the lookup thread each time there is an answer. `start` runs
  /// a body on a new thread, or returns the errno for which the system refuses one.
  init(
    resolve: @escaping @Sendable (_ host: String, _ port: UInt16) -> Answer = {
      NameLookup.system($0, $1, flags: AI_ADDRCONFIG)
    },
    whenDone: @escaping @Sendable () -> Void = {},
    start: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Int32 = { startThread("lookup", $0) }
  ) {
    self.resolve = resolve
    self.whenDone = whenDone
    self.start = start
  }

  /// Returns the answer of a finished lookup, once. Otherwise returns nil, and starts a lookup unless one is running; if that
  /// fails, the answer is the failure.
  func answer(_ host: String, _ port: UInt16) -> Answer? {
    let isNew = state.withLock { state -> Answer?? in
      switch state {
      case .looking: return .some(nil)
      case .done(let answer):
        state = .idle
        return answer
      case .idle:
        state = .looking
        return nil
      }
    }
    if let known = isNew { return known }
    let failure = start { [self] in
      let answer = resolve(host, port)
      state.withLock { $0 = .done(answer) }
      whenDone()
    }
    guard failure != 0 else { return nil }
    state.withLock { $0 = .idle }
    return .failed(failure)
  }

  /// The address if `host` is a numeric address, which needs no lookup.
  static func number(_ host: String, _ port: UInt16) -> Answer? {
    if case .found(let addresses) = system(host, port, flags: AI_NUMERICHOST) { .found(addresses) } else { nil }
  }

  /// The system's answer; may block for as long as its resolver takes.
  private static func system(_ host: String, _ port: UInt16, flags: Int32) -> Answer {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    unsafe hints.ai_flags = flags
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0 else { return .failed(EHOSTUNREACH) }
    defer { unsafe freeaddrinfo(found) }
    var addresses: [SocketAddress] = []
    var next = unsafe found
    while let entry = unsafe next?.pointee, addresses.count < mostAddresses {
      if let address = unsafe SocketAddress(entry.ai_addr, entry.ai_addrlen) { addresses.append(address) }
      unsafe next = entry.ai_next
    }
    return addresses.isEmpty ? .failed(EAFNOSUPPORT) : .found(addresses)
  }
}

struct SocketAddress: Equatable, Sendable {
  private var storage = sockaddr_storage()
  private let length: socklen_t

  /// A copy of `address`; nil if it is longer than every kind of socket address.
  init?(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    guard length <= socklen_t(MemoryLayout<sockaddr_storage>.size) else { return nil }
    self.length = length
    unsafe memcpy(&storage, address, Int(length))
  }

  static func == (one: SocketAddress, other: SocketAddress) -> Bool {
    guard one.length == other.length else { return false }
    return unsafe one.withPointer { first, length in
      unsafe other.withPointer { second, _ in unsafe memcmp(first, second, Int(length)) == 0 }
    }
  }

  var family: sa_family_t { storage.ss_family }

  /// Calls `body` with the address in the form of system calls.
  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    unsafe withUnsafePointer(to: storage) { raw in
      unsafe raw.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }
}
