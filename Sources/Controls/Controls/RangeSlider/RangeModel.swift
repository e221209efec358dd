/// A range from `lower` to `upper` within `minimum` and `maximum`, no shorter and no longer than its spans allow (O2).
///
/// Whatever is set, in whatever order: `minimum <= lower <= upper <= maximum`, and the length is within `shortest` and
/// `longest` (R-D5, O-D3). NaN and infinity are ignored.
///
/// Each thumb is held by one finger, and one finger may hold the bar when no other holds anything (R-D10). A thumb that meets
/// the end of a span takes the other one along (O3). Two things stop it instead: another thumb that a finger holds, and the
/// other thumb itself where no minimum span is set (R15).
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
  public func value(of thumb: Thumb) -> Double { self[thumb] }

  /// Where one end lies on the axis, in points.
  public func position(of thumb: Thumb) -> Double { limits.position(of: value(of: thumb), on: axis) }

  private subscript(thumb: Thumb) -> Double {
    get { thumb == .lower ? low : high }
    set { if thumb == .lower { low = newValue } else { high = newValue } }
  }

  /// Between which values an end can be when the other one gives way (O15, O16).
  func reach(of thumb: Thumb) -> ClosedRange<Double> {
    reach(of: thumb, from: thumb == .lower ? maximum : minimum, longest: .infinity)
  }

  /// Between which values an end can be with the other one where it is.
  private func freeReach(of thumb: Thumb) -> ClosedRange<Double> {
    reach(of: thumb, from: self[thumb.other], longest: longest)
  }

  /// Between which values an end can be with the other one at `other`: no nearer than `shortest`, no further than `longest`.
  private func reach(of thumb: Thumb, from other: Double, longest: Double) -> ClosedRange<Double> {
    thumb == .lower
      ? limits.clamped(other - longest)...limits.clamped(other - shortest)
      : limits.clamped(other + shortest)...limits.clamped(other + longest)
  }

  /// Puts an end at `value`, or as near as it can be, and takes the other one along where the spans ask for it.
  mutating func place(_ thumb: Thumb, at value: Double) {
    let value = value.limited(to: reach(of: thumb))
    guard value != self[thumb] else { return }
    self[thumb] = value
    self[thumb.other] = self[thumb.other].limited(to: freeReach(of: thumb.other))
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
    low = low.limited(to: reach(of: .lower))
    high = high.limited(to: freeReach(of: .upper))
  }

  /// The points between two thumbs' middles under which they count as being in one place.
  private static let sameplace = 1.0

  /// True from a finger's begin to its end.
  public var isHeld: Bool { !holds.isEmpty }

  /// True while a finger holds the thumb, alone or with the bar.
  public func isHeld(_ thumb: Thumb) -> Bool {
    holds.contains { $0.part == .thumb(thumb) || $0.part == .bar || $0.part == .either }
  }

  /// True while a finger that moved holds something (O7).
  public var isDragging: Bool { holds.contains(where: \.grip.isDragging) }

  /// What a finger holds; nil when it holds nothing.
  public func part(heldBy id: TouchID) -> Part? { holds.first { $0.grip.id == id }?.part }

  // MARK: Taking hold

  /// The part that a finger at `position` would take: the nearer thumb within its reach, else the bar between them, else nothing
  /// (R13, O12).
  ///
  /// Of two thumbs in one place it is the one that can move, and where both can, the one that the finger then moves away
  /// from the other (R-D1, O-D8). A thumb that another finger holds is not taken, nor the bar while any is.
  ///
  /// `thumbLength` is the length of a drawn thumb along the axis, in points; `touchLength` that of a thumb for fingers, which
  /// between the thumbs leaves half of the gap to the bar.
  public func part(at position: Double, thumbLength: Double, touchLength: Double) -> Part? {
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

  /// Which of two thumbs in one place to take.
  private var overlapping: Part {
    guard shortest == 0, maximum > minimum else { return .either }
    if lower >= maximum { return .thumb(.lower) }
    return upper <= minimum ? .thumb(.upper) : .either
  }

  /// A finger takes `part` at `position`, without moving it. False, and nothing is taken, where the part is held already.
  @discardableResult
  public mutating func grab(_ part: Part, by id: TouchID, at position: Double) -> Bool {
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

  /// Makes a finger's press a drag once it has come far enough: three points from where it took hold. True when it became one
  /// now (O-D4).
  @discardableResult
  public mutating func beginDrag(_ id: TouchID, at position: Double) -> Bool {
    guard position.isFinite, let index = holds.firstIndex(where: { $0.grip.id == id }) else { return false }
    return holds[index].grip.begin(at: position)
  }

  /// True when a finger holds something and has come far enough to move it.
  public func isDragging(_ id: TouchID) -> Bool { holds.contains { $0.grip.id == id && $0.grip.isDragging } }

  // MARK: Moving

  /// A finger that holds something drags it to `position`, however far that is. True when that changed the range; by how
  /// much further past an end it is than before becomes `offsetTrend` (O6).
  @discardableResult
  public mutating func drag(_ id: TouchID, to position: Double) -> Bool {
    guard position.isFinite, let index = holds.firstIndex(where: { $0.grip.id == id }) else { return false }
    let old = (lower, upper)
    holds[index].grip.drag(to: position)
    let past = follow(index)
    trend = past - holds[index].overshoot
    holds[index].overshoot = past
    // A finger whose thumb was stopped by this one may go on now.
    for other in holds.indices where other != index && holds[other].grip.isDragging { _ = follow(other) }
    return old != (lower, upper)
  }

  /// Moves what a finger holds to where the finger wants it; what it wants beyond the ends.
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
    limits.settled(wanted - wanted.limited(to: reach), near: 0)
  }

  /// A person moves a thumb to `value`, or as near as what stands in its way lets it.
  private mutating func move(_ thumb: Thumb, to value: Double) {
    let (whole, free) = (reach(of: thumb), freeReach(of: thumb))
    let isHeldOther = isHeld(thumb.other)
    // How far it goes away from the other thumb, and towards it.
    let outwards = isHeldOther ? free : whole
    let inwards = isHeldOther || shortest == 0 ? free : whole
    place(
      thumb,
      at: thumb == .lower
        ? max(min(value, inwards.upperBound), outwards.lowerBound)
        : min(max(value, inwards.lowerBound), outwards.upperBound))
  }

  // MARK: Letting go

  /// A finger left, or was taken away: what it held stays where it is (R-D4).
  public mutating func release(_ id: TouchID) {
    holds.removeAll { $0.grip.id == id }
  }

  // MARK: Trend

  /// How far past an end the finger is that holds a part, in units of the value: negative below the minimum, positive above
  /// the maximum, 0 inside and when nothing is held. Of several fingers, the one that is furthest past.
  public var overshoot: Double {
    var furthest = 0.0
    for hold in holds where abs(hold.overshoot) > abs(furthest) { furthest = hold.overshoot }
    return furthest
  }

  /// By how much the last move of a finger changed its distance past an end, in units of the value: positive upwards,
  /// negative downwards, 0 for a move inside (O6). The trends of a drag add up to its `overshoot`, so a program that scrolls
  /// by each of them stays with the finger. Code never sets it (O-D2).
  public var offsetTrend: Double { trend }

  /// The trend, which is 0 from then on, until a finger moves again (O6).
  public mutating func getAndResetOffsetTrend() -> Double {
    defer { trend = 0 }
    return trend
  }

  // MARK: Keys

  /// A person moves a thumb by `steps` hundredths of the limits' length. True when that changed the range. A thumb that a
  /// finger holds stays in its hand.
  @discardableResult
  public mutating func step(_ thumb: Thumb, by steps: Double) -> Bool {
    guard steps.isFinite else { return false }
    return change(thumb) { $0.move(thumb, to: $0.value(of: thumb) + steps * $0.limits.length / 100) }
  }

  /// A person moves a thumb as far down or up as it goes with the other one where it is. True when that changed the range.
  @discardableResult
  public mutating func stepToEnd(_ thumb: Thumb, upwards: Bool) -> Bool {
    change(thumb) {
      let reach = $0.freeReach(of: thumb)
      $0.place(thumb, at: upwards ? reach.upperBound : reach.lowerBound)
    }
  }

  /// A person chooses a thumb's value in another way than by a place on the axis: the nearest that the limits and spans allow. True
  /// when that changed the range.
  @discardableResult
  public mutating func choose(_ thumb: Thumb, _ value: Double) -> Bool {
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
  /// Both ends, as in `(0.2 0.8)` (R22).
  public var description: String { "(\(lower) \(upper))" }
}
