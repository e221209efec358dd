// Where rim, spokes and hub of a steering wheel lie, and which of them a finger meets.
// Pure arithmetic; knows neither touches in progress nor drawing.

import Interface

/// A wheel's geometry in a control of a certain size: the greatest circle that fits, in the middle.
///
/// Angles are in degrees, clockwise positive (to the right), 0 with the wheel straight; as directions, 0 points right and
/// 90 down.
nonisolated public struct WheelGeometry: Hashable, Sendable {
  /// What a finger can meet on a wheel.
  public enum Part: Hashable, Sendable {
    /// The ring, the same at every angle.
    case rim
    /// A spoke by its number in `spokeDirections`.
    case spoke(Int)
    /// The horn's place: not the wheel's.
    case hub
  }

  /// Where the spokes point with the wheel straight.
  public static let spokeDirections: [Double] = [0, 90, 180]

  /// The control's size in logical points.
  public let size: Size

  /// A wheel in `size`; a size without area, or not finite, gives a wheel that no point meets.
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

  /// The radius inside which a touch no longer meets the rim: a narrow rim reaches inwards to 44 points of width for the
  /// thumb's sake, but never to more than two fifths of the radius.
  public var rimTouchRadius: Double {
    min(rimInnerRadius, outerRadius - min(44, outerRadius * 0.4))
  }

  /// The hub's radius.
  public var hubRadius: Double { outerRadius * 0.27 }

  /// The radius inside which a finger's motion turns nothing: so near the centre a tremble would be half a turn.
  public var deadRadius: Double { outerRadius * 0.2 }

  /// Half the width of a spoke at a distance from the centre: it narrows from the hub to the rim.
  public func spokeHalfWidth(atRadius radius: Double) -> Double {
    guard rimInnerRadius > hubRadius else { return 0 }
    let t = min(max((radius - hubRadius) / (rimInnerRadius - hubRadius), 0), 1)
    return outerRadius * (0.1 + (0.066 - 0.1) * t)
  }

  /// What a finger at `point` (from the control's top left corner) meets on a wheel turned by `angle`; nil in the gaps and
  /// outside.
  public func part(at point: Point, angle: Double) -> Part? {
    guard outerRadius > 0, point.isFinite, angle.isFinite else { return nil }
    let offset = point - center
    let distance = offset.distance(to: .zero)
    guard distance < outerRadius else { return nil }
    if distance < hubRadius { return .hub }
    if distance >= rimTouchRadius { return .rim }
    for (number, direction) in WheelGeometry.spokeDirections.enumerated() {
      let turned = (direction + angle) * .pi / 180
      let along = offset.x * cosine(turned) + offset.y * sine(turned)
      let across = offset.y * cosine(turned) - offset.x * sine(turned)
      if along > 0, abs(across) <= spokeHalfWidth(atRadius: along) { return .spoke(number) }
    }
    return nil
  }
}
