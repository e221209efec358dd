internal import CCairo
import Glibc
import Linux

/// PNG files, read and written whole.
public enum PNG {
  /// Writes the pixels as a PNG file; false if the file cannot be written. With `isOpaque` alpha is left out.
  public static func write(_ buffer: PixelBuffer, to path: String, isOpaque: Bool = false) -> Bool {
    PNGWriter.write(buffer, to: path, isOpaque: isOpaque, .fast)
  }

  /// Writes the pixels as a PNG file that is kept: slower, and a fifth to a quarter smaller. False when the file cannot be written.
  package static func writeSmall(_ buffer: PixelBuffer, to path: String) -> Bool {
    PNGWriter.write(buffer, to: path, isOpaque: false, .small)
  }

  /// Calls `body` with the pixels of a PNG file.
  ///
  /// Any file at `path` gives pixels or one error: pipes and devices are not waited for, and an image that claims to be
  /// enormous is refused before its memory is allocated.
  public static func read<Result>(
    contentsOf path: String, _ body: (PixelBuffer) -> Result
  ) throws(PictureError) -> Result {
    try bitmap(contentsOf: path).withBuffer(body)
  }

  /// The size that the PNG file at `path` declares, read from its first bytes; nil for a file that is no PNG, cannot be read, or
  /// is too large to be drawn.
  package static func declaredSize(contentsOf path: String) -> PixelSize? {
    guard let bytes = try? FileReader.beginning(of: path, count: 24), let size = FileBytes(bytes).claimedSize,
      Bitmap.isUsable(size)
    else { return nil }
    return size
  }

  fileprivate static func bitmap(contentsOf path: String) throws(PictureError) -> Bitmap {
    let bytes = try FileBytes(path)
    guard let size = bytes.claimedSize else { throw PictureError(path: path, reason: .notPNG) }
    guard Bitmap.isUsable(size) else { throw PictureError(path: path, reason: .unusableSize(size)) }
    guard let file = bytes.decode(), file.size == size else { throw PictureError(path: path, reason: .damaged) }
    // Files without alpha have other formats; painting converts all to one.
    guard let bitmap = Bitmap(size: size), let context = Context(bitmap) else {
      throw PictureError(path: path, reason: .noMemory)
    }
    context.setSource(file.pattern)
    context.paint()
    guard context.isValid else { throw PictureError(path: path, reason: .noMemory) }
    bitmap.flush()
    return bitmap
  }
}

extension Picture {
  /// The image in a PNG file, with one of its pixels for each buffer pixel at `scale`.
  public convenience init(contentsOf path: String, scale: Scale = .one) throws(PictureError) {
    self.init(try PNG.bitmap(contentsOf: path), scale: scale)
  }
}

struct FileBytes {
  private static let limit = 256 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  private let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads the file at `path`; pipes and devices are refused instead of waited for.
  init(_ path: String) throws(PictureError) {
    do throws(FileReader.Failure) {
      bytes = try FileReader.bytes(of: path, atMost: Self.limit)
    } catch {
      switch error {
      case .notAFile: throw PictureError(path: path, reason: .notAFile)
      case .tooLarge: throw PictureError(path: path, reason: .tooManyBytes)
      case .system, .tooSlow: throw PictureError(path: path, reason: .unreadable(errno: error.errno))
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

  /// The image, with the size that it really has; nil if it cannot be decoded.
  func decode() -> (pattern: Pattern, size: PixelSize)? {
    unsafe bytes.withUnsafeBytes { buffer in
      var rest = unsafe buffer
      let surface = unsafe withUnsafeMutablePointer(to: &rest) { rest in
        unsafe cairo_image_surface_create_from_png_stream(
          { closure, into, count in
            guard let rest = unsafe closure?.assumingMemoryBound(to: UnsafeRawBufferPointer.self),
              let from = unsafe rest.pointee.baseAddress, let into = unsafe into, unsafe count <= rest.pointee.count
            else { return CAIRO_STATUS_READ_ERROR }
            unsafe memcpy(into, from, Int(count))
            unsafe rest.pointee = UnsafeRawBufferPointer(rebasing: rest.pointee.dropFirst(Int(count)))
            return CAIRO_STATUS_SUCCESS
          }, rest)
      }
      // The pattern keeps the surface, and cannot be made of one with an error.
      defer { unsafe cairo_surface_destroy(surface) }
      guard let surface = unsafe surface, let pattern = unsafe Pattern(cairo_pattern_create_for_surface(surface)) else {
        return nil
      }
      let (width, height) = unsafe (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
      return (pattern, PixelSize(width: Int(width), height: Int(height)))
    }
  }
}
