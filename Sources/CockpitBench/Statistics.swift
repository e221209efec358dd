/// Medians and percentiles.
enum Statistics {
  /// The value that `part` (0 to 1) of `values` do not exceed; nil when there are none.
  static func percentile(_ part: Double, _ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))]
  }

  /// The middle value.
  static func median(_ values: [Double]) -> Double? { percentile(0.5, values) }
}
