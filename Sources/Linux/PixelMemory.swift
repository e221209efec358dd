import Glibc
import UICore

/// Pixels that no window shows, clear at first, in memory of their own.
@safe package final class PixelMemory {
  /// The extent.
  package let size: PixelSize
  private let bytes: UnsafeMutableRawBufferPointer

  /// Clear pixels; nil for an empty size, or if there is not enough memory.
  package init?(_ size: PixelSize) {
    guard !size.isEmpty, let memory = unsafe calloc(size.area, 4) else { return nil }
    self.size = size
    unsafe bytes = unsafe UnsafeMutableRawBufferPointer(start: memory, count: size.area * 4)
  }

  deinit { unsafe free(bytes.baseAddress) }

  /// Passes `body` the pixels.
  package func withBuffer<Result>(_ body: (PixelBuffer) -> Result) -> Result {
    unsafe body(PixelBuffer(size: size, stride: size.width * 4, bytes: bytes))
  }
}
