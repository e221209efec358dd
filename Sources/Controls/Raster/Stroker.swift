// Owns widening lines in pixels into outlines.
// Must not know curves (they come flattened), colours or memory.

/// Outlines around lines, to be filled by the non-zero rule.
nonisolated struct Stroker {
  let half: Double
  let style: StrokeStyle
  /// Where the outlines go.
  var out: Outline

  /// Radians between the corners of a round join or cap, for a fortieth of a pixel.
  private let step: Double

  init(half: Double, style: StrokeStyle, out: Outline) {
    self.half = half
    self.style = style
    self.out = out
    step = 2 * arcCosine(1 - min(0.025 / max(half, 0.1), 0.5))
  }

  /// Adds the outline of one line through `points`; repeated points count once.
  mutating func stroke(_ points: [Point], isClosed: Bool) {
    var line: [Point] = []
    line.reserveCapacity(points.count)
    for point in points where line.last.map({ $0.distance(to: point) > 1e-6 }) ?? true { line.append(point) }
    if isClosed, line.count > 1, line[0].distance(to: line[line.count - 1]) <= 1e-6 { line.removeLast() }
    guard let first = line.first else { return }
    if line.count == 1 { return dot(first) }
    if isClosed && line.count > 2 {
      side(line, isClosed: true)
      out.close()
      side(line.reversed(), isClosed: true)
      out.close()
    } else {
      side(line, isClosed: false)
      cap(at: line[line.count - 1], from: line[line.count - 2])
      side(line.reversed(), isClosed: false, continues: true)
      cap(at: line[0], from: line[1])
      out.close()
    }
  }

  /// A line without length: a dot where caps reach out, nothing where they don't.
  private mutating func dot(_ point: Point) {
    switch style.cap {
    case .butt: return
    case .round:
      out.move(Point(x: point.x + half, y: point.y))
      arc(center: point, from: 0, to: 2 * .pi)
    case .square:
      out.move(Point(x: point.x - half, y: point.y - half))
      out.line(Point(x: point.x + half, y: point.y - half))
      out.line(Point(x: point.x + half, y: point.y + half))
      out.line(Point(x: point.x - half, y: point.y + half))
    }
    out.close()
  }

  /// One side of the line, to the left of its direction (as seen with y downwards: clockwise outline).
  private mutating func side(_ line: [Point], isClosed: Bool, continues: Bool = false) {
    let count = line.count
    let first = normal(line[0], line[1])
    if !isClosed {
      emit(line[0], first, isMove: !continues)
    }
    let corners = isClosed ? 0..<count : 1..<(count - 1)
    for index in corners {
      let (from, to) = (line[(index + count - 1) % count], line[(index + 1) % count])
      let shortest = min(from.distance(to: line[index]), to.distance(to: line[index]))
      join(
        at: line[index], normal(from, line[index]), normal(line[index], to), shortest: shortest,
        isMove: isClosed && index == 0)
    }
    if !isClosed {
      emit(line[count - 1], normal(line[count - 2], line[count - 1]), isMove: false)
    }
  }

  private func normal(_ a: Point, _ b: Point) -> Point {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = (dx * dx + dy * dy).squareRoot()
    return Point(x: dy / length * half, y: -dx / length * half)
  }

  private mutating func emit(_ point: Point, _ offset: Point, isMove: Bool) {
    if isMove {
      out.move(Point(x: point.x + offset.x, y: point.y + offset.y))
    } else {
      out.line(Point(x: point.x + offset.x, y: point.y + offset.y))
    }
  }

  private mutating func join(at point: Point, _ before: Point, _ after: Point, shortest: Double, isMove: Bool) {
    let cross = before.x * after.y - before.y * after.x
    let dot = before.x * after.x + before.y * after.y
    let mid = Point(x: before.x + after.x, y: before.y + after.y)
    // The corner of both sides lies at mid * 2 h^2 / |mid|^2, 2 h / |mid| half widths away.
    let length = mid.x * mid.x + mid.y * mid.y
    let isInner = cross < 0 || (cross == 0 && dot > 0)
    if isInner, length > 1e-9, -cross / (half * half + dot) * half <= shortest {
      let factor = 2 * half * half / length
      return emit(point, Point(x: mid.x * factor, y: mid.y * factor), isMove: isMove)
    }
    emit(point, before, isMove: isMove)
    if isInner {
      // Too short for the sides to meet: through the corner itself, so that no hole is left.
      out.line(point)
    } else {
      switch style.join {
      case .bevel: break
      case .round:
        let start = angle(x: before.x, y: before.y)
        var end = angle(x: after.x, y: after.y)
        if end < start { end += 2 * .pi }
        arc(center: point, from: start, to: end)
      case .miter:
        if length > 1e-9, 2 * half / length.squareRoot() <= style.miterLimit {
          let factor = 2 * half * half / length
          out.line(Point(x: point.x + mid.x * factor, y: point.y + mid.y * factor))
        }
      }
    }
    emit(point, after, isMove: false)
  }

  private mutating func cap(at point: Point, from: Point) {
    let n = normal(from, point)
    switch style.cap {
    case .butt: return
    case .round:
      let start = angle(x: n.x, y: n.y)
      arc(center: point, from: start, to: start + .pi)
    case .square:
      let forward = Point(x: -n.y, y: n.x)
      out.line(Point(x: point.x + n.x + forward.x, y: point.y + n.y + forward.y))
      out.line(Point(x: point.x - n.x + forward.x, y: point.y - n.y + forward.y))
    }
  }

  private mutating func arc(center: Point, from: Double, to: Double) {
    let count = Int(min(max(((to - from) / step).rounded(.up), 1), 400))
    for index in 1..<max(count, 1) {
      let a = from + (to - from) * Double(index) / Double(count)
      out.line(Point(x: center.x + half * cosine(a), y: center.y + half * sine(a)))
    }
    out.line(Point(x: center.x + half * cosine(to), y: center.y + half * sine(to)))
  }
}
