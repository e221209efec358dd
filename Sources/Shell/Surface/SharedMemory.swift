// Memory shared with the compositor: a sealed memfd and its mapping.

import CLinux
import Glibc

/// Owns a file descriptor: closed at the end of its life, or taken.
struct OwnedDescriptor: ~Copyable {
  let value: Int32

  init(_ value: Int32) {
    self.value = value
  }

  deinit { close(value) }
}

/// Owns a mapping of memory that the compositor can read and whose size nobody can change any more, so that neither side
/// can make the other fault.
struct SharedMemory: ~Copyable {
  /// The mapped bytes, zero at first.
  let bytes: UnsafeMutableRawBufferPointer
  /// The memory's file, to send.
  let file: OwnedDescriptor

  /// Maps `count` bytes.
  init(count: Int) throws(ShellError) {
    let descriptor = cockpit_memfd("cockpit")
    guard descriptor >= 0 else { throw .system(operation: "memfd_create", errno: errno) }
    let owned = OwnedDescriptor(descriptor)
    guard ftruncate(descriptor, count) == 0 else { throw .system(operation: "ftruncate", errno: errno) }
    guard cockpit_seal_size(descriptor) == 0 else { throw .system(operation: "fcntl(F_ADD_SEALS)", errno: errno) }
    // All pages at once: the first frame writes to every one, and a trap for each would cost more.
    let flags = MAP_SHARED | Int32(MAP_POPULATE)
    let memory = mmap(nil, count, PROT_READ | PROT_WRITE, flags, descriptor, 0)
    guard let memory, memory != UnsafeMutableRawPointer(bitPattern: -1) else {
      throw .system(operation: "mmap", errno: errno)
    }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
    file = owned
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
