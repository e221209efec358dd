internal import CCairo
import Glibc
import Linux

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

  /// The size that a PNG file's first chunk claims; nil for what is no PNG file.
  var claimedSize: PixelSize? {
    guard bytes.count >= 24, bytes.starts(with: Self.signature), Array(bytes[12..<16]) == Array("IHDR".utf8) else {
      return nil
    }
    func number(at index: Int) -> Int { bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) } }
    return PixelSize(width: number(at: 16), height: number(at: 20))
  }

  /// The PNG file as a surface of cairo's, whose reference the caller gives back; nil where it cannot be decoded.
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

/// What of a file is not decoded yet.
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
