/// A scale of values. The minimum never exceeds the maximum, and neither is ever NaN or infinite.
nonisolated package struct ValueLimits: Hashable, Sendable {
  /// The greatest magnitude that sliders use; larger numbers are clamped to it, so that no difference becomes infinite.
  package static let greatest = 1e100

  private var low = 0.0
  private var high = 1.0

  /// From `minimum` to `maximum`. A limit that is NaN or infinite is ignored, and a maximum below the minimum becomes equal to
  /// it.
  package init(minimum: Double = 0, maximum: Double = 1) {
    self.minimum = minimum
    self.maximum = max(maximum, low)
  }

  /// The least value; setting it above the maximum raises the maximum too. NaN and infinity change nothing.
  package var minimum: Double {
    get { low }
    set { if let value = Self.usable(newValue) { (low, high) = (value, max(high, value)) } }
  }

  /// The greatest value; setting it below the minimum lowers the minimum too. NaN and infinity change nothing.
  package var maximum: Double {
    get { high }
    set { if let value = Self.usable(newValue) { (low, high) = (min(low, value), value) } }
  }

  package var length: Double { high - low }

  /// `value` clamped to `greatest` from 0; nil for NaN and infinity.
  static func usable(_ value: Double) -> Double? {
    value.isFinite ? value.clamped(to: -greatest...greatest) : nil
  }

  package func clamped(_ value: Double) -> Double { value.clamped(to: low...high) }

  /// `value` as a fraction from the minimum to the maximum, 0...1 inside; 0 if both are the same.
  package func fraction(of value: Double) -> Double { length > 0 ? (value - low) / length : 0 }

  /// The position of `value` on `axis`, in points; outside of the limits, outside of the axis.
  package func position(of value: Double, on axis: TrackAxis) -> Double {
    length > 0 ? axis.start + axis.extent * (value - low) / length : axis.start
  }

  /// The value at `position` on `axis`, also outside of the limits; nil if the axis has no space, the limits have no length, or
  /// the position is not a number.
  package func value(at position: Double, on axis: TrackAxis) -> Double? {
    guard position.isFinite, length > 0, abs(axis.extent) > 1e-9 else { return nil }
    return Self.usable(low + (position - axis.start) * length / axis.extent)
  }

  /// `value`, or `known` where they differ by no more than rounding does.
  func withoutRounding(_ value: Double, near known: Double) -> Double {
    abs(value - known) <= length * 1e-12 ? known : value
  }
}

/// The line along which a track's thumbs run, in points from the control's left edge, or from its top edge if it is vertical.
nonisolated package struct TrackAxis: Hashable, Sendable {
  /// The position of the minimum.
  package let start: Double
  /// The points from the minimum to the maximum: negative if values grow leftwards or upwards, 0 if there is no space.
  package let extent: Double

  /// Creates an axis from its parts; a part that is not finite counts as 0.
  package init(start: Double, extent: Double) {
    self.start = start.isFinite ? start : 0
    self.extent = extent.isFinite ? extent : 0
  }
}
