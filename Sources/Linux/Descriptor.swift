import Glibc

/// Owns a file descriptor: closed at the end of its owner's life, or handed over.
package struct Descriptor: ~Copyable, Sendable {
  /// The number for system calls; not to be closed.
  package let number: Int32

  /// Takes over a system call's result; nil if that is negative, for the reason in `errno`.
  package init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { close(number) }

  /// True while the process may have one more descriptor, as a message with this one makes; else `errno` says why.
  package var hasRoomForCopy: Bool {
    if let copy = Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0)) { return copy.number >= 0 }
    return false
  }

  /// Hands the descriptor over; the caller closes it.
  package consuming func take() -> Int32 {
    let number = number
    discard self
    return number
  }
}

extension Descriptor {
  /// A socket that is connected to the one at `path` and never blocks; nil where that can't be at once, for the reason in `errno`.
  package static func socket(connectedTo path: String) -> Descriptor? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return nil
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard let made = Descriptor(Glibc.socket(AF_UNIX, kind, 0)) else { return nil }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(made.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else {
      let reason = errno
      _ = consume made
      errno = reason
      return nil
    }
    return made
  }
}
