extension Int {
  /// The whole part of `value`, clamped to ±2^53, where every whole number is exact and sums do not overflow; NaN gives 0.
  /// `Int(_:)` traps on numbers outside its range, and a frame may be as large as any finite number.
  package init(clamping value: Double) {
    let limit = 9_007_199_254_740_992.0
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -limit), limit))
  }
}

extension Comparable {
  /// The value in `range` that is nearest to this one.
  @inlinable package func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
