import UICore

/// A window of `viewSize` onto something of `contentSize`: offsets are the place of the window's top left corner.
nonisolated public struct ScrollModel: Hashable, Sendable {
  /// The extent of the window, in points.
  public var viewSize = Size.zero
  /// The extent of what is scrolled, in points.
  public var contentSize = Size.zero
  /// Free space around the content that can be scrolled to.
  public var insets = EdgeInsets.zero
  /// The axes that scroll where the content is larger than the window.
  public var axes = Axes.both
  /// The axes that can be dragged, with resistance, even where the content is not larger.
  public var alwaysBounces: Axes = []
  /// False to stop dead at the ends.
  public var bounces = true
  /// True to rest at whole windows only.
  public var isPaging = false

  /// A window without extent onto nothing.
  public init() {}

  /// How much of a way beyond an end is followed at first.
  public static let resistance = 0.55

  // MARK: Range

  /// The offsets without resistance along `axis`; the first counts where the content is smaller than the window.
  public func range(_ axis: Axes) -> ClosedRange<Double> {
    let isVertical = axis == .vertical
    let start = -(isVertical ? insets.top : insets.left)
    guard axes.contains(axis) else { return start...start }
    let end =
      (isVertical ? contentSize.height + insets.bottom : contentSize.width + insets.right)
      - (isVertical ? viewSize.height : viewSize.width)
    return end > start ? start...end : start...start
  }

  /// The axes along which something can be dragged.
  public var scrollableAxes: Axes {
    var found: Axes = []
    for axis in [Axes.horizontal, .vertical] where axes.contains(axis) {
      let range = range(axis)
      if range.lowerBound < range.upperBound || (alwaysBounces.contains(axis) && bounces) { found.insert(axis) }
    }
    return found
  }

  /// The offset within both ranges that is next to `offset`; NaN counts as the start.
  public func clamped(_ offset: Point) -> Point {
    Point(x: Self.clamp(offset.x, range(.horizontal)), y: Self.clamp(offset.y, range(.vertical)))
  }

  private static func clamp(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
  }

  // MARK: Dragging

  /// The offset for a finger that dragged to `place`: the same inside the ranges, and with growing resistance beyond.
  public func offset(forPlace place: Point) -> Point {
    Point(
      x: banded(place.x, range(.horizontal), viewSize.width, canBounce(.horizontal)),
      y: banded(place.y, range(.vertical), viewSize.height, canBounce(.vertical)))
  }

  /// The place to which a finger must have dragged for `offset`: what a finger begins with that catches it beyond an end.
  public func place(forOffset offset: Point) -> Point {
    Point(
      x: unbanded(offset.x, range(.horizontal), viewSize.width),
      y: unbanded(offset.y, range(.vertical), viewSize.height))
  }

  private func canBounce(_ axis: Axes) -> Bool { bounces && scrollableAxes.contains(axis) }

  private func banded(_ place: Double, _ range: ClosedRange<Double>, _ length: Double, _ bounces: Bool) -> Double {
    let bound = Self.clamp(place, range)
    guard bounces, length > 0, place != bound else { return bound }
    let way = abs(place - bound)
    let shown = (1 - 1 / (way * Self.resistance / length + 1)) * length
    return place > bound ? bound + shown : bound - shown
  }

  private func unbanded(_ offset: Double, _ range: ClosedRange<Double>, _ length: Double) -> Double {
    let bound = Self.clamp(offset, range)
    let shown = min(abs(offset - bound), length * 0.99)
    guard shown > 0 else { return bound }
    let way = (1 / (1 - shown / length) - 1) * length / Self.resistance
    return offset > bound ? bound + way : bound - way
  }

  // MARK: Letting go

  /// How far ahead, in seconds, a page is chosen.
  private static let foresight = 0.2

  /// How `offset` goes on along `axis` after a finger let go of it with `velocity` in points per second. `start` is where
  /// the drag began: from there it is one page at most.
  public func motion(_ axis: Axes, from offset: Double, velocity: Double, start: Double) -> ScrollMotion {
    let range = range(axis)
    guard isPaging else {
      return ScrollMotion(releasedAt: offset, velocity: velocity, in: range, bounces: canBounce(axis))
    }
    let from = page(axis, at: start)
    let wanted = page(axis, at: offset + velocity * Self.foresight)
    let goal = self.offset(axis, ofPage: min(max(wanted, from - 1), from + 1))
    return ScrollMotion(from: offset, velocity: velocity, to: goal)
  }

  /// The page of `offset` along `axis`: the nearest one, from 0.
  public func page(_ axis: Axes, at offset: Double) -> Int {
    let length = axis == .vertical ? viewSize.height : viewSize.width
    let range = range(axis)
    guard length > 0 else { return 0 }
    let whole = Int(clamping: ((Self.clamp(offset, range) - range.lowerBound) / length).rounded(.down))
    // The last page may be a part of one: it begins where its end is shown.
    let next = min(whole + 1, pageCount(axis) - 1)
    let (before, after) = (self.offset(axis, ofPage: whole), self.offset(axis, ofPage: next))
    return offset < (before + after) / 2 ? whole : next
  }

  /// How many pages there are along `axis`; at least 1.
  public func pageCount(_ axis: Axes) -> Int {
    let length = axis == .vertical ? viewSize.height : viewSize.width
    let range = range(axis)
    guard length > 0 else { return 1 }
    return min(Int(clamping: ((range.upperBound - range.lowerBound) / length - 1e-6).rounded(.up)), 1_000_000) + 1
  }

  /// The offset at which `page` of `axis` rests.
  public func offset(_ axis: Axes, ofPage page: Int) -> Double {
    let range = range(axis)
    let length = axis == .vertical ? viewSize.height : viewSize.width
    return Self.clamp(range.lowerBound + Double(page) * length, range)
  }

  // MARK: Showing

  /// The offset nearest to `offset` at which as much of `rect`, in the content's coordinates, is seen as can be.
  public func offset(showing rect: Rect, from offset: Point) -> Point {
    func shift(_ start: Double, _ end: Double, _ from: Double, _ length: Double) -> Double {
      if end - start > length || start < from { return start }
      return end > from + length ? end - length : from
    }
    return clamped(
      Point(
        x: shift(rect.minX, rect.maxX, offset.x, viewSize.width),
        y: shift(rect.minY, rect.maxY, offset.y, viewSize.height)))
  }

  /// Where an indicator along `axis` lies on a track of `length` points at `offset`; nil where nothing scrolls. Beyond an end it
  /// is squeezed.
  public func indicator(_ axis: Axes, at offset: Double, length: Double) -> (start: Double, length: Double)? {
    let range = range(axis)
    let way = range.upperBound - range.lowerBound
    let view = axis == .vertical ? viewSize.height : viewSize.width
    guard way > 0, view > 0, length > 0 else { return nil }
    let shortest = min(Self.shortestIndicator, length)
    let bound = Self.clamp(offset, range)
    let full = max(length * view / (view + way), shortest)
    let squeezed = max(full - abs(offset - bound), min(8, full))
    let start = (length - full) * (bound - range.lowerBound) / way
    return (offset > bound ? start + full - squeezed : start, squeezed)
  }

  /// The shortest indicator, in points.
  private static let shortestIndicator = 32.0
}
