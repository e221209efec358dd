// Owns outlines as people describe them: lines and curves.
// Must not know pixels, colours or how lines are widened.

/// An outline of lines and cubic curves in the coordinates of whoever draws it.
///
/// A coordinate that is NaN or infinite makes the whole path invisible.
nonisolated public struct Path: Hashable, Sendable {
  /// One step of the outline.
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
  /// Where the next line or curve begins.
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

  /// Adds a straight line to `point`; in an empty path it begins there.
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

  /// Adds a quadratic Bézier curve to `end`.
  public mutating func quad(to end: Point, control: Point) {
    if elements.isEmpty { move(to: control) }
    let from = currentPoint
    curve(
      to: end, control1: Point(x: from.x + (control.x - from.x) * 2 / 3, y: from.y + (control.y - from.y) * 2 / 3),
      control2: Point(x: end.x + (control.x - end.x) * 2 / 3, y: end.y + (control.y - end.y) * 2 / 3))
  }

  /// Joins the current part's end to its start.
  public mutating func close() {
    guard !elements.isEmpty else { return }
    elements.append(.close)
    currentPoint = start
  }

  /// Adds everything of `other`.
  public mutating func append(_ other: Path) {
    elements.append(contentsOf: other.elements)
    start = other.start
    currentPoint = other.currentPoint
  }

  /// Adds everything of `other`, every point mapped by `transform`.
  public mutating func append(_ other: Path, applying transform: Transform) {
    elements.reserveCapacity(elements.count + other.elements.count)
    for element in other.elements { elements.append(element.applying(transform)) }
    start = transform.apply(other.start)
    currentPoint = transform.apply(other.currentPoint)
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

  /// The smallest upright rectangle that holds every point and control point; at least as large as what is filled.
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
