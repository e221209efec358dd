/// Lays out sizes in order along an axis.
nonisolated package struct StackModel: Hashable, Sendable {
  package typealias Distribution = StackView.Distribution

  // As in `StackView`, by the same names.
  package var axis = Axis.vertical
  package var fillsBreadth = true
  package var horizontalAlignment = HorizontalAlignment.leading
  package var verticalAlignment = VerticalAlignment.top
  package var distribution = Distribution.natural
  package var spacing = 0.0
  package var insets = EdgeInsets.zero
  package var direction = LayoutDirection.leftToRight

  package init() {}

  /// How an item takes part in sharing out the space along the axis.
  package struct Item: Hashable, Sendable {
    /// Its preferred length in points.
    package var length: Double
    /// Its share of space that is left over; 0 for none.
    package var grow = 0.0
    /// Its share, for each point of its length, of space that is missing; 0 for none.
    package var shrink = 0.0
    /// The length in points below which it is not shrunk.
    package var least = 0.0

    package init(length: Double, grow: Double = 0, shrink: Double = 0, least: Double = 0) {
      (self.length, self.grow, self.shrink) = (length, max(grow, 0), max(shrink, 0))
      self.least = shrink > 0 ? min(max(least, 0), length) : length
    }
  }

  /// The lengths of `items` with spacing in `room` points, shared out as in flexbox: what is left over goes to items that grow,
  /// what is missing is taken from items that shrink, and an item that reaches its least length leaves the rest to the others.
  /// Items with shares of less than 1 in all take only that part.
  package func lengths(of items: [Item], in room: Double) -> [Double] {
    var lengths = items.map(\.length)
    guard distribution != .fillEqually, !items.isEmpty, room.isFinite else { return lengths }
    let inner = max(room, 0) - spacing * Double(items.count - 1)
    let free = inner - lengths.reduce(0, +)
    // Sums of lengths do not meet exactly.
    guard abs(free) > 1e-6 else { return lengths }
    if free > 0 {
      let shares = items.reduce(0) { $0 + $1.grow }
      guard shares > 0 else { return lengths }
      for index in items.indices { lengths[index] += free * items[index].grow / max(shares, 1) }
      return lengths
    }
    var missing = -free * min(items.reduce(0) { $0 + $1.shrink }, 1)
    var open = Set(items.indices.filter { items[$0].shrink > 0 && items[$0].length > items[$0].least })
    while missing > 1e-6, !open.isEmpty {
      let weight = open.reduce(0) { $0 + items[$1].shrink * items[$1].length }
      guard weight > 0, weight.isFinite else { break }
      func target(_ index: Int) -> Double {
        items[index].length - missing * items[index].shrink * items[index].length / weight
      }
      let stopped = open.filter { target($0) < items[$0].least }
      if stopped.isEmpty {
        for index in open { lengths[index] = target(index) }
        break
      }
      for index in stopped {
        lengths[index] = items[index].least
        missing -= items[index].length - items[index].least
      }
      open.subtract(stopped)
    }
    return lengths
  }

  /// The room along the axis inside the insets of a stack of `size`.
  package func room(in size: Size) -> Double { Rect(origin: .zero, size: size).inset(by: insets).size[axis] }

  /// The size offered to one of several items in `size`: all of it across the axis, without a limit along it.
  package func proposal(for size: Size) -> Size {
    let inside = Rect(origin: .zero, size: size).inset(by: insets).size
    return Size(.infinity, along: axis, breadth: inside[axis.other])
  }

  /// The size that holds items of `sizes`, with spacing and insets.
  package func size(of sizes: [Size]) -> Size {
    let gaps = spacing * Double(max(sizes.count - 1, 0))
    let along: Double
    if distribution == .fillEqually {
      along = (sizes.map { $0[axis] }.max() ?? 0) * Double(sizes.count) + gaps
    } else {
      along = sizes.reduce(0) { $0 + $1[axis] } + gaps
    }
    let across = sizes.map { $0[axis.other] }.max() ?? 0
    let inside = Size(along, along: axis, breadth: across)
    return Size(
      width: inside.width + insets.left + insets.right, height: inside.height + insets.top + insets.bottom)
  }

  /// The frames of items of `sizes` in a stack of `size`, in reading order and from the top down. If that is too much even
  /// after all that may shrink has shrunk (`lengths(of:in:)`), the rest overflows at the end.
  package func frames(of sizes: [Size], in size: Size) -> [Rect] {
    let area = Rect(origin: .zero, size: size).inset(by: insets)
    let room = area.size[axis]
    let count = Double(sizes.count)
    var gap = spacing
    var equal: Double?
    var free = 0.0
    switch distribution {
    case .natural: free = room - sizes.reduce(0) { $0 + $1[axis] } - spacing * (count - 1)
    case .fillEqually: equal = max((room - spacing * (count - 1)) / max(count, 1), 0)
    case .equalSpacing:
      let used = sizes.reduce(0) { $0 + $1[axis] }
      if sizes.count > 1 { gap = max((room - used) / (count - 1), spacing) }
    }
    var place = area.origin[axis] + max(free, 0) * fraction(along: axis)
    return sizes.map { size in
      let length = equal ?? size[axis]
      let total = area.size[axis.other]
      let breadth = fillsBreadth ? total : min(size[axis.other], total)
      let offset = (total - breadth) * fraction(along: axis.other)
      defer { place += length + gap }
      var frame = Rect(
        origin: Point { $0 == axis ? place : area.origin[$0] + offset },
        size: Size(length, along: axis, breadth: breadth))
      // The insets stay in place; the frames between them are mirrored.
      if direction == .rightToLeft { frame.origin.x = area.minX + area.maxX - frame.maxX }
      return frame
    }
  }

  /// The fraction of free space along `axis` before the items, from the leading side.
  private func fraction(along axis: Axis) -> Double {
    axis == .horizontal ? horizontalAlignment.leadingFraction(in: direction) : verticalAlignment.fraction
  }
}

nonisolated extension StackView.Distribution: InspectableValue {}
