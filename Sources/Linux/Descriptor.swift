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
}
