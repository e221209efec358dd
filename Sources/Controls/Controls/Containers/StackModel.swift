/// Sizes one after the other along an axis, and where that puts them.
nonisolated public struct StackModel: Hashable, Sendable {
  /// Where things lie across the axis.
  public enum Alignment: String, CaseIterable, Hashable, Sendable {
    /// From side to side.
    case fill
    /// At the top, or where lines begin.
    case leading
    /// In the middle.
    case center
    /// At the bottom, or where lines end.
    case trailing
  }

  /// How long things are along the axis.
  public enum Distribution: String, CaseIterable, Hashable, Sendable {
    /// As long as they like; what is left stays free at the end.
    case natural
    /// All equally long, so that together they fill the axis.
    case fillEqually
    /// As long as they like, with equal space between them so that together they fill the axis.
    case equalSpacing
  }

  /// Which way things follow each other.
  public var axis = Axis.vertical
  /// Where they lie across it.
  public var alignment = Alignment.fill
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

  /// The frames of things of `sizes` in something of `size`, from left to right and from the top down; rows are mirrored
  /// by who wants them mirrored. What has no room runs over the end.
  public func frames(of sizes: [Size], in size: Size) -> [Rect] {
    let area = Rect(origin: .zero, size: size).inset(by: insets)
    let room = area.size[axis]
    let count = Double(sizes.count)
    var gap = spacing
    var equal: Double?
    switch distribution {
    case .natural: break
    case .fillEqually: equal = max((room - spacing * (count - 1)) / max(count, 1), 0)
    case .equalSpacing:
      let used = sizes.reduce(0) { $0 + $1[axis] }
      if sizes.count > 1 { gap = max((room - used) / (count - 1), spacing) }
    }
    var place = area.origin[axis]
    return sizes.map { size in
      let length = equal ?? size[axis]
      let total = area.size[axis.other]
      let breadth = alignment == .fill ? total : min(size[axis.other], total)
      let free = total - breadth
      let offset = alignment == .center ? free / 2 : alignment == .trailing ? free : 0
      defer { place += length + gap }
      let origin = Point { $0 == axis ? place : area.origin[$0] + offset }
      return Rect(origin: origin, size: Size(length, along: axis, breadth: breadth))
    }
  }
}

nonisolated extension StackModel.Alignment: InspectableValue {}
nonisolated extension StackModel.Distribution: InspectableValue {}
