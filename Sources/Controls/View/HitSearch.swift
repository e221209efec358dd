/// The search for the view that a point reaches, by one rule for the whole tree:
///
/// 1. A point inside the bounds of a control is decided by the bounds alone: the front-most view there takes it, whatever the
///    containers are. No touch area of another view takes anything of it.
/// 2. Elsewhere, the nearest view whose area reaches the point from beyond its bounds takes it, if nothing that takes touches
///    lies over it there, and if it is not scrolled or clipped out of sight.
///
/// `View.hitTest` may be overridden, so every step goes through it; what it looks for at the moment is `step`.
struct HitSearch {
  /// The question that `hitTest` and `Control.isInTouchArea` answer.
  enum Step {
    /// Only bounds count.
    case bounds
    /// The areas beyond the bounds are compared.
    case areas
    /// Only this view, which was found, and those around it count.
    case way(to: View)
  }

  /// The step of the search that goes on; nil between searches.
  private(set) static var step: Step?

  /// How far areas are compared: a touch area's corner lies 22 points away on both axes.
  private static let reach = 32.0

  private static func during<Result>(_ next: Step, _ body: () -> Result) -> Result {
    let outer = step
    step = next
    defer { step = outer }
    return body()
  }

  /// The view inside `start`, or itself, that takes touches at `point`, in the coordinates of `start`.
  static func view(at point: Point, in start: View) -> View? {
    let found = during(.bounds) { start.hit(point, .bounds) }
    guard point.isFinite, !ViewChain(found, upTo: start.superview).contains(where: { $0 is Control }) else {
      return found
    }
    var search = HitSearch(point: point, found: found)
    during(.areas) { search.visit(start, origin: .zero, clip: start.bounds) }
    guard let nearest = search.nearest, nearest.reaches else { return found }
    return during(.way(to: nearest.view)) { start.hit(point, .way(to: nearest.view)) }
  }

  private let point: Point
  private let found: View?
  /// Whether the views that follow lie in front of the one found by bounds.
  private var isInFront: Bool
  private var nearest: (view: View, distance: Double, reaches: Bool)?

  private init(point: Point, found: View?) {
    (self.point, self.found, isInFront) = (point, found, found == nil)
  }

  /// Looks at `view` and the views inside, from the back to the front; `clip` is the visible part of its superview.
  private mutating func visit(_ view: View, origin: Point, clip: Rect) {
    guard view.isTouchable else { return }
    let local = point - origin
    let reaches = view.point(inside: local)
    if view === found { isInFront = true }
    let frame = Rect(origin: origin, size: view.bounds.size)
    let visible = view.clipsSubviews ? frame.intersection(clip) : clip
    // A control that is nearer keeps the others away, even if it does not reach the point itself.
    if isInFront, reaches || view is Control, view.clipsSubviews, !view.bounds.contains(local), !visible.isEmpty {
      let distance = frame.distance(to: point)
      // A point exactly between two belongs to the one in front, which comes later.
      if nearest.map({ distance <= $0.distance }) ?? true { nearest = (view, distance, reaches) }
    }
    guard reaches else { return }
    let around = Rect(
      x: local.x - Self.reach, y: local.y - Self.reach, width: 2 * Self.reach, height: 2 * Self.reach)
    view.forEachSubview(in: [around]) { visit($0, origin: origin + $0.storedFrame.origin, clip: visible) }
  }
}

extension View {
  /// One level of a search: the front-most of the view and those inside that `step` allows.
  func hit(_ point: Point, _ step: HitSearch.Step) -> View? {
    guard isTouchable else { return nil }
    if case .way(let end) = step {
      if end === self { return self }
      guard let inner = end.chain.first(where: { $0.superview === self }) else { return nil }
      return inner.hitTest(point - inner.storedFrame.origin)
    }
    guard bounds.contains(point) || !clipsSubviews, self.point(inside: point) else { return nil }
    if let index = indexedSubviews {
      var hit: View?
      index.first(at: point) { number in
        if number < subviews.count { hit = subviews[number].hitTest(fromSuperview: point) }
        return hit != nil
      }
      return hit ?? self
    }
    for view in subviews.reversed() {
      if let hit = view.hitTest(fromSuperview: point) { return hit }
    }
    return self
  }

  private func hitTest(fromSuperview point: Point) -> View? { hitTest(point - storedFrame.origin) }
}
