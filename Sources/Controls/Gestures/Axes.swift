/// The direction in which an object lies, or in which items follow each other.
nonisolated public enum Axis: String, CaseIterable, InspectableValue {
  /// From side to side: a row, or values that grow in the direction of reading.
  case horizontal
  /// Vertical: a column from the top down, or values that grow upwards.
  case vertical

  var other: Axis { self == .horizontal ? .vertical : .horizontal }
}

nonisolated extension Point {
  package subscript(axis: Axis) -> Double {
    get { axis == .horizontal ? x : y }
    set { if axis == .horizontal { x = newValue } else { y = newValue } }
  }

  /// The point whose coordinates are what `coordinate` says of each axis.
  init(_ coordinate: (Axis) -> Double) { self.init(x: coordinate(.horizontal), y: coordinate(.vertical)) }
}

nonisolated extension Size {
  /// The largest square inside; nil without space, or if the size is infinite.
  package var largestSquare: Size? {
    let side = min(width, height)
    return side.isFinite && side > 0 ? Size(width: side, height: side) : nil
  }

  package subscript(axis: Axis) -> Double {
    get { axis == .horizontal ? width : height }
    set { if axis == .horizontal { width = newValue } else { height = newValue } }
  }

  /// The size that is `length` long along `axis`, and `breadth` wide across it.
  init(_ length: Double, along axis: Axis, breadth: Double) {
    self = axis == .horizontal ? Size(width: length, height: breadth) : Size(width: breadth, height: length)
  }
}

/// Horizontal, vertical, both or neither: the axes along which something may be dragged or scrolled.
nonisolated public struct Axes: OptionSet, Hashable, Sendable {
  /// One bit per axis.
  public let rawValue: UInt8

  /// The axes of the bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  init(_ axis: Axis) { self = axis == .horizontal ? .horizontal : .vertical }

  /// To the left and right.
  public static let horizontal = Axes(rawValue: 1)
  /// Up and down.
  public static let vertical = Axes(rawValue: 2)
  /// Every direction, also diagonally.
  public static let both: Axes = [.horizontal, .vertical]

  /// The axis with the larger part of `travel`; vertical if both are equal.
  public static func dominant(of travel: Point) -> Axes { abs(travel.x) > abs(travel.y) ? .horizontal : .vertical }
}
