/// A value within `minimum` and `maximum`, moved by one finger or by keys.
///
/// Whatever is set, in whatever order: `minimum <= value <= maximum`. NaN and infinity are ignored.
nonisolated package struct SliderModel: Hashable, Sendable {
  private(set) var limits = ValueLimits()
  private var current = 0.0
  private var leastStep = 0.0
  private var grip: SliderGrip?

  /// The axis of the values on the screen. If it changes under a finger, the thumb jumps to the finger with its next motion.
  package var axis: SliderAxis

  /// 0 within 0 and 1.
  package init(axis: SliderAxis = SliderAxis(start: 0, extent: 1)) {
    self.axis = axis
  }

  /// The least value; setting it above the maximum raises the maximum too.
  package var minimum: Double {
    get { limits.minimum }
    set {
      limits.minimum = newValue
      current = limits.clamped(current)
    }
  }

  /// The greatest value; setting it below the minimum lowers the minimum too.
  package var maximum: Double {
    get { limits.maximum }
    set {
      limits.maximum = newValue
      current = limits.clamped(current)
    }
  }

  /// The value; setting it clamps it to the limits.
  package var value: Double {
    get { current }
    set { if newValue.isFinite { current = limits.clamped(newValue) } }
  }

  /// The distance between the values that a user can choose, counted from the minimum; the maximum can always be chosen. 0, the
  /// default, is any value; negative counts as 0. Code may set values between.
  package var step: Double {
    get { leastStep }
    set { if newValue.isFinite { leastStep = max(newValue, 0) } }
  }

  /// The value as a fraction from the minimum to the maximum, 0...1.
  package var fraction: Double { limits.fraction(of: current) }

  /// The position of the value on the axis, in points.
  package var position: Double { limits.position(of: current, on: axis) }

  /// The choosable value that is nearest to `value`.
  private func choosable(_ value: Double) -> Double {
    let value = limits.clamped(value)
    guard leastStep > 0, value < maximum else { return value }
    let below = limits.clamped(minimum + ((value - minimum) / leastStep).rounded() * leastStep)
    return abs(maximum - value) < abs(below - value) ? maximum : below
  }

  /// A user moves the value to `value`, or the nearest that can be chosen. Returns true if that changed it.
  private mutating func move(to value: Double, isExact: Bool = false) -> Bool {
    let new = isExact ? limits.clamped(value) : choosable(value)
    guard new != current else { return false }
    current = new
    return true
  }

  /// A user chooses a value directly, not by a position on the axis: the nearest that can be chosen. Returns true if that changed
  /// it; a value that a finger holds is not changed.
  @discardableResult
  package mutating func choose(_ value: Double) -> Bool {
    value.isFinite && !isHeld && move(to: value)
  }

  // MARK: Fingers

  /// True from a finger's begin to its end.
  package var isHeld: Bool { grip != nil }

  /// True while a finger that moved holds the value.
  package var isDragging: Bool { grip?.isDragging ?? false }

  /// A finger takes the value at `position`, wherever that is, without moving it. Returns false if another finger holds it.
  @discardableResult
  package mutating func grab(_ id: TouchID, at position: Double) -> Bool {
    guard position.isFinite, grip == nil else { return false }
    grip = SliderGrip(id, at: position, value: current, limits: limits, axis: axis)
    return true
  }

  /// Makes the finger's press a drag once it has moved three points from where it took hold. Returns true if it became one now.
  @discardableResult
  package mutating func beginDrag(_ id: TouchID, at position: Double) -> Bool {
    position.isFinite && grip?.id == id && grip?.begin(at: position) == true
  }

  /// The finger drags the value to `position`, however far that is. True when that changed it.
  @discardableResult
  package mutating func drag(_ id: TouchID, to position: Double) -> Bool {
    guard grip?.id == id, position.isFinite else { return false }
    grip?.drag(to: position)
    guard let wanted = grip?.wanted(limits, axis) else { return false }
    // Where the finger took hold of a value between two steps, it finds it again.
    return move(to: wanted, isExact: wanted == grip?.startValue)
  }

  /// The finger was lifted or cancelled: the value stays.
  package mutating func release(_ id: TouchID) {
    if grip?.id == id { grip = nil }
  }

  /// A user points at `position`: sets the value there. Returns true if that changed it.
  @discardableResult
  package mutating func point(at position: Double) -> Bool {
    guard let wanted = limits.value(at: position, on: axis) else { return false }
    return move(to: wanted)
  }

  // MARK: Keys

  /// A user moves the value by `steps` steps, or by hundredths of the limits' length if there are no steps. Returns true if
  /// that changed it.
  @discardableResult
  package mutating func step(by steps: Double) -> Bool {
    guard steps.isFinite, !isHeld else { return false }
    guard leastStep > 0 else { return move(to: current + steps * limits.length / 100) }
    // A value between two steps moves to the next step in that direction.
    let place = (current - minimum) / leastStep
    let nearest = place.rounded()
    let start = abs(place - nearest) < 1e-9 ? nearest : steps > 0 ? place.rounded(.down) : place.rounded(.up)
    return move(to: minimum + (start + steps) * leastStep)
  }

  /// A user moves the value to an end. Returns true if that changed it.
  @discardableResult
  package mutating func stepToEnd(upwards: Bool) -> Bool {
    isHeld ? false : move(to: upwards ? maximum : minimum)
  }
}

/// The line along which a slider's thumbs run, in points from the control's left edge, or from its top edge if it is vertical.
nonisolated package struct SliderAxis: Hashable, Sendable {
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

/// A scale of values. The minimum never exceeds the maximum, and neither is ever NaN or infinite.
nonisolated package struct ValueLimits: Hashable, Sendable {
  /// The greatest magnitude that sliders use; larger numbers are clamped to it, so that no difference becomes infinite.
  package static let greatest = 1e100

  private var low = 0.0
  private var high = 1.0

  /// From 0 to 1.
  package init() {}

  /// From `minimum` to `maximum`. A limit that is NaN or infinite is ignored, and a maximum below the minimum becomes equal to
  /// it.
  package init(minimum: Double, maximum: Double) {
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

  /// The distance from the minimum to the maximum.
  package var length: Double { high - low }

  /// `value` clamped to `greatest` from 0; nil for NaN and infinity.
  static func usable(_ value: Double) -> Double? {
    value.isFinite ? min(max(value, -greatest), greatest) : nil
  }

  /// The value within the limits that is nearest to `value`.
  package func clamped(_ value: Double) -> Double { min(max(value, low), high) }

  /// `value` as a fraction from the minimum to the maximum, 0...1 inside; 0 if both are the same.
  package func fraction(of value: Double) -> Double { length > 0 ? (value - low) / length : 0 }

  /// The position of `value` on `axis`, in points; outside of the limits, outside of the axis.
  package func position(of value: Double, on axis: SliderAxis) -> Double {
    length > 0 ? axis.start + axis.extent * (value - low) / length : axis.start
  }

  /// The value at `position` on `axis`, also outside of the limits; nil if the axis has no space, the limits have no length, or
  /// the position is not a number.
  package func value(at position: Double, on axis: SliderAxis) -> Double? {
    guard position.isFinite, length > 0, abs(axis.extent) > 1e-9 else { return nil }
    return Self.usable(low + (position - axis.start) * length / axis.extent)
  }

  /// `value`, or `known` where they differ by no more than rounding does.
  func withoutRounding(_ value: Double, near known: Double) -> Double {
    abs(value - known) <= length * 1e-12 ? known : value
  }
}

/// A finger's hold on a thumb. The requested value follows from the finger's position and how it took hold, never from the
/// steps between. So nothing drifts, however often it moves, and past an end it finds the thumb again where it left it.
nonisolated struct SliderGrip: Hashable, Sendable {
  /// The travel along the axis, in points, that makes a press a drag.
  static let dragThreshold = 3.0

  /// The finger.
  let id: TouchID
  /// The finger's position when it took hold, in points along the axis.
  let startPosition: Double
  /// The finger's last position.
  private(set) var position: Double
  /// The offset from the finger to the thumb's middle.
  private(set) var offset: Double
  /// The thumb's value when it was taken.
  private(set) var startValue: Double
  /// True once the finger has moved far enough to drag.
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

  /// Makes the press a drag if `position` is far enough from its start. Returns true if it became one now.
  mutating func begin(at position: Double) -> Bool {
    guard !isDragging, abs(position - startPosition) >= Self.dragThreshold else { return false }
    isDragging = true
    return true
  }

  /// The finger drags to `position`, however far that is.
  mutating func drag(to position: Double) {
    (self.position, isDragging) = (position, true)
  }

  /// The value that the finger requests, also outside of the limits; nil if there is no space.
  func wanted(_ limits: ValueLimits, _ axis: SliderAxis) -> Double? {
    limits.value(at: position + offset, on: axis).map { limits.withoutRounding($0, near: startValue) }
  }
}

/// The movement of a thumb by a key.
nonisolated enum SliderKey: Hashable, Sendable {
  /// By so many hundredths of the limits' length.
  case step(Double)
  /// To an end.
  case end(upwards: Bool)

  /// The movement by `key` in a slider whose values grow in `direction` if it is horizontal; nil for keys that do nothing. Up
  /// is always more.
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
