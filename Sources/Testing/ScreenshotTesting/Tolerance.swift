/// The tolerance when an image is compared with its reference: the levels by which a pixel may differ, and the fraction of
/// pixels that may differ by more.
///
/// Use `.exact` for shapes, which are drawn alike on every machine, and `.text` for texts, which differ by a level or two
/// between versions of the font renderer. Where a wider tolerance is used, state it there with the reason.
nonisolated public struct Tolerance: Hashable, Sendable {
  /// The number of levels, of 255, by which red, green, blue or alpha of a pixel may be off before the pixel counts as
  /// different.
  public let levels: Int
  /// The fraction of all pixels, 0...1, that may count as different.
  public let share: Double

  /// A tolerance of `levels` (0...255) in every pixel, and of any difference in a `share` (0...1) of the pixels. Values outside
  /// are clamped; NaN counts as 0.
  public init(levels: Int = 0, share: Double = 0) {
    self.levels = min(max(levels, 0), 255)
    self.share = share > 0 ? min(share, 1) : 0
  }

  /// No tolerance: every pixel must be the same.
  public static let exact = Tolerance()
  /// Every pixel must be within two levels of 255, the difference between versions of the font renderer.
  public static let text = Tolerance(levels: 2)

  /// True if a difference that was found with this tolerance's `levels` is small enough.
  public func allows(_ difference: SnapshotDifference) -> Bool {
    difference.isSameSize && Double(difference.count) <= share * Double(difference.total)
  }
}
