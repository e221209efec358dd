/// The requested position of a popup beside a rectangle of its parent content, and how to adjust it if space is short.
///
/// The rules are those of xdg_positioner, so a compositor and a content without one place a popup in the same way.
public struct PopupPlacement: Hashable, Sendable {
  /// A position on a rectangle's border. The cases stand in the order of xdg_positioner's anchor and gravity: the raw values, from 0, are
  /// the protocol's.
  public enum Edge: UInt32, Hashable, Sendable, CaseIterable {
    /// The middle of the rectangle.
    case center
    /// The middle of a side.
    case top, bottom, left, right
    /// A corner.
    case topLeft, bottomLeft, topRight, bottomRight

    /// Of each case in order: -1 for left, 1 for right, 0 for neither; and -1 for top, 1 for bottom, 0 for neither.
    private static let directions = [
      (0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1),
    ]

    var direction: (horizontal: Int, vertical: Int) { Self.directions[Int(rawValue)] }

    /// The edge with top and bottom exchanged.
    var flippedVertically: Edge {
      Self.allCases.first { $0.direction == (direction.horizontal, -direction.vertical) } ?? self
    }
  }

  /// The ways to adjust a popup that does not fit. The raw values are the protocol's (xdg_positioner.constraint_adjustment).
  /// Flips are tried first, then slides, then a smaller size.
  public struct Adjustment: OptionSet, Hashable, Sendable {
    /// One bit per adjustment.
    public let rawValue: UInt32

    /// The adjustments of the bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// The popup slides to the left or the right.
    public static let slideX = Adjustment(rawValue: 1)
    /// The popup slides up or down.
    public static let slideY = Adjustment(rawValue: 2)
    /// The popup changes between left and right if it fits there.
    public static let flipX = Adjustment(rawValue: 4)
    /// The popup changes between above and below if it fits there.
    public static let flipY = Adjustment(rawValue: 8)
    /// The popup becomes narrower.
    public static let resizeX = Adjustment(rawValue: 16)
    /// The popup becomes less tall.
    public static let resizeY = Adjustment(rawValue: 32)
  }

  /// The rectangle that the popup is placed beside, in logical points of the content.
  public var anchor: Rect
  /// The point on the anchor from which the popup extends.
  public var anchorEdge: Edge
  /// The direction in which the popup extends from `anchorEdge`.
  public var gravity: Edge
  /// The size in logical points.
  public var size: Size
  /// The allowed adjustments if the popup does not fit.
  public var adjustment: Adjustment

  /// A popup of `size` beside `anchor`. By default it is below the anchor and left-aligned with it, or above if there is more
  /// space.
  public init(
    anchor: Rect, anchorEdge: Edge = .bottomLeft, gravity: Edge = .bottomRight, size: Size,
    adjustment: Adjustment = [.flipY, .slideX, .resizeY]
  ) {
    self.anchor = anchor
    self.anchorEdge = anchorEdge
    self.gravity = gravity
    self.size = size
    self.adjustment = adjustment
  }

  /// The placement with above and below exchanged.
  public var flippedVertically: PopupPlacement {
    var flipped = self
    (flipped.anchorEdge, flipped.gravity) = (anchorEdge.flippedVertically, gravity.flippedVertically)
    return flipped
  }

  /// The popup's frame if it may cover only `area`, in the anchor's coordinates.
  public func frame(within area: Rect) -> Rect {
    let (from, to) = (anchorEdge.direction, gravity.direction)
    let x = Line(
      anchor: (anchor.minX, anchor.maxX), edge: from.horizontal, gravity: to.horizontal, length: size.width,
      area: (area.minX, area.maxX))
    let y = Line(
      anchor: (anchor.minY, anchor.maxY), edge: from.vertical, gravity: to.vertical, length: size.height,
      area: (area.minY, area.maxY))
    let (left, width) = x.place(
      flips: adjustment.contains(.flipX), slides: adjustment.contains(.slideX), shrinks: adjustment.contains(.resizeX))
    let (top, height) = y.place(
      flips: adjustment.contains(.flipY), slides: adjustment.contains(.slideY), shrinks: adjustment.contains(.resizeY))
    return Rect(x: left, y: top, width: width, height: height)
  }

  /// One axis of a placement.
  private struct Line {
    var anchor: (lower: Double, upper: Double)
    /// -1 for the lower end, 0 for the middle, 1 for the upper end.
    var edge: Int
    var gravity: Int
    var length: Double
    var area: (lower: Double, upper: Double)

    /// The popup's start without any adjustment.
    private var start: Double {
      let middle = (anchor.lower + anchor.upper) / 2
      let point = edge < 0 ? anchor.lower : edge > 0 ? anchor.upper : middle
      return point - length * Double(1 - gravity) / 2
    }

    private var fits: Bool { start >= area.lower && start + length <= area.upper }

    func place(flips: Bool, slides: Bool, shrinks: Bool) -> (start: Double, length: Double) {
      if fits { return (start, length) }
      if flips {
        var flipped = self
        (flipped.edge, flipped.gravity) = (-edge, -gravity)
        if flipped.fits { return (flipped.start, length) }
      }
      var (start, end) = (start, start + length)
      if slides {
        // A popup that is too long keeps the end that it extends from.
        let last = area.upper - length
        start = gravity < 0 ? min(max(start, area.lower), last) : max(min(start, last), area.lower)
        end = start + length
      }
      if shrinks {
        start = min(max(start, area.lower), area.upper)
        end = max(min(end, area.upper), start)
      }
      return (start, end - start)
    }
  }
}

/// A visible popup, as seen by the content that opened it.
@MainActor public protocol PopupWindow: AnyObject {
  /// Moves the popup. Returns false if the compositor cannot move a visible popup (xdg_popup before version 3).
  func move(to placement: PopupPlacement) -> Bool

  /// Closes the popup and those that it has opened. Its content receives `willTerminate`.
  func close()
}
