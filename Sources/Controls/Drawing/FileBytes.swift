// Owns reading a file whole, and what a PNG file says of itself at its beginning.
// Must not know pixels.

internal import CCairo
import Glibc

/// The bytes of a file.
struct FileBytes {
  private static let limit = 256 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  private let bytes: [UInt8]

  /// Reads the file at `path`; pipes and devices are refused instead of waited for.
  init(_ path: String) throws(PictureError) {
    // A path with a zero byte would end there for the system and name another file.
    guard !path.utf8.contains(0) else { throw PictureError(path, .unreadable(errno: EINVAL)) }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw PictureError(path, .unreadable(errno: errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PictureError(path, .unreadable(errno: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw PictureError(path, .notAFile) }
    guard status.st_size <= Self.limit else { throw PictureError(path, .tooManyBytes) }
    bytes = try Self.read(descriptor, count: Int(status.st_size), path)
  }

  private static func read(_ descriptor: Int32, count: Int, _ path: String) throws(PictureError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count, let base = buffer.baseAddress {
        let got = Glibc.read(descriptor, base + done, count - done)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        // A file that became shorter meanwhile ends early.
        if got <= 0 { break }
        done += got
      }
    }
    guard failure == 0 else { throw PictureError(path, .unreadable(errno: failure)) }
    return bytes
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
