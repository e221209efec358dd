/// The values of a track's thumbs: a range from `lower` to `upper` within `minimum` and `maximum`, no shorter and no longer than
/// its spans allow. A track with one thumb has only the upper end; its range begins at the minimum.
///
/// Whatever is set, in whatever order: `minimum <= lower <= upper <= maximum`, and the length is within `shortest` and
/// `longest`. NaN and infinity are ignored.
nonisolated package struct TrackValues: Hashable, Sendable {
  package typealias Thumb = RangeSlider.Thumb

  /// One thumb at 0 within 0 and 1.
  package static let single = TrackValues(low: 0, high: 0, isRange: false)
  /// Two thumbs, from 0.2 to 0.8 within 0 and 1, at any distance.
  package static let pair = TrackValues(low: 0.2, high: 0.8, isRange: true)

  /// False if there is only one thumb, the upper one.
  let isRange: Bool
  private(set) var limits = ValueLimits()
  private var low: Double
  private var high: Double
  private var leastStep = 0.0
  private var leastSpan = 0.0
  private var greatestSpan: Double?

  private init(low: Double, high: Double, isRange: Bool) { (self.low, self.high, self.isRange) = (low, high, isRange) }

  /// The longest range that the spans allow, beginning at the minimum; by default the spans are 0.1 and 0.7.
  package init(minimum: Double, maximum: Double, minimumSpan: Double = 0.1, maximumSpan: Double? = 0.7) {
    self = .pair
    limits = ValueLimits(minimum: minimum, maximum: maximum)
    self.minimumSpan = minimumSpan
    self.maximumSpan = maximumSpan
    low = limits.minimum
    high = min(low + longest, limits.maximum)
  }

  // MARK: Limits

  package var minimum: Double {
    get { limits.minimum }
    set {
      limits.minimum = newValue
      limitEnds()
    }
  }

  package var maximum: Double {
    get { limits.maximum }
    set {
      limits.maximum = newValue
      limitEnds()
    }
  }

  /// The distance between the values that a user can choose, counted from the minimum; the maximum can always be chosen. 0, the
  /// default, is any value; negative counts as 0. Code may set values between.
  package var step: Double {
    get { leastStep }
    set { if newValue.isFinite { leastStep = max(newValue, 0) } }
  }

  /// The requested least length: 0 by default, negative counts as 0. See `shortest`.
  package var minimumSpan: Double {
    get { leastSpan }
    set {
      guard let value = ValueLimits.usable(newValue) else { return }
      leastSpan = max(value, 0)
      limitEnds()
    }
  }

  /// The requested greatest length; negative counts as 0. Nil, the default, is from the minimum to the maximum. See `longest`.
  package var maximumSpan: Double? {
    get { greatestSpan }
    set {
      guard let newValue else { return greatestSpan = nil }
      guard let value = ValueLimits.usable(newValue) else { return }
      greatestSpan = max(value, 0)
      limitEnds()
    }
  }

  /// The effective least length: `minimumSpan`, as far as it fits the limits.
  package var shortest: Double { min(leastSpan, limits.length) }

  /// The effective greatest length: `maximumSpan`, as far as it fits the limits, and never less than `shortest`. If the two
  /// spans contradict each other, the minimum wins.
  package var longest: Double { max(min(greatestSpan ?? limits.length, limits.length), shortest) }

  // MARK: Ends

  /// The smaller end. Setting it keeps it within the limits and moves the other end too if the spans require it.
  package var lower: Double {
    get { low }
    set { if newValue.isFinite { place(.lower, at: newValue) } }
  }

  /// The greater end, or the value of the only thumb. Setting it keeps it within the limits and moves the other end too if the
  /// spans require it.
  package var upper: Double {
    get { high }
    set { if newValue.isFinite { place(.upper, at: newValue) } }
  }

  package internal(set) subscript(thumb: Thumb) -> Double {
    get { thumb == .lower ? low : high }
    set { if thumb == .lower { low = newValue } else { high = newValue } }
  }

  /// One end as a fraction from the minimum to the maximum, 0...1.
  package func fraction(of thumb: Thumb) -> Double { limits.fraction(of: self[thumb]) }

  /// The values that an end can have if the other end gives way.
  func reach(of thumb: Thumb) -> ClosedRange<Double> {
    reach(of: thumb, from: thumb == .lower ? maximum : minimum, longest: .infinity)
  }

  /// The values that an end can have if the other end stays.
  func freeReach(of thumb: Thumb) -> ClosedRange<Double> {
    // As long as the limits is any length: their sum with an end may be a little less than the other end.
    reach(of: thumb, from: self[thumb.other], longest: longest < limits.length ? longest : .infinity)
  }

  /// The values that an end can have with the other end at `other`: no nearer than `shortest`, no further than `longest`.
  private func reach(of thumb: Thumb, from other: Double, longest: Double) -> ClosedRange<Double> {
    thumb == .lower
      ? limits.clamped(other - longest)...limits.clamped(other - shortest)
      : limits.clamped(other + shortest)...limits.clamped(other + longest)
  }

  /// Moves an end to `value`, or as near as possible, and moves the other end too if the spans require it.
  mutating func place(_ thumb: Thumb, at value: Double) {
    let value = value.clamped(to: reach(of: thumb))
    guard value != self[thumb] else { return }
    self[thumb] = value
    self[thumb.other] = self[thumb.other].clamped(to: freeReach(of: thumb.other))
  }

  /// Moves both ends at once: `span` apart, the lower one at `value` or as near as possible. Returns the values that the lower
  /// one can have.
  mutating func placeBar(lower value: Double, span: Double) -> ClosedRange<Double> {
    let span = span.clamped(to: shortest...longest)
    let reach = minimum...max(minimum, maximum - span)
    let lower = value.clamped(to: reach)
    if lower != low || abs(high - low - span) > limits.length * 1e-12 {
      (low, high) = (lower, min(lower + span, maximum))
    }
    return reach
  }

  /// Brings the ends back within limits and spans that changed. The lower end gives way only if it must.
  private mutating func limitEnds() {
    low = isRange ? low.clamped(to: reach(of: .lower)) : minimum
    high = high.clamped(to: freeReach(of: .upper))
  }

  // MARK: Steps

  /// The choosable value that is nearest to `value`.
  func choosable(_ value: Double) -> Double {
    let value = limits.clamped(value)
    guard leastStep > 0, value < maximum else { return value }
    let below = limits.clamped(minimum + ((value - minimum) / leastStep).rounded() * leastStep)
    return abs(maximum - value) < abs(below - value) ? maximum : below
  }

  /// The value `steps` steps from an end, or so many hundredths of the limits' length if there are no steps.
  func value(_ steps: Double, from thumb: Thumb) -> Double {
    guard leastStep > 0 else { return self[thumb] + steps * limits.length / 100 }
    // A value between two steps moves to the next step in that direction.
    let place = (self[thumb] - minimum) / leastStep
    let nearest = place.rounded()
    let start = abs(place - nearest) < 1e-9 ? nearest : steps > 0 ? place.rounded(.down) : place.rounded(.up)
    return minimum + (start + steps) * leastStep
  }
}

nonisolated extension TrackValues: CustomStringConvertible {
  package var description: String { "(\(lower) \(upper))" }
}
