// Owns pixels that the package itself allocates, and frees them.
// Must not know what they show.

import Glibc

/// Zeroed memory for 32-bit pixels (`PixelBuffer`'s format), freed with its owner.
nonisolated final class PixelMemory: @unchecked Sendable {
  /// The extent; empty where there was no memory to be had.
  let size: PixelSize
  let bytes: UnsafeMutableRawBufferPointer

  init(size: PixelSize) {
    // Fresh pages are zero already: writing zeros would touch every page once more than needed.
    let memory = size.isEmpty ? nil : calloc(size.area, 4)
    self.size = memory == nil ? .zero : size
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: self.size.area * 4)
  }

  deinit {
    free(bytes.baseAddress)
  }

  /// The memory as something to draw into; valid as long as this object lives.
  var buffer: PixelBuffer { PixelBuffer(size: size, stride: size.width * 4, bytes: bytes) }

  /// Makes every pixel opaque; what was transparent is black then.
  func makeOpaque() {
    guard let base = bytes.baseAddress else { return }
    let pixels = base.assumingMemoryBound(to: UInt32.self)
    for index in 0..<size.area { pixels[index] |= 0xff00_0000 }
  }
}
