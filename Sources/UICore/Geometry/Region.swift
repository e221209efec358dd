/// A set of buffer pixels, held as rectangles that never overlap, so that areas add up and no pixel is painted twice.
public struct Region: Equatable, Sendable {
  /// The rectangles. No rectangle is empty, and no two overlap.
  public private(set) var rects: [PixelRect] = []

  /// A region of no pixels.
  public init() {}

  /// An empty region with capacity for the maximum number of rectangles: if kept from frame to frame, it never grows during a
  /// drag.
  package static var roomy: Region {
    var region = Region()
    region.reserveWorstCase()
    return region
  }

  /// A region of one rectangle's pixels.
  public init(_ rect: PixelRect) {
    add(rect)
  }

  /// True if the region holds no pixel.
  public var isEmpty: Bool { rects.isEmpty }

  /// The number of pixels.
  public var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// The smallest rectangle that holds every pixel.
  public var bounds: PixelRect { rects.reduce(.zero) { $0.union($1) } }

  /// The number of rectangles above which a region joins neighbours. More rectangles would cost the compositor and clipping
  /// more than the pixels that they save.
  public static let maximumCount = 96

  /// The cost of one more rectangle, expressed in pixels: a request to the compositor, and a part of each image that the
  /// rectangle touches.
  public static let rectangleCost = 256

  /// The number of rectangles from which on one more costs four times as much. A few changes thus stay exact, and a large
  /// change is sent in few requests.
  static let usualCount = 12

  /// The number of extra pixels that a join may add.
  private var joinCost: Int { rects.count < Region.usualCount ? Region.rectangleCost : 4 * Region.rectangleCost }

  /// Adds the pixels of `rect` and joins it with rectangles within 16 pixels if that adds at most `rectangleCost` extra pixels,
  /// or four times as many once there are a dozen rectangles. Use it for regions that are about to be painted, because fewer,
  /// larger rectangles are painted faster.
  public mutating func join(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var new = rect
    var index = 0
    var meetsOthers = false
    let limit = joinCost
    while index < rects.count {
      let old = rects[index]
      index += 1
      guard old.x <= new.maxX + 16, old.maxX >= new.x - 16, old.y <= new.maxY + 16, old.maxY >= new.y - 16 else {
        continue
      }
      let both = old.union(new)
      if both == old { return }
      let common = old.intersection(new).area
      if both.area - old.area - new.area + common <= limit {
        rects.remove(at: index - 1)
        new = both
        index = 0
        meetsOthers = false
      } else if common > 0 {
        meetsOthers = true
      }
    }
    if meetsOthers { return add(new) }
    makeRoom(for: rects.count + 1)
    rects.append(new)
    if rects.count > Region.maximumCount { coarsen() }
  }

  /// Joins every rectangle of `other`.
  public mutating func join(_ other: Region) {
    for rect in other.rects { join(rect) }
  }

  /// Adds the pixels of `rect`. If that makes more than `maximumCount` rectangles, neighbours are joined until half as many
  /// suffice, which also adds the pixels between them.
  public mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var holdsOld = false
    for old in rects where old.intersects(rect) {
      if old.contains(rect) { return }
      if rect.contains(old) { holdsOld = true }
    }
    if holdsOld { rects.removeAll { rect.contains($0) } }
    insert(rect, from: 0, to: rects.count)
    if rects.count > Region.maximumCount { coarsen() }
  }

  /// Adds the part of `rect` outside the rectangles from `first` up to, not including, `end`.
  private mutating func insert(_ rect: PixelRect, from first: Int, to end: Int) {
    guard !rect.isEmpty else { return }
    for index in first..<end where rects[index].intersects(rect) {
      return rect.forEachPart(outside: rects[index]) { insert($0, from: index + 1, to: end) }
    }
    makeRoom(for: rects.count + 1)
    rects.append(rect)
  }

  /// Reserves the worst case once there are more than 16 rectangles: regions of that size are kept from frame to frame.
  private mutating func makeRoom(for count: Int) {
    if count > 16, rects.capacity <= Region.maximumCount { reserveWorstCase() }
  }

  private mutating func reserveWorstCase() { rects.reserveCapacity(Region.maximumCount + 32) }

  /// Adds every pixel of `other`.
  public mutating func add(_ other: Region) {
    for rect in other.rects { add(rect) }
  }

  /// Removes the pixels of `rect`.
  public mutating func subtract(_ rect: PixelRect) {
    guard rects.contains(where: { $0.intersects(rect) }) else { return }
    // Work in place: append the remaining parts of cut rectangles behind the others.
    let count = rects.count
    var kept = 0
    for index in 0..<count {
      let old = rects[index]
      if old.intersects(rect) {
        old.forEachPart(outside: rect) { rects.append($0) }
      } else {
        rects[kept] = old
        kept += 1
      }
    }
    rects.removeSubrange(kept..<count)
  }

  /// Removes the pixels of `other`.
  public mutating func subtract(_ other: Region) {
    for rect in other.rects { subtract(rect) }
  }

  /// Keeps only the pixels inside `rect`.
  public mutating func clip(to rect: PixelRect) {
    // Usually every rectangle is inside, and nothing needs to be rebuilt.
    guard !rects.allSatisfy(rect.contains) else { return }
    var kept = 0
    for index in rects.indices {
      let part = rects[index].intersection(rect)
      guard !part.isEmpty else { continue }
      rects[kept] = part
      kept += 1
    }
    rects.removeSubrange(kept...)
  }

  /// Replaces the pixels by those of `other`, reusing its own storage.
  public mutating func replace(by other: Region) {
    makeRoom(for: other.rects.count)
    rects.replaceSubrange(0..., with: other.rects)
  }

  /// Removes every pixel, keeping the storage for the next frame.
  public mutating func removeAll() {
    rects.removeAll(keepingCapacity: true)
  }

  /// Adds every pixel between the rectangles, so that one is left. It allocates nothing.
  package mutating func fillBounds() {
    guard rects.count > 1 else { return }
    rects[0] = bounds
    rects.removeSubrange(1...)
  }

  /// True if a pixel of `rect` is in the region.
  public func intersects(_ rect: PixelRect) -> Bool {
    rects.contains { $0.intersects(rect) }
  }

  /// True if every pixel of `rect` is in the region.
  public func contains(_ rect: PixelRect) -> Bool {
    var missing = rect.area
    for other in rects where missing > 0 { missing -= other.intersection(rect).area }
    return missing <= 0
  }

  /// True if the pixel at (`x`, `y`) is in the region.
  public func contains(x: Int, y: Int) -> Bool {
    rects.contains { x >= $0.x && x < $0.maxX && y >= $0.y && y < $0.maxY }
  }

  /// Joins neighbours, in coarser and coarser bands of rows, until half of `maximumCount` suffices.
  private mutating func coarsen() {
    let exact = rects
    var step = 8
    repeat {
      rects = Region.banded(exact, step: step)
      step *= 2
    } while rects.count > Region.maximumCount / 2 && step <= 1 << 24
    if rects.count > Region.maximumCount / 2 { rects = [bounds] }
  }

  /// Disjoint rectangles that cover `rects`. In each band of `step` rows, runs with gaps of less than `step` columns are
  /// joined, and equal runs of neighbouring bands are joined too.
  private static func banded(_ rects: [PixelRect], step: Int) -> [PixelRect] {
    let sorted = rects.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    let top = rects.map(\.y).min() ?? 0
    let bottom = rects.map(\.maxY).max() ?? 0
    guard (bottom - top) / step <= 1024 else { return rects }
    var result: [PixelRect] = []
    // The indices in `result` of the runs that end where the current band begins.
    var above: [Int] = []
    for bandTop in stride(from: top, to: bottom, by: step) {
      let bandBottom = min(bandTop + step, bottom)
      var runs: [PixelRect] = []
      for rect in sorted where rect.y < bandBottom && rect.maxY > bandTop {
        let part = PixelRect(
          left: rect.x, top: max(rect.y, bandTop), right: rect.maxX, bottom: min(rect.maxY, bandBottom))
        if let last = runs.last, part.x < last.maxX + step {
          runs[runs.count - 1] = last.union(part)
        } else {
          runs.append(part)
        }
      }
      above = runs.map { run in
        if let match = above.first(where: {
          result[$0].x == run.x && result[$0].width == run.width && result[$0].maxY == run.y
        }) {
          result[match].height += run.height
          return match
        }
        result.append(run)
        return result.count - 1
      }
    }
    return result
  }
}
