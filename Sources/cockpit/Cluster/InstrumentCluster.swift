import CockpitControls
import Controls
import UICore

/// The sizes of the scene's smaller texts in points; the dial's gear and digits are the two large ones.
nonisolated struct TextSizes: Hashable {
  /// Numbers of scales, words of lamps, units.
  var label = 12.0
  /// The wheel's angle, and the gate's letters.
  var value = 12.0
}

/// The panel between gearbox and wheel. It shows the controls' values and the car's reaction.
@ListsProperties
final class InstrumentCluster: PassiveView {
  let speedometer = Speedometer()
  let brake = TellTale(name: "brake", word: \.brake, color: \.red)
  let beacon = Beacon()
  /// The telemetry row; created when telemetry is first shown.
  private(set) var telemetry: TelemetryPanel?
  /// The lamp of tilt steering; nil unless `showsTilt`.
  private(set) var tilt: TiltLamp?

  var showsTilt: Bool {
    get { tilt != nil }
    set {
      guard newValue != showsTilt else { return }
      tilt?.removeFromSuperview()
      tilt = newValue ? TiltLamp() : nil
      if let tilt { addSubview(tilt) }
      // The lamp can be tapped; the instruments let fingers through in any case.
      isUserInteractionEnabled = newValue
      setNeedsLayout()
    }
  }

  /// The sizes of the instruments' texts, the same as those of the gate.
  var sizes = TextSizes() {
    didSet {
      guard sizes != oldValue else { return }
      speedometer.sizes = sizes
      setNeedsLayout()
    }
  }
  var steering: SteeringIndicator { speedometer.steering }

  init() {
    super.init("cluster")
    for view in [speedometer, brake, beacon] { addSubview(view) }
  }

  func showTelemetry(_ content: TelemetryPanel.Content) {
    if telemetry == nil {
      let panel = TelemetryPanel()
      telemetry = panel
      addSubview(panel)
      setNeedsLayout()
    }
    telemetry?.content = content
  }

  private static func gap(_ sizes: TextSizes) -> Double { max((sizes.label * 0.8).rounded(), 6) }

  /// The heights of the two lamps of a drive and of a telemetry row above a dial, with the distances below them.
  static func heightsAboveDial(width: Double, sizes: TextSizes) -> (lamps: Double, telemetry: Double) {
    let lamps = rows(of: 2, hasWords: true, width: width, sizes).height
    return (lamps + gap(sizes), telemetryHeight(width: width, sizes))
  }

  private var lamps: [View] { [beacon, brake] + (tilt.map { [$0] } ?? []) }

  /// The number of lamps in a row, and the height of all rows, of `count` lamps in a cluster of this width.
  private static func rows(
    of count: Int, hasWords: Bool, width: Double, _ sizes: TextSizes
  ) -> (inRow: Int, height: Double) {
    let gap = gap(sizes)
    // A lamp has space for ten letters; where the dial is narrow, they need more than one row.
    let least = sizes.label * (hasWords ? 6.9 : 5.5)
    let fitting = max(Int((width + gap) / (least + gap)), 1)
    let inRow = count <= fitting ? count : min(fitting, (count + 1) / 2)
    let rows = Double((count + inRow - 1) / inRow)
    return (inRow, rows * Lamp.height(fontSize: sizes.label) + (rows - 1) * gap)
  }

  /// The height of a telemetry row with the distance below it.
  private static func telemetryHeight(width: Double, _ sizes: TextSizes) -> Double {
    TelemetryPanel.height(width: width, row: Lamp.height(fontSize: sizes.label)) + gap(sizes)
  }

  /// The number of lamps in a row, the height of all rows, and that of a telemetry row with the distance below it, in a cluster of this
  /// width.
  private func heights(width: Double) -> (inRow: Int, lamps: Double, telemetry: Double) {
    let rows = InstrumentCluster.rows(of: lamps.count, hasWords: beacon.status != nil, width: width, sizes)
    return (rows.inRow, rows.height, telemetry == nil ? 0 : InstrumentCluster.telemetryHeight(width: width, sizes))
  }

  /// The frame of the dial in a cluster of `size`: at the bottom, as large as possible.
  func dialFrame(in size: Size) -> Rect {
    let (_, lampsHeight, telemetryHeight) = heights(width: size.width)
    let room = max(size.height - lampsHeight - InstrumentCluster.gap(sizes) - telemetryHeight, 1)
    let side = min(size.width, room).rounded(.down)
    return Rect(x: ((size.width - side) / 2).rounded(), y: size.height - side, width: side, height: side)
  }

  /// Lays out the dial at the bottom; above it the lamps, and above these a vehicle's telemetry.
  override func layoutSubviews() {
    let gap = InstrumentCluster.gap(sizes)
    let lampHeight = Lamp.height(fontSize: sizes.label)
    let lamps = lamps
    let (inRow, lampsHeight, telemetryHeight) = heights(width: bounds.width)
    let side = dialFrame(in: bounds.size).height
    if speedometer.frame != dialFrame(in: bounds.size) {
      speedometer.frame = dialFrame(in: bounds.size)
      // The dashboard's hood follows the dial.
      superview?.setNeedsLayout()
    }
    let lampWidth = min(
      (sizes.label * 7.2).rounded(), ((bounds.width - Double(inRow - 1) * gap) / Double(inRow)).rounded(.down))
    let top = bounds.height - side - gap - lampsHeight
    // Lamps contain words, so they follow the reading direction.
    for (index, lamp) in lamps.enumerated() {
      let (row, column) = (index / inRow, Double(index % inRow))
      let count = Double(min(inRow, lamps.count - row * inRow))
      let left = ((bounds.width - count * lampWidth - (count - 1) * gap) / 2).rounded()
      lamp.frame = mirrored(
        Rect(
          x: left + column * (lampWidth + gap), y: top + Double(row) * (lampHeight + gap), width: lampWidth,
          height: lampHeight))
    }
    telemetry?.frame = Rect(
      x: 0, y: top - telemetryHeight, width: bounds.width, height: max(telemetryHeight - gap, 0))
  }
}
