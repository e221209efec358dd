import Glibc

/// A file's identity and the time of its last change, by which a reader knows that its bytes are still those that it has read.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let written: [Int64]

  /// The stamp of the file at `path`; nil if the file is missing, or if it was written so lately that a further change may bear the
  /// same time.
  package init?(of path: String) {
    var status = stat()
    guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    // The clock of files moves in steps of the kernel's timer, of which some are as slow as 10 ms.
    let age = (now.tv_sec - status.st_ctim.tv_sec) * 1_000_000_000 + now.tv_nsec - status.st_ctim.tv_nsec
    guard age > 50_000_000 else { return nil }
    (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
    written = [status.st_mtim, status.st_ctim].flatMap { [Int64($0.tv_sec), Int64($0.tv_nsec)] }
  }
}
