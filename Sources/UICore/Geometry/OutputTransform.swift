/// How a compositor turns or mirrors what an output shows (wl_output.transform); the raw values are the protocol's.
public enum OutputTransform: Int, Hashable, Sendable, CaseIterable {
  case normal = 0
  /// Turned counter-clockwise by a quarter, a half, three quarters.
  case turned90 = 1
  case turned180 = 2
  case turned270 = 3
  /// Mirrored left to right, and then turned.
  case mirrored = 4
  case mirrored90 = 5
  case mirrored180 = 6
  case mirrored270 = 7

  /// A direction on the panel, x to its right and y to its top, as one on what it shows.
  public func contentDirection(ofPanel x: Double, _ y: Double) -> (x: Double, y: Double) {
    let upright: (x: Double, y: Double) =
      switch rawValue % 4 {
      case 1: (y, -x)
      case 2: (-x, -y)
      case 3: (-y, x)
      default: (x, y)
      }
    return rawValue < 4 ? upright : (-upright.x, upright.y)
  }
}
