import UICore

/// Measures where an axis rests, while nobody holds the device: a worn stick stands beside its middle, and a cheap one trembles.
///
/// A value that has stayed within a narrow band for some seconds is a rest. Only the widest rest counts, so that a measured dead zone never shrinks
/// under the hand; one too far out is no rest but a finger.
struct RestMeter: Hashable, Sendable {
  /// How much a rest may tremble, as a part of the axis's way.
  static let band = 0.06
  /// How long a value must stay in the band.
  static let patience = Duration.seconds(3)

  /// The greatest distance from the middle, or from the end, that a rest may have.
  let reach: Double
  /// The greatest magnitude at rest so far.
  private(set) var rest = 0.0

  private var low = 0.0
  private var high = 0.0
  private var since: MonotonicTime?

  /// A meter that has measured nothing.
  init(reach: Double) { self.reach = reach }

  /// The axis moved to `value`, and nobody holds the device. A still axis sends nothing, so what it was before counts up to `time`.
  mutating func note(_ value: Double, at time: MonotonicTime) {
    conclude(at: time)
    if since != nil, max(high, value) - min(low, value) <= Self.band {
      (low, high) = (min(low, value), max(high, value))
    } else {
      (low, high, since) = (value, value, time)
    }
  }

  /// Takes the present band for a rest if it has lasted, such as before a hold begins.
  mutating func conclude(at time: MonotonicTime) {
    guard let since, time - since >= Self.patience else { return }
    let greatest = max(abs(low), abs(high))
    if greatest <= reach { rest = max(rest, greatest) }
  }

  /// The device was opened with this value, and nobody has touched it since as far as one can know.
  mutating func begin(at value: Double) { if abs(value) <= reach { rest = max(rest, abs(value)) } }

  /// A hand holds the device: what the axis does says nothing of its rest.
  mutating func interrupt() { since = nil }
}

/// A stick's or a wheel's axis, from the device's numbers to -1 ... 1.
struct StickAxis: Hashable, Sendable {
  private let middle: Double
  /// Half the range; negative for a device that counts backwards.
  private let half: Double
  /// The dead zone that the layout and the driver ask for.
  private let leastZone: Double
  private(set) var meter: RestMeter

  /// The axis of `info`, at least `zone` of which to either side of the middle steers nothing; nil if it has no range.
  init?(_ info: DeviceDescription.Axis, zone: Double, reach: Double) {
    half = (Double(info.maximum) - Double(info.minimum)) / 2
    guard half != 0 else { return nil }
    middle = (Double(info.maximum) + Double(info.minimum)) / 2
    let asked = Double(max(info.flat, info.fuzz, 0)) / abs(half)
    leastZone = max(zone, min(asked, reach))
    meter = RestMeter(reach: reach)
  }

  /// The value without any dead zone.
  private func raw(_ value: Int32) -> Double { ((Double(value) - middle) / half).clamped(to: -1...1) }

  /// The dead zone: what is asked, or a little more than the widest rest.
  var zone: Double { max(leastZone, meter.rest > 0 ? meter.rest + 0.02 : 0) }

  /// The values that steer nothing, and those between which it was seen at rest, in the device's numbers.
  var deadZone: ClosedRange<Double> { range(zone) }
  var seenRest: ClosedRange<Double>? { meter.rest > 0 ? range(meter.rest) : nil }

  private func range(_ part: Double) -> ClosedRange<Double> { middle - part * abs(half)...middle + part * abs(half) }

  /// The steering for a value: 0 in the dead zone, and from its edge on without a step.
  func steering(_ value: Int32) -> Double {
    let raw = raw(value)
    let beyond = max(abs(raw) - zone, 0) / (1 - zone)
    return raw < 0 ? -beyond : beyond
  }

  /// The axis has `value`, while nobody holds the device or while somebody does.
  mutating func note(_ value: Int32, isHeld: Bool, at time: MonotonicTime) {
    if isHeld { meter.interrupt() } else { meter.note(raw(value), at: time) }
  }

  /// A hold is about to begin.
  mutating func conclude(at time: MonotonicTime) { meter.conclude(at: time) }
}

/// A trigger's or a pedal's axis, from the device's numbers to 0 ... 1.
struct PedalAxis: Hashable, Sendable {
  /// The least part of the way at which it counts as pressed.
  static let leastZone = 0.08
  private static let reach = 0.2

  private let minimum: Double
  private let maximum: Double
  /// Whether it rests at its least value; nil until that is learnt.
  private(set) var restsAtMinimum: Bool?
  private(set) var meter = RestMeter(reach: reach)

  /// The axis of `info`, which rests at its least value if that is known; nil if it has no range.
  init?(_ info: DeviceDescription.Axis, restsAtMinimum: Bool?) {
    guard info.minimum != info.maximum else { return nil }
    (minimum, maximum) = (Double(info.minimum), Double(info.maximum))
    self.restsAtMinimum = restsAtMinimum
    if let raw = raw(info.value) { meter.begin(at: raw) }
  }

  /// True if `value` is near the axis's least value, false if near its greatest, nil between them.
  func end(at value: Int32) -> Bool? {
    let part = (Double(value) - minimum) / (maximum - minimum)
    return part <= 0.15 ? true : part >= 0.85 ? false : nil
  }

  /// It was learnt at which end the axis rests.
  mutating func learn(restsAtMinimum: Bool) { self.restsAtMinimum = restsAtMinimum }

  /// What was learnt is doubted.
  mutating func forgetRest() { restsAtMinimum = nil }

  private func raw(_ value: Int32) -> Double? {
    guard let restsAtMinimum else { return nil }
    let part = ((Double(value) - minimum) / (maximum - minimum)).clamped(to: 0...1)
    return restsAtMinimum ? part : 1 - part
  }

  /// The part of the way that counts as not pressed.
  var zone: Double { max(Self.leastZone, meter.rest > 0 ? meter.rest + 0.05 : 0) }

  /// The values that press nothing, and those between which it was seen at rest, in the device's numbers; nil while its rest is not known.
  var deadZone: ClosedRange<Double>? { range(zone) }
  var seenRest: ClosedRange<Double>? { meter.rest > 0 ? range(meter.rest) : nil }

  private func range(_ part: Double) -> ClosedRange<Double>? {
    guard let restsAtMinimum else { return nil }
    let (start, far) = restsAtMinimum ? (minimum, maximum) : (maximum, minimum)
    let end = start + part * (far - start)
    return min(start, end)...max(start, end)
  }

  /// How far it is pressed; 0 in the dead zone, and while its rest is not known.
  func pressure(_ value: Int32) -> Double {
    guard let raw = raw(value) else { return 0 }
    return max(raw - zone, 0) / (1 - zone)
  }

  /// The axis has `value`, while nobody holds the device or while somebody does.
  mutating func note(_ value: Int32, isHeld: Bool, at time: MonotonicTime) {
    guard let raw = raw(value) else { return }
    if isHeld { meter.interrupt() } else { meter.note(raw, at: time) }
  }

  /// A hold is about to begin.
  mutating func conclude(at time: MonotonicTime) { meter.conclude(at: time) }
}
