extension Int {
  /// The whole part of `value`, at most 2^53 to either side, where every whole number is still exact and sums do not overflow;
  /// NaN gives 0. `Int(_:)` traps for numbers outside its range, and a frame may be as large as any finite number.
  package init(clamping value: Double) {
    let limit = 9_007_199_254_740_992.0
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -limit), limit))
  }
}
