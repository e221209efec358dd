internal import JPEGLoader
import UICore

/// One JPEG file, decoded by TurboJPEG to `PixelBuffer`'s format. Colours are taken as sRGB, and those of inks as what a screen shows of
/// them without a profile.
nonisolated struct JPEGReader {
  /// The most pixels that all scans together pass over. A file of one scan passes over each pixel once, one of a camera or the web over each ten
  /// times; more would take seconds.
  private static let mostScannedPixels = 1_000_000_000

  private let bytes: [UInt8]
  private let path: String
  private let header: JPEGHeader
  /// The size in pixels that the file declares, turned as it wants, which a bitmap can have.
  var size: PixelSize { header.size }

  /// Reads the header of a file's bytes; `path` is for errors.
  init(_ bytes: [UInt8], of path: String) throws(PictureError) {
    (self.bytes, self.path) = (bytes, path)
    guard case .whole(let header) = JPEGHeader.read(bytes) else { throw PictureError(path: path, reason: .damaged) }
    guard header.storedSize.isUsableForBitmap else {
      throw PictureError(path: path, reason: .unusableSize(header.size))
    }
    guard header.isCommon else { throw PictureError(path: path, reason: .unsupportedJPEG) }
    self.header = header
  }

  /// The pixels. A file whose pixels are not all there is damaged.
  func bitmap() throws(PictureError) -> Bitmap {
    let scans = header.scanCount(in: bytes)
    // A single scan costs no more than its pixels, of which there are few enough.
    guard scans <= 1 || scans * size.area <= Self.mostScannedPixels else { throw fail(.tooManyScans(scans)) }
    guard let stored = Bitmap(size: header.storedSize) else { throw fail(.noMemory) }
    let isInInks = header.channelCount == 4
    let end = stored.withBuffer { buffer in
      let result = unsafe buffer.withUnsafeBytes { pixels in
        unsafe cockpit_decode_jpeg(
          bytes, UInt(bytes.count), isInInks ? 1 : 0, Int32(buffer.size.width), Int32(buffer.size.height),
          pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.stride))
      }
      if isInInks { Self.mix(buffer, isReversed: header.isByAdobe) }
      return Int(result)
    }
    switch end {
    case cockpit_jpeg_whole: break
    case cockpit_jpeg_no_library: throw fail(.noJPEGLibrary)
    default: throw fail(.damaged)
    }
    guard header.orientation != .upright else { return stored }
    guard let turned = Bitmap(size: size) else { throw fail(.noMemory) }
    stored.withBuffer { from in turned.withBuffer { Self.turn(from, header.orientation, into: $0) } }
    return turned
  }

  private func fail(_ reason: PictureError.Reason) -> PictureError { PictureError(path: path, reason: reason) }

  /// Makes colours of inks: cyan takes red away, magenta green, yellow blue, black all. `isReversed` says that the file has what the inks
  /// leave over.
  private static func mix(_ buffer: PixelBuffer, isReversed: Bool) {
    let whole: UInt32 = isReversed ? 0 : 0xffff_ffff
    for y in 0..<buffer.size.height {
      for x in 0..<buffer.size.width {
        // Bytes in the order of the file: the first is the lowest.
        let left = buffer[x, y] ^ whole
        let black = left >> 24
        func part(_ from: UInt32, _ to: UInt32) -> UInt32 { (((left >> from & 255) * black + 127) / 255) << to }
        buffer[x, y] = 0xff00_0000 | part(0, 16) | part(8, 8) | part(16, 0)
      }
    }
  }

  private static func turn(_ from: PixelBuffer, _ orientation: PictureOrientation, into to: PixelBuffer) {
    for y in 0..<to.size.height {
      for x in 0..<to.size.width {
        let place = orientation.place(x, y, in: from.size)
        to[x, y] = from[place.x, place.y]
      }
    }
  }
}
