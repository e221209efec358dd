// Owns memory for pixels, and frees it.
// Must not know what is drawn into it.

import Glibc

/// Zeroed memory. Pages that nobody writes to cost nothing, unless all were asked for at once.
nonisolated final class Memory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let count: Int
  private let isMapped: Bool

  /// `count` bytes of zeros, or nil when there is not as much. With `isFilled` all of it is about to be written: then its
  /// pages come at once, since each page's first touch would cost a trap of its own.
  init?(count: Int, isFilled: Bool = false) {
    guard count > 0 else { return nil }
    isMapped = isFilled
    if isMapped {
      let flags = MAP_PRIVATE | Int32(MAP_ANONYMOUS) | Int32(MAP_POPULATE)
      guard let base = mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0), base != MAP_FAILED else { return nil }
      self.base = base
    } else {
      guard let base = calloc(count, 1) else { return nil }
      self.base = base
    }
    self.count = count
  }

  deinit {
    if isMapped { munmap(base, count) } else { free(base) }
  }
}
