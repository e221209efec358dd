// Owns the common outlines: rectangles, rounded rectangles, circles, arcs.
// Must not know pixels or colours.

nonisolated extension Path {
  /// An upright rectangle.
  public init(rect: Rect) {
    self.init()
    addRect(rect)
  }

  /// A rectangle with round corners; `cornerRadius` is limited to half of the shorter side.
  public init(roundedRect rect: Rect, cornerRadius: Double) {
    self.init()
    addRoundedRect(rect, cornerRadius: cornerRadius)
  }

  /// A full circle.
  public init(circleAt center: Point, radius: Double) {
    self.init()
    addCircle(center: center, radius: radius)
  }

  /// The ellipse that touches the four sides of `rect`.
  public init(ellipseIn rect: Rect) {
    self.init()
    addCircle(center: .zero, radius: 1)
    self = applying(
      Transform(a: rect.width / 2, b: 0, c: 0, d: rect.height / 2, tx: rect.midX, ty: rect.midY))
  }

  /// A straight line.
  public init(from start: Point, to end: Point) {
    self.init()
    move(to: start)
    line(to: end)
  }

  /// A closed outline through `points`.
  public init(polygon points: [Point]) {
    self.init()
    for (index, point) in points.enumerated() {
      if index == 0 { move(to: point) } else { line(to: point) }
    }
    close()
  }

  /// Adds an upright rectangle as its own part.
  public mutating func addRect(_ rect: Rect) {
    move(to: rect.origin)
    line(to: Point(x: rect.maxX, y: rect.minY))
    line(to: Point(x: rect.maxX, y: rect.maxY))
    line(to: Point(x: rect.minX, y: rect.maxY))
    close()
  }

  /// Adds a rectangle with round corners as its own part; the radius is limited to half of the shorter side.
  public mutating func addRoundedRect(_ rect: Rect, cornerRadius: Double) {
    let radius = min(cornerRadius, rect.width / 2, rect.height / 2)
    guard radius > 0 else { return addRect(rect) }
    let quarter = Double.pi / 2
    move(to: Point(x: rect.minX, y: rect.minY + radius))
    addArc(
      center: Point(x: rect.minX + radius, y: rect.minY + radius), radius: radius, from: 2 * quarter, to: 3 * quarter)
    addArc(
      center: Point(x: rect.maxX - radius, y: rect.minY + radius), radius: radius, from: 3 * quarter, to: 4 * quarter)
    addArc(center: Point(x: rect.maxX - radius, y: rect.maxY - radius), radius: radius, from: 0, to: quarter)
    addArc(
      center: Point(x: rect.minX + radius, y: rect.maxY - radius), radius: radius, from: quarter, to: 2 * quarter)
    close()
  }

  /// Adds a full circle as its own part.
  public mutating func addCircle(center: Point, radius: Double) {
    move(to: Point(x: center.x + radius, y: center.y))
    addArc(center: center, radius: radius, from: 0, to: 2 * .pi)
    close()
  }

  /// Adds an arc, joined to the current part by a straight line if there is one.
  ///
  /// Angles are radians from east, growing clockwise on the screen (y grows downwards); `to` below `from` runs
  /// counter-clockwise. More than a full turn is drawn as a full turn.
  public mutating func addArc(center: Point, radius: Double, from: Double, to: Double) {
    guard radius > 0, from.isFinite, to.isFinite else { return }
    let sweep = min(max(to - from, -2 * .pi), 2 * .pi)
    let first = Point(x: center.x + radius * cosine(from), y: center.y + radius * sine(from))
    if isEmpty || endsClosed { move(to: first) } else { line(to: first) }
    let count = max(1, Int((abs(sweep) / (Double.pi / 2) - 1e-9).rounded(.up)))
    let step = sweep / Double(count)
    // The classic control length for an arc of `step` radians: 4/3 tan(step/4).
    let handle = radius * 4 / 3 * sine(step / 4) / cosine(step / 4)
    for index in 0..<count {
      let a0 = from + step * Double(index)
      let a1 = a0 + step
      let (c0, s0, c1, s1) = (cosine(a0), sine(a0), cosine(a1), sine(a1))
      curve(
        to: Point(x: center.x + radius * c1, y: center.y + radius * s1),
        control1: Point(x: center.x + radius * c0 - handle * s0, y: center.y + radius * s0 + handle * c0),
        control2: Point(x: center.x + radius * c1 + handle * s1, y: center.y + radius * s1 - handle * c1))
    }
  }

  private var endsClosed: Bool {
    if case .close? = elements.last { return true }
    return false
  }
}
