/// The rows of a radio group, in its own coordinates: one below the other, or beside each other.
nonisolated struct RadioGeometry: Hashable, Sendable {
  /// The space between two names in a row, in points.
  static let spacing = 20.0

  /// The place of each name with its mark, in their order.
  let frames: [Rect]
  private let axis: Axis
  private let direction: LayoutDirection

  /// Places rows that prefer `sizes` along `axis` in a group of `size`. Below each other they share the height; beside each other each has
  /// the width that it prefers, and all of them less if there is no room.
  init(sizes: [Size], size: Size, axis: Axis, direction: LayoutDirection) {
    (self.axis, self.direction) = (axis, direction)
    guard !sizes.isEmpty else {
      frames = []
      return
    }
    if axis == .vertical {
      let height = max(size.height, 0) / Double(sizes.count)
      frames = sizes.indices.map { Rect(x: 0, y: Double($0) * height, width: max(size.width, 0), height: height) }
    } else {
      let gaps = Double(sizes.count - 1) * Self.spacing
      let wanted = sizes.reduce(0) { $0 + $1.width }
      let factor = wanted > 0 ? min(max(size.width - gaps, 0) / wanted, 1) : 0
      var x = 0.0
      frames = sizes.map { row in
        defer { x += row.width * factor + Self.spacing }
        return direction.rect(
          Rect(x: x, y: 0, width: row.width * factor, height: max(size.height, 0)), in: size.width)
      }
    }
  }

  /// The size that rows of `sizes` prefer.
  static func size(of sizes: [Size], axis: Axis) -> Size {
    let (width, height) = (sizes.map(\.width).max() ?? 0, sizes.map(\.height).max() ?? 0)
    guard axis == .horizontal else {
      return Size(width: width, height: sizes.reduce(0) { $0 + $1.height })
    }
    return Size(width: sizes.reduce(0) { $0 + $1.width } + Double(max(sizes.count - 1, 0)) * spacing, height: height)
  }

  /// The row nearest to `point`; nil if there is none.
  func index(at point: Point) -> Int? {
    frames.indices.min { frames[$0].distance(to: point) < frames[$1].distance(to: point) }
  }

  /// The row that a key moves to from `index`: arrows along and across the group go to the neighbours, Home and End to the ends. Nil at
  /// an end, and for other keys.
  func index(after index: Int?, key: Key) -> Int? {
    guard let last = frames.indices.last else { return nil }
    let goal: Int
    switch direction.key(key) {
    case .up, .left: goal = index.map { $0 - 1 } ?? 0
    case .down, .right: goal = index.map { $0 + 1 } ?? 0
    case .home: goal = 0
    case .end: goal = last
    default: return nil
    }
    return frames.indices.contains(goal) ? goal : nil
  }
}
