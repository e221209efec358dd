import CCairo

extension ScreenPicture {
  /// Reads a PNG file.
  public init(png path: String) throws(LabError) {
    let file = cairo_image_surface_create_from_png(path)
    defer { cairo_surface_destroy(file) }
    guard cairo_surface_status(file) == CAIRO_STATUS_SUCCESS else { throw .picture("\(path) is no picture") }
    self.init(painting: file)
  }

  /// Reads rows of native 32-bit words, 0x??RRGGBB each.
  init(rows: [UInt8], width: Int, height: Int, stride: Int) throws(LabError) {
    guard width > 0, height > 0, stride >= width * 4, rows.count >= stride * height else {
      throw .picture("\(rows.count) bytes hold no picture of \(width) x \(height)")
    }
    var rows = rows
    self = rows.withUnsafeMutableBytes { bytes in
      let surface = cairo_image_surface_create_for_data(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(width), Int32(height),
        Int32(stride))
      defer { cairo_surface_destroy(surface) }
      return ScreenPicture(painting: surface)
    }
  }

  /// Writes a PNG file, to look at.
  public func write(png path: String) throws(LabError) {
    var rows = pixels
    let status = rows.withUnsafeMutableBytes { bytes in
      let surface = cairo_image_surface_create_for_data(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(width), Int32(height),
        Int32(width * 4))
      defer { cairo_surface_destroy(surface) }
      return cairo_surface_write_to_png(surface, path)
    }
    guard status == CAIRO_STATUS_SUCCESS else { throw .picture("\(path) could not be written") }
  }

  /// The picture in another size, with bilinear filtering, as compositors scale.
  public func scaled(toWidth newWidth: Int, height newHeight: Int) -> ScreenPicture {
    var rows = pixels
    return rows.withUnsafeMutableBytes { bytes in
      let surface = cairo_image_surface_create_for_data(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(width), Int32(height),
        Int32(width * 4))
      let target = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(newWidth), Int32(newHeight))
      defer {
        cairo_surface_destroy(surface)
        cairo_surface_destroy(target)
      }
      let context = cairo_create(target)
      cairo_scale(context, Double(newWidth) / Double(width), Double(newHeight) / Double(height))
      cairo_set_source_surface(context, surface, 0, 0)
      cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BILINEAR)
      cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
      cairo_paint(context)
      cairo_destroy(context)
      return ScreenPicture(painting: target)
    }
  }

  /// Paints an image of any format on black, so that all pictures have the same format. It uses cairo and no loop, because tests
  /// are built without optimisation.
  private init(painting source: OpaquePointer?) {
    let width = Int(cairo_image_surface_get_width(source))
    let height = Int(cairo_image_surface_get_height(source))
    let pixels = [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      buffer.initialize(repeating: 0xff00_0000)
      count = buffer.count
      let bytes = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self)
      let target = cairo_image_surface_create_for_data(
        bytes, CAIRO_FORMAT_ARGB32, Int32(width), Int32(height), Int32(width * 4))
      let context = cairo_create(target)
      cairo_set_source_surface(context, source, 0, 0)
      cairo_paint(context)
      cairo_destroy(context)
      cairo_surface_finish(target)
      cairo_surface_destroy(target)
    }
    self.init(width: width, height: height, pixels: pixels)
  }
}
