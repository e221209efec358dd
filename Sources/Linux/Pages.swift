import CLinux
import Glibc
import Synchronization

/// Memory that the system gives in pages: mapped from a file or anonymous, and unmapped with the last reference.
package final class MappedMemory: Sendable {
  /// The bytes, zero at first where no file says otherwise.
  package nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
  /// The first byte whose page was not requested yet.
  private let next = Atomic(0)
  /// The bytes that were asked for so far.
  private let taken = Atomic(0)
  /// The errno of a part that could not be had; 0 for none.
  private let failure = Atomic(Int32(0))

  /// The bytes of pages that are asked for at once. While the kernel fills a mapping no thread can change any, so a larger part would
  /// make the reader of the fonts wait for milliseconds at a start.
  private static let part = 1 << 18
  /// From so many bytes on a second thread helps.
  private static let shared = 1 << 20

  /// Maps `count` bytes of `file`, or anonymous memory, for reading and writing; nil for the reason in `errno`.
  package init?(count: Int, file: Int32? = nil) {
    let flags = file == nil ? MAP_PRIVATE | Int32(MAP_ANONYMOUS) : MAP_SHARED
    guard let base = mmap(nil, count, PROT_READ | PROT_WRITE, flags, file ?? -1, 0), base != MAP_FAILED else {
      return nil
    }
    bytes = UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }

  /// Asks for all pages of memory that is about to be written: a trap for each would cost more, and where no memory is left the
  /// signal of such a trap would end the process. Of much memory a thread of its own asks for a share, since a page takes the kernel
  /// two microseconds.
  ///
  /// The result is 0, or the errno of the failure: of a kernel older than 5.14, which gives each page when it is written, EINVAL.
  @discardableResult package func takePages() -> Int32 {
    if bytes.count >= Self.shared { _ = startThread("pages") { [self] in takeParts() } }
    takeParts()
    // The helper may still be at a part. Pages that are there cost nearly nothing to ask for again.
    if taken.load(ordering: .acquiring) < bytes.count, let base = bytes.baseAddress { take(base, bytes.count) }
    return failure.load(ordering: .acquiring)
  }

  private func takeParts() {
    while let base = bytes.baseAddress {
      let start = next.add(Self.part, ordering: .relaxed).oldValue
      guard start < bytes.count, take(base + start, min(Self.part, bytes.count - start)) else { return }
    }
  }

  @discardableResult private func take(_ start: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    let isTaken = cockpit_populate(start, count) == 0
    if !isTaken { failure.store(errno, ordering: .releasing) }
    taken.add(count, ordering: .acquiringAndReleasing)
    return isTaken
  }
}
