internal import CCairo
import Glibc

/// Writes one PNG file of eight bits per channel, its rows unfiltered: drawn images, unlike photographs, get larger by filters
/// (goldens by a fifth).
package struct PNGWriter {
  private let file: UnsafeMutablePointer<FILE>
  private var isSound = true

  /// The colour type of a file, by PNG's numbers.
  package enum Colors: UInt8 {
    /// Red, green, blue.
    case opaque = 2
    /// Indexed colour.
    case listed = 3
    /// Red, green, blue, alpha.
    case withAlpha = 6
  }

  /// The effort spent on a small file, by zlib's numbers.
  enum Effort: Int32 {
    /// Ten times as fast as `small`.
    case fast = 3
    /// A fifth to a quarter smaller than `fast`: for files that are kept.
    case small = 9
  }

  /// Writes `buffer` to `path`, without alpha if it is opaque; false if the file cannot be written.
  static func write(_ buffer: PixelBuffer, to path: String, isOpaque: Bool, _ effort: Effort) -> Bool {
    write(buffer.size, to: path, colors: isOpaque ? .opaque : .withAlpha) { $0.putRows(of: buffer, isOpaque, effort) }
  }

  /// Writes a file of an image of `size` to `path`; `body` puts the chunks between the first and the last. Returns false if the
  /// file cannot be written.
  package static func write(
    _ size: PixelSize, to path: String, colors: Colors, _ body: (inout PNGWriter) -> Void
  ) -> Bool {
    guard let file = fopen(path, "wbe") else { return false }
    var writer = PNGWriter(file: file)
    writer.put([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    // 8 bits per channel; the only compression, the only set of filters, rows from top to bottom.
    writer.putChunk("IHDR", bigEndian(size.width) + bigEndian(size.height) + [8, colors.rawValue, 0, 0, 0])
    body(&writer)
    writer.putChunk("IEND", [])
    // Closing writes the last buffered bytes, so its failure counts too.
    return fclose(file) == 0 && writer.isSound
  }

  private init(file: UnsafeMutablePointer<FILE>) { self.file = file }

  /// The four bytes of a number.
  package static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private mutating func put(_ bytes: [UInt8]) {
    isSound = isSound && fwrite(bytes, 1, bytes.count, file) == bytes.count
  }

  /// Puts a chunk with a name of four letters.
  package mutating func putChunk(_ name: String, _ bytes: [UInt8]) {
    let body = Array(name.utf8) + bytes
    put(Self.bigEndian(bytes.count))
    put(body)
    put(Self.bigEndian(Int(crc32(0, body, UInt32(body.count)))))
  }

  private mutating func putRows(of buffer: PixelBuffer, _ isOpaque: Bool, _ effort: Effort) {
    var stream = z_stream()
    guard deflateInit_(&stream, effort.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK,
      let base = buffer.bytes.baseAddress
    else { return isSound = false }
    defer { deflateEnd(&stream) }
    // Each row is preceded by its filter: none.
    var row = [UInt8](repeating: 0, count: 1 + buffer.size.width * (isOpaque ? 3 : 4))
    for y in 0..<buffer.size.height {
      let pixels = (base + y * buffer.stride).assumingMemoryBound(to: UInt32.self)
      let line = UnsafeBufferPointer(start: pixels, count: buffer.size.width)
      if isOpaque { Self.convertOpaque(line, to: &row) } else { Self.convert(line, to: &row) }
      putCompressed(&row, &stream, y == buffer.size.height - 1 ? Z_FINISH : Z_NO_FLUSH)
    }
  }

  private mutating func putCompressed(_ row: inout [UInt8], _ stream: inout z_stream, _ flush: Int32) {
    row.withUnsafeMutableBufferPointer { row in
      (stream.next_in, stream.avail_in) = (row.baseAddress, UInt32(row.count))
      repeat {
        let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { part, count in
          (stream.next_out, stream.avail_out) = (part.baseAddress, UInt32(part.count))
          _ = deflate(&stream, flush)
          count = part.count - Int(stream.avail_out)
        }
        if !part.isEmpty { putChunk("IDAT", part) }
        // Less than it might have been: there is no more.
      } while stream.avail_out == 0
    }
  }

  private static func convertOpaque(_ pixels: UnsafeBufferPointer<UInt32>, to row: inout [UInt8]) {
    var place = 1
    for pixel in pixels {
      row[place] = UInt8(truncatingIfNeeded: pixel >> 16)
      row[place + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
      row[place + 2] = UInt8(truncatingIfNeeded: pixel)
      place += 3
    }
  }

  /// Converts to PNG's colours, which are not premultiplied by alpha; each is rounded to the nearest.
  private static func convert(_ pixels: UnsafeBufferPointer<UInt32>, to row: inout [UInt8]) {
    var place = 1
    for pixel in pixels {
      let alpha = pixel >> 24
      for shift in [16, 8, 0] as [UInt32] {
        let value = alpha == 0 ? 0 : ((pixel >> shift & 255) * 255 + alpha / 2) / alpha
        row[place + Int(16 - shift) / 8] = UInt8(truncatingIfNeeded: value)
      }
      row[place + 3] = UInt8(alpha)
      place += 4
    }
  }
}
