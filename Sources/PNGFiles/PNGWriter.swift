internal import CPNG
import Glibc

/// Makes one PNG file of eight bits per channel, its rows unfiltered: drawn images, unlike photographs, get larger by filters
/// (goldens by a fifth).
package struct PNGWriter {
  /// The file so far.
  private var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  private var isValid = true
  /// The number of the next chunk of an animation.
  private var chunkNumber = 0

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

  /// The file of an image, without alpha if it is opaque; nil for an empty image, or if there is not enough memory.
  static func file(of buffer: PixelBuffer, isOpaque: Bool, _ effort: Effort) -> [UInt8]? {
    guard !buffer.size.isEmpty else { return nil }
    return file(buffer.size, colors: isOpaque ? .opaque : .withAlpha) {
      $0.putRows(rows(of: buffer, isOpaque: isOpaque), effort)
    }
  }

  /// The file of an image of `size`; `body` puts the chunks between the first and the last. Nil if there is not enough memory.
  package static func file(_ size: PixelSize, colors: Colors, _ body: (inout PNGWriter) -> Void) -> [UInt8]? {
    var writer = PNGWriter()
    // 8 bits per channel; the only compression, the only set of filters, rows from top to bottom.
    writer.putChunk("IHDR", bigEndian(size.width) + bigEndian(size.height) + [8, colors.rawValue, 0, 0, 0])
    body(&writer)
    writer.putChunk("IEND", [])
    return writer.isValid ? writer.bytes : nil
  }

  /// Writes a file to `path`; false if `bytes` is nil, or the file cannot be written, for the reason in `errno`.
  package static func write(_ bytes: [UInt8]?, to path: String) -> Bool {
    guard let bytes, let file = unsafe fopen(path, "wbe") else { return false }
    let isWritten = unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count
    // Closing writes the last buffered bytes, so its failure counts too.
    return unsafe fclose(file) == 0 && isWritten
  }

  /// The four bytes of a number.
  package static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Puts a chunk with a name of four letters.
  package mutating func putChunk(_ name: String, _ content: [UInt8]) {
    let name = Array(name.utf8)
    bytes += Self.bigEndian(content.count)
    bytes += name
    bytes += content
    unsafe bytes += Self.bigEndian(Int(crc32(crc32(0, name, 4), content, UInt32(content.count))))
  }

  /// Puts the rows of the image, each preceded by its filter.
  package mutating func putRows(_ rows: [UInt8], _ effort: Effort) { putImage(Self.compressed(rows, effort)) }

  private mutating func putImage(_ compressed: [UInt8]?) {
    isValid = isValid && compressed != nil
    putChunk("IDAT", compressed ?? [])
  }

  /// Rows as chunks have them; nil only for lack of memory.
  package static func compressed(_ rows: [UInt8], _ effort: Effort) -> [UInt8]? {
    var count = compressBound(uLong(rows.count))
    var isDone = false
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, used in
      // The space suffices for the worst case.
      isDone = unsafe compress2(bytes.baseAddress, &count, rows, uLong(rows.count), effort.rawValue) == Z_OK
      used = isDone ? Int(count) : 0
    }
    // A copy without the space that was not needed: films keep many.
    return unsafe isDone ? compressed.withUnsafeBufferPointer { unsafe Array($0) } : nil
  }

  // MARK: Animations (https://www.w3.org/TR/png-3/#apng-frame-based-animation)

  /// Begins an animation, which programs repeat for ever. Those that know no animations show its first frame.
  package mutating func putAnimation(frameCount: Int) {
    putChunk("acTL", Self.bigEndian(frameCount) + Self.bigEndian(0))
  }

  /// Puts a frame of an animation, which stands for the given milliseconds, at most 65,535: compressed rows, drawn over the picture that is
  /// there. The first frame must cover the whole image. Frames without rows, for lack of memory, make the file invalid.
  package mutating func putFrame(_ rect: PixelRect, milliseconds: Int, _ compressed: [UInt8]?) {
    let frame = [rect.width, rect.height, rect.x, rect.y].flatMap(Self.bigEndian)
    let delay = Self.bigEndian(min(max(milliseconds, 0), 65_535))[2...] + Self.bigEndian(1000)[2...]
    let isFirst = chunkNumber == 0
    // The existing image stays, and the frame is drawn over it.
    putChunk("fcTL", takeNumber() + frame + delay + [0, 1])
    if isFirst { return putImage(compressed) }
    isValid = isValid && compressed != nil
    putChunk("fdAT", takeNumber() + (compressed ?? []))
  }

  /// The number of a chunk of an animation: each has the next.
  private mutating func takeNumber() -> [UInt8] {
    defer { chunkNumber += 1 }
    return Self.bigEndian(chunkNumber)
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
