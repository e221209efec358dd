import Glibc

/// The geometry of a wheel in a control of `size`: the largest circle that fits, centred.
///
/// Angles are in degrees, clockwise positive (to the right), 0 with the wheel straight; as directions, 0 points right and 90
/// down.
nonisolated public struct WheelGeometry: Hashable, Sendable {
  /// The parts of a wheel that a finger can hit.
  public enum Part: Hashable, Sendable {
    /// The ring, the same at every angle.
    case rim
    /// A spoke by its number in `spokeDirections`.
    case spoke(Int)
    /// The area of the horn, which does not belong to the wheel.
    case hub
  }

  /// The directions of the spokes with the wheel straight.
  public static let spokeDirections: [Double] = [0, 90, 180]

  /// The control's size in logical points.
  public let size: Size

  /// A wheel in `size`; a size without area, or not finite, gives a wheel that no point hits.
  public init(size: Size) {
    self.size = size
  }

  /// The centre in logical points.
  public var center: Point { Point(x: size.width / 2, y: size.height / 2) }

  /// The rim's outer radius: half the lesser side.
  public var outerRadius: Double {
    size.isEmpty || !size.width.isFinite || !size.height.isFinite ? 0 : min(size.width, size.height) / 2
  }

  /// The rim's inner radius, as drawn.
  public var rimInnerRadius: Double { outerRadius * 0.865 }

  /// The radius inside which a touch no longer hits the rim. A narrow rim extends inwards to 44 points of width for the thumb,
  /// but never to more than two fifths of the radius.
  public var rimTouchRadius: Double {
    min(rimInnerRadius, outerRadius - min(44, outerRadius * 0.4))
  }

  /// The hub's radius.
  public var hubRadius: Double { outerRadius * 0.27 }

  /// The radius inside which a finger's motion turns nothing, because so near the centre a tremble could be half a turn.
  public var deadRadius: Double { outerRadius * 0.2 }

  /// The mark on the rim that shows the top: its inner and outer radius, and half its width.
  var mark: (inner: Double, outer: Double, halfWidth: Double) {
    let width = outerRadius - rimInnerRadius
    return (rimInnerRadius + 0.16 * width, outerRadius - 0.16 * width, outerRadius * 0.018)
  }

  /// The inner and outer radius of the line along the rim's inner edge that is lit while the wheel is held.
  var litEdge: (inner: Double, outer: Double) { (rimInnerRadius, rimInnerRadius + 2) }

  /// Half the width of a spoke at a distance along it from the centre: a parabola, narrowest at three fifths of the distance
  /// from the hub to the rim, that flares towards both.
  public func spokeHalfWidth(atRadius radius: Double) -> Double {
    let t = way(to: radius)
    return outerRadius * (0.125 + t * (-0.2067 + t * 0.1667))
  }

  /// The fraction of `radius` along a spoke: 0 at the hub and 1 at the rim.
  private func way(to radius: Double) -> Double {
    let length = rimInnerRadius - hubRadius
    return length > 0 ? ((radius - hubRadius) / length).clamped(to: -0.5...1) : 0
  }

  /// The distance along a spoke of its corners on the hub's circle.
  var spokeRoot: Double { corner(onRadius: hubRadius) }

  /// The distance along a spoke of its corners on the rim's inner circle.
  var spokeEnd: Double { corner(onRadius: rimInnerRadius) }

  /// The intersection of a spoke's edge and a circle, found by a few iterations, each ten times nearer.
  private func corner(onRadius radius: Double) -> Double {
    var along = radius
    for _ in 0..<8 {
      let half = spokeHalfWidth(atRadius: along)
      along = max(radius * radius - half * half, 0).squareRoot()
    }
    return along
  }

  /// The part at `point` (from the control's top left corner) of a wheel turned by `angle`; nil in the gaps and outside.
  public func part(at point: Point, angle: Double) -> Part? {
    guard outerRadius > 0, point.isFinite, angle.isFinite else { return nil }
    let offset = point - center
    let distance = offset.distance(to: .zero)
    guard distance < outerRadius else { return nil }
    if distance < hubRadius { return .hub }
    if distance >= rimTouchRadius { return .rim }
    for (number, direction) in WheelGeometry.spokeDirections.enumerated() {
      let turned = (direction + angle) * .pi / 180
      let along = offset.x * cos(turned) + offset.y * sin(turned)
      let across = offset.y * cos(turned) - offset.x * sin(turned)
      if along > 0, abs(across) <= spokeHalfWidth(atRadius: along) { return .spoke(number) }
    }
    return nil
  }
}
