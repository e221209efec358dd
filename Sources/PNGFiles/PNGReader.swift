internal import CPNG
import UICore

/// One PNG file of any sort, decoded by libpng to `PixelBuffer`'s format. Colours are taken as sRGB: what a file says of its gamma and
/// colour space is ignored.
package struct PNGReader {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The chunks by which libpng would change colours.
  private static let colorChunks = ["gAMA", "cHRM", "iCCP", "sRGB"].map { Array($0.utf8) }

  private let bytes: [UInt8]
  /// The size in pixels that the file declares, which a bitmap can have.
  package let size: PixelSize

  /// Reads the file at `path`; pipes and devices are refused instead of waited for.
  package init(contentsOf path: String) throws(PictureError) {
    try self.init(PictureError.bytes(ofPictureAt: path), of: path)
  }

  /// Reads a file's bytes; `path` is for errors.
  package init(_ bytes: [UInt8], of path: String) throws(PictureError) {
    self.bytes = bytes
    guard let size = Self.claimedSize(bytes) else { throw PictureError(path: path, reason: .notPNG) }
    guard size.isUsableForBitmap else { throw PictureError(path: path, reason: .unusableSize(size)) }
    self.size = size
  }

  /// The size that a PNG file's first chunk declares; nil for any other file.
  package static func claimedSize(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.count >= 24, bytes.starts(with: signature), Array(bytes[12..<16]) == Array("IHDR".utf8) else {
      return nil
    }
    return PixelSize(width: number(in: bytes, at: 16), height: number(in: bytes, at: 20))
  }

  private static func number(in bytes: [UInt8], at index: Int) -> Int {
    bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Decodes the image into `buffer`, which must have `size`; false if the file is damaged.
  package func decode(into buffer: PixelBuffer) -> Bool {
    precondition(buffer.size == size, "a buffer of another size")
    guard let plain = withoutColorChunks else { return false }
    var image = unsafe png_image()
    unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { unsafe png_image_free(&image) }
    let isWhole = unsafe plain.withUnsafeBytes { file in
      guard unsafe png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0,
        unsafe Int(image.width) == size.width && Int(image.height) == size.height
      else { return false }
      unsafe image.format = cockpit_png_format()
      unsafe image.flags |= cockpit_png_srgb16()
      return unsafe buffer.withUnsafeBytes { pixels in
        unsafe png_image_finish_read(&image, nil, pixels.baseAddress, png_int_32(buffer.stride), nil) != 0
      }
    }
    guard isWhole else { return false }
    Self.premultiply(buffer)
    return true
  }

  /// The file without what it says of its colours; nil if it ends before its last chunk does, which libpng does not look for once it
  /// has all pixels.
  private var withoutColorChunks: [UInt8]? {
    var kept: [UInt8] = []
    var (start, place) = (0, 8)
    while place + 12 <= bytes.count {
      let (name, end) = (bytes[(place + 4)..<(place + 8)], place + 12 + Self.number(in: bytes, at: place))
      guard end <= bytes.count else { return nil }
      if name.elementsEqual("IEND".utf8) { return start == 0 ? bytes : kept + bytes[start...] }
      if Self.colorChunks.contains(where: name.elementsEqual) {
        kept += bytes[start..<place]
        start = end
      }
      place = end
    }
    return nil
  }

  /// Multiplies colours by their alpha, rounded to the nearest.
  private static func premultiply(_ buffer: PixelBuffer) {
    for y in 0..<buffer.size.height {
      for x in 0..<buffer.size.width {
        let pixel = buffer[x, y]
        let alpha = pixel >> 24
        if alpha == 255 { continue }
        func part(_ shift: UInt32) -> UInt32 {
          let product = (pixel >> shift & 255) * alpha + 128
          return ((product + (product >> 8)) >> 8) << shift
        }
        buffer[x, y] = alpha == 0 ? 0 : alpha << 24 | part(16) | part(8) | part(0)
      }
    }
  }
}
