internal import CPNG
import Glibc

/// Writes one PNG file of eight bits per channel, its rows unfiltered: drawn images, unlike photographs, get larger by filters
/// (goldens by a fifth).
@safe package struct PNGWriter {
  private let file: UnsafeMutablePointer<FILE>
  private var isValid = true

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
  package enum Effort: Int32 {
    /// Ten times as fast as `small`.
    case fast = 3
    /// A fifth to a quarter smaller than `fast`: for files that are kept.
    case small = 9
  }

  /// Writes `buffer` to `path`, without alpha if it is opaque; false if the file cannot be written.
  static func write(_ buffer: PixelBuffer, to path: String, isOpaque: Bool, _ effort: Effort) -> Bool {
    guard !buffer.size.isEmpty else { return false }
    return write(buffer.size, to: path, colors: isOpaque ? .opaque : .withAlpha) {
      $0.putRows(rows(of: buffer, isOpaque: isOpaque), effort)
    }
  }

  /// Writes a file of an image of `size` to `path`; `body` puts the chunks between the first and the last. Returns false if the
  /// file cannot be written.
  package static func write(
    _ size: PixelSize, to path: String, colors: Colors, _ body: (inout PNGWriter) -> Void
  ) -> Bool {
    guard let file = unsafe fopen(path, "wbe") else { return false }
    var writer = unsafe PNGWriter(file: file)
    writer.put([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    // 8 bits per channel; the only compression, the only set of filters, rows from top to bottom.
    writer.putChunk("IHDR", bigEndian(size.width) + bigEndian(size.height) + [8, colors.rawValue, 0, 0, 0])
    body(&writer)
    writer.putChunk("IEND", [])
    // Closing writes the last buffered bytes, so its failure counts too.
    return unsafe fclose(file) == 0 && writer.isValid
  }

  private init(file: UnsafeMutablePointer<FILE>) { unsafe self.file = unsafe file }

  /// The four bytes of a number.
  package static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private mutating func put(_ bytes: [UInt8]) {
    isValid = unsafe isValid && fwrite(bytes, 1, bytes.count, file) == bytes.count
  }

  /// Puts a chunk with a name of four letters.
  package mutating func putChunk(_ name: String, _ bytes: [UInt8]) {
    let name = Array(name.utf8)
    put(Self.bigEndian(bytes.count))
    put(name)
    put(bytes)
    unsafe put(Self.bigEndian(Int(crc32(crc32(0, name, 4), bytes, UInt32(bytes.count)))))
  }

  /// Puts a chunk of rows, each preceded by its filter: compressed, after `prefix`.
  package mutating func putRows(
    _ rows: [UInt8], _ effort: Effort, in name: String = "IDAT", after prefix: [UInt8] = []
  ) {
    var count = compressBound(uLong(rows.count))
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, used in
      // Fails only for lack of memory: the space suffices for the worst case.
      isValid = unsafe compress2(bytes.baseAddress, &count, rows, uLong(rows.count), effort.rawValue) == Z_OK && isValid
      used = isValid ? Int(count) : 0
    }
    putChunk(name, prefix + compressed)
  }

  /// The rows, each preceded by its filter: none. PNG's colours are not premultiplied by alpha; each is rounded to the nearest.
  private static func rows(of buffer: PixelBuffer, isOpaque: Bool) -> [UInt8] {
    let (size, pixels) = (buffer.size, buffer.pixels)
    let capacity = size.height * (1 + size.width * (isOpaque ? 3 : 4))
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { bytes, count in
      var place = 0
      func put(_ value: UInt32) {
        unsafe bytes[place] = UInt8(truncatingIfNeeded: value)
        place &+= 1
      }
      for y in 0..<size.height {
        put(0)
        for pixel in pixels[y * size.width..<(y + 1) * size.width] {
          let alpha = isOpaque ? 255 : pixel >> 24
          for shift in [16, 8, 0] as [UInt32] {
            let part = pixel >> shift & 255
            put(alpha == 255 ? part : alpha == 0 ? 0 : (part * 255 + alpha / 2) / alpha)
          }
          if !isOpaque { put(alpha) }
        }
      }
      count = place
    }
  }
}
