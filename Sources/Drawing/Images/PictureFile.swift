import Linux
import Synchronization

/// A file with a picture, of whichever format its first bytes say: PNG or JPEG.
nonisolated package enum PictureFile {
  /// The pixels of a file, and their share of what all files may take, as long as it is held.
  package struct Content: Sendable {
    let bitmap: Bitmap
    let share: PixelShare
  }

  /// Reads the file at `path`, on any thread. Any file gives pixels or one error: pipes and devices are not waited for, and a size that a
  /// file only claims takes no memory.
  package static func read(_ path: String, within limits: PictureLimits) throws(PictureError) -> Content {
    let bytes = try PictureError.bytes(ofPictureAt: path)
    if JPEGHeader.begins(bytes) {
      let file = try JPEGReader(bytes, of: path)
      return try content(path, file.size, limits) { () throws(PictureError) in try file.bitmap() }
    }
    guard let file = try png(bytes, path) else { throw PictureError(path: path, reason: .unknownFormat) }
    return try content(path, file.size, limits) { () throws(PictureError) in
      guard let bitmap = Bitmap(size: file.size) else { throw PictureError(path: path, reason: .noMemory) }
      guard bitmap.withBuffer({ file.decode(into: $0) }) else { throw PictureError(path: path, reason: .damaged) }
      return bitmap
    }
  }

  /// The reader of a PNG file; nil if `bytes` are none.
  private static func png(_ bytes: [UInt8], _ path: String) throws(PictureError) -> PNGReader? {
    PNGReader.claimedSize(bytes) == nil ? nil : try PNGReader(bytes, of: path)
  }

  private static func content(
    _ path: String, _ size: PixelSize, _ limits: PictureLimits, _ decode: () throws(PictureError) -> Bitmap
  ) throws(PictureError) -> Content {
    guard limits.allows(size) else { throw PictureError(path: path, reason: .unusableSize(size)) }
    let share = PixelShare(size.area)
    let sum = PixelShare.sum
    guard sum <= limits.sum else { throw PictureError(path: path, reason: .tooManyPixels(sum: sum)) }
    let bitmap = try decode()
    bitmap.markDirty()
    return Content(bitmap: bitmap, share: share)
  }

  /// The size that the file at `path` declares, read from its beginning; nil for one that is no picture, cannot be read, or is too large
  /// to be drawn.
  package static func declaredSize(contentsOf path: String) -> PixelSize? {
    // The header of a photograph is longer than that only if it has a profile of colours or the like.
    for count in [1 << 16, 1 << 22] {
      guard let bytes = try? FileReader.beginning(of: path, count: count) else { return nil }
      guard JPEGHeader.begins(bytes) else { return usable(PNGReader.claimedSize(bytes)) }
      switch JPEGHeader.read(bytes) {
      case .whole(let header): return usable(header.size)
      case .none: return nil
      case .unfinished: if bytes.count < count { return nil }
      }
    }
    return nil
  }

  private static func usable(_ size: PixelSize?) -> PixelSize? { size.flatMap { $0.isUsableForBitmap ? $0 : nil } }
}

/// The pixels of one picture of a file, counted together with those of all others until it is released.
nonisolated package final class PixelShare: Sendable {
  private static let counted = Mutex(0)
  /// The pixels of all shares.
  static var sum: Int { counted.withLock { $0 } }

  private let count: Int

  init(_ count: Int) {
    self.count = count
    Self.counted.withLock { $0 += count }
  }

  deinit { Self.counted.withLock { $0 -= count } }
}
