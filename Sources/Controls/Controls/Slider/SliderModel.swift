/// A value within `minimum` and `maximum`, moved by one finger or by keys.
///
/// Whatever is set, in whatever order: `minimum <= value <= maximum`. NaN and infinity are ignored.
nonisolated public struct SliderModel: Hashable, Sendable {
  private(set) var limits = ValueLimits()
  private var current = 0.0
  private var leastStep = 0.0
  private var grip: SliderGrip?

  /// Where the values lie on the screen. When it changes under a finger, the thumb goes where the finger is with its next
  /// motion.
  public var axis: SliderAxis

  /// 0 within 0 and 1.
  public init(axis: SliderAxis = SliderAxis(start: 0, extent: 1)) {
    self.axis = axis
  }

  /// The least value; setting it above the maximum takes the maximum along.
  public var minimum: Double {
    get { limits.minimum }
    set {
      limits.minimum = newValue
      current = limits.clamped(current)
    }
  }

  /// The greatest value; setting it below the minimum takes the minimum along.
  public var maximum: Double {
    get { limits.maximum }
    set {
      limits.maximum = newValue
      current = limits.clamped(current)
    }
  }

  /// The value; what is set is brought within the limits.
  public var value: Double {
    get { current }
    set { if newValue.isFinite { current = limits.clamped(newValue) } }
  }

  /// The distance between the values that a person can choose, counted from the minimum; the maximum is always one of them.
  /// 0, the default, is any value; negative counts as 0. Code may set values between.
  public var step: Double {
    get { leastStep }
    set { if newValue.isFinite { leastStep = max(newValue, 0) } }
  }

  /// How far the value is on the way from the minimum to the maximum, 0...1.
  public var fraction: Double { limits.fraction(of: current) }

  /// Where the value lies on the axis, in points.
  public var position: Double { limits.position(of: current, on: axis) }

  /// The choosable value that is nearest to `value`.
  private func choosable(_ value: Double) -> Double {
    let value = limits.clamped(value)
    guard leastStep > 0, value < maximum else { return value }
    let below = limits.clamped(minimum + ((value - minimum) / leastStep).rounded() * leastStep)
    return abs(maximum - value) < abs(below - value) ? maximum : below
  }

  /// A person moves the value to `value`, or the nearest that can be chosen. True when that changed it.
  private mutating func move(to value: Double, isExact: Bool = false) -> Bool {
    let new = isExact ? limits.clamped(value) : choosable(value)
    guard new != current else { return false }
    current = new
    return true
  }

  /// A person chooses a value in another way than by a place on the axis: the nearest that can be chosen. True when that changed it;
  /// a value that a finger holds stays in its hand.
  @discardableResult
  public mutating func choose(_ value: Double) -> Bool {
    value.isFinite && !isHeld && move(to: value)
  }

  // MARK: Fingers

  /// True from a finger's begin to its end.
  public var isHeld: Bool { grip != nil }

  /// True while a finger that moved holds the value.
  public var isDragging: Bool { grip?.isDragging ?? false }

  /// A finger takes the value at `position`, wherever that is, without moving it. False when another finger holds it.
  @discardableResult
  public mutating func grab(_ id: TouchID, at position: Double) -> Bool {
    guard position.isFinite, grip == nil else { return false }
    grip = SliderGrip(id, at: position, value: current, limits: limits, axis: axis)
    return true
  }

  /// Makes the finger's press a drag once it has come three points from where it took hold. True when it became one now.
  @discardableResult
  public mutating func beginDrag(_ id: TouchID, at position: Double) -> Bool {
    position.isFinite && grip?.id == id && grip?.begin(at: position) == true
  }

  /// The finger drags the value to `position`, however far that is. True when that changed it.
  @discardableResult
  public mutating func drag(_ id: TouchID, to position: Double) -> Bool {
    guard grip?.id == id, position.isFinite else { return false }
    grip?.drag(to: position)
    guard let wanted = grip?.wanted(limits, axis) else { return false }
    // Where the finger took hold of a value between two steps, it finds it again.
    return move(to: wanted, isExact: wanted == grip?.startValue)
  }

  /// The finger left, or was taken away: the value stays.
  public mutating func release(_ id: TouchID) {
    if grip?.id == id { grip = nil }
  }

  /// A person points at `position`: the value there. True when that changed it.
  @discardableResult
  public mutating func point(at position: Double) -> Bool {
    guard let wanted = limits.value(at: position, on: axis) else { return false }
    return move(to: wanted)
  }

  // MARK: Keys

  /// A person moves the value by `steps` steps, or hundredths of the limits' length where there are none. True when that
  /// changed it.
  @discardableResult
  public mutating func step(by steps: Double) -> Bool {
    guard steps.isFinite, !isHeld else { return false }
    guard leastStep > 0 else { return move(to: current + steps * limits.length / 100) }
    // From between two steps, one goes to the next one that way.
    let place = (current - minimum) / leastStep
    let nearest = place.rounded()
    let start = abs(place - nearest) < 1e-9 ? nearest : steps > 0 ? place.rounded(.down) : place.rounded(.up)
    return move(to: minimum + (start + steps) * leastStep)
  }

  /// A person moves the value to an end. True when that changed it.
  @discardableResult
  public mutating func stepToEnd(upwards: Bool) -> Bool {
    isHeld ? false : move(to: upwards ? maximum : minimum)
  }
}

/// The line along which a slider's thumbs run, in points from the control's left edge, or from its top edge when it stands.
nonisolated public struct SliderAxis: Hashable, Sendable {
  /// Where the minimum is.
  public let start: Double
  /// The points from the minimum to the maximum: negative where values grow leftwards or upwards, 0 where there is no room
  /// (R-D6).
  public let extent: Double

  /// An axis from its parts; one that is not finite counts as 0.
  public init(start: Double, extent: Double) {
    self.start = start.isFinite ? start : 0
    self.extent = extent.isFinite ? extent : 0
  }
}

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
    set { if let value = Self.usable(newValue) { (low, high) = (value, max(high, value)) } }
  }

  /// The greatest value; setting it below the minimum takes the minimum along. NaN and infinity change nothing.
  public var maximum: Double {
    get { high }
    set { if let value = Self.usable(newValue) { (low, high) = (min(low, value), value) } }
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

/// The hold of a finger on a thumb: what it asks for follows from where it is and how it took hold, never from the steps
/// between. So nothing drifts, however often it moves, and past an end it finds the thumb again where it left it (R-D2,
/// O-D8).
nonisolated struct SliderGrip: Hashable, Sendable {
  /// The travel along the axis, in points, that makes a press a drag (O-D4).
  static let dragThreshold = 3.0

  /// The finger.
  let id: TouchID
  /// Where the finger took hold, in points along the axis.
  let startPosition: Double
  /// Where it was last.
  private(set) var position: Double
  /// From the finger to the thumb's middle.
  private(set) var offset: Double
  /// The thumb's value when it was taken.
  private(set) var startValue: Double
  /// True once the finger has gone far enough to move something.
  private(set) var isDragging = false

  /// A finger at `position` takes what is at `value`.
  init(_ id: TouchID, at position: Double, value: Double, limits: ValueLimits, axis: SliderAxis) {
    self.id = id
    startPosition = position
    self.position = position
    offset = limits.position(of: value, on: axis) - position
    startValue = value
  }

  /// The finger has taken what is at `value` instead.
  mutating func take(_ value: Double, _ limits: ValueLimits, _ axis: SliderAxis) {
    offset = limits.position(of: value, on: axis) - startPosition
    startValue = value
  }

  /// Makes the press a drag where `position` is far enough from its start. True when it became one now.
  mutating func begin(at position: Double) -> Bool {
    guard !isDragging, abs(position - startPosition) >= Self.dragThreshold else { return false }
    isDragging = true
    return true
  }

  /// The finger drags to `position`, however far that is.
  mutating func drag(to position: Double) {
    (self.position, isDragging) = (position, true)
  }

  /// The value that the finger asks for, also outside of the limits; nil where there is no room to ask.
  func wanted(_ limits: ValueLimits, _ axis: SliderAxis) -> Double? {
    limits.value(at: position + offset, on: axis).map { limits.settled($0, near: startValue) }
  }
}

/// A key's way to move a thumb (R-D11).
nonisolated enum SliderKey: Hashable, Sendable {
  /// By so many hundredths of the limits' length.
  case step(Double)
  /// To an end.
  case end(upwards: Bool)

  /// What `key` does in a slider whose values grow in `direction` where it lies; nil for keys that do nothing. Up is more,
  /// whichever way it lies.
  init?(_ key: Key, direction: LayoutDirection) {
    switch direction.key(key) {
    case .right, .up: self = .step(1)
    case .left, .down: self = .step(-1)
    case .pageUp: self = .step(10)
    case .pageDown: self = .step(-10)
    case .home: self = .end(upwards: false)
    case .end: self = .end(upwards: true)
    default: return nil
    }
  }
}
