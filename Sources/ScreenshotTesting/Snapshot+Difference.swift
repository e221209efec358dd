import Controls

/// What two pictures differ in.
nonisolated public struct SnapshotDifference: Hashable, Sendable {
  /// The number of pixels that differ by more than the levels allowed; where sizes differ, what only one picture has counts.
  public var count = 0
  /// The number of pixels compared.
  public var total = 0
  /// The largest difference of any part of any pixel, 0...255, allowed or not.
  public var largest = 0
  /// The smallest rectangle around the pixels counted, from the top left corner.
  public var bounds = PixelRect.zero
  /// The first pixel counted, row by row.
  public var first: (x: Int, y: Int)? {
    firstIndex.map { ($0 % max(width, 1), $0 / max(width, 1)) }
  }
  /// True when both pictures have the same size.
  public var isSameSize = true

  var firstIndex: Int?
  var width = 0
}

nonisolated extension Snapshot {
  /// How this picture differs from `other`. A pixel counts when any of its parts differs by more than `levels`, 0...255.
  public func difference(from other: Snapshot, levels: Int = 0) -> SnapshotDifference {
    var found = SnapshotDifference()
    let width = max(size.width, other.size.width)
    let height = max(size.height, other.size.height)
    found.isSameSize = size == other.size
    found.width = width
    found.total = width * height
    var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
    func count(_ x: Int, _ y: Int) {
      found.count += 1
      if found.firstIndex == nil { found.firstIndex = y * width + x }
      (left, right) = (min(left, x), max(right, x + 1))
      (top, bottom) = (min(top, y), max(bottom, y + 1))
    }
    for y in 0..<height where !found.isSameSize || !hasSameRow(y, as: other) {
      for x in 0..<width {
        guard holds(x, y), other.holds(x, y) else {
          found.largest = 255
          count(x, y)
          continue
        }
        let (new, old) = (self[x, y], other[x, y])
        if new == old { continue }
        let most = Snapshot.distance(new, old)
        found.largest = max(found.largest, most)
        if most > levels { count(x, y) }
      }
    }
    if found.count > 0 { found.bounds = PixelRect(x: left, y: top, width: right - left, height: bottom - top) }
    return found
  }

  /// A picture of the difference from `other`: red what differs by more than `levels`, amber what differs by less, on a
  /// faint grey copy of this picture; as large as both together.
  public func marked(against other: Snapshot, levels: Int) -> Snapshot {
    let whole = PixelSize(width: max(size.width, other.size.width), height: max(size.height, other.size.height))
    var result = Snapshot(garbage: whole)
    for y in 0..<whole.height {
      for x in 0..<whole.width {
        let (new, old) = (self[x, y], other[x, y])
        let isInBoth = holds(x, y) && other.holds(x, y)
        let most = isInBoth ? Snapshot.distance(new, old) : .max
        result.pixels[y * whole.width + x] =
          most > levels ? 0xffff_0000 : most > 0 ? 0xffff_b020 : Snapshot.faint(new)
      }
    }
    return result
  }

  /// A dark grey, a quarter as bright as `pixel`.
  private static func faint(_ pixel: UInt32) -> UInt32 {
    let sum = ((pixel >> 16) & 255) * 2 + ((pixel >> 8) & 255) * 5 + (pixel & 255)
    let gray = sum / 32
    return 0xff00_0000 | gray << 16 | gray << 8 | gray
  }

  private func holds(_ x: Int, _ y: Int) -> Bool { x < size.width && y < size.height }

  /// True when row `y` is the same in both, which must be of one size.
  private func hasSameRow(_ y: Int, as other: Snapshot) -> Bool {
    let rowBytes = size.width * 4
    return pixels.withUnsafeBytes { a in
      other.pixels.withUnsafeBytes { b in Snapshot.same(a, b, y * rowBytes, rowBytes) }
    }
  }

  /// The largest difference of the four parts of two pixels, 0...255.
  static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    var most = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      most = max(most, abs(Int((a >> shift) & 255) - Int((b >> shift) & 255)))
    }
    return most
  }
}
