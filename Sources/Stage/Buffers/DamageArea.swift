import UICore

/// The exact area of a union, for any number of overlapping rectangles.
enum DamageArea {
  /// The number of pixels that lie in at least one of `rects`.
  static func pixels(in rects: [PixelRect]) -> Int {
    if rects.count < 2 { return rects.first?.area ?? 0 }
    let solid = rects.filter { !$0.isEmpty }.sorted { $0.x < $1.x }
    let edges = Set(solid.flatMap { [$0.y, $0.maxY] }).sorted()
    var area = 0
    for (top, bottom) in zip(edges, edges.dropFirst()) {
      var end = Int.min
      var width = 0
      for rect in solid where rect.y <= top && rect.maxY >= bottom && rect.maxX > end {
        width += rect.maxX - max(rect.x, end)
        end = rect.maxX
      }
      area += width * (bottom - top)
    }
    return area
  }
}
