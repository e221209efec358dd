/// The rotation or mirroring of an output's content. The cases stand in the order of wl_output.transform: the raw values, from 0, are the
/// protocol's.
public enum OutputTransform: Int, Hashable, Sendable, CaseIterable {
  /// Turned counter-clockwise by this many degrees.
  case normal, turned90, turned180, turned270
  /// Mirrored left to right, then turned counter-clockwise by this many degrees.
  case mirrored, mirrored90, mirrored180, mirrored270

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
