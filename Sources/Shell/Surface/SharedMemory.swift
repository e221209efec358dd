import CLinux
import Glibc
import Linux

/// Owns a memory mapping that the compositor can read and whose size is sealed, so that neither side can make the other fault.
struct SharedMemory: ~Copyable {
  private let memory: MappedMemory
  let file: Descriptor

  /// Maps `count` bytes. All of the memory is allocated now: writing to memory that is not available would end the process
  /// (SIGBUS).
  ///
  /// - Throws: `ShellError.system` if there is not enough memory, or no descriptor for it or for the duplicate that is sent to
  ///   the compositor.
  init(count: Int) throws(ShellError) {
    guard let file = unsafe Descriptor(cockpit_memfd("cockpit")) else {
      throw .system(operation: "memfd_create", errno: errno)
    }
    guard ftruncate(file.number, count) == 0 else { throw .system(operation: "ftruncate", errno: errno) }
    guard cockpit_seal_size(file.number) == 0 else { throw .system(operation: "fcntl(F_ADD_SEALS)", errno: errno) }
    guard let memory = MappedMemory(count: count, file: file.number) else {
      throw .system(operation: "mmap", errno: errno)
    }
    var failure = memory.takePages()
    if failure == EINVAL { failure = posix_fallocate(file.number, 0, count) }
    guard failure == 0 else { throw .system(operation: "memory for a picture", errno: failure) }
    self.memory = memory
    self.file = file
  }

  /// The mapped bytes, zero at first.
  var bytes: UnsafeMutableRawBufferPointer { unsafe memory.bytes }
}
