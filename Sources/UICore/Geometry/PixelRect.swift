/// A rectangle of whole buffer pixels, half-open at its right and bottom edges.
///
/// Its arithmetic is inlined into other modules, because a frame of a drag intersects some thousand rectangles.
public struct PixelRect: Hashable, Sendable {
  /// The left column.
  public var x: Int
  /// The top row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// A rectangle from its numbers.
  @inlinable public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A rectangle from its edges. The right and bottom edges are exclusive. The rectangle is empty if the edges cross.
  @inlinable package init(left: Int, top: Int, right: Int, bottom: Int) {
    self.init(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// All pixels of a buffer.
  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The empty rectangle at the origin.
  @inlinable public static var zero: PixelRect { PixelRect(x: 0, y: 0, width: 0, height: 0) }

  /// The first column to the right of the rectangle.
  @inlinable public var maxX: Int { x + width }
  /// The first row below the rectangle.
  @inlinable public var maxY: Int { y + height }
  /// True if the rectangle holds no pixel.
  @inlinable public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The number of pixels; 0 if empty.
  @inlinable public var area: Int { isEmpty ? 0 : width * height }

  /// The rectangle moved by `dx` columns to the right and `dy` rows down.
  @inlinable package func moved(x dx: Int, y dy: Int) -> PixelRect {
    PixelRect(x: x + dx, y: y + dy, width: width, height: height)
  }

  /// True if the two rectangles share a pixel.
  @inlinable public func intersects(_ other: PixelRect) -> Bool {
    !isEmpty && !other.isEmpty && x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }

  /// The shared pixels, or an empty rectangle.
  @inlinable public func intersection(_ other: PixelRect) -> PixelRect {
    guard intersects(other) else { return .zero }
    return PixelRect(
      left: max(x, other.x), top: max(y, other.y), right: min(maxX, other.maxX), bottom: min(maxY, other.maxY))
  }

  /// The smallest rectangle that holds both; an empty rectangle adds nothing.
  @inlinable public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRect(
      left: min(x, other.x), top: min(y, other.y), right: max(maxX, other.maxX), bottom: max(maxY, other.maxY))
  }

  /// True if every pixel of `other` lies inside; always true if `other` is empty.
  @inlinable public func contains(_ other: PixelRect) -> Bool {
    other.isEmpty || (other.x >= x && other.maxX <= maxX && other.y >= y && other.maxY <= maxY)
  }

  /// Calls `body` with up to four disjoint rectangles that together cover the part of this rectangle outside `other`, top band
  /// first.
  public func forEachPart(outside other: PixelRect, _ body: (PixelRect) -> Void) {
    func visit(_ part: PixelRect) { if !part.isEmpty { body(part) } }
    let cut = intersection(other)
    guard !cut.isEmpty else { return visit(self) }
    visit(PixelRect(left: x, top: y, right: maxX, bottom: cut.y))
    visit(PixelRect(left: x, top: cut.y, right: cut.x, bottom: cut.maxY))
    visit(PixelRect(left: cut.maxX, top: cut.y, right: maxX, bottom: cut.maxY))
    visit(PixelRect(left: x, top: cut.maxY, right: maxX, bottom: maxY))
  }
}
