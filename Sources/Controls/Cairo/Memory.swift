// Owns memory for pixels, and frees it.
// Must not know what is drawn into it.

import Glibc

/// Zeroed memory. Pages that nobody writes to cost nothing.
nonisolated final class Memory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let count: Int

  /// `count` bytes of zeros, or nil when there is not as much.
  init?(count: Int) {
    guard count > 0, let base = calloc(count, 1) else { return nil }
    self.base = base
    self.count = count
  }

  deinit {
    free(base)
  }
}
