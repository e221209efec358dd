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

  /// Hands the descriptor over; the caller closes it.
  package consuming func take() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Writes all of `bytes`, in pieces where only some have room, and waits for room where the descriptor does not block. False when it takes
  /// no more, for the reason in `errno`.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
