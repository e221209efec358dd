// Owns the two ways in which things are dragged and scrolled.
// Must not know who drags.

/// Horizontal, vertical, both or neither.
nonisolated public struct Axes: OptionSet, Hashable, Sendable {
  /// One bit an axis.
  public let rawValue: UInt8

  /// The axes of the bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// To the left and right.
  public static let horizontal = Axes(rawValue: 1)
  /// Up and down.
  public static let vertical = Axes(rawValue: 2)
  /// Any way.
  public static let both: Axes = [.horizontal, .vertical]

  /// The axis along which `travel` goes further; vertical where it goes equally far.
  public static func dominant(of travel: Point) -> Axes { abs(travel.x) > abs(travel.y) ? .horizontal : .vertical }
}
