/// A side or edge of a view, named as in layout files.
nonisolated public enum LayoutEdge: String, CaseIterable, Hashable, Sendable {
  /// The left edge.
  case left
  /// The right edge.
  case right
  /// The top edge.
  case top
  /// The bottom edge.
  case bottom
  /// The extent from left to right.
  case width
  /// The extent from top to bottom.
  case height
  /// Halfway between left and right.
  case centerX
  /// Halfway between top and bottom.
  case centerY

  /// Every name that texts have for edges.
  package static let names = allCases.map(\.rawValue) + ["leading", "trailing"]

  /// The edge with the given name; `leading` and `trailing` are left and right of a view that follows the layout direction.
  package init?(_ name: String) {
    switch name {
    case "leading": self = .left
    case "trailing": self = .right
    default: self.init(rawValue: name)
    }
  }

  var axis: Axis { self == .left || self == .right || self == .width || self == .centerX ? .horizontal : .vertical }

  var isExtent: Bool { self == .width || self == .height }
}

/// A sum of points, a fraction of the superview's side, and a sibling's edge or side.
///
/// As text in layout files: `12`, `"50%"`, `"wheel.left - 8"`, `"50% + 8"`, `"gearbox.width * 0.5"`, with blanks around `+`,
/// `-` and `*`.
nonisolated public struct LayoutLength: Hashable, Sendable {
  /// The view that a length refers to, among the subviews of the same superview.
  public enum Sibling: Hashable, Sendable {
    /// The first subview with this name; layout files have names only.
    case named(String)
    /// This view itself; a length does not keep it alive.
    case view(ObjectIdentifier)
  }

  /// A sibling's edge or side, times a factor.
  public struct Reference: Hashable, Sendable {
    /// The referenced view. If there is no such sibling, the length counts from the superview's edge.
    public var sibling: Sibling
    /// Which of its edges or sides counts.
    public var edge: LayoutEdge
    /// What the edge or side is multiplied by, as in `"wheel.width * 0.5"`.
    public var factor: Double

    /// `edge` of `sibling`, times `factor`.
    public init(_ sibling: Sibling, edge: LayoutEdge, factor: Double = 1) {
      self.sibling = sibling
      self.edge = edge
      self.factor = factor
    }
  }

  /// The fixed part of the sum, in points; may be negative.
  public var points: Double
  /// The fraction of the superview's width or height; 1 is all of it.
  public var part: Double
  /// The edge of a sibling that is added; nil for a sum of `points` and `part` alone.
  public var reference: Reference?

  /// A sum; omitted terms are 0.
  public init(points: Double = 0, part: Double = 0, reference: Reference? = nil) {
    self.points = points
    self.part = part
    self.reference = reference
  }

  /// `percent` of the superview's width or height, and `points`.
  public static func percent(_ percent: Double, plus points: Double = 0) -> LayoutLength {
    LayoutLength(points: points, part: percent / 100)
  }

  /// `edge` of the sibling called `name`, and `points`.
  public static func edge(_ edge: LayoutEdge, of name: String, plus points: Double = 0) -> LayoutLength {
    LayoutLength(points: points, reference: Reference(.named(name), edge: edge))
  }

  /// `edge` of `view`, which has the same superview, and `points`.
  @MainActor public static func edge(_ edge: LayoutEdge, of view: View, plus points: Double = 0) -> LayoutLength {
    LayoutLength(points: points, reference: Reference(.view(ObjectIdentifier(view)), edge: edge))
  }
}

nonisolated extension LayoutLength: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// A fixed length of `value` points, as in `anchors.left = 8`.
  public init(integerLiteral value: Int) { self.init(points: Double(value)) }
  /// A fixed length of `value` points, as in `anchors.left = 8.5`.
  public init(floatLiteral value: Double) { self.init(points: value) }
}
