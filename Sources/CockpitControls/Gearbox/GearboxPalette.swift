/// The gate's colours. The default is the source article's ramp from yellow to red, kept for fidelity although two neighbours
/// break its order; letters and the knob's position show the same as the colour.
nonisolated public struct GearboxPalette: Hashable, Sendable {
  /// The lit colours of the forward rows, the fastest first. Gates with a different number of gears interpolate; an empty ramp
  /// lights nothing.
  public var forward: [Color]
  /// The colour of N's lines and letters while neutral is engaged.
  public var neutral: Color
  /// The colour of R's lines and letters while reverse is engaged.
  public var reverse: Color
  /// The colour of every row that is not lit.
  public var unlit: Color

  /// Creates a palette; omitted colours are the article's.
  public init(
    forward: [Color] = GearboxPalette.articleRamp, neutral: Color = Color(hex: 0xff0000),
    reverse: Color = Color(hex: 0x00ff00), unlit: Color = .white
  ) {
    self.forward = forward
    self.neutral = neutral
    self.reverse = reverse
    self.unlit = unlit
  }

  /// The ten lit colours of the article, the fastest gear's first.
  public static let articleRamp: [Color] = [
    0xff0000, 0xed5002, 0xf25102, 0xed5d03, 0xf27202, 0xf18a02, 0xf2a102, 0xf2b702, 0xecc202, 0xf2c602,
  ].map { Color(hex: $0) }

  /// The colour of `row` in a gate with `gearCount` forward gears while the knob is in `knobRow`. Forward rows are lit from the
  /// knob's down, N and R only while engaged.
  public func color(ofRow row: Int, knobRow: Int, gearCount: Int) -> Color {
    guard isLit(row: row, knobRow: knobRow, gearCount: gearCount) else { return unlit }
    if row == gearCount { return neutral }
    return row > gearCount ? reverse : litForward(row: row, gearCount: gearCount)
  }

  /// Whether a row is lit: forward rows at or below the knob's, N and R while the knob is in them.
  public func isLit(row: Int, knobRow: Int, gearCount: Int) -> Bool {
    row < gearCount ? knobRow <= row : knobRow == row
  }

  private func litForward(row: Int, gearCount: Int) -> Color {
    guard let last = forward.last else { return unlit }
    guard gearCount > 1, forward.count > 1 else { return row == 0 ? forward[0] : last }
    let place = Double(row.clamped(to: 0...gearCount - 1)) * Double(forward.count - 1) / Double(gearCount - 1)
    let index = min(Int(place), forward.count - 2)
    let share = place - Double(index)
    return share > 0 ? forward[index].mixed(with: forward[index + 1], share) : forward[index]
  }
}
