import UICore
import WaylandServer

/// The pointer's picture.
public enum StageCursor {
  /// A named shape.
  case shape(WpCursorShapeDeviceV1Resource.Shape)
  /// A surface of the client's own, and the point in it that points.
  case surface(StageSurface, hotspot: Point)
  /// None.
  case hidden
}
