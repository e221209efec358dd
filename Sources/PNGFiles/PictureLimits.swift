/// What pictures that are read from files may take, of either format.
///
/// Sizes are what a file claims, before any memory is taken for its pixels, each of which takes four bytes; while a JPEG file is read
/// another four, if it lies turned or mirrored, and six to eight, if it comes in several scans.
nonisolated public struct PictureLimits: Hashable, Sendable {
  /// The most pixels of one picture: 64 million, which is also the most that any bitmap can have.
  public var pixels: Int
  /// The most pixels of all pictures of files that are in use at the same time: 128 million, two scenes of the largest pictures.
  public var sum: Int

  /// Limits; negative ones count as 0.
  public init(pixels: Int = 64_000_000, sum: Int = 128_000_000) { (self.pixels, self.sum) = (pixels, sum) }

  /// True for sizes that a single picture may have.
  package func allows(_ size: PixelSize) -> Bool { size.isUsableForBitmap && size.area <= pixels }
}
