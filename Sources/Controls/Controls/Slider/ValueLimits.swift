/// A scale of values. The minimum never exceeds the maximum, and neither is ever NaN or infinite (R-D5).
nonisolated public struct ValueLimits: Hashable, Sendable {
  /// The greatest number that sliders count with, either way: more is pulled in to it, so that no difference becomes
  /// infinite.
  public static let greatest = 1e100

  private var low = 0.0
  private var high = 1.0

  /// From 0 to 1.
  public init() {}

  /// From `minimum` to `maximum`; one that is NaN or infinite is ignored, and a maximum below the minimum becomes it.
  public init(minimum: Double, maximum: Double) {
    self.minimum = minimum
    self.maximum = max(maximum, low)
  }

  /// The least value; setting it above the maximum takes the maximum along. NaN and infinity change nothing.
  public var minimum: Double {
    get { low }
    set {
      guard let value = Self.usable(newValue) else { return }
      low = value
      high = max(high, value)
    }
  }

  /// The greatest value; setting it below the minimum takes the minimum along. NaN and infinity change nothing.
  public var maximum: Double {
    get { high }
    set {
      guard let value = Self.usable(newValue) else { return }
      high = value
      low = min(low, value)
    }
  }

  /// The distance from the minimum to the maximum.
  public var length: Double { high - low }

  /// `value` no further than `greatest` from 0; nil for NaN and infinity.
  static func usable(_ value: Double) -> Double? {
    value.isFinite ? min(max(value, -greatest), greatest) : nil
  }

  /// The value within the limits that is nearest to `value`.
  public func clamped(_ value: Double) -> Double { min(max(value, low), high) }

  /// How far `value` lies on the way from the minimum to the maximum, 0...1 inside; 0 where both are the same.
  public func fraction(of value: Double) -> Double { length > 0 ? (value - low) / length : 0 }

  /// Where `value` lies on `axis`, in points (R7, O10); outside of the limits, outside of the axis.
  public func position(of value: Double, on axis: SliderAxis) -> Double {
    length > 0 ? axis.start + axis.extent * (value - low) / length : axis.start
  }

  /// The value at `position` on `axis` (O10), also outside of the limits; nil where an axis without room, limits without
  /// length or a position that is none say nothing (R-D6).
  public func value(at position: Double, on axis: SliderAxis) -> Double? {
    guard position.isFinite, length > 0, abs(axis.extent) > 1e-9 else { return nil }
    return Self.usable(low + (position - axis.start) * length / axis.extent)
  }

  /// `value`, or `known` where they differ by no more than rounding does.
  func settled(_ value: Double, near known: Double) -> Double {
    abs(value - known) <= length * 1e-12 ? known : value
  }
}
