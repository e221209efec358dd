/// The position of a view within its superview, for any size of the superview.
///
/// On each axis, two of edge, opposite edge, side and middle determine it. With one or none, the view's own size
/// (`sizeThatFits`) supplies the other; a view without its own size fills the rest.
///
/// `left`, `top`, `centerX` and `centerY` are distances from the superview's left edge, top edge and middle; `right` and
/// `bottom` are distances inwards from the right and bottom edges. With a sibling's edge they are positions: `right` as
/// `"wheel.left - 8"` ends eight points before the wheel. `leading` and `trailing` are left and right in left-to-right layout,
/// and the reverse in right-to-left layout.
nonisolated public struct LayoutAnchors: Hashable, Sendable {
  /// The left edge, from the superview's left edge; nil if the others decide.
  public var left: LayoutLength?
  /// The right edge, inwards from the superview's right edge; nil if the others decide.
  public var right: LayoutLength?
  /// The top edge, down from the superview's top edge; nil if the others decide.
  public var top: LayoutLength?
  /// The bottom edge, up from the superview's bottom edge; nil if the others decide.
  public var bottom: LayoutLength?
  /// The width that the view gets; nil if it follows from edges, or from the view itself.
  public var width: LayoutLength?
  /// The height that the view gets; nil if it follows from edges, or from the view itself.
  public var height: LayoutLength?
  /// The middle between left and right.
  public var centerX: LayoutLength?
  /// The middle between top and bottom.
  public var centerY: LayoutLength?
  /// Width divided by height. If one side is known it determines the other; if both are, the view becomes the largest rectangle
  /// of this aspect ratio inside, centred.
  public var aspect: Double?

  /// True if left means leading and right means trailing, also of siblings; in right-to-left layout all horizontal anchors are
  /// mirrored. Setting `leading` or `trailing` sets it.
  public var followsLayoutDirection = false

  /// The edge where reading begins.
  public var leading: LayoutLength? {
    get { left }
    set { (left, followsLayoutDirection) = (newValue, true) }
  }

  /// The edge where reading ends.
  public var trailing: LayoutLength? {
    get { right }
    set { (right, followsLayoutDirection) = (newValue, true) }
  }

  /// Anchors that say nothing yet.
  public init() {}

  /// All four edges of the superview, inwards by `margins`.
  public init(margins: EdgeInsets) {
    left = LayoutLength(points: margins.left)
    right = LayoutLength(points: margins.right)
    top = LayoutLength(points: margins.top)
    bottom = LayoutLength(points: margins.bottom)
  }

  /// The anchor at `edge`.
  public subscript(edge: LayoutEdge) -> LayoutLength? {
    get { self[keyPath: LayoutAnchors.path(of: edge)] }
    set { self[keyPath: LayoutAnchors.path(of: edge)] = newValue }
  }

  private static func path(of edge: LayoutEdge) -> WritableKeyPath<LayoutAnchors, LayoutLength?> {
    switch edge {
    case .left: \.left
    case .right: \.right
    case .top: \.top
    case .bottom: \.bottom
    case .width: \.width
    case .height: \.height
    case .centerX: \.centerX
    case .centerY: \.centerY
    }
  }

  package func count(on axis: Axis) -> Int { axis.edges.reduce(0) { $0 + (self[$1] == nil ? 0 : 1) } }

  /// True if the side does not follow from the anchors, so that the view's own one applies.
  func needsOwnSide(on axis: Axis) -> Bool { self[axis.side] == nil && count(on: axis) < 2 }

  struct Span: Hashable {
    var start: Double
    var length: Double
  }

  /// The position that the anchors give a view on `axis` of a superview with `side` points. `length` is the side if the anchors
  /// leave it open (nil or 0 fills the rest); `place` finds the position or side of a sibling (nil for an unknown name).
  func span(
    on axis: Axis, side: Double, length ownLength: Double?, place: (LayoutLength.Reference) -> Double?
  ) -> Span {
    func value(_ edge: LayoutEdge) -> Double? {
      guard let length = self[edge] else { return nil }
      let sum = length.points + length.part * side
      if let reference = length.reference, let found = place(reference) {
        let there = sum + found * reference.factor
        // A sibling's edge is a position; a sibling's side is a distance like points.
        if !reference.edge.isExtent || edge.isExtent { return there }
        return edge == axis.high ? side - there : edge == axis.middle ? side / 2 + there : there
      }
      return edge == axis.high ? side - sum : edge == axis.middle ? side / 2 + sum : sum
    }
    let (low, high, middle) = (value(axis.low), value(axis.high), value(axis.middle))
    let own = ownLength ?? 0
    let known = value(axis.side).map { max($0, 0) } ?? (own > 0 ? own : nil)
    switch (low, high, middle) {
    case (let low?, let high?, _): return Span(start: low, length: max(high - low, 0))
    case (let low?, nil, let middle?): return Span(start: low, length: max(2 * (middle - low), 0))
    case (nil, let high?, let middle?):
      let length = max(2 * (high - middle), 0)
      return Span(start: high - length, length: length)
    case (let low?, nil, nil): return Span(start: low, length: known ?? max(side - low, 0))
    case (nil, let high?, nil):
      let length = known ?? max(high, 0)
      return Span(start: high - length, length: length)
    case (nil, nil, let middle?):
      let length = known ?? max(2 * min(middle, side - middle), 0)
      return Span(start: middle - length / 2, length: length)
    case (nil, nil, nil): return Span(start: 0, length: known ?? side)
    }
  }
}

nonisolated extension Axis {
  /// The lesser edge of a view on this axis.
  package var low: LayoutEdge { self == .horizontal ? .left : .top }
  package var high: LayoutEdge { self == .horizontal ? .right : .bottom }
  var side: LayoutEdge { self == .horizontal ? .width : .height }
  var middle: LayoutEdge { self == .horizontal ? .centerX : .centerY }
  package var edges: [LayoutEdge] { [low, high, side, middle] }
}
