import CLinux
import Glibc
import Synchronization

/// Memory in pages, mapped from a file or anonymous. It is unmapped with the last reference.
@safe package final class MappedMemory: Sendable {
  /// The mapped bytes. Those of anonymous memory are 0 at first.
  package nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
  /// The offset of the first byte whose page no thread has requested yet.
  private let next = Atomic(0)
  /// The number of bytes whose requests have returned, including failed requests.
  private let taken = Atomic(0)
  /// The errno of a failed request; 0 if every request succeeded.
  private let failure = Atomic(Int32(0))

  /// The number of bytes per request. While the kernel fills a mapping, no thread can change any mapping, so a larger part
  /// would delay the thread that reads fonts at startup by milliseconds.
  private static let part = 1 << 18
  /// The minimum size in bytes for which a second thread saves time.
  private static let shared = 1 << 20

  /// Maps `count` bytes of `file`, or of anonymous memory if `file` is nil, for reading and writing. Returns nil if that fails;
  /// `errno` holds the reason.
  package init?(count: Int, file: Int32? = nil) {
    let flags = file == nil ? MAP_PRIVATE | Int32(MAP_ANONYMOUS) : MAP_SHARED
    guard let base = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, file ?? -1, 0), unsafe base != MAP_FAILED
    else {
      return nil
    }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  /// Maps the first `count` bytes of `file` for reading alone, as long as the file is at least that long. Returns nil if that fails or the
  /// file is shorter; `errno` holds the reason. Whoever shrinks the file later ends this process, so it must be sealed.
  package init?(readingFrom file: Int32, count: Int) {
    var status = stat()
    guard count > 0, unsafe fstat(file, &status) == 0, Int(status.st_size) >= count else { return nil }
    guard let base = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, file, 0), unsafe base != MAP_FAILED else {
      return nil
    }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  deinit { unsafe munmap(bytes.baseAddress, bytes.count) }

  /// Requests all pages of memory that is about to be written. A page fault for each page would cost more, and if no memory is
  /// left, the signal of such a fault would terminate the process. If the memory is large, a second thread requests a part of it,
  /// because each page takes the kernel two microseconds: that saves 9 % of a start where a processor is free
  /// (docs/notes/performance.md).
  ///
  /// Returns 0, or the errno of the failure. Kernels before 5.14 return EINVAL; they provide each page when it is first
  /// written.
  @discardableResult package func takePages() -> Int32 {
    if unsafe bytes.count >= Self.shared { _ = startThread("pages") { [self] in takeParts() } }
    takeParts()
    // The second thread may still be requesting a part, so request everything here: pages that exist already cost almost
    // nothing.
    if unsafe taken.load(ordering: .acquiring) < bytes.count, let base = unsafe bytes.baseAddress {
      unsafe take(base, bytes.count)
    }
    return failure.load(ordering: .acquiring)
  }

  private func takeParts() {
    while let base = unsafe bytes.baseAddress {
      let start = next.add(Self.part, ordering: .relaxed).oldValue
      guard unsafe start < bytes.count, unsafe take(base + start, min(Self.part, bytes.count - start)) else { return }
    }
  }

  @discardableResult private func take(_ start: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    let isTaken = unsafe cockpit_populate(start, count) == 0
    if !isTaken { failure.store(errno, ordering: .releasing) }
    taken.add(count, ordering: .acquiringAndReleasing)
    return isTaken
  }
}
