/// The effect of fingers and keys on the values of a track.
///
/// Each thumb is held by one finger, and one finger may hold the bar between two thumbs if no other holds anything. A thumb that
/// reaches the limit of a span moves the other thumb too. It stops instead at a thumb that a finger holds, and at the other
/// thumb if no minimum span is set.
nonisolated package struct TrackModel: Hashable, Sendable {
  package typealias Thumb = TrackValues.Thumb

  package enum Part: Hashable, Sendable {
    /// One end.
    case thumb(Thumb)
    /// Both ends, keeping the length.
    case bar
    /// One of two ends at the same position; the finger's first motion decides which.
    case either
  }

  /// A finger's hold on a part. The requested value follows from the finger's position and how it took hold, never from the
  /// steps between. So nothing drifts, however often it moves, and past an end it finds the thumb again where it left it.
  private struct Grip: Hashable, Sendable {
    /// The travel along the axis, in points, that makes a press a drag.
    static let dragThreshold = 3.0

    let id: TouchID
    var part: Part
    /// The finger's position when it took hold, in points along the axis, and its last position.
    let startPosition: Double
    var position: Double
    /// The offset from the finger to the thumb's middle.
    var offset: Double
    var startValue: Double
    let span: Double
    /// How far past an end the finger is, in units of the value.
    var overshoot = 0.0
    var isDragging = false
  }

  /// The distance between two thumbs' middles, in points, below which they count as at the same position.
  private static let sameplace = 1.0

  package var values: TrackValues
  /// The axis of the values on the screen. If it changes under a finger, the held part jumps to the finger with its next
  /// motion.
  package var axis: TrackAxis
  private var grips: [Grip] = []

  /// The change of a finger's distance past an end by its last move, in units of the value: positive upwards, negative
  /// downwards, 0 for a move inside. The trends of a drag add up to its `overshoot`, so a program that scrolls by each of them
  /// stays with the finger. Code never sets it.
  package private(set) var offsetTrend = 0.0

  package init(_ values: TrackValues, axis: TrackAxis = TrackAxis(start: 0, extent: 1)) {
    (self.values, self.axis) = (values, axis)
  }

  /// The position of one end on the axis, in points.
  package func position(of thumb: Thumb) -> Double { values.limits.position(of: values[thumb], on: axis) }

  // MARK: Taking hold

  package var isHeld: Bool { !grips.isEmpty }

  var isBarHeld: Bool { grips.contains { $0.part == .bar } }

  /// True while a finger holds the thumb, alone or with the bar.
  package func isHeld(_ thumb: Thumb) -> Bool {
    grips.contains { $0.part == .thumb(thumb) || $0.part == .bar || $0.part == .either }
  }

  /// True while a finger that moved holds a part.
  package var isDragging: Bool { grips.contains(where: \.isDragging) }

  /// True if a finger holds a part and has moved far enough to drag it.
  package func isDragging(_ id: TouchID) -> Bool { grips.contains { $0.id == id && $0.isDragging } }

  package func part(heldBy id: TouchID) -> Part? { grips.first { $0.id == id }?.part }

  /// The part that a finger at `position` would take: the only thumb, wherever the finger is; of two, the nearer one within its
  /// reach, otherwise the bar between them, otherwise nil.
  ///
  /// Of two thumbs at the same position it is the one that can move; if both can, the finger's first motion decides. A thumb
  /// that another finger holds is not taken, nor is the bar while any is held.
  ///
  /// `thumbLength` is the length of a drawn thumb along the axis, in points; `touchLength` is that of a thumb for fingers,
  /// which between the thumbs leaves half of the gap to the bar.
  package func part(at position: Double, thumbLength: Double, touchLength: Double) -> Part? {
    guard values.isRange else { return .thumb(.upper) }
    guard position.isFinite, !grips.contains(where: { $0.part == .bar || $0.part == .either }) else { return nil }
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
    guard values.shortest == 0, values.maximum > values.minimum else { return .either }
    if values.lower >= values.maximum { return .thumb(.lower) }
    return values.upper <= values.minimum ? .thumb(.upper) : .either
  }

  /// A finger takes `part` at `position`, without moving it. False, and nothing is taken, where the part is held already.
  @discardableResult
  package mutating func grab(_ part: Part, by id: TouchID, at position: Double) -> Bool {
    guard position.isFinite, index(of: id) == nil else { return false }
    var thumb = Thumb.lower
    if case .thumb(let one) = part { thumb = one }
    guard part == .thumb(thumb) ? !isHeld(thumb) : !isHeld else { return false }
    grips.append(
      Grip(
        id: id, part: part, startPosition: position, position: position, offset: self.position(of: thumb) - position,
        startValue: values[thumb], span: values.upper - values.lower))
    return true
  }

  /// Makes a finger's press a drag once it has moved three points from where it took hold. Returns true if it became one now.
  @discardableResult
  package mutating func beginDrag(_ id: TouchID, at position: Double) -> Bool {
    guard position.isFinite, let index = index(of: id), !grips[index].isDragging,
      abs(position - grips[index].startPosition) >= Grip.dragThreshold
    else { return false }
    grips[index].isDragging = true
    return true
  }

  /// A finger was lifted or cancelled: the part that it held stays where it is.
  package mutating func release(_ id: TouchID) {
    if let index = index(of: id) { grips.remove(at: index) }
  }

  private func index(of id: TouchID) -> Int? { grips.firstIndex { $0.id == id } }

  // MARK: Moving

  /// A finger that holds a part drags it to `position`, at any distance. Returns true if that changed the values. `offsetTrend`
  /// becomes the increase of its distance past an end.
  @discardableResult
  package mutating func drag(_ id: TouchID, to position: Double) -> Bool {
    guard position.isFinite, let index = index(of: id) else { return false }
    return change {
      $0.grips[index].position = position
      $0.grips[index].isDragging = true
      let past = $0.follow(index)
      $0.offsetTrend = past - $0.grips[index].overshoot
      $0.grips[index].overshoot = past
      // A finger whose thumb was stopped by this one may now move on.
      for other in $0.grips.indices where other != index && $0.grips[other].isDragging { _ = $0.follow(other) }
    }
  }

  /// Moves the held part to the position that the finger requests, and returns the part of the request beyond the ends.
  private mutating func follow(_ index: Int) -> Double {
    guard var wanted = wanted(by: grips[index]) else { return 0 }
    if grips[index].part == .either {
      guard wanted != grips[index].startValue else { return 0 }
      let thumb: Thumb = wanted > grips[index].startValue ? .upper : .lower
      grips[index].part = .thumb(thumb)
      grips[index].offset = position(of: thumb) - grips[index].startPosition
      grips[index].startValue = values[thumb]
      wanted = self.wanted(by: grips[index]) ?? wanted
    }
    var reach: ClosedRange<Double>
    if case .thumb(let thumb) = grips[index].part {
      // Where the finger took hold of a value between two steps, it finds it again.
      move(thumb, to: wanted == grips[index].startValue ? wanted : values.choosable(wanted))
      reach = values.reach(of: thumb)
    } else {
      reach = values.placeBar(lower: wanted, span: grips[index].span)
    }
    return values.limits.withoutRounding(wanted - wanted.clamped(to: reach), near: 0)
  }

  /// The value that a finger requests, also outside of the limits; nil if there is no space.
  private func wanted(by grip: Grip) -> Double? {
    values.limits.value(at: grip.position + grip.offset, on: axis)
      .map { values.limits.withoutRounding($0, near: grip.startValue) }
  }

  /// A user moves a thumb to `value`, or as near as the limits and the other thumb allow.
  private mutating func move(_ thumb: Thumb, to value: Double) {
    let (whole, free) = (values.reach(of: thumb), values.freeReach(of: thumb))
    let isHeldOther = isHeld(thumb.other)
    // How far it moves away from the other thumb, and towards it.
    let outwards = isHeldOther ? free : whole
    let inwards = isHeldOther || values.shortest == 0 ? free : whole
    values.place(
      thumb,
      at: thumb == .lower
        ? max(min(value, inwards.upperBound), outwards.lowerBound)
        : min(max(value, inwards.lowerBound), outwards.upperBound))
  }

  private mutating func change(_ body: (inout TrackModel) -> Void) -> Bool {
    let old = values
    body(&self)
    return values != old
  }

  // MARK: Past the ends

  /// How far past an end the finger is that holds a part, in units of the value: negative below the minimum, positive above the
  /// maximum, 0 inside and if nothing is held. With several fingers, that of the furthest.
  package var overshoot: Double {
    var furthest = 0.0
    for grip in grips where abs(grip.overshoot) > abs(furthest) { furthest = grip.overshoot }
    return furthest
  }

  /// Returns the trend and resets it to 0 until a finger moves again.
  package mutating func getAndResetOffsetTrend() -> Double {
    defer { offsetTrend = 0 }
    return offsetTrend
  }

  // MARK: Keys and values

  /// A user moves a thumb by `steps` steps, or by hundredths of the limits' length if there are no steps; infinitely many lead
  /// to an end. Returns true if that changed the values. A thumb that a finger holds is not moved.
  @discardableResult
  package mutating func step(_ thumb: Thumb, by steps: Double) -> Bool {
    if steps.isInfinite { return stepToEnd(thumb, upwards: steps > 0) }
    return steps.isFinite && place(thumb, at: values.value(steps, from: thumb))
  }

  /// A user moves a thumb as far down or up as it can go while the other thumb stays. Returns true if that changed the values.
  @discardableResult
  package mutating func stepToEnd(_ thumb: Thumb, upwards: Bool) -> Bool {
    guard !isHeld(thumb) else { return false }
    return change {
      let reach = $0.values.freeReach(of: thumb)
      $0.values.place(thumb, at: upwards ? reach.upperBound : reach.lowerBound)
    }
  }

  /// The steps by which `key` moves a thumb in a slider whose values grow in `direction` if it is horizontal; nil for keys that
  /// do nothing. Up is always more.
  static func steps(_ key: Key, direction: LayoutDirection) -> Double? {
    switch direction.key(key) {
    case .right, .up: 1
    case .left, .down: -1
    case .pageUp: 10
    case .pageDown: -10
    case .home: -.infinity
    case .end: .infinity
    default: nil
    }
  }

  /// A user chooses a thumb's value directly: the nearest value that steps, limits and spans allow. Returns true if that
  /// changed the values. NaN, infinity, and a thumb that a finger holds change nothing.
  @discardableResult
  package mutating func choose(_ thumb: Thumb, _ value: Double) -> Bool {
    value.isFinite && place(thumb, at: value)
  }

  private mutating func place(_ thumb: Thumb, at value: Double) -> Bool {
    !isHeld(thumb) && change { $0.move(thumb, to: $0.values.choosable(value)) }
  }

  /// A user points at a `position` on the axis for a thumb: chooses the value there. Returns true if that changed the values.
  @discardableResult
  package mutating func choose(_ thumb: Thumb, at position: Double) -> Bool {
    choose(thumb, values.limits.value(at: position, on: axis) ?? .nan)
  }
}
