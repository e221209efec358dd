import CLinux
import Glibc
import Linux

/// Owns a mapping of memory that the compositor can read and whose size is sealed, so that neither side can make the other fault.
struct SharedMemory: ~Copyable {
  private let memory: MappedMemory
  /// The memory's file, to send.
  let file: Descriptor

  /// Maps `count` bytes. All of the memory is taken now: writing to some that can't be had would end the process (SIGBUS).
  ///
  /// - Throws: `ShellError.system` when there is not as much, or no descriptor for it and its copy on the way to the compositor.
  init(count: Int) throws(ShellError) {
    guard let file = Descriptor(cockpit_memfd("cockpit")) else {
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

  /// Fails where libwayland can't make its copy of the descriptor: for that it would end the connection.
  func checkRoomToSend() throws(ShellError) {
    guard file.hasRoomForCopy else { throw .system(operation: "a copy of a descriptor", errno: errno) }
  }

  /// The mapped bytes, zero at first.
  var bytes: UnsafeMutableRawBufferPointer { memory.bytes }
}
