/// The direction in which something lies, or in which things follow each other.
nonisolated public enum Axis: String, CaseIterable, InspectableValue {
  /// From side to side: a row, or values that grow in the direction of reading.
  case horizontal
  /// Upright: a column from the top down, or values that grow upwards.
  case vertical
}

/// Horizontal, vertical, both or neither: the ways in which something may be dragged or scrolled.
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
  /// Both axes.
  public static let both: Axes = [.horizontal, .vertical]

  /// The axis along which `travel` goes further; vertical where it goes equally far.
  public static func dominant(of travel: Point) -> Axes { abs(travel.x) > abs(travel.y) ? .horizontal : .vertical }
}
