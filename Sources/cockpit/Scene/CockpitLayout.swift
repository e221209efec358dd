import UICore

/// The frames of the scene's parts, in logical points of the window; none overlap.
///
/// Landscape: the gearbox at the left edge, the wheel at the right one, both within a thumb's reach, and the instruments
/// between them. Upright or nearly square windows stack: instruments above, controls below.
nonisolated struct CockpitLayout: Hashable, Sendable {
  /// The smallest window that the scene is made for.
  static let minimumSize = Size(width: 480, height: 320)

  let size: Size
  /// The distance to the window's edges and between parts.
  let margin: Double
  let gearbox: Rect
  /// A square.
  let wheel: Rect
  let cluster: Rect
  /// The place where a loss is told: above the wheel, its top at the gearbox's; empty in every other moment.
  let notice: Rect
  /// The y of the dashboard's edge, on which the backdrop's light falls.
  let dashboardEdge: Double

  /// Lays out for a window of `size`; sizes below the minimum give what is left, never a negative side.
  init(size: Size) {
    let width = max(size.width, 1)
    let height = max(size.height, 1)
    self.size = Size(width: width, height: height)
    let lesser = min(width, height)
    margin = (lesser * 0.03).rounded().clamped(to: 8...96)
    if width >= height * 1.25 {
      let parts = CockpitLayout.landscape(width: width, height: height, margin: margin)
      (gearbox, wheel, cluster) = (parts.gearbox, parts.wheel, parts.cluster)
      dashboardEdge = (height * 0.42).rounded()
    } else {
      let parts = CockpitLayout.stacked(width: width, height: height, margin: margin)
      (gearbox, wheel, cluster) = (parts.gearbox, parts.wheel, parts.cluster)
      dashboardEdge = cluster.maxY.rounded()
    }
    notice = Rect(
      x: wheel.minX, y: gearbox.minY, width: wheel.width, height: max(wheel.minY - margin - gearbox.minY, 1))
  }

  /// What a wheel in a stacked window leaves above it, at least: two lines of 12 points for each of cause and remedy.
  private static let noticeHeight = 76.0

  private typealias Parts = (gearbox: Rect, wheel: Rect, cluster: Rect)

  private static func landscape(width: Double, height: Double, margin: Double) -> Parts {
    // The gate takes the whole height: 44 points a gear from 660 points on.
    let gearHeight = max(height - 2 * margin, 1)
    let gearWidth = min(gearHeight * 0.36, width * 0.24).rounded()
    let gearbox = Rect(x: margin, y: margin, width: gearWidth, height: gearHeight)
    // The wheel has up to 72 % of the height, and leaves the instruments a fifth of the width.
    let between = width - gearbox.maxX - 3 * margin
    let diameter = max(min(height * 0.72, between - max(width * 0.22, 150)), 1).rounded()
    let wheel = Rect(
      x: width - margin - diameter, y: (height - margin - diameter).rounded(), width: diameter, height: diameter)
    // On very wide screens the instruments stay together, in the middle of what is between.
    let room = Rect(
      x: gearbox.maxX + margin, y: margin, width: max(wheel.minX - gearbox.maxX - 2 * margin, 1), height: gearHeight)
    let clusterWidth = min(room.width, gearHeight * 1.1).rounded()
    let cluster = Rect(
      x: (room.midX - clusterWidth / 2).rounded(), y: room.minY, width: clusterWidth, height: room.height)
    return (gearbox, wheel, cluster)
  }

  private static func stacked(width: Double, height: Double, margin: Double) -> Parts {
    let clusterHeight = (height * 0.36 - margin).rounded()
    let clusterWidth = min(width - 2 * margin, clusterHeight * 2).rounded()
    let cluster = Rect(
      x: ((width - clusterWidth) / 2).rounded(), y: margin, width: max(clusterWidth, 1), height: max(clusterHeight, 1))
    let top = cluster.maxY + margin
    let gearHeight = max(height - top - margin, 1)
    let gearWidth = min(gearHeight * 0.36, width * 0.3).rounded()
    let gearbox = Rect(x: margin, y: top, width: max(gearWidth, 1), height: gearHeight)
    let room = gearHeight - max(noticeHeight, (gearHeight * 0.16).rounded()) - margin
    let diameter = max(min(width - gearbox.maxX - 2 * margin, room), 1).rounded()
    // In the thumb's reach: at the bottom right.
    let wheel = Rect(
      x: width - margin - diameter, y: (height - margin - diameter).rounded(), width: diameter, height: diameter)
    return (gearbox, wheel, cluster)
  }
}

extension Double {
  /// The nearest value in `range`.
  nonisolated func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
