/// The tolerance of a picture against its reference: the levels by which a pixel may differ, and the fraction of pixels
/// that may differ by more.
///
/// Shapes are drawn alike everywhere: `.exact`. Letters come out a level or two different with another version of the
/// font renderer: `.text`. State anything wider where it is used, and why.
nonisolated public struct Tolerance: Hashable, Sendable {
  /// By how many of 255 levels red, green, blue or alpha of a pixel may be off before the pixel counts as different.
  public let levels: Int
  /// The fraction of all pixels, 0...1, that may count as different.
  public let share: Double

  /// A tolerance of `levels` (0...255) in every pixel, and any difference in a `share` (0...1) of them. Values outside
  /// are clamped; NaN counts as 0.
  public init(levels: Int = 0, share: Double = 0) {
    self.levels = min(max(levels, 0), 255)
    self.share = share > 0 ? min(share, 1) : 0
  }

  /// Every pixel is the same.
  public static let exact = Tolerance()
  /// Every pixel is within two levels of 255, the difference between versions of the font renderer.
  public static let text = Tolerance(levels: 2)

  /// True when a difference found with this tolerance's `levels` is small enough.
  public func allows(_ difference: SnapshotDifference) -> Bool {
    difference.isSameSize && Double(difference.count) <= share * Double(difference.total)
  }
}
