/// Sizes one after the other along an axis, and where that puts them.
nonisolated public struct StackModel: Hashable, Sendable {
  /// How long things are along the axis.
  public enum Distribution: String, CaseIterable, Hashable, Sendable {
    /// As long as they like; the alignment along the axis says on which side the rest stays free.
    case natural
    /// All equally long, so that together they fill the axis.
    case fillEqually
    /// As long as they like, with equal space between them so that together they fill the axis.
    case equalSpacing
  }

  /// Which way things follow each other.
  public var axis = Axis.vertical
  /// Whether each fills the breadth, from side to side; otherwise it has the breadth that it likes.
  public var fillsBreadth = true
  /// Where they stand in free room between left and right: all of a row together, each one of a column.
  public var horizontalAlignment = HorizontalAlignment.leading
  /// Where they stand in free room between top and bottom: each one of a row, all of a column together.
  public var verticalAlignment = VerticalAlignment.top
  /// Which way reading goes: a row begins there.
  public var direction = LayoutDirection.leftToRight
  /// How long they are along it.
  public var distribution = Distribution.natural
  /// Between two neighbours, in points.
  public var spacing = 0.0
  /// Around all of them.
  public var insets = EdgeInsets.zero

  /// A column without spacing or insets.
  public init() {}

  /// What one of several things may take of `size` at most: all across the axis, without a limit along it.
  public func proposal(for size: Size) -> Size {
    let inside = Rect(origin: .zero, size: size).inset(by: insets).size
    return Size(.infinity, along: axis, breadth: inside[axis.other])
  }

  /// The size that holds things of `sizes`, with spacing and insets.
  public func size(of sizes: [Size]) -> Size {
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

  /// The frames of things of `sizes` in something of `size`, in order of reading and from the top down. Things without
  /// room run over the end.
  public func frames(of sizes: [Size], in size: Size) -> [Rect] {
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
      // The insets stay where they are; the frames between them are mirrored.
      if direction == .rightToLeft { frame.origin.x = area.minX + area.maxX - frame.maxX }
      return frame
    }
  }

  /// Which fraction of free room along `axis` lies before things, seen from where reading begins.
  private func fraction(along axis: Axis) -> Double {
    axis == .horizontal ? horizontalAlignment.leadingFraction(in: direction) : verticalAlignment.fraction
  }
}

nonisolated extension StackModel.Distribution: InspectableValue {}
