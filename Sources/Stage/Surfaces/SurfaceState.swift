import UICore
import WaylandServer

/// What a client has set since the last commit.
struct PendingState {
  /// What attach said: a buffer, or nothing to be seen.
  enum Attachment {
    case buffer(StageBuffer)
    case nothing
  }

  var attachment: Attachment?
  var bufferDamage: [PixelRect] = []
  var surfaceDamage: [PixelRect] = []
  var callbacks: [WlCallbackResource] = []
  var feedback: [WpPresentationFeedbackResource] = []
}

/// What stays from commit to commit; pending requests change a copy of it.
struct LastingState {
  var scale = 1
  var transform = WlOutputResource.Transform.normal
  /// The viewport's destination in logical points.
  var destination: PixelSize?
  /// The viewport's source in logical points of the uncropped buffer.
  var source: Rect?
  var opaque = Region()
  var geometry: PixelRect?

  /// The size in logical points of a surface with a buffer of `size`.
  func logicalSize(of size: PixelSize) -> Size {
    if let destination { return Size(width: Double(destination.width), height: Double(destination.height)) }
    if let source { return source.size }
    let isTurned = transform.rawValue & 1 == 1
    return Size(
      width: Double(isTurned ? size.height : size.width) / Double(scale),
      height: Double(isTurned ? size.width : size.height) / Double(scale))
  }

  /// A rectangle in surface coordinates as the buffer pixels that it touches; everything when the surface is turned
  /// or cropped, where no client of this project sends such damage.
  func bufferRect(_ rect: PixelRect, of size: PixelSize) -> PixelRect {
    guard transform == .normal, source == nil else { return PixelRect(size) }
    let logical = logicalSize(of: size)
    let x = Double(size.width) / max(logical.width, 1)
    let y = Double(size.height) / max(logical.height, 1)
    func clamped(_ value: Double) -> Int { Int(min(max(value, -1e6), 1e6)) }
    let left = clamped((Double(rect.x) * x).rounded(.down))
    let top = clamped((Double(rect.y) * y).rounded(.down))
    let right = clamped((Double(rect.x + rect.width) * x).rounded(.up))
    let bottom = clamped((Double(rect.y + rect.height) * y).rounded(.up))
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top).intersection(PixelRect(size))
  }
}
