import CockpitControls
import Controls
import UICore

/// The frames of the scene's parts, in logical points of the window; none overlap.
///
/// Landscape: the gearbox at the left edge and the wheel at the right edge, both within a thumb's reach. Between them are the
/// instruments, whose dial is as large as the wheel and on one line with it, in the middle of height and gap. Portrait or
/// nearly square windows stack, instruments above, controls below, where that leaves the dial its least size.
struct CockpitLayout {
  /// The smallest window that the scene is made for.
  nonisolated static let minimumSize = Size(width: 480, height: 320)

  let gearbox: Rect
  /// A square.
  let wheel: Rect
  let cluster: Rect
  /// The frame of the loss banner: above the wheel, its top at the gearbox's; no other view lies there.
  let notice: Rect
  /// The frame of the emergency stop, a disc that covers neither lever, dial nor wheel: between the discs of dial and wheel at
  /// the window's foot, or in the corner that the dial's disc leaves free.
  let stop: Rect
  /// The sizes of the smaller texts: those of the gate, so that the scene has four sizes in all.
  let sizes: TextSizes
  /// The y of the dashboard's edge, on which the backdrop's light falls.
  let dashboardEdge: Double

  /// Lays out for a window of `size`; sizes below the minimum give smaller parts, never a negative side.
  init(size: Size, panel: CockpitPanel = .standard) {
    let width = max(size.width, 1)
    let height = max(size.height, 1)
    let lesser = min(width, height)
    // The distance to the window's edges and between parts.
    let margin = (lesser * panel.margin).rounded().clamped(to: 8...96)
    var isWide = width >= height * panel.wideFrom
    let place = isWide ? CockpitLayout.landscape : CockpitLayout.stacked
    var parts = place(width, height, margin, panel)
    if !isWide, CockpitLayout.nearlySquare.contains(width / height),
      CockpitLayout.dialDiameter(of: parts) < CockpitLayout.leastDial
    {
      let others = CockpitLayout.landscape(width, height, margin, panel)
      isWide = CockpitLayout.dialDiameter(of: others) > CockpitLayout.dialDiameter(of: parts)
      if isWide { parts = others }
    }
    (gearbox, wheel, cluster) = parts
    dashboardEdge = (isWide ? wheel.minY + wheel.height * panel.dashboardEdge : cluster.maxY + margin / 2).rounded()
    sizes = CockpitLayout.sizes(gearbox.size)
    notice = Rect(
      x: wheel.minX, y: gearbox.minY, width: wheel.width, height: max(wheel.minY - margin - gearbox.minY, 1))
    let diameter = (lesser * CockpitLayout.stopShare).rounded().clamped(to: 48...128)
    stop = Rect(
      x: (isWide ? (cluster.maxX + wheel.minX - diameter) / 2 : cluster.maxX - diameter).rounded(),
      y: (isWide ? height - margin / 2 - diameter : cluster.maxY - diameter).rounded(), width: diameter,
      height: diameter)
  }

  /// The diameter of the emergency stop as a fraction of the window's shorter side.
  private static let stopShare = 0.125

  /// The sizes of the texts beside a gate of this size.
  private static func sizes(_ gate: Size) -> TextSizes {
    let geometry = GearboxGeometry(size: gate, fit: .filling)
    return TextSizes(label: geometry.numberSize, value: geometry.letterSize)
  }

  /// The least height above the wheel: two lines of 12 points for each of cause and remedy.
  private static let noticeHeight = 76.0
  /// The same as a fraction of the wheel's diameter: a card 3.8 letter sizes high, with letters of a 20th of the diameter.
  private static let noticeShare = 0.2
  /// The width of a gate that fills its control, as a fraction of its height; lines and letters then keep the source article's
  /// proportions.
  private static let gateWidth = 0.28
  /// The least width of a gate with numbers of 12 points, and the height that gives every gear 44 points.
  private static let (leastGate, wholeGate) = (88.0, 660.0)

  /// The least diameter of a stacked dial: on a smaller one digits and gear are no longer clear of each other. A nearly square
  /// window in which it would be less is laid out side by side, if the dial is larger there.
  private static let leastDial = 112.0
  private static let nearlySquare = 0.8...1.25

  /// The diameter of the dial of `parts` below lamps and a telemetry row.
  private static func dialDiameter(of parts: Parts) -> Double {
    let (cluster, sizes) = (parts.cluster, sizes(parts.gearbox.size))
    let (lamps, telemetry) = InstrumentCluster.heightsAboveDial(width: cluster.width, sizes: sizes)
    return min(cluster.width, cluster.height - lamps - telemetry)
  }

  private typealias Parts = (gearbox: Rect, wheel: Rect, cluster: Rect)

  private static func gateWidth(height: Double, most: Double) -> Double {
    max(min(max(height * gateWidth, leastGate), most), 1).rounded()
  }

  /// Lays out wide windows. The gate takes the whole height. Dial and wheel are two equal circles on one line, the dial centred
  /// between gate and wheel: on the window's axis it would leave the left third of a wide window empty, and not fit in a usual
  /// one. If the width limits dial and lamps, they are vertically centred together. There is always space for a notice above
  /// the wheel and for a telemetry row above the lamps.
  private static func landscape(_ width: Double, _ height: Double, _ margin: Double, _ panel: CockpitPanel) -> Parts {
    let gearHeight = max(height - 2 * margin, 1)
    let gearbox = Rect(
      x: margin, y: margin, width: gateWidth(height: gearHeight, most: width * panel.leftWidth), height: gearHeight)
    let room = width - gearbox.width - 4 * margin
    let diameter = max(min(height * panel.rightHeight, room / 2).rounded(.down), 1)
    let (lamps, telemetry) = InstrumentCluster.heightsAboveDial(width: diameter, sizes: sizes(gearbox.size))
    let least = max(margin + lamps + telemetry, 2 * margin + max(noticeHeight, diameter * noticeShare))
    let top = min(max((height - diameter + lamps) / 2, least), height - margin - diameter)
    let wheel = Rect(x: width - margin - diameter, y: top.rounded(), width: diameter, height: diameter)
    let x = max((gearbox.maxX + wheel.minX - diameter) / 2, gearbox.maxX + margin).rounded()
    return (gearbox, wheel, Rect(x: x, y: margin, width: diameter, height: wheel.maxY - margin))
  }

  /// Lays out other windows: gate and wheel at the bottom, within the thumbs' reach, and the instruments in the rest.
  private static func stacked(_ width: Double, _ height: Double, _ margin: Double, _ panel: CockpitPanel) -> Parts {
    // The gate's height without a wheel; a wheel may make it higher, but not wider.
    let least = max(min(wholeGate, height * 0.52), height * 0.45)
    let gateWidth = gateWidth(height: least, most: width * panel.stackedLeftWidth)
    let diameter = max(
      min(width - gateWidth - 3 * margin, height * panel.stackedRightHeight).rounded(.down), 1)
    let controls = max(diameter + margin + noticeHeight, least).rounded()
    let top = height - margin - controls
    let gearbox = Rect(x: margin, y: top, width: gateWidth, height: controls)
    let wheel = Rect(
      x: width - margin - diameter, y: height - margin - diameter, width: diameter, height: diameter)
    let cluster = Rect(
      x: margin, y: margin, width: max(width - 2 * margin, 1), height: max(top - 2 * margin, 1))
    return (gearbox, wheel, cluster)
  }
}

/// Positions the views that it names by `CockpitLayout`, in wide windows and in others. The layout's main proportions are
/// properties.
///
/// Anchors cannot express this layout: each side is the least of two or three lengths, in whole points, and portrait windows
/// have a different arrangement. The file positions views that the panel does not name, and those with anchors.
@ListsProperties
final class CockpitPanel: View {
  /// The name of the view at the left edge: a gearbox.
  @Inspectable(.layout) var leftView = "gearbox"
  /// The name of the view at the right edge, a square: a wheel.
  @Inspectable(.layout) var rightView = "wheel"
  /// The name of the view between them, or above them: instruments.
  @Inspectable(.layout) var middleView = "cluster"
  /// The name of the view over the hub of a wheel at the right edge: a horn.
  @Inspectable(.layout) var hubView = "horn"
  /// The name of the view behind all others.
  @Inspectable(.layout) var backView = "backdrop"
  /// The least ratio of width to height for which everything is side by side.
  @Inspectable(.layout, limits: 0.1...10) var wideFrom = 1.25
  /// The margin as a fraction of the window's shorter side; clamped to 8 to 96 points.
  @Inspectable(.layout, limits: 0...0.25) var margin = 0.03
  /// The left view's greatest width as a fraction of the window's width, side by side.
  @Inspectable(.layout, limits: 0...1) var leftWidth = 0.24
  /// The left view's greatest width as a fraction of the window's width, stacked.
  @Inspectable(.layout, limits: 0...1) var stackedLeftWidth = 0.26
  /// The right view's greatest height as a fraction of the window's height, side by side.
  @Inspectable(.layout, limits: 0...1) var rightHeight = 0.72
  /// The right view's greatest height as a fraction of the window's height, stacked.
  @Inspectable(.layout, limits: 0...1) var stackedRightHeight = 0.42
  /// The dashboard's edge in landscape: its distance below the right view's top, as a fraction of that view's height. In
  /// stacked layout it lies below the middle view.
  @Inspectable(.layout, limits: 0...1) var dashboardEdge = 0.16

  static let standard = CockpitPanel()

  override func layoutSubviews() {
    let layout = CockpitLayout(size: bounds.size, panel: self)
    let named = subviews.filter { $0.anchors == nil && !$0.name.isEmpty }
    for view in named {
      switch view.name {
      case leftView: view.frame = layout.gearbox
      case rightView: view.frame = layout.wheel
      case middleView:
        view.frame = layout.cluster
        (view as? InstrumentCluster)?.sizes = layout.sizes
      case backView:
        view.frame = bounds
        guard let backdrop = view as? Backdrop else { break }
        backdrop.dashboardEdge = layout.dashboardEdge
        backdrop.console = subviews.contains { $0.name == leftView } ? layout.gearbox : .zero
        backdrop.wheel = subviews.contains { $0.name == rightView } ? layout.wheel : .zero
        // The dashboard has a hood over a dial that stands before it.
        let cluster = subviews.first { $0.name == middleView } as? InstrumentCluster
        cluster?.sizes = layout.sizes
        backdrop.dial =
          layout.dashboardEdge < layout.cluster.maxY
          ? cluster?.dialFrame(in: layout.cluster.size).offsetBy(dx: layout.cluster.minX, dy: layout.cluster.minY)
            ?? .zero
          : .zero
      default: break
      }
    }
    // The wheel's hub, wherever the wheel is.
    let wheel = subviews.first { $0.name == rightView } as? SteeringWheel
    let (center, radius) = (layout.wheel.center, WheelGeometry(size: layout.wheel.size).hubRadius)
    let square = Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius)
    for hub in named where hub.name == hubView { hub.frame = wheel?.hubFrame ?? square }
  }
}
