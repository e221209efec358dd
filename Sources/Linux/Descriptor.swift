import CLinux
import Glibc

/// Owns a file descriptor and closes it when destroyed, unless `take()` has transferred it.
package struct Descriptor: ~Copyable, Sendable {
  /// The number for system calls. Callers must not close it.
  package let number: Int32

  /// Takes ownership of the descriptor that a system call returned; nil if the call failed (`number` is negative), for the
  /// reason in `errno`.
  package init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { close(number) }

  /// Whether the process may open one more descriptor, which sending this one in a message requires. If false, `errno` holds the
  /// reason.
  package var hasRoomForCopy: Bool {
    if let copy = Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0)) { return copy.number >= 0 }
    return false
  }

  /// Transfers the descriptor to the caller, which must close it.
  package consuming func take() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Writes all of `bytes`, in pieces if necessary. If a non-blocking descriptor has no space, waits for it, or fails with
  /// `EAGAIN` if `mayWait` is false. Returns false if a write fails; `errno` holds the reason.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, mayWait: Bool = true) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN, mayWait {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

extension Descriptor {
  /// Connects a socket to the Unix socket at `path`; it never blocks, unless `mayWait`. Returns nil if that fails or would have to
  /// wait; `errno` holds the reason.
  package static func socket(
    connectedTo path: String, _ type: __socket_type = SOCK_STREAM, mayWait: Bool = false
  ) -> Descriptor? {
    unsafe socket(Int32(type.rawValue | (mayWait ? 0 : SOCK_NONBLOCK.rawValue)), path) {
      unsafe connect($0, $1, $2) == 0
    }
  }

  /// Makes a Unix socket at `path` that takes connections, of which `backlog` may wait. Returns nil if that fails; `errno` holds the
  /// reason.
  package static func socket(listeningAt path: String, backlog: Int32) -> Descriptor? {
    unsafe socket(Int32(SOCK_STREAM.rawValue), path) { unsafe bind($0, $1, $2) == 0 && listen($0, backlog) == 0 }
  }

  /// Accepts the next connection to the socket `listener`; nil if the call failed, for the reason in `errno`.
  package static func accepted(by listener: Int32) -> Descriptor? {
    Descriptor(cockpit_accept(listener))
  }

  private static func socket(
    _ type: Int32, _ path: String, use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> Descriptor? {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
      errno = ENAMETOOLONG
      return nil
    }
    guard let made = Descriptor(Glibc.socket(AF_UNIX, type | Int32(SOCK_CLOEXEC.rawValue), 0)) else { return nil }
    guard unsafe !withUnixAddress(path, { unsafe use(made.number, $0, $1) }) else { return made }
    let reason = errno
    _ = consume made
    errno = reason
    return nil
  }
}

/// Calls `body` with the address of the Unix socket at `path`, whose length the caller has checked.
package func withUnixAddress<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
  let length = socklen_t(MemoryLayout<sockaddr_un>.size)
  return unsafe withUnsafePointer(to: &address) { raw in
    unsafe raw.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
  }
}
