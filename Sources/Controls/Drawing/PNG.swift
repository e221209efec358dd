// Owns pictures as PNG files.
// Must not know views or what pictures are for.

internal import CCairo

/// PNG files, read and written whole.
public enum PNG {
  /// Writes the pixels as a PNG file; false when the file cannot be written. With `isOpaque` alpha is left out, which
  /// takes a third less time.
  public static func write(_ buffer: PixelBuffer, to path: String, isOpaque: Bool = false) -> Bool {
    guard !buffer.size.isEmpty, let base = buffer.bytes.baseAddress else { return false }
    let surface = cairo_image_surface_create_for_data(
      base.assumingMemoryBound(to: UInt8.self), isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32,
      Int32(buffer.size.width),
      Int32(buffer.size.height), Int32(buffer.stride))
    defer { cairo_surface_destroy(surface) }
    return cairo_surface_write_to_png(surface, path) == CAIRO_STATUS_SUCCESS
  }

  /// Calls `body` with the pixels of a PNG file; nil when it cannot be read.
  public static func read<Result>(_ path: String, _ body: (PixelBuffer) -> Result) -> Result? {
    guard let file = cairo_image_surface_create_from_png(path) else { return nil }
    defer { cairo_surface_destroy(file) }
    guard cairo_surface_status(file) == CAIRO_STATUS_SUCCESS else { return nil }
    let size = PixelSize(
      width: Int(cairo_image_surface_get_width(file)), height: Int(cairo_image_surface_get_height(file)))
    guard !size.isEmpty, size.area <= 64_000_000 else { return nil }
    // Files without alpha come in another format: painting brings all to one.
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height)),
      let cairo = cairo_create(surface)
    else { return nil }
    defer { cairo_surface_destroy(surface) }
    cairo_set_source_surface(cairo, file, 0, 0)
    cairo_paint(cairo)
    cairo_destroy(cairo)
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else { return nil }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let bytes = UnsafeMutableRawBufferPointer(start: data, count: stride * size.height)
    return body(PixelBuffer(size: size, stride: stride, bytes: bytes))
  }
}

extension Picture {
  /// The picture in a PNG file, one of its pixels for one buffer pixel at `scale`; nil when it cannot be read.
  public convenience init?(pngFile path: String, scale: Scale = .one) {
    let size = PNG.read(path) { $0.size }
    guard let size else { return nil }
    let points = Size(width: Double(size.width) / scale.factor, height: Double(size.height) / scale.factor)
    self.init(size: points, scale: scale) { $0.fill(.black) }
    guard let target = bitmap else { return }
    _ = PNG.read(path) { file in
      if let source = Bitmap(file) { target.copy(source, to: target.rect.intersection(source.rect)) }
    }
  }
}
