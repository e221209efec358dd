/// A line of even thickness along points, in heights of a capital from the upper left corner of a glyph's box.
struct Stroke {
  private var points: [GlyphPoint] = []
  private var isClosed = false
  private let thickness: Double
  private let height: Double

  /// The number of pieces of a curve.
  private static let pieces = 10
  /// The part of the way to the corner at which a curve's control points lie: a little fuller than a circle, as round letters are.
  private static let fullness = 0.58
  /// The length of the point of a sharp corner, in thicknesses, beyond which it is cut off.
  private static let mostMiter = 6.0

  /// Reads a stroke of `GlyphTable` in a box of `width` and `height`; what is no point is left out.
  init(_ text: Substring, width: Double, height: Double, thickness: Double) {
    self.thickness = thickness
    self.height = height
    let half = thickness / 2
    func place(_ word: Substring) -> GlyphPoint? {
      let numbers = word.split(separator: ",").compactMap { Double($0) }
      guard numbers.count == 2 else { return nil }
      return GlyphPoint(x: half + numbers[0] * (width - thickness), y: half + numbers[1] * (height - thickness))
    }
    var corner: GlyphPoint?
    for word in text.split(separator: " ") {
      if word == "z" {
        isClosed = true
      } else if word.hasPrefix("(") {
        corner = place(word.dropFirst().dropLast())
      } else if let point = place(word) {
        if let bend = corner, let start = points.last { addCurve(start, bend, point) }
        add(point)
        corner = nil
      }
    }
    if isClosed, points.count > 1, Self.distance(points[0], points[points.count - 1]) < 1e-6 { points.removeLast() }
  }

  private mutating func add(_ point: GlyphPoint) {
    if let last = points.last, Self.distance(last, point) < 1e-6 { return }
    points.append(point)
  }

  private mutating func addCurve(_ start: GlyphPoint, _ corner: GlyphPoint, _ end: GlyphPoint) {
    func toward(_ from: GlyphPoint) -> GlyphPoint {
      GlyphPoint(x: from.x + (corner.x - from.x) * Self.fullness, y: from.y + (corner.y - from.y) * Self.fullness)
    }
    let (first, second) = (toward(start), toward(end))
    for piece in 1..<Self.pieces {
      let t = Double(piece) / Double(Self.pieces)
      let s = 1 - t
      let (a, b, c, d) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
      add(
        GlyphPoint(
          x: a * start.x + b * first.x + c * second.x + d * end.x,
          y: a * start.y + b * first.y + c * second.y + d * end.y))
    }
  }

  /// The stroke's outline, which runs clockwise on the screen; a closed stroke has a second one around its inside, the other way.
  func polygons() -> [[GlyphPoint]] {
    guard points.count > 1 else { return [] }
    let line = isClosed ? points : extended
    let (left, right) = (side(of: line, 1), side(of: line, -1))
    let parts = isClosed ? [left, right] : [left + right.reversed()]
    let sorted = parts.map(cut).filter { $0.count > 2 }.sorted { abs(Self.area($0)) > abs(Self.area($1)) }
    return sorted.enumerated().map { (index, part) in
      (Self.area(part) > 0) == (index == 0) ? part : part.reversed()
    }
  }

  /// The points with both ends moved outwards, so that strokes end square, and those that reach the box's upper or lower edge end flat
  /// there after the cut.
  private var extended: [GlyphPoint] {
    var line = points
    let last = line.count - 1
    line[0] = Self.end(line[0], from: line[1], by: reach(line[0], from: line[1]))
    line[last] = Self.end(line[last], from: line[last - 1], by: reach(line[last], from: line[last - 1]))
    return line
  }

  private func reach(_ end: GlyphPoint, from other: GlyphPoint) -> Double {
    let half = thickness / 2
    let length = Self.distance(end, other)
    let (dx, dy) = (abs(end.x - other.x) / length, abs(end.y - other.y) / length)
    let isAtEdge = abs(end.y - half) < 1e-6 || abs(end.y - (height - half)) < 1e-6
    return isAtEdge && dy > 0.3 ? half * (1 + dx) / dy : half
  }

  /// The points at half the thickness beside `line`, on the left for 1 and on the right for -1.
  private func side(of line: [GlyphPoint], _ sign: Double) -> [GlyphPoint] {
    let (half, count) = (thickness / 2 * sign, line.count)
    var result: [GlyphPoint] = []
    for index in 0..<count {
      let before = index > 0 ? line[index - 1] : isClosed ? line[count - 1] : nil
      let after = index < count - 1 ? line[index + 1] : isClosed ? line[0] : nil
      let here = line[index]
      let first = before.map { Self.normal($0, here) } ?? Self.normal(here, after ?? here)
      let second = after.map { Self.normal(here, $0) } ?? first
      let cosine = first.x * second.x + first.y * second.y
      // The point of the corner lies on the bisector; its distance grows without limit as the corner gets sharp.
      let factor = 1 / max(1 + cosine, 1e-9)
      if (2 * factor).squareRoot() <= Self.mostMiter {
        result.append(
          GlyphPoint(x: here.x + (first.x + second.x) * factor * half, y: here.y + (first.y + second.y) * factor * half)
        )
      } else {
        result.append(GlyphPoint(x: here.x + first.x * half, y: here.y + first.y * half))
        result.append(GlyphPoint(x: here.x + second.x * half, y: here.y + second.y * half))
      }
    }
    return result
  }

  /// The part of a polygon within the box's height.
  private func cut(_ polygon: [GlyphPoint]) -> [GlyphPoint] {
    // A stroke that leaves the box on purpose, such as a comma, keeps its length.
    guard points.allSatisfy({ $0.y > -1e-6 && $0.y < height + 1e-6 }) else { return polygon }
    return Self.cut(Self.cut(polygon, at: 0, keepsBelow: true), at: height, keepsBelow: false)
  }

  private static func cut(_ polygon: [GlyphPoint], at y: Double, keepsBelow: Bool) -> [GlyphPoint] {
    func isKept(_ point: GlyphPoint) -> Bool { keepsBelow ? point.y >= y : point.y <= y }
    var result: [GlyphPoint] = []
    for (index, point) in polygon.enumerated() {
      let last = polygon[(index + polygon.count - 1) % polygon.count]
      if isKept(point) != isKept(last) {
        let part = (y - last.y) / (point.y - last.y)
        result.append(GlyphPoint(x: last.x + (point.x - last.x) * part, y: y))
      }
      if isKept(point) { result.append(point) }
    }
    return result
  }

  private static func end(_ end: GlyphPoint, from other: GlyphPoint, by reach: Double) -> GlyphPoint {
    let length = distance(end, other)
    return GlyphPoint(x: end.x + (end.x - other.x) / length * reach, y: end.y + (end.y - other.y) / length * reach)
  }

  private static func normal(_ a: GlyphPoint, _ b: GlyphPoint) -> GlyphPoint {
    let length = max(distance(a, b), 1e-9)
    return GlyphPoint(x: (b.y - a.y) / length, y: -(b.x - a.x) / length)
  }

  private static func distance(_ a: GlyphPoint, _ b: GlyphPoint) -> Double {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }

  /// Twice the area; positive for a polygon that runs clockwise on the screen.
  private static func area(_ polygon: [GlyphPoint]) -> Double {
    var sum = 0.0
    for (index, point) in polygon.enumerated() {
      let next = polygon[(index + 1) % polygon.count]
      sum += point.x * next.y - next.x * point.y
    }
    return sum
  }
}
