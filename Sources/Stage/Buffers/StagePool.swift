import CLinux
import Glibc
import WaylandServer
import WaylandWire

/// A mapped wl_shm_pool; the mapping lives until the pool and its buffers have ended.
@MainActor final class StagePool {
  private let descriptor: Int32
  private(set) var memory: UnsafeMutableRawPointer
  private(set) var size: Int
  private let counter: LiveMemory

  /// Maps the file; nil when it can't be mapped or is shorter than `size`.
  init?(file: ReceivedFile, size: Int, counter: LiveMemory) {
    let descriptor = file.take()
    guard let memory = StagePool.map(descriptor, size: size) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.memory = memory
    self.size = size
    self.counter = counter
    counter.mappings += 1
  }

  isolated deinit {
    counter.mappings -= 1
    munmap(memory, size)
    close(descriptor)
  }

  /// Grows the mapping to `newSize`; false when the file is too short or the pool would shrink.
  func grow(to newSize: Int) -> Bool {
    guard newSize >= size, let moved = StagePool.map(descriptor, size: newSize) else { return false }
    munmap(memory, size)
    memory = moved
    size = newSize
    return true
  }

  private static func map(_ descriptor: Int32, size: Int) -> UnsafeMutableRawPointer? {
    var status = stat()
    guard size > 0, fstat(descriptor, &status) == 0, Int(status.st_size) >= size else { return nil }
    let mapped = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
    return mapped == MAP_FAILED ? nil : mapped
  }
}
