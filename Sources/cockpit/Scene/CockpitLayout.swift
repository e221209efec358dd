import CockpitControls
import Controls
import UICore

/// The frames of the scene's parts, in logical points of the window; none overlap.
///
/// There are three arrangements. Wide windows have a row: the gearbox at the left edge and the wheel at the right edge, both
/// within a thumb's reach; between them the instruments, whose dial is as large as the wheel and on one line with it. Tall
/// windows stack the instruments above the controls. Nearly square ones take the arrangement with the largest dial, which is
/// mostly the third: a gate as high as the window, and beside it a column with the dial above the wheel.
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
  /// the window's foot, beside the wheel there, or in the corner that the dial's disc leaves free.
  let stop: Rect
  /// The sizes of the smaller texts: those of the gate, so that the scene has four sizes in all.
  let sizes: TextSizes
  /// The y of the dashboard's edge, on which the backdrop's light falls.
  let dashboardEdge: Double

  /// Lays out for a window of `size`; sizes below the minimum give smaller parts, never a negative side.
  init(size: Size, panel: CockpitPanel = .standard) {
    let room = Room(width: max(size.width, 1), height: max(size.height, 1), panel: panel)
    let ratio = room.width / room.height
    var parts = ratio >= panel.wideFrom ? room.row : room.stack
    if Room.nearlySquare.contains(ratio) {
      for other in [room.row, room.column] where other.dial > parts.dial { parts = other }
    }
    if panel.leavesView { parts = room.opened(parts) }
    (gearbox, wheel, cluster, notice, stop, dashboardEdge) = (
      parts.gearbox, parts.wheel, parts.cluster, parts.notice, parts.stop, parts.dashboardEdge.rounded()
    )
    sizes = parts.sizes
  }
}

/// A window's room for gate, wheel and instruments, and the arrangements in it.
private struct Room {
  struct Parts {
    let gearbox: Rect
    let wheel: Rect
    let cluster: Rect
    let notice: Rect
    let stop: Rect
    let dashboardEdge: Double

    /// The sizes of the texts beside the gate.
    var sizes: TextSizes { Room.sizes(gearbox.size) }

    /// The diameter of the dial below lamps and a telemetry row.
    var dial: Double { min(cluster.width, cluster.height - Room.above(dial: cluster.width, gate: gearbox.size)) }
  }

  /// The ratios of width to height of windows that take the arrangement with the largest dial.
  static let nearlySquare = 0.8...1.25

  let width: Double
  let height: Double
  let panel: CockpitPanel
  /// The distance to the window's edges and between parts.
  let margin: Double
  /// The diameter of the emergency stop.
  let stopSide: Double

  init(width: Double, height: Double, panel: CockpitPanel) {
    (self.width, self.height, self.panel) = (width, height, panel)
    let lesser = min(width, height)
    margin = (lesser * panel.margin).rounded().clamped(to: 8...96)
    stopSide = (lesser * 0.125).rounded().clamped(to: 48...128)
  }

  /// The least height of a notice: two lines of 12 points for each of cause and remedy.
  private static let noticeHeight = 76.0
  /// The least width of a notice beside something: that above the wheel of the smallest window.
  private static let noticeWidth = 176.0
  /// The width of a gate that fills its control, as a fraction of its height; lines and letters then keep the source article's
  /// proportions.
  private static let gateWidth = 0.28
  /// The least width of a gate with numbers of 12 points, and the height that gives every gear 44 points.
  private static let (leastGate, wholeGate) = (88.0, 660.0)

  static func sizes(_ gate: Size) -> TextSizes {
    let geometry = GearboxGeometry(size: gate, fit: .filling)
    return TextSizes(label: geometry.numberSize, value: geometry.letterSize)
  }

  /// The height of lamps and a telemetry row above a dial of this diameter.
  static func above(dial: Double, gate: Size) -> Double {
    let (lamps, telemetry) = InstrumentCluster.heightsAboveDial(width: dial, sizes: sizes(gate))
    return lamps + telemetry
  }

  private func gateWidth(height: Double, most: Double) -> Double {
    max(min(max(height * Room.gateWidth, Room.leastGate), most), 1).rounded()
  }

  /// A gate as high as the window.
  private func highGate(most: Double) -> Rect {
    let gearHeight = max(height - 2 * margin, 1)
    return Rect(x: margin, y: margin, width: gateWidth(height: gearHeight, most: width * most), height: gearHeight)
  }

  private func cornerWheel(_ diameter: Double) -> Rect {
    Rect(x: width - margin - diameter, y: height - margin - diameter, width: diameter, height: diameter)
  }

  private func stop(x: Double, y: Double) -> Rect {
    Rect(x: x.rounded(), y: y.rounded(), width: stopSide, height: stopSide)
  }

  /// The space above a wheel, from the gate's top.
  private func notice(above wheel: Rect, beside gate: Rect) -> Rect {
    Rect(x: wheel.minX, y: gate.minY, width: wheel.width, height: max(wheel.minY - margin - gate.minY, 1))
  }

  /// Wide windows. The gate takes the whole height. Dial and wheel are two equal circles that stand on the gate's foot, the dial
  /// centred between gate and wheel: on the window's axis it would leave the left third of a wide window empty, and not fit in
  /// a usual one. Above them is space for a notice, and for lamps and a telemetry row.
  var row: Parts {
    let gearbox = highGate(most: panel.leftWidth)
    let room = width - gearbox.width - 4 * margin
    let most = min(height * panel.rightHeight, room / 2)
    let above = max(Room.above(dial: most, gate: gearbox.size), margin + Room.noticeHeight)
    let diameter = max(min(most, height - 2 * margin - above).rounded(.down), 1)
    let wheel = cornerWheel(diameter)
    let x = max((gearbox.maxX + wheel.minX - diameter) / 2, gearbox.maxX + margin).rounded()
    let cluster = Rect(x: x, y: margin, width: diameter, height: wheel.maxY - margin)
    return Parts(
      gearbox: gearbox, wheel: wheel, cluster: cluster, notice: notice(above: wheel, beside: gearbox),
      stop: stop(x: (cluster.maxX + wheel.minX - stopSide) / 2, y: height - margin / 2 - stopSide),
      dashboardEdge: wheel.minY + wheel.height * panel.dashboardEdge)
  }

  /// Nearly square windows: the gate takes the whole height; beside it are the dial at the top, with the notice at its right, and
  /// the wheel at the foot, with the emergency stop at its left.
  var column: Parts {
    let gearbox = highGate(most: panel.stackedLeftWidth)
    let left = gearbox.maxX + margin
    let room = max(width - margin - left, 1)
    // A narrow dial has higher lamps and telemetry above it, each word in a row of its own.
    var (above, dial) = (0.0, room - margin - Room.noticeWidth)
    for _ in 0..<2 {
      above = Room.above(dial: dial, gate: gearbox.size)
      dial = max(min((height - 3 * margin - above) / 2, dial).rounded(.down), 1)
    }
    let both = height - 3 * margin - above
    let wheel = cornerWheel(
      max(min(both - dial, room - margin - stopSide, height * panel.rightHeight).rounded(.down), 1))
    let cluster = Rect(x: left, y: margin, width: dial, height: (above + dial).rounded())
    let notice = Rect(
      x: cluster.maxX + margin, y: margin, width: max(width - 2 * margin - cluster.maxX, 1),
      height: max(wheel.minY - 2 * margin, 1))
    return Parts(
      gearbox: gearbox, wheel: wheel, cluster: cluster, notice: notice,
      stop: stop(x: (left + wheel.minX - margin - stopSide) / 2, y: height - margin - stopSide),
      dashboardEdge: cluster.maxY - dial + dial * panel.dashboardEdge)
  }

  /// The same arrangement with a smaller dial and wheel, each at its foot: a picture lies behind them.
  func opened(_ parts: Parts) -> Parts {
    let dial = max((parts.dial * 0.56).rounded(), min(parts.dial, Room.leastOpenDial))
    let above = Room.above(dial: dial, gate: parts.gearbox.size)
    let height = min((dial + above).rounded(), parts.cluster.height)
    let side = max((parts.wheel.width * 0.8).rounded(), min(parts.wheel.width, Room.leastOpenDial))
    return Parts(
      gearbox: parts.gearbox,
      wheel: Rect(x: parts.wheel.maxX - side, y: parts.wheel.maxY - side, width: side, height: side),
      cluster: Rect(
        x: (parts.cluster.midX - dial / 2).rounded(), y: parts.cluster.maxY - height, width: dial, height: height),
      notice: parts.notice, stop: parts.stop, dashboardEdge: parts.dashboardEdge)
  }

  /// The diameter of a dial below which its gear is hard to read.
  private static let leastOpenDial = 180.0

  /// Other windows: gate and wheel at the bottom, within the thumbs' reach, and the instruments in the rest.
  var stack: Parts {
    // The gate's height without a wheel; a wheel may make it higher, but not wider.
    let least = max(min(Room.wholeGate, height * 0.52), height * 0.45)
    let gateWidth = gateWidth(height: least, most: width * panel.stackedLeftWidth)
    let diameter = max(
      min(width - gateWidth - 3 * margin, height * panel.stackedRightHeight).rounded(.down), 1)
    let controls = max(diameter + margin + Room.noticeHeight, least).rounded()
    let top = height - margin - controls
    let gearbox = Rect(x: margin, y: top, width: gateWidth, height: controls)
    let wheel = cornerWheel(diameter)
    let cluster = Rect(
      x: margin, y: margin, width: max(width - 2 * margin, 1), height: max(top - 2 * margin, 1))
    return Parts(
      gearbox: gearbox, wheel: wheel, cluster: cluster, notice: notice(above: wheel, beside: gearbox),
      stop: stop(x: cluster.maxX - stopSide, y: cluster.maxY - stopSide),
      dashboardEdge: cluster.maxY + margin / 2)
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

  /// True while a picture lies behind everything: dial and wheel are smaller.
  var leavesView = false { didSet { if leavesView != oldValue { setNeedsLayout() } } }

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
