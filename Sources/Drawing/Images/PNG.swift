internal import CCairo
import Glibc
import Linux

/// PNG files, read and written whole.
public enum PNG {
  /// Writes the pixels as a PNG file; false if the file cannot be written. With `isOpaque` alpha is left out.
  public static func write(_ buffer: PixelBuffer, to path: String, isOpaque: Bool = false) -> Bool {
    guard !buffer.size.isEmpty else { return false }
    return PNGWriter.write(buffer, to: path, isOpaque: isOpaque, .fast)
  }

  /// Writes the pixels as a PNG file that is kept: slower, and a fifth to a quarter smaller. False when the file cannot be written.
  package static func writeSmall(_ buffer: PixelBuffer, to path: String) -> Bool {
    guard !buffer.size.isEmpty else { return false }
    return PNGWriter.write(buffer, to: path, isOpaque: false, .small)
  }

  /// Calls `body` with the pixels of a PNG file.
  ///
  /// Any file at `path` gives pixels or one error: pipes and devices are not waited for, and an image that claims to be
  /// enormous is refused before its memory is allocated.
  public static func read<Result>(
    contentsOf path: String, _ body: (PixelBuffer) -> Result
  ) throws(PictureError) -> Result {
    let bytes = try FileBytes(path)
    guard let size = bytes.claimedSize else { throw PictureError(path, .notPNG) }
    guard Bitmap.isUsable(size) else { throw PictureError(path, .unusableSize(size)) }
    guard let file = bytes.decode() else { throw PictureError(path, .damaged) }
    defer { cairo_surface_destroy(file) }
    // A decoded image has the size that was checked, or an error and a smaller size.
    guard Int(cairo_image_surface_get_width(file)) == size.width,
      Int(cairo_image_surface_get_height(file)) == size.height
    else { throw PictureError(path, .damaged) }
    if cairo_image_surface_get_format(file) == CAIRO_FORMAT_ARGB32 { return body(try buffer(of: file, size, path)) }
    // Files without alpha have other formats; painting converts all to one.
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height)),
      let cairo = cairo_create(surface)
    else { throw PictureError(path, .noMemory) }
    defer { cairo_surface_destroy(surface) }
    cairo_set_source_surface(cairo, file, 0, 0)
    cairo_paint(cairo)
    cairo_destroy(cairo)
    return body(try buffer(of: surface, size, path))
  }

  private static func buffer(
    of surface: OpaquePointer, _ size: PixelSize, _ path: String
  ) throws(PictureError) -> PixelBuffer {
    cairo_surface_flush(surface)
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface)
    else { throw PictureError(path, .noMemory) }
    let stride = Int(cairo_image_surface_get_stride(surface))
    return PixelBuffer(
      size: size, stride: stride, bytes: UnsafeMutableRawBufferPointer(start: data, count: stride * size.height))
  }
}

extension Picture {
  /// The image in a PNG file, with one of its pixels for each buffer pixel at `scale`.
  public convenience init(contentsOf path: String, scale: Scale = .one) throws(PictureError) {
    let bitmap = try PNG.read(contentsOf: path) { file -> Bitmap? in
      guard let source = Bitmap(file), let copy = Bitmap(size: file.size) else { return nil }
      copy.copy(source, to: copy.rect)
      return copy
    }
    guard let bitmap else { throw PictureError(path, .noMemory) }
    self.init(bitmap, scale: scale)
  }

  /// The image in a PNG file, with one of its pixels for each buffer pixel at `scale`; nil if it cannot be read.
  public convenience init?(pngFile path: String, scale: Scale = .one) {
    try? self.init(contentsOf: path, scale: scale)
  }
}

/// The bytes of a file.
struct FileBytes {
  private static let limit = 256 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  private let bytes: [UInt8]

  /// Reads the file at `path`; pipes and devices are refused instead of waited for.
  init(_ path: String) throws(PictureError) {
    do throws(FileReader.Failure) {
      bytes = try FileReader.bytes(of: path, atMost: Self.limit)
    } catch {
      switch error {
      case .notAFile: throw PictureError(path, .notAFile)
      case .tooLarge: throw PictureError(path, .tooManyBytes)
      case .system, .tooSlow: throw PictureError(path, .unreadable(errno: error.errno))
      }
    }
  }

  /// The size that a PNG file's first chunk declares; nil for any other file.
  var claimedSize: PixelSize? {
    guard bytes.count >= 24, bytes.starts(with: Self.signature), Array(bytes[12..<16]) == Array("IHDR".utf8) else {
      return nil
    }
    func number(at index: Int) -> Int { bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) } }
    return PixelSize(width: number(at: 16), height: number(at: 20))
  }

  /// The PNG file as a cairo surface, whose reference the caller must release; nil if it cannot be decoded.
  func decode() -> OpaquePointer? {
    bytes.withUnsafeBytes { buffer in
      var rest = Rest(bytes: buffer)
      let surface = withUnsafeMutablePointer(to: &rest) { pointer in
        cairo_image_surface_create_from_png_stream(
          { closure, into, count in
            guard let closure, let into else { return CAIRO_STATUS_READ_ERROR }
            return closure.assumingMemoryBound(to: Rest.self).pointee.take(Int(count), into)
          }, pointer)
      }
      guard let surface else { return nil }
      if cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS { return surface }
      cairo_surface_destroy(surface)
      return nil
    }
  }
}

/// The bytes of a file that are not decoded yet.
nonisolated private struct Rest {
  var bytes: UnsafeRawBufferPointer
  var position = 0

  mutating func take(_ count: Int, _ into: UnsafeMutablePointer<UInt8>) -> cairo_status_t {
    guard count <= bytes.count - position, let base = bytes.baseAddress else { return CAIRO_STATUS_READ_ERROR }
    memcpy(into, base + position, count)
    position += count
    return CAIRO_STATUS_SUCCESS
  }
}
