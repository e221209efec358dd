import Controls
import UICore

/// The frames of the scene's parts, in logical points of the window; none overlap.
///
/// Landscape: the gearbox at the left edge, the wheel at the right one, both within a thumb's reach, and the instruments
/// between them. Upright or nearly square windows stack: instruments above, controls below.
struct CockpitLayout {
  /// The smallest window that the scene is made for.
  nonisolated static let minimumSize = Size(width: 480, height: 320)

  let gearbox: Rect
  /// A square.
  let wheel: Rect
  let cluster: Rect
  /// The place of the loss banner: above the wheel, its top at the gearbox's; no other view lies there.
  let notice: Rect
  /// The y of the dashboard's edge, on which the backdrop's light falls.
  let dashboardEdge: Double

  /// Lays out for a window of `size`; sizes below the minimum give smaller parts, never a negative side.
  init(size: Size, panel: CockpitPanel = .standard) {
    let width = max(size.width, 1)
    let height = max(size.height, 1)
    let lesser = min(width, height)
    // The distance to the window's edges and between parts.
    let margin = (lesser * panel.margin).rounded().clamped(to: 8...96)
    let isWide = width >= height * panel.wideFrom
    let place = isWide ? CockpitLayout.landscape : CockpitLayout.stacked
    (gearbox, wheel, cluster) = place(width, height, margin, panel)
    dashboardEdge = (isWide ? height * panel.dashboardEdge : cluster.maxY).rounded()
    notice = Rect(
      x: wheel.minX, y: gearbox.minY, width: wheel.width, height: max(wheel.minY - margin - gearbox.minY, 1))
  }

  /// The least height above the wheel in a stacked window: two lines of 12 points for each of cause and remedy.
  private static let noticeHeight = 76.0

  private typealias Parts = (gearbox: Rect, wheel: Rect, cluster: Rect)

  private static func landscape(_ width: Double, _ height: Double, _ margin: Double, _ panel: CockpitPanel) -> Parts {
    // The gate takes the whole height: 44 points a gear from 660 points on.
    let gearHeight = max(height - 2 * margin, 1)
    let gearWidth = min(gearHeight * 0.36, width * panel.leftWidth).rounded()
    let gearbox = Rect(x: margin, y: margin, width: gearWidth, height: gearHeight)
    // The wheel leaves the instruments their part of the width.
    let between = width - gearbox.maxX - 3 * margin
    let diameter = max(min(height * panel.rightHeight, between - max(width * panel.middleWidth, 150)), 1).rounded()
    let wheel = Rect(
      x: width - margin - diameter, y: (height - margin - diameter).rounded(), width: diameter, height: diameter)
    // On very wide screens the instruments stay together, in the middle between the two.
    let room = Rect(
      x: gearbox.maxX + margin, y: margin, width: max(wheel.minX - gearbox.maxX - 2 * margin, 1), height: gearHeight)
    let clusterWidth = min(room.width, gearHeight * 1.1).rounded()
    let cluster = Rect(
      x: (room.midX - clusterWidth / 2).rounded(), y: room.minY, width: clusterWidth, height: room.height)
    return (gearbox, wheel, cluster)
  }

  private static func stacked(_ width: Double, _ height: Double, _ margin: Double, _ panel: CockpitPanel) -> Parts {
    let clusterHeight = (height * panel.stackedMiddleHeight - margin).rounded()
    let clusterWidth = min(width - 2 * margin, clusterHeight * 2).rounded()
    let cluster = Rect(
      x: ((width - clusterWidth) / 2).rounded(), y: margin, width: max(clusterWidth, 1), height: max(clusterHeight, 1))
    let top = cluster.maxY + margin
    let gearHeight = max(height - top - margin, 1)
    let gearWidth = min(gearHeight * 0.36, width * panel.stackedLeftWidth).rounded()
    let gearbox = Rect(x: margin, y: top, width: max(gearWidth, 1), height: gearHeight)
    let room = gearHeight - max(noticeHeight, (gearHeight * 0.16).rounded()) - margin
    let diameter = max(min(width - gearbox.maxX - 2 * margin, room), 1).rounded()
    // In the thumb's reach: at the bottom right.
    let wheel = Rect(
      x: width - margin - diameter, y: (height - margin - diameter).rounded(), width: diameter, height: diameter)
    return (gearbox, wheel, cluster)
  }
}

/// Places the views that it names by `CockpitLayout`, in wide windows and in others; every number of that layout is a property.
///
/// Anchors can't express it: each side is the least of two or three, in whole points, and another arrangement in upright windows. Views
/// that it does not name, and those with anchors, lie where their file says.
final class CockpitPanel: View {
  /// The name of the view at the left edge: a gearbox.
  @Inspectable var leftView = "gearbox"
  /// The name of the view at the right edge, a square: a wheel.
  @Inspectable var rightView = "wheel"
  /// The name of the view between them, or above them: instruments.
  @Inspectable var middleView = "cluster"
  /// The name of the view over the hub of a wheel at the right edge: a horn.
  @Inspectable var hubView = "horn"
  /// The name of the view behind all others.
  @Inspectable var backView = "backdrop"
  /// Windows with this or more of width to height have everything side by side.
  @Inspectable var wideFrom = 1.25
  /// The margin, by the shorter side: 8 to 96 points in any case.
  @Inspectable var margin = 0.03
  /// The most that the left view takes of the width, side by side and stacked.
  @Inspectable var leftWidth = 0.24
  @Inspectable var stackedLeftWidth = 0.3
  /// The most that the right view takes of the height, side by side.
  @Inspectable var rightHeight = 0.72
  /// The fraction of the width that the right view leaves to the middle one, side by side: at least 150 points.
  @Inspectable var middleWidth = 0.22
  /// The height of the middle view, stacked, with one margin.
  @Inspectable var stackedMiddleHeight = 0.36
  /// The height of the dashboard's edge, side by side; stacked it lies under the middle view.
  @Inspectable var dashboardEdge = 0.42

  /// The default layout.
  static let standard = CockpitPanel()

  override class var inspectables: [AnyProperty] { super.inspectables + panelProperties }

  private static let panelProperties: [AnyProperty] = [
    Property("leftView", \CockpitPanel.leftView, .layout), Property("rightView", \CockpitPanel.rightView, .layout),
    Property("middleView", \CockpitPanel.middleView, .layout), Property("hubView", \CockpitPanel.hubView, .layout),
    Property("backView", \CockpitPanel.backView, .layout),
    Property("wideFrom", \CockpitPanel.wideFrom, .layout, limits: 0.1...10),
    Property("margin", \CockpitPanel.margin, .layout, limits: 0...0.25),
    Property("leftWidth", \CockpitPanel.leftWidth, .layout, limits: 0...1),
    Property("stackedLeftWidth", \CockpitPanel.stackedLeftWidth, .layout, limits: 0...1),
    Property("rightHeight", \CockpitPanel.rightHeight, .layout, limits: 0...1),
    Property("middleWidth", \CockpitPanel.middleWidth, .layout, limits: 0...1),
    Property("stackedMiddleHeight", \CockpitPanel.stackedMiddleHeight, .layout, limits: 0...1),
    Property("dashboardEdge", \CockpitPanel.dashboardEdge, .layout, limits: 0...1),
  ]

  override func layoutSubviews() {
    let layout = CockpitLayout(size: bounds.size, panel: self)
    let named = subviews.filter { $0.anchors == nil && !$0.name.isEmpty }
    for view in named {
      switch view.name {
      case leftView: view.frame = layout.gearbox
      case rightView: view.frame = layout.wheel
      case middleView: view.frame = layout.cluster
      case backView:
        view.frame = bounds
        guard let backdrop = view as? Backdrop else { break }
        backdrop.dashboardEdge = layout.dashboardEdge
        backdrop.console = subviews.contains { $0.name == leftView } ? layout.gearbox : .zero
      default: break
      }
    }
    // The wheel's hub, wherever the wheel lies.
    let wheel = subviews.first { $0.name == rightView } as? SteeringWheel
    let hub = named.first { $0.name == hubView }
    hub?.frame = wheel?.hubFrame ?? WheelGeometry(size: layout.wheel.size).hub(at: layout.wheel.center)
  }
}

extension WheelGeometry {
  /// The square around the hub of a wheel with its middle at `center`.
  fileprivate nonisolated func hub(at center: Point) -> Rect {
    Rect(x: center.x - hubRadius, y: center.y - hubRadius, width: 2 * hubRadius, height: 2 * hubRadius)
  }
}

extension Double {
  /// The nearest value in `range`.
  nonisolated func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
