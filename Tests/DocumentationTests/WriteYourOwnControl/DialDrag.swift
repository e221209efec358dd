// The control of docs/write-your-own-control.md: its arithmetic. The page quotes this file; a test compares them.

/// A finger that turns a dial: no view, no drawing, so a table of numbers tests it.
nonisolated struct DialDrag {
  /// Degrees from the lowest value, clockwise, to the highest; the gap is at the bottom.
  static let sweep = 270.0

  private let startValue: Double
  private var lastAngle: Double
  private var turned = 0.0

  /// A finger that comes down at `angle`, in degrees clockwise from the top, while the dial shows `value`, 0...1.
  init(value: Double, angle: Double) {
    startValue = value
    lastAngle = angle
  }

  /// The dial's value, 0...1, when the finger has gone on to `angle`.
  ///
  /// The finger's way is summed up and clamped only in the answer: who turns past the end and comes back finds the mark
  /// under the finger again. The shorter way round is taken, so nothing jumps where 180 degrees become -180.
  mutating func move(to angle: Double) -> Double {
    var way = (angle - lastAngle).truncatingRemainder(dividingBy: 360)
    if way > 180 { way -= 360 }
    if way < -180 { way += 360 }
    turned += way
    lastAngle = angle
    return min(max(startValue + turned / Self.sweep, 0), 1)
  }
}
