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

  /// The frames of items of `sizes` in a stack of `size`, in reading order and from the top down. Items without space overflow
  /// at the end.
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
