/// A range from `lower` to `upper` within `minimum` and `maximum`, no shorter and no longer than its spans allow.
///
/// Whatever is set, in whatever order: `minimum <= lower <= upper <= maximum`, and the length is within `shortest` and
/// `longest`. NaN and infinity are ignored.
///
/// Each thumb is held by one finger, and one finger may hold the bar if no other holds anything. A thumb that reaches the limit
/// of a span moves the other thumb too. It stops instead at a thumb that a finger holds, and at the other thumb if no minimum
/// span is set.
nonisolated package struct RangeModel: Hashable, Sendable {
  package typealias Thumb = RangeSlider.Thumb

  /// The parts that a finger can hold.
  package enum Part: Hashable, Sendable {
    /// One end.
    case thumb(Thumb)
    /// Both ends, keeping the length.
    case bar
    /// One of two ends at the same position; the finger's first motion decides which.
    case either
  }

  /// The finger on a part.
  struct Hold: Hashable, Sendable {
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

  /// The axis of the values on the screen. If it changes under a finger, the held part jumps to the finger with its next
  /// motion.
  package var axis: SliderAxis

  /// From 0.2 to 0.8 within 0 and 1, of any length.
  package init(axis: SliderAxis = SliderAxis(start: 0, extent: 1)) {
    self.axis = axis
  }

  /// The longest range that the spans allow, beginning at the minimum; by default the spans are 0.1 and 0.7.
  package init(
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

  /// The least value of `lower`; setting it above the maximum raises the maximum too.
  package var minimum: Double {
    get { limits.minimum }
    set {
      limits.minimum = newValue
      limitEnds()
    }
  }

  /// The greatest value of `upper`; setting it below the minimum lowers the minimum too.
  package var maximum: Double {
    get { limits.maximum }
    set {
      limits.maximum = newValue
      limitEnds()
    }
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
      guard let newValue else {
        greatestSpan = nil
        return
      }
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

  // MARK: Values

  /// The smaller end. Setting it keeps it within the limits and moves the other end too if the spans require it.
  package var lower: Double {
    get { low }
    set { if newValue.isFinite { place(.lower, at: newValue) } }
  }

  /// The greater end. Setting it keeps it within the limits and moves the other end too if the spans require it.
  package var upper: Double {
    get { high }
    set { if newValue.isFinite { place(.upper, at: newValue) } }
  }

  /// One end's value.
  package func value(of thumb: Thumb) -> Double { self[thumb] }

  /// The position of one end on the axis, in points.
  package func position(of thumb: Thumb) -> Double { limits.position(of: value(of: thumb), on: axis) }

  private subscript(thumb: Thumb) -> Double {
    get { thumb == .lower ? low : high }
    set { if thumb == .lower { low = newValue } else { high = newValue } }
  }

  /// The values that an end can have if the other end gives way.
  func reach(of thumb: Thumb) -> ClosedRange<Double> {
    reach(of: thumb, from: thumb == .lower ? maximum : minimum, longest: .infinity)
  }

  /// The values that an end can have if the other end stays.
  private func freeReach(of thumb: Thumb) -> ClosedRange<Double> {
    reach(of: thumb, from: self[thumb.other], longest: longest)
  }

  /// The values that an end can have with the other end at `other`: no nearer than `shortest`, no further than `longest`.
  private func reach(of thumb: Thumb, from other: Double, longest: Double) -> ClosedRange<Double> {
    thumb == .lower
      ? limits.clamped(other - longest)...limits.clamped(other - shortest)
      : limits.clamped(other + shortest)...limits.clamped(other + longest)
  }

  /// Moves an end to `value`, or as near as possible, and moves the other end too if the spans require it.
  mutating func place(_ thumb: Thumb, at value: Double) {
    let value = value.limited(to: reach(of: thumb))
    guard value != self[thumb] else { return }
    self[thumb] = value
    self[thumb.other] = self[thumb.other].limited(to: freeReach(of: thumb.other))
  }

  /// Moves both ends at once: `span` apart, the lower one at `value` or as near as possible.
  mutating func placeBar(lower value: Double, span: Double) {
    let span = min(max(span, shortest), longest)
    let lower = max(min(value, maximum - span), minimum)
    guard lower != low || abs(high - low - span) > limits.length * 1e-12 else { return }
    low = lower
    high = min(lower + span, maximum)
  }

  /// Brings the ends back within limits and spans that changed. The lower end gives way only if it must.
  private mutating func limitEnds() {
    low = low.limited(to: reach(of: .lower))
    high = high.limited(to: freeReach(of: .upper))
  }

  /// The distance between two thumbs' middles, in points, below which they count as at the same position.
  private static let sameplace = 1.0

  /// True from a finger's begin to its end.
  package var isHeld: Bool { !holds.isEmpty }

  /// True while a finger holds the thumb, alone or with the bar.
  package func isHeld(_ thumb: Thumb) -> Bool {
    holds.contains { $0.part == .thumb(thumb) || $0.part == .bar || $0.part == .either }
  }

  /// True while a finger that moved holds a part.
  package var isDragging: Bool { holds.contains(where: \.grip.isDragging) }

  /// The part that a finger holds; nil if it holds none.
  package func part(heldBy id: TouchID) -> Part? { holds.first { $0.grip.id == id }?.part }

  // MARK: Taking hold

  /// The part that a finger at `position` would take: the nearer thumb within its reach, otherwise the bar between them,
  /// otherwise nil.
  ///
  /// Of two thumbs at the same position it is the one that can move; if both can, the finger's first motion decides. A thumb
  /// that another finger holds is not taken, nor is the bar while any is held.
  ///
  /// `thumbLength` is the length of a drawn thumb along the axis, in points; `touchLength` is that of a thumb for fingers,
  /// which between the thumbs leaves half of the gap to the bar.
  package func part(at position: Double, thumbLength: Double, touchLength: Double) -> Part? {
    guard position.isFinite, !holds.contains(where: { $0.part == .bar || $0.part == .either }) else { return nil }
    let distance = Thumb.allCases.map { abs(self.position(of: $0) - position) }
    let (low, high) = (self.position(of: .lower), self.position(of: .upper))
    let isBetween = position > min(low, high) && position < max(low, high)
    let outer = max(thumbLength, touchLength) / 2
    let gap = max(abs(high - low) - thumbLength, 0)
    let reach = isBetween ? min(outer, thumbLength / 2 + gap / 4) : outer
    let free = zip(Thumb.allCases, distance).filter { $1 <= reach && !isHeld($0) }
    if free.count == 2, abs(distance[0] - distance[1]) < Self.sameplace { return overlapping }
    if let nearest = free.min(by: { $0.1 < $1.1 }) { return .thumb(nearest.0) }
    return isBetween && !isHeld ? .bar : nil
  }

  /// Which of two thumbs at the same position to take.
  private var overlapping: Part {
    guard shortest == 0, maximum > minimum else { return .either }
    if lower >= maximum { return .thumb(.lower) }
    return upper <= minimum ? .thumb(.upper) : .either
  }

  /// A finger takes `part` at `position`, without moving it. False, and nothing is taken, where the part is held already.
  @discardableResult
  package mutating func grab(_ part: Part, by id: TouchID, at position: Double) -> Bool {
    guard position.isFinite, !holds.contains(where: { $0.grip.id == id }) else { return false }
    let thumb: Thumb
    switch part {
    case .thumb(let one):
      guard !isHeld(one) else { return false }
      thumb = one
    case .bar, .either:
      guard !isHeld else { return false }
      thumb = .lower
    }
    let grip = SliderGrip(id, at: position, value: value(of: thumb), limits: limits, axis: axis)
    holds.append(Hold(part: part, grip: grip, span: upper - lower))
    return true
  }

  /// Makes a finger's press a drag once it has moved three points from where it took hold. Returns true if it became one now.
  @discardableResult
  package mutating func beginDrag(_ id: TouchID, at position: Double) -> Bool {
    guard position.isFinite, let index = holds.firstIndex(where: { $0.grip.id == id }) else { return false }
    return holds[index].grip.begin(at: position)
  }

  /// True if a finger holds a part and has moved far enough to drag it.
  package func isDragging(_ id: TouchID) -> Bool { holds.contains { $0.grip.id == id && $0.grip.isDragging } }

  // MARK: Moving

  /// A finger that holds a part drags it to `position`, at any distance. Returns true if that changed the range. `offsetTrend`
  /// becomes the increase of its distance past an end.
  @discardableResult
  package mutating func drag(_ id: TouchID, to position: Double) -> Bool {
    guard position.isFinite, let index = holds.firstIndex(where: { $0.grip.id == id }) else { return false }
    let old = (lower, upper)
    holds[index].grip.drag(to: position)
    let past = follow(index)
    trend = past - holds[index].overshoot
    holds[index].overshoot = past
    // A finger whose thumb was stopped by this one may now move on.
    for other in holds.indices where other != index && holds[other].grip.isDragging { _ = follow(other) }
    return old != (lower, upper)
  }

  /// Moves the held part to the position that the finger requests, and returns the part of the request beyond the ends.
  private mutating func follow(_ index: Int) -> Double {
    guard var wanted = holds[index].grip.wanted(limits, axis) else { return 0 }
    if holds[index].part == .either {
      let start = holds[index].grip.startValue
      guard wanted != start else { return 0 }
      let thumb: Thumb = wanted > start ? .upper : .lower
      holds[index].part = .thumb(thumb)
      holds[index].grip.take(value(of: thumb), limits, axis)
      wanted = holds[index].grip.wanted(limits, axis) ?? wanted
    }
    switch holds[index].part {
    case .thumb(let thumb):
      move(thumb, to: wanted)
      return excess(of: wanted, beyond: reach(of: thumb))
    case .bar:
      let span = min(max(holds[index].span, shortest), longest)
      placeBar(lower: wanted, span: span)
      return excess(of: wanted, beyond: minimum...max(minimum, maximum - span))
    case .either: return 0
    }
  }

  private func excess(of wanted: Double, beyond reach: ClosedRange<Double>) -> Double {
    limits.withoutRounding(wanted - wanted.limited(to: reach), near: 0)
  }

  /// A user moves a thumb to `value`, or as near as the limits and the other thumb allow.
  private mutating func move(_ thumb: Thumb, to value: Double) {
    let (whole, free) = (reach(of: thumb), freeReach(of: thumb))
    let isHeldOther = isHeld(thumb.other)
    // How far it moves away from the other thumb, and towards it.
    let outwards = isHeldOther ? free : whole
    let inwards = isHeldOther || shortest == 0 ? free : whole
    place(
      thumb,
      at: thumb == .lower
        ? max(min(value, inwards.upperBound), outwards.lowerBound)
        : min(max(value, inwards.lowerBound), outwards.upperBound))
  }

  // MARK: Letting go

  /// A finger was lifted or cancelled: the part that it held stays where it is.
  package mutating func release(_ id: TouchID) {
    holds.removeAll { $0.grip.id == id }
  }

  // MARK: Trend

  /// How far past an end the finger is that holds a part, in units of the value: negative below the minimum, positive above the
  /// maximum, 0 inside and if nothing is held. With several fingers, that of the furthest.
  package var overshoot: Double {
    var furthest = 0.0
    for hold in holds where abs(hold.overshoot) > abs(furthest) { furthest = hold.overshoot }
    return furthest
  }

  /// The change of a finger's distance past an end by its last move, in units of the value: positive upwards, negative
  /// downwards, 0 for a move inside. The trends of a drag add up to its `overshoot`, so a program that scrolls by each of them
  /// stays with the finger. Code never sets it.
  package var offsetTrend: Double { trend }

  /// Returns the trend and resets it to 0 until a finger moves again.
  package mutating func getAndResetOffsetTrend() -> Double {
    defer { trend = 0 }
    return trend
  }

  // MARK: Keys

  /// A user moves a thumb by `steps` hundredths of the limits' length. Returns true if that changed the range. A thumb that a
  /// finger holds is not moved.
  @discardableResult
  package mutating func step(_ thumb: Thumb, by steps: Double) -> Bool {
    guard steps.isFinite else { return false }
    return change(thumb) { $0.move(thumb, to: $0.value(of: thumb) + steps * $0.limits.length / 100) }
  }

  /// A user moves a thumb as far down or up as it can go while the other thumb stays. Returns true if that changed the range.
  @discardableResult
  package mutating func stepToEnd(_ thumb: Thumb, upwards: Bool) -> Bool {
    change(thumb) {
      let reach = $0.freeReach(of: thumb)
      $0.place(thumb, at: upwards ? reach.upperBound : reach.lowerBound)
    }
  }

  /// A user chooses a thumb's value directly, not by a position on the axis: the nearest value that the limits and spans allow.
  /// Returns true if that changed the range.
  @discardableResult
  package mutating func choose(_ thumb: Thumb, _ value: Double) -> Bool {
    value.isFinite && change(thumb) { $0.move(thumb, to: value) }
  }

  private mutating func change(_ thumb: Thumb, _ body: (inout RangeModel) -> Void) -> Bool {
    guard !isHeld(thumb) else { return false }
    let old = (lower, upper)
    body(&self)
    return old != (lower, upper)
  }
}

nonisolated extension RangeModel: CustomStringConvertible {
  /// Both ends, as in `(0.2 0.8)`.
  package var description: String { "(\(lower) \(upper))" }
}
