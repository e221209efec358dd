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
  private let memory: UnsafeMutableRawPointer

  init(_ client: RawClient, _ width: Int, _ height: Int, format: WlShm.Format = .argb8888) throws {
    size = PixelSize(width: width, height: height)
    descriptor = cockpit_memfd("raw")
    let bytes = width * height * 4
    try #require(descriptor >= 0 && ftruncate(descriptor, bytes) == 0)
    memory = try #require(mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0))
    let shm = try #require(client.shm)
    pool = shm.createPool(fd: descriptor, size: Int32(bytes))
    buffer = pool.createBuffer(
      offset: 0, width: Int32(width), height: Int32(height), stride: Int32(width * 4), format: format)
    buffer.onEvent = { [weak self] _ in self?.releases += 1 }
    fill(0xff20_4060)
  }

  isolated deinit {
    munmap(memory, size.area * 4)
    close(descriptor)
  }

  func fill(_ colour: UInt32) { fill(colour, PixelRect(size)) }

  func fill(_ colour: UInt32, _ rect: PixelRect) {
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX {
        memory.storeBytes(of: colour, toByteOffset: (y * size.width + x) * 4, as: UInt32.self)
      }
    }
  }

  func end() {
    buffer.end()
    pool.end()
  }
}
