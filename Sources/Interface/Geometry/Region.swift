// Integer geometry of buffers: a set of pixels as disjoint rectangles.

/// A set of buffer pixels, held as rectangles that never overlap, so that areas add up and no pixel is painted twice.
public struct Region: Equatable, Sendable {
  /// The rectangles: none empty, no two overlapping, in the order in which they were added.
  public private(set) var rects: [PixelRect] = []

  /// A region of no pixels.
  public init() {}

  /// A region of one rectangle's pixels.
  public init(_ rect: PixelRect) {
    add(rect)
  }

  /// True when the region holds no pixel.
  public var isEmpty: Bool { rects.isEmpty }

  /// The number of pixels.
  public var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// The smallest rectangle that holds every pixel.
  public var bounds: PixelRect { rects.reduce(.zero) { $0.union($1) } }

  /// The number of rectangles past which a region folds neighbours together: more would cost a compositor and a clip
  /// more than the pixels that they save.
  public static let maximumCount = 96

  /// Adds the pixels of `rect`. Past `maximumCount` rectangles the region falls back to its bounds.
  public mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    for old in rects where old.contains(rect) { return }
    rects.removeAll { rect.contains($0) }
    var pieces = [rect]
    for old in rects where old.intersects(rect) {
      pieces = pieces.flatMap { $0.subtracting(old) }
      if pieces.isEmpty { return }
    }
    rects.append(contentsOf: pieces)
    if rects.count > Region.maximumCount { rects = [bounds] }
  }

  /// Adds every pixel of `other`.
  public mutating func add(_ other: Region) {
    for rect in other.rects { add(rect) }
  }

  /// Takes the pixels of `rect` away.
  public mutating func subtract(_ rect: PixelRect) {
    guard rects.contains(where: { $0.intersects(rect) }) else { return }
    rects = rects.flatMap { $0.subtracting(rect) }
  }

  /// Takes the pixels of `other` away.
  public mutating func subtract(_ other: Region) {
    for rect in other.rects { subtract(rect) }
  }

  /// Keeps only the pixels inside `rect`.
  public mutating func clip(to rect: PixelRect) {
    rects = rects.compactMap { old in
      let kept = old.intersection(rect)
      return kept.isEmpty ? nil : kept
    }
  }

  /// Removes every pixel, keeping the storage for the next frame.
  public mutating func removeAll() {
    rects.removeAll(keepingCapacity: true)
  }

  /// True when a pixel of `rect` is in the region.
  public func intersects(_ rect: PixelRect) -> Bool {
    rects.contains { $0.intersects(rect) }
  }

  /// True when the pixel at (`x`, `y`) is in the region.
  public func contains(x: Int, y: Int) -> Bool {
    rects.contains { x >= $0.x && x < $0.maxX && y >= $0.y && y < $0.maxY }
  }
}
