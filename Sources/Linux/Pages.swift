import CLinux
import Glibc
import Synchronization

/// Memory that the system gives in pages: mapped, of a file or of none, and given back with the last reference.
package final class MappedMemory: Sendable {
  /// The bytes, zero at first where no file says otherwise.
  package nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
  /// The first byte whose page nobody has asked for yet.
  private let next = Atomic(0)

  /// The bytes of pages that are asked for at once. While the kernel fills a mapping no thread can change any, so a larger part would
  /// make the reader of the fonts wait for milliseconds at a start.
  private static let part = 1 << 18
  /// From so many bytes on a second thread helps.
  private static let shared = 1 << 20

  /// Maps `count` bytes of `file`, or of none, for reading and writing; nil for the reason in `errno`.
  package init?(count: Int, file: Int32? = nil) {
    let flags = file == nil ? MAP_PRIVATE | Int32(MAP_ANONYMOUS) : MAP_SHARED
    guard let base = mmap(nil, count, PROT_READ | PROT_WRITE, flags, file ?? -1, 0), base != MAP_FAILED else {
      return nil
    }
    bytes = UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }

  /// Asks for all pages of memory that is about to be written: a trap for each would cost more. Of much memory a thread of its own
  /// asks for a share, since a page takes the kernel two microseconds.
  package func takePages() {
    if bytes.count >= Self.shared { _ = startThread("pages") { [self] in takeParts() } }
    takeParts()
  }

  private func takeParts() {
    while let base = bytes.baseAddress {
      let start = next.add(Self.part, ordering: .relaxed).oldValue
      // A kernel older than 5.14 gives each page when it is written.
      guard start < bytes.count, cockpit_populate(base + start, min(Self.part, bytes.count - start)) == 0 else {
        return
      }
    }
  }
}
