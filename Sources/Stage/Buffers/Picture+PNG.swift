import CCairo
import Glibc

extension Picture {
  /// Writes the picture to `path` as PNG; false when it can't.
  @discardableResult
  public func writePNG(to path: String) -> Bool {
    var copy = words
    return copy.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
      let surface = cairo_image_surface_create_for_data(
        base, hasAlpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, Int32(size.width), Int32(size.height),
        Int32(size.width * 4))
      defer { cairo_surface_destroy(surface) }
      return cairo_surface_write_to_png(surface, path) == CAIRO_STATUS_SUCCESS
    }
  }
}
