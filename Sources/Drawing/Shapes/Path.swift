import Glibc

/// An outline of lines and cubic curves in the user's coordinates.
///
/// A coordinate that is NaN or infinite makes the whole path invisible.
nonisolated public struct Path: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case move(Point)
    case line(Point)
    case curve(Point, Point, Point)
    case close

    func applying(_ transform: Transform) -> Element {
      switch self {
      case .move(let p): .move(transform.apply(p))
      case .line(let p): .line(transform.apply(p))
      case .curve(let c1, let c2, let p): .curve(transform.apply(c1), transform.apply(c2), transform.apply(p))
      case .close: .close
      }
    }
  }

  private(set) var elements: [Element] = []
  private var start = Point.zero
  /// The beginning of the next line or curve.
  public private(set) var currentPoint = Point.zero

  /// A path of nothing.
  public init() {}

  /// True when nothing was added.
  public var isEmpty: Bool { elements.isEmpty }

  /// Begins a new part at `point`.
  public mutating func move(to point: Point) {
    elements.append(.move(point))
    start = point
    currentPoint = point
  }

  /// Adds a straight line to `point`; an empty path begins there.
  public mutating func line(to point: Point) {
    guard !elements.isEmpty else { return move(to: point) }
    elements.append(.line(point))
    currentPoint = point
  }

  /// Adds a cubic Bézier curve to `end`.
  public mutating func curve(to end: Point, control1: Point, control2: Point) {
    if elements.isEmpty { move(to: control1) }
    elements.append(.curve(control1, control2, end))
    currentPoint = end
  }

  /// Joins the current part's end to its start.
  public mutating func close() {
    guard !elements.isEmpty else { return }
    elements.append(.close)
    currentPoint = start
  }

  /// Appends the elements of `other`.
  public mutating func append(_ other: Path) {
    elements.append(contentsOf: other.elements)
    start = other.start
    currentPoint = other.currentPoint
  }

  /// Appends the elements of `other`, every point mapped by `transform`.
  public mutating func append(_ other: Path, applying transform: Transform) {
    elements.reserveCapacity(elements.count + other.elements.count)
    for element in other.elements { elements.append(element.applying(transform)) }
    start = transform.apply(other.start)
    currentPoint = transform.apply(other.currentPoint)
  }

  /// Mirrors the elements from `first` on about the vertical line at `x`, so that they run in the opposite direction.
  mutating func mirror(from first: Int, about x: Double) {
    let mirror = Transform(a: -1, b: 0, c: 0, d: 1, tx: 2 * x, ty: 0)
    for index in first..<elements.count { elements[index] = elements[index].applying(mirror) }
    (start, currentPoint) = (mirror.apply(start), mirror.apply(currentPoint))
  }

  /// Removes everything, keeping the storage for the next frame.
  public mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    start = .zero
    currentPoint = .zero
  }

  /// The same outline with every point mapped by `transform`.
  public func applying(_ transform: Transform) -> Path {
    var path = Path()
    path.append(self, applying: transform)
    return path
  }

  /// The smallest axis-aligned rectangle that holds every point and control point; at least as large as the filled area.
  public var bounds: Rect {
    var box: (Double, Double, Double, Double)?
    func add(_ p: Point) {
      guard let b = box else { return box = (p.x, p.y, p.x, p.y) }
      box = (min(b.0, p.x), min(b.1, p.y), max(b.2, p.x), max(b.3, p.y))
    }
    for element in elements {
      switch element {
      case .move(let p), .line(let p): add(p)
      case .curve(let c1, let c2, let p):
        add(c1)
        add(c2)
        add(p)
      case .close: break
      }
    }
    guard let b = box else { return .zero }
    return Rect(x: b.0, y: b.1, width: b.2 - b.0, height: b.3 - b.1)
  }
}

nonisolated extension Path {
  /// An axis-aligned rectangle.
  public init(rect: Rect) {
    self.init()
    addRect(rect)
  }

  /// A rectangle with rounded corners; `cornerRadius` is limited to half of the shorter side.
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
    self.init(line: [start, end])
  }

  /// An open line through `points`.
  public init(line points: [Point]) {
    self.init()
    // An empty path begins with the first point.
    for point in points { line(to: point) }
  }

  /// A closed outline through `points`.
  public init(polygon points: [Point]) {
    self.init(line: points)
    close()
  }

  /// Adds an axis-aligned rectangle as a separate subpath.
  public mutating func addRect(_ rect: Rect) {
    move(to: rect.origin)
    line(to: Point(x: rect.maxX, y: rect.minY))
    line(to: Point(x: rect.maxX, y: rect.maxY))
    line(to: Point(x: rect.minX, y: rect.maxY))
    close()
  }

  /// Adds a rectangle with rounded corners as a separate subpath; the radius is limited to half of the shorter side.
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

  /// Adds a full circle as a separate subpath.
  public mutating func addCircle(center: Point, radius: Double) {
    move(to: Point(x: center.x + radius, y: center.y))
    addArc(center: center, radius: radius, from: 0, to: 2 * .pi)
    close()
  }

  /// Adds an arc, joined to the current subpath by a straight line if there is one.
  ///
  /// Angles are radians from east, growing clockwise on the screen (y grows downwards); `to` below `from` runs
  /// counter-clockwise. More than a full turn is drawn as a full turn.
  public mutating func addArc(center: Point, radius: Double, from: Double, to: Double) {
    guard radius > 0, from.isFinite, to.isFinite else { return }
    let sweep = min(max(to - from, -2 * .pi), 2 * .pi)
    let first = Point(x: center.x + radius * cos(from), y: center.y + radius * sin(from))
    if isEmpty || elements.last == .close { move(to: first) } else { line(to: first) }
    let count = max(1, Int((abs(sweep) / (Double.pi / 2) - 1e-9).rounded(.up)))
    let step = sweep / Double(count)
    // The classic control length for an arc of `step` radians: 4/3 tan(step/4).
    let handle = radius * 4 / 3 * sin(step / 4) / cos(step / 4)
    for index in 0..<count {
      let a0 = from + step * Double(index)
      let a1 = a0 + step
      let (c0, s0, c1, s1) = (cos(a0), sin(a0), cos(a1), sin(a1))
      curve(
        to: Point(x: center.x + radius * c1, y: center.y + radius * s1),
        control1: Point(x: center.x + radius * c0 - handle * s0, y: center.y + radius * s0 + handle * c0),
        control2: Point(x: center.x + radius * c1 + handle * s1, y: center.y + radius * s1 - handle * c1))
    }
  }

}
