/// A range from `lower` to `upper` within `minimum` and `maximum`, no shorter and no longer than its spans allow (O2).
///
/// Whatever is set, in whatever order: `minimum <= lower <= upper <= maximum`, and the length is within `shortest` and
/// `longest` (R-D5, O-D3). NaN and infinity are ignored.
nonisolated public struct RangeModel: Hashable, Sendable {
  /// One end of the range.
  public enum Thumb: String, CaseIterable, Hashable, Sendable {
    /// The end with the smaller value.
    case lower
    /// The end with the greater value.
    case upper

    /// The other end.
    public var other: Thumb { self == .lower ? .upper : .lower }
  }

  /// What a finger can hold.
  public enum Part: Hashable, Sendable {
    /// One end.
    case thumb(Thumb)
    /// Both ends, keeping the length (O4).
    case bar
    /// One of two ends that lie on each other: which one, the finger's first motion says (R-D1).
    case either
  }

  /// The finger on a part.
  struct Hold: Hashable, Sendable {
    let id: TouchID
    var part: Part
    var grip: SliderGrip
    /// The range's length when it was taken.
    let span: Double
    /// How far past an end the finger is, in units of the value.
    var overshoot = 0.0
  }

  private(set) var limits = ValueLimits()
  private var low = 0.2
  private var high = 0.8
  private var leastSpan = 0.0
  private var greatestSpan: Double?
  var holds: [Hold] = []
  var trend = 0.0

  /// Where the values lie on the screen. When it changes under a finger, what it holds goes where the finger is with its
  /// next motion.
  public var axis: SliderAxis

  /// From 0.2 to 0.8 within 0 and 1, of any length (R2).
  public init(axis: SliderAxis = SliderAxis(start: 0, extent: 1)) {
    self.axis = axis
  }

  /// The longest range that the spans allow, beginning at the minimum; from 0.1 to 0.7 long where no spans are
  /// given (O11).
  public init(
    minimum: Double, maximum: Double, minimumSpan: Double = 0.1, maximumSpan: Double? = 0.7,
    axis: SliderAxis = SliderAxis(start: 0, extent: 1)
  ) {
    self.axis = axis
    limits = ValueLimits(minimum: minimum, maximum: maximum)
    self.minimumSpan = minimumSpan
    self.maximumSpan = maximumSpan
    low = limits.minimum
    high = min(low + longest, limits.maximum)
  }

  // MARK: Limits

  /// The least value of `lower`; setting it above the maximum takes the maximum along.
  public var minimum: Double {
    get { limits.minimum }
    set {
      limits.minimum = newValue
      settle()
    }
  }

  /// The greatest value of `upper`; setting it below the minimum takes the minimum along.
  public var maximum: Double {
    get { limits.maximum }
    set {
      limits.maximum = newValue
      settle()
    }
  }

  /// The least length as asked for: 0 by default, negative counts as 0. See `shortest`.
  public var minimumSpan: Double {
    get { leastSpan }
    set {
      guard let value = ValueLimits.usable(newValue) else { return }
      leastSpan = max(value, 0)
      settle()
    }
  }

  /// The greatest length as asked for; negative counts as 0. Nil, the default, is from the minimum to the maximum (O-D1).
  /// See `longest`.
  public var maximumSpan: Double? {
    get { greatestSpan }
    set {
      guard let newValue else {
        greatestSpan = nil
        return
      }
      guard let value = ValueLimits.usable(newValue) else { return }
      greatestSpan = max(value, 0)
      settle()
    }
  }

  /// The least length that counts: `minimumSpan`, as far as the limits have room for it (O-D3).
  public var shortest: Double { min(leastSpan, limits.length) }

  /// The greatest length that counts: `maximumSpan`, as far as the limits have room for it, and never less than `shortest`:
  /// where the two spans contradict each other, the minimum is stronger (O-D3).
  public var longest: Double { max(min(greatestSpan ?? limits.length, limits.length), shortest) }

  // MARK: Values

  /// The smaller end. Setting it keeps it within the limits and takes the other end along where the spans ask for it (O15).
  public var lower: Double {
    get { low }
    set { if newValue.isFinite { place(.lower, at: newValue) } }
  }

  /// The greater end. Setting it keeps it within the limits and takes the other end along where the spans ask for it (O16).
  public var upper: Double {
    get { high }
    set { if newValue.isFinite { place(.upper, at: newValue) } }
  }

  /// One end's value.
  public func value(of thumb: Thumb) -> Double { thumb == .lower ? low : high }

  /// Where one end lies on the axis, in points.
  public func position(of thumb: Thumb) -> Double { limits.position(of: value(of: thumb), on: axis) }

  /// Between which values an end can be when the other one gives way (O15, O16).
  func reach(of thumb: Thumb) -> ClosedRange<Double> {
    switch thumb {
    case .lower: minimum...max(minimum, maximum - shortest)
    case .upper: min(maximum, minimum + shortest)...maximum
    }
  }

  /// Puts an end at `value`, or as near as it can be, and takes the other one along where the spans ask for it.
  mutating func place(_ thumb: Thumb, at value: Double) {
    let reach = reach(of: thumb)
    let value = min(max(value, reach.lowerBound), reach.upperBound)
    guard value != self.value(of: thumb) else { return }
    switch thumb {
    case .lower:
      low = value
      if value < high - longest {
        high = value + longest
      } else if value > high - shortest {
        high = value + shortest
      }
      high = min(max(high, value), maximum)
    case .upper:
      high = value
      if value > low + longest {
        low = value - longest
      } else if value < low + shortest {
        low = value - shortest
      }
      low = max(min(low, value), minimum)
    }
  }

  /// Puts both ends at once: `span` apart, the lower one at `value` or as near as it can be (O17).
  mutating func placeBar(lower value: Double, span: Double) {
    let span = min(max(span, shortest), longest)
    let lower = max(min(value, maximum - span), minimum)
    guard lower != low || abs(high - low - span) > limits.length * 1e-12 else { return }
    low = lower
    high = min(lower + span, maximum)
  }

  /// Brings the ends back within limits and spans that changed. The lower end gives way only where it must.
  private mutating func settle() {
    let reach = reach(of: .lower)
    let lower = min(max(low, reach.lowerBound), reach.upperBound)
    let upper = min(max(high, lower + shortest), lower + longest)
    low = lower
    high = min(max(upper, lower), maximum)
  }
}

nonisolated extension RangeModel: CustomStringConvertible {
  /// Both ends, as in `(0.2 0.8)` (R22).
  public var description: String { "(\(lower) \(upper))" }
}
