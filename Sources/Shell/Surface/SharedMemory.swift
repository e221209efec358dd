import CLinux
import Glibc
import Linux

/// Owns a mapping of memory that the compositor can read and whose size is sealed, so that neither side can make the other fault.
struct SharedMemory: ~Copyable {
  /// The mapped bytes, zero at first.
  let bytes: UnsafeMutableRawBufferPointer
  /// The memory's file, to send.
  let file: Descriptor

  /// Maps `count` bytes.
  init(count: Int) throws(ShellError) {
    guard let file = Descriptor(cockpit_memfd("cockpit")) else {
      throw .system(operation: "memfd_create", errno: errno)
    }
    guard ftruncate(file.number, count) == 0 else { throw .system(operation: "ftruncate", errno: errno) }
    guard cockpit_seal_size(file.number) == 0 else { throw .system(operation: "fcntl(F_ADD_SEALS)", errno: errno) }
    // All pages at once: the first frame writes to every one, and a trap for each would cost more.
    let flags = MAP_SHARED | Int32(MAP_POPULATE)
    let memory = mmap(nil, count, PROT_READ | PROT_WRITE, flags, file.number, 0)
    guard let memory, memory != UnsafeMutableRawPointer(bitPattern: -1) else {
      throw .system(operation: "mmap", errno: errno)
    }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
    self.file = file
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
