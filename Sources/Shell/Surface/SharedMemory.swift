import CLinux
import Glibc
import Linux

/// Owns a mapping of memory that the compositor can read and whose size is sealed, so that neither side can make the other fault.
struct SharedMemory: ~Copyable {
  private let memory: MappedMemory
  /// The memory's file, to send.
  let file: Descriptor

  /// Maps `count` bytes.
  init(count: Int) throws(ShellError) {
    guard let file = Descriptor(cockpit_memfd("cockpit")) else {
      throw .system(operation: "memfd_create", errno: errno)
    }
    guard ftruncate(file.number, count) == 0 else { throw .system(operation: "ftruncate", errno: errno) }
    guard cockpit_seal_size(file.number) == 0 else { throw .system(operation: "fcntl(F_ADD_SEALS)", errno: errno) }
    guard let memory = MappedMemory(count: count, file: file.number) else {
      throw .system(operation: "mmap", errno: errno)
    }
    memory.takePages()
    self.memory = memory
    self.file = file
  }

  /// The mapped bytes, zero at first.
  var bytes: UnsafeMutableRawBufferPointer { memory.bytes }
}
