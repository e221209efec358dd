import UICore

/// A value within `minimum` and `maximum`, moved by one finger or by keys.
///
/// Whatever is set, in whatever order: `minimum <= value <= maximum`. NaN and infinity are ignored.
nonisolated public struct SliderModel: Hashable, Sendable {
  private(set) var limits = ValueLimits()
  private var current = 0.0
  private var leastStep = 0.0
  private var holder: TouchID?
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

  /// A person moves the value to `value`, or the nearest that can be. True when that changed it.
  private mutating func move(to value: Double) -> Bool {
    let new = choosable(value)
    guard new != current else { return false }
    current = new
    return true
  }

  // MARK: Fingers

  /// True from a finger's begin to its end.
  public var isHeld: Bool { holder != nil }

  /// True while a finger that moved holds the value.
  public var isDragging: Bool { grip?.isDragging ?? false }

  /// A finger takes the value at `position`, wherever that is, without moving it. False when another finger holds it.
  @discardableResult
  public mutating func grab(_ id: TouchID, at position: Double) -> Bool {
    guard position.isFinite, holder == nil else { return false }
    holder = id
    grip = SliderGrip(at: position, value: current, limits: limits, axis: axis)
    return true
  }

  /// Makes the finger's press a drag once it has come three points from where it took hold. True when it became one now.
  @discardableResult
  public mutating func beginDrag(_ id: TouchID, at position: Double) -> Bool {
    guard holder == id, position.isFinite, let held = grip, !held.isDragging, held.begins(at: position) else {
      return false
    }
    grip?.isDragging = true
    return true
  }

  /// The finger drags the value to `position`, however far that is. True when that changed it.
  @discardableResult
  public mutating func drag(_ id: TouchID, to position: Double) -> Bool {
    guard holder == id, position.isFinite else { return false }
    grip?.position = position
    grip?.isDragging = true
    guard let wanted = grip?.wanted(limits, axis) else { return false }
    // Where the finger took hold of a value between two steps, it finds it again.
    if wanted == grip?.startValue { return changed { $0.value = wanted } }
    return move(to: wanted)
  }

  /// The finger left, or was taken away: the value stays.
  public mutating func release(_ id: TouchID) {
    guard holder == id else { return }
    holder = nil
    grip = nil
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

  private mutating func changed(_ body: (inout SliderModel) -> Void) -> Bool {
    let old = current
    body(&self)
    return current != old
  }
}
