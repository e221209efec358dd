import CLinux
import Glibc
import Testing
import UICore
import Wayland

/// A pool with one buffer.
@MainActor final class RawBuffer {
  let size: PixelSize
  let pool: WlShmPool
  let buffer: WlBuffer
  /// The file of the pool.
  let descriptor: Int32
  private(set) var releases = 0
  /// The number of bytes in the pool.
  let byteCount: Int
  private let memory: UnsafeMutableRawPointer
  private let stride: Int

  /// A buffer in a pool of whole pages, as a GPU can use it, or in a smaller one.
  init(
    _ client: RawClient, _ width: Int, _ height: Int, format: WlShm.Format = .argb8888, hasWholePages: Bool = true
  ) throws {
    size = PixelSize(width: width, height: height)
    descriptor = cockpit_memfd("raw")
    stride = width * 4
    byteCount = hasWholePages ? (stride * height + 4095) / 4096 * 4096 : stride * height
    try #require(descriptor >= 0 && ftruncate(descriptor, byteCount) == 0)
    memory = try #require(mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0))
    let shm = try #require(client.shm)
    pool = shm.createPool(fd: descriptor, size: Int32(byteCount))
    buffer = pool.createBuffer(
      offset: 0, width: Int32(width), height: Int32(height), stride: Int32(stride), format: format)
    buffer.onEvent = { [weak self] _ in self?.releases += 1 }
    fill(0xff20_4060)
  }

  isolated deinit {
    munmap(memory, byteCount)
    close(descriptor)
  }

  func fill(_ colour: UInt32) { fill(colour, PixelRect(size)) }

  func fill(_ colour: UInt32, _ rect: PixelRect) {
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX {
        memory.storeBytes(of: colour, toByteOffset: y * stride + x * 4, as: UInt32.self)
      }
    }
  }

  func end() {
    buffer.end()
    pool.end()
  }
}
