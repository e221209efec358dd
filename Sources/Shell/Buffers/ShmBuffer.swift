// One wl_shm buffer: its memory, whether the compositor holds it, and what it lacks of the newest frame.

import Glibc
import Interface
import Wayland

/// A buffer of the swapchain.
final class ShmBuffer {
  let size: PixelSize
  let isOpaque: Bool
  private let memory: SharedMemory
  private let proxy: WlBuffer
  private let stride: Int
  /// True from the commit that shows the buffer until the compositor's release: it must not be written to.
  private(set) var isHeld = false
  /// True once a resize made the buffer useless: it goes when it is released.
  private(set) var isRetired = false
  /// What changed on screen since this buffer was painted last: its pixels there are old.
  var stale: Region
  /// Called when the compositor gives the buffer back.
  var onRelease: ((ShmBuffer) -> Void)?

  /// The most bytes that a buffer has: a window of 7680 x 4320 points at scale 2 needs 506 MiB. A compositor that asks for a larger
  /// one is broken, and memory for it would be taken from everybody.
  static let maximumBytes = 512 << 20

  /// Makes a buffer of `size`, without content.
  ///
  /// - Throws: `ShellError.system` for a size beyond `maximumBytes`, and when there is no memory.
  init(shm: WlShm, size: PixelSize, isOpaque: Bool) throws(ShellError) {
    self.size = size
    self.isOpaque = isOpaque
    stride = size.width * 4
    guard size.width > 0, size.height > 0, size.height <= ShmBuffer.maximumBytes / stride else {
      throw .system(operation: "a picture of \(size.width) x \(size.height) pixels", errno: ENOMEM)
    }
    memory = try SharedMemory(count: stride * size.height)
    stale = Region(PixelRect(size))
    let pool = shm.createPool(fd: memory.file.number, size: Int32(memory.bytes.count))
    // The protocol numbers the two formats that every compositor has 0 and 1 (wl_shm.format).
    proxy = pool.createBuffer(
      offset: 0, width: Int32(size.width), height: Int32(size.height), stride: Int32(stride),
      format: isOpaque ? .xrgb8888 : .argb8888)
    pool.destroy()
    proxy.onEvent = { [unowned self] in
      if case .release = $0 { released() }
    }
  }

  /// The bytes of memory that it takes.
  var byteCount: Int { memory.bytes.count }

  /// The memory to draw into; only while the compositor does not hold the buffer.
  var pixels: PixelBuffer {
    precondition(!isHeld, "a buffer that the compositor holds must not be drawn into")
    return PixelBuffer(size: size, stride: stride, bytes: memory.bytes)
  }

  /// Attaches the buffer to be shown by the surface's next commit.
  func attach(to surface: WlSurface) {
    isHeld = true
    stale.removeAll()
    surface.attach(buffer: proxy, x: 0, y: 0)
  }

  /// Copies `region`'s pixels from `newer`, which the compositor may hold: reading is allowed.
  func copy(_ region: Region, from newer: ShmBuffer) {
    precondition(!isHeld && newer.size == size, "only a free buffer is written to, from one of its size")
    guard let target = memory.bytes.baseAddress, let source = newer.memory.bytes.baseAddress else { return }
    for rect in region.rects {
      let clipped = rect.intersection(PixelRect(size))
      for y in clipped.y..<max(clipped.y, clipped.maxY) {
        let offset = y * stride + clipped.x * 4
        (target + offset).copyMemory(from: source + offset, byteCount: clipped.width * 4)
      }
    }
  }

  /// Gives the buffer up: at once when it is free, else when it is released.
  func retire() {
    isRetired = true
    if !isHeld { end() }
  }

  /// Ends the protocol object; the memory goes with the last reference.
  func end() {
    onRelease = nil
    proxy.end()
  }

  private func released() {
    isHeld = false
    if isRetired { proxy.end() }
    onRelease?(self)
  }
}
