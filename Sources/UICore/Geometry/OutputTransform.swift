/// The rotation or mirroring of an output's content (wl_output.transform). The raw values are the protocol's.
public enum OutputTransform: Int, Hashable, Sendable, CaseIterable {
  /// No rotation and no mirroring.
  case normal = 0
  /// Turned counter-clockwise by a quarter.
  case turned90 = 1
  /// Turned by a half.
  case turned180 = 2
  /// Turned counter-clockwise by three quarters.
  case turned270 = 3
  /// Mirrored left to right.
  case mirrored = 4
  /// Mirrored, then turned counter-clockwise by a quarter.
  case mirrored90 = 5
  /// Mirrored, then turned by a half.
  case mirrored180 = 6
  /// Mirrored, then turned counter-clockwise by three quarters.
  case mirrored270 = 7

  /// Converts a direction on the panel, x to its right and y to its top, to a direction on the content.
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
