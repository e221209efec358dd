// Owns pixels that the package itself allocates, and frees them.
// Must not know what they show.

/// Zeroed memory for 32-bit pixels (`PixelBuffer`'s format), freed with its owner.
nonisolated final class PixelMemory: @unchecked Sendable {
  let size: PixelSize
  let bytes: UnsafeMutableRawBufferPointer

  init(size: PixelSize) {
    self.size = PixelSize(width: max(size.width, 0), height: max(size.height, 0))
    bytes = .allocate(byteCount: max(self.size.area * 4, 4), alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    bytes.deallocate()
  }

  /// The memory as something to draw into; valid as long as this object lives.
  var buffer: PixelBuffer { PixelBuffer(size: size, stride: size.width * 4, bytes: bytes) }
}
