import CLinux
import Glibc
import Linux

/// Owns a memory mapping that the compositor can read and whose size is sealed where the system can, so that neither side can
/// make the other fault.
struct SharedMemory: ~Copyable {
  private let memory: MappedMemory
  let file: Descriptor

  /// The size of a page in bytes.
  static let page = sysconf(Int32(_SC_PAGESIZE))

  /// Maps `count` bytes, in whole pages: a compositor can lend only such a pool to the GPU, and has to copy any other. All of the memory is allocated now: writing to memory that is not available would end the process
  /// (SIGBUS).
  ///
  /// - Throws: `ShellError.system` if there is not enough memory, or no descriptor for it or for the duplicate that is sent to
  ///   the compositor.
  init(count: Int, ways: [MemoryFile] = MemoryFile.ways) throws(ShellError) {
    guard let file = MemoryFile.make(by: ways) else { throw .system(operation: "a file in memory", errno: errno) }
    let count = (count + SharedMemory.page - 1) / SharedMemory.page * SharedMemory.page
    guard ftruncate(file.number, count) == 0 else { throw .system(operation: "ftruncate", errno: errno) }
    // Files with a file system of their own cannot be sealed. Compositors are prepared for that.
    _ = cockpit_seal_size(file.number)
    guard let memory = MappedMemory(count: count, file: file.number) else {
      throw .system(operation: "mmap", errno: errno)
    }
    var failure = memory.takePages()
    // Old kernels and filters of system calls refuse to fill a mapping; the file's blocks can be had otherwise.
    if failure != 0, failure != ENOMEM, failure != EFAULT { failure = posix_fallocate(file.number, 0, count) }
    guard failure == 0 else { throw .system(operation: "memory for a picture", errno: failure) }
    self.memory = memory
    self.file = file
  }

  /// The mapped bytes, zero at first; at least as many as asked for.
  var bytes: UnsafeMutableRawBufferPointer { unsafe memory.bytes }
}
