// The instruments together: speedometer, steering, tell-tales.

import Controls
import Interface

/// The panel between gearbox and wheel. It shows what the controls do and what the car makes of it.
final class InstrumentCluster: View {
  let speedometer: Speedometer
  let steering: SteeringIndicator
  let brake: TellTale
  let beacon: Beacon

  init(theme: CockpitTheme) {
    speedometer = Speedometer(theme: theme)
    steering = SteeringIndicator(theme: theme)
    brake = TellTale(word: "BRAKE", color: theme.red, theme: theme)
    beacon = Beacon(theme: theme)
    super.init(frame: .zero)
    name = "cluster"
    isUserInteractionEnabled = false
    for view in [speedometer, steering, brake, beacon] { addSubview(view) }
  }

  /// Lamps above, the dial in the middle, the steering bar below; side by side where the panel is wide and low.
  override func layoutSubviews() {
    let area = bounds
    let gap = max((min(area.width, area.height) * 0.04).rounded(), 6)
    let lampHeight = (min(area.width, area.height) * 0.1).rounded().clamped(to: 24...120)
    // Two lamps beside each other need room for their words; else they stand one above the other.
    let lampWidth = (lampHeight * 3.6).rounded()
    let isNarrow = area.width < 2 * lampWidth + gap
    let lampsWidth = isNarrow ? lampWidth : 2 * lampWidth + gap
    let lampsHeight = isNarrow ? 2 * lampHeight + gap : lampHeight
    let left = ((area.width - lampsWidth) / 2).rounded()
    beacon.frame = Rect(x: left, y: 0, width: lampWidth, height: lampHeight)
    brake.frame = Rect(
      x: isNarrow ? left : left + lampWidth + gap, y: isNarrow ? lampHeight + gap : 0, width: lampWidth,
      height: lampHeight)
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
