import Controls
import UICore

/// The panel between gearbox and wheel. It shows the controls' values and the car's reaction.
final class InstrumentCluster: PassiveView {
  let speedometer = Speedometer()
  let steering = SteeringIndicator()
  let brake = TellTale(name: "brake", word: \.brake, color: \.red)
  let beacon = Beacon()
  /// The row of telemetry; made when telemetry is first shown.
  private(set) var telemetry: TelemetryPanel?
  /// The lamp of tilt steering; nil where nothing tilts.
  private(set) var tilt: TiltLamp?

  /// True when tilting steers, so that there is a lamp for it.
  var showsTilt: Bool {
    get { tilt != nil }
    set {
      guard newValue != showsTilt else { return }
      tilt?.removeFromSuperview()
      tilt = newValue ? TiltLamp() : nil
      if let tilt { addSubview(tilt) }
      // The lamp is tapped; the instruments let fingers through in any case.
      isUserInteractionEnabled = newValue
      setNeedsLayout()
    }
  }

  init() {
    super.init("cluster")
    for view in [speedometer, steering, brake, beacon] { addSubview(view) }
  }

  /// Shows a vehicle's telemetry.
  func showTelemetry(_ content: TelemetryPanel.Content) {
    if telemetry == nil {
      let panel = TelemetryPanel()
      telemetry = panel
      addSubview(panel)
      setNeedsLayout()
    }
    telemetry?.content = content
  }

  /// Lamps above, the dial in the middle, the steering bar below, and at the bottom a vehicle's telemetry.
  override func layoutSubviews() {
    let whole = bounds
    let gap = max((min(whole.width, whole.height) * 0.04).rounded(), 6)
    let lampHeight = (min(whole.width, whole.height) * 0.1).rounded().clamped(to: 24...120)
    var area = whole
    if let telemetry {
      let height = TelemetryPanel.height(width: whole.width, row: lampHeight)
      area.size.height = max(whole.height - height - gap, 1)
      telemetry.frame = Rect(x: 0, y: whole.height - height, width: whole.width, height: height)
    }
    // Lamps beside each other need room for their words; else they stand one above the other.
    let lamps: [View] = [beacon, brake] + (tilt.map { [$0] } ?? [])
    let count = Double(lamps.count)
    let share = ((area.width - (count - 1) * gap) / count).rounded(.down)
    let isNarrow = share < lampHeight * (count == 2 ? 3.6 : 2.9)
    let lampWidth = isNarrow ? (lampHeight * 3.6).rounded() : min((lampHeight * 3.6).rounded(), share)
    let lampsWidth = isNarrow ? lampWidth : count * lampWidth + (count - 1) * gap
    let lampsHeight = isNarrow ? count * lampHeight + (count - 1) * gap : lampHeight
    let left = ((area.width - lampsWidth) / 2).rounded()
    // Lamps are words: they follow each other as people read.
    for (index, lamp) in lamps.enumerated() {
      let place = Double(index)
      lamp.frame = mirrored(
        Rect(
          x: isNarrow ? left : left + place * (lampWidth + gap), y: isNarrow ? place * (lampHeight + gap) : 0,
          width: lampWidth, height: lampHeight))
    }
    let barHeight = (lampHeight * 1.5).rounded()
    let room = max(area.height - lampsHeight - barHeight - 2 * gap, 1)
    let side = min(area.width, room).rounded(.down)
    let top = lampsHeight + gap + ((room - side) / 2).rounded()
    speedometer.frame = Rect(x: ((area.width - side) / 2).rounded(), y: top, width: side, height: side)
    let barWidth = min(area.width, side * 1.1).rounded()
    steering.frame = Rect(
      x: ((area.width - barWidth) / 2).rounded(), y: min(top + side + gap, area.height - barHeight), width: barWidth,
      height: barHeight)
  }
}
