/// The further channels of a vehicle, its arming and its mode: what a line says of them, and what a loss makes of them.
///
/// A value without references, as a part of a `DriveStream`, so that the sender's thread keeps its rules too if the loop hangs. After a loss a
/// channel has its safe value until a hand sets it again: the value itself changes, nothing is masked.
public struct ChannelModel: Hashable, Sendable {
  /// One channel of a vehicle.
  public struct Channel: Hashable, Sendable {
    /// The name in lines: 1 to 16 of `a`-`z`, `0`-`9` and `-`.
    public let name: String
    let start: Int16
    /// Nil if a loss leaves the value as it is.
    let safe: Int16?
    /// The value while it is held, of a channel that lasts as long as a hand holds its control.
    let held: Int16?

    /// A channel that keeps its value: it begins at `start`, and has the value `safe` after a loss, nil to keep what it has. Values are -1 to 1.
    public init(_ name: String, start: Double, safe: Double?) {
      (self.name, self.start, self.safe, held) = (name, steps(start), safe.map(steps), nil)
    }

    /// A channel that is `on` only while a hand holds its control, and `off` at all other times. Values are -1 to 1.
    public init(momentary name: String, off: Double, on: Double) {
      (self.name, start, safe, held) = (name, steps(off), steps(off), steps(on))
    }

    /// True for a channel that is on only while it is held.
    public var isMomentary: Bool { held != nil }
  }

  /// The most channels that a line has room for.
  public static let mostChannels = 8

  /// The channels in the order of lines.
  public let channels: [Channel]
  /// The names of the modes; empty for a vehicle without modes.
  public let modes: [String]
  /// True for a vehicle that must be armed before it moves.
  public let canArm: Bool
  private let disarmsAtLoss: Bool
  private let firstMode: Int
  private var values: SIMD8<Int16>
  /// True once a hand has armed the vehicle, until it is disarmed by hand or by a loss.
  public private(set) var isArmed = false
  /// The number of the mode in `modes`; 0 without modes.
  public private(set) var mode: Int

  /// The state at the start. Further channels than `mostChannels` are left out; a `mode` that is none of `modes` becomes the first one.
  public init(
    _ channels: [Channel], modes: [String] = [], mode: Int = 0, canArm: Bool = false, disarmsAtLoss: Bool = false
  ) {
    self.channels = Array(channels.prefix(ChannelModel.mostChannels))
    (self.modes, self.canArm, self.disarmsAtLoss) = (modes, canArm, disarmsAtLoss)
    firstMode = modes.indices.contains(mode) ? mode : 0
    self.mode = firstMode
    values = .zero
    for (index, channel) in self.channels.enumerated() { values[index] = channel.start }
  }

  /// The value of the channel of that number, -1 to 1.
  public func value(_ index: Int) -> Double { Double(thousandths(index)) / 1000 }

  func thousandths(_ index: Int) -> Int16 { channels.indices.contains(index) ? values[index] : 0 }

  /// True while a momentary channel of that number is on.
  public func isOn(_ index: Int) -> Bool { channels.indices.contains(index) && values[index] == channels[index].held }

  /// True while a momentary channel is on: something moves that must end with its hand.
  public var isHeld: Bool { channels.indices.contains(where: isOn) }

  /// True while a loss would change a channel, or the vehicle is armed. Its lines repeat then, so that whoever obeys them notices if they end.
  public var repeats: Bool {
    isArmed || channels.indices.contains { index in channels[index].safe.map { $0 != values[index] } ?? false }
  }

  // MARK: By hand

  /// Gives a channel a value, which is clamped to -1 to 1; NaN, and a channel that does not keep its value, change nothing.
  public mutating func set(_ index: Int, to value: Double) {
    guard channels.indices.contains(index), !channels[index].isMomentary, !value.isNaN else { return }
    values[index] = steps(value)
  }

  /// A hand begins to hold the control of a momentary channel, or lets go.
  public mutating func hold(_ index: Int, _ isHeld: Bool) {
    guard channels.indices.contains(index), let on = channels[index].held else { return }
    values[index] = isHeld ? on : channels[index].start
  }

  /// Chooses the mode of that number in `modes`; another number changes nothing.
  public mutating func choose(mode: Int) {
    if modes.indices.contains(mode) { self.mode = mode }
  }

  /// A hand has armed the vehicle by a hold that was long enough.
  public mutating func arm() { isArmed = canArm }

  /// Disarms the vehicle, which is always allowed.
  public mutating func disarm() { isArmed = false }

  // MARK: Losses

  /// Input was lost: each channel gets its safe value, and the vehicle is disarmed where that reason or its file demands it. STOP also ends
  /// the mode, which may drive by itself.
  public mutating func lose(_ reason: DriveReason) {
    for (index, channel) in channels.enumerated() { if let safe = channel.safe { values[index] = safe } }
    if disarmsAtLoss || reason.disarms { isArmed = false }
    if reason == .emergencyStop { mode = firstMode }
  }

  /// True if a loss for this reason would change something.
  func changes(by reason: DriveReason) -> Bool {
    var other = self
    other.lose(reason)
    return other != self
  }
}

extension DriveReason {
  /// True for losses after which a vehicle is never armed: STOP, the end of the program, and all that breaks the link to the vehicle.
  public var disarms: Bool {
    switch self {
    case .emergencyStop, .terminated, .closed, .linkLost, .linkSlow, .taken, .suspended: true
    default: false
    }
  }
}

/// A value of -1 to 1 in thousandths.
private func steps(_ value: Double) -> Int16 {
  value.isNaN ? 0 : Int16((min(max(value, -1), 1) * 1000).rounded())
}
