/// What a driver asks for with a gamepad, or with a wheel and its pedals: the values of its controls after a change.
///
/// The values are those after dead zones and learnt rests, so that a device at rest asks for nothing.
public struct GamepadState: Hashable, Sendable {
  /// The buttons that have a meaning.
  public struct Buttons: OptionSet, Hashable, Sendable {
    /// One bit per button.
    public let rawValue: UInt8

    /// The buttons of the bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The dead-man's button.
    public static let grip = Buttons(rawValue: 1)
    /// The paddle or shoulder button for one gear up.
    public static let shiftUp = Buttons(rawValue: 2)
    /// The paddle or shoulder button for one gear down.
    public static let shiftDown = Buttons(rawValue: 4)
    /// The button that stops.
    public static let stop = Buttons(rawValue: 8)
    /// The button that sounds the horn.
    public static let horn = Buttons(rawValue: 16)
    /// All of them.
    public static let all = Buttons(rawValue: 31)
  }

  /// The buttons that command nothing of the drive, by their places: for a vehicle's channels.
  public struct Extras: OptionSet, Hashable, Sendable {
    /// One bit per button.
    public let rawValue: UInt16

    /// The buttons of the bits.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// The left one of the four buttons at the right.
    public static let west = Extras(rawValue: 1)
    /// The small button at the left of the middle.
    public static let select = Extras(rawValue: 2)
    /// The small button at the right of the middle.
    public static let start = Extras(rawValue: 4)
    /// The left stick as a button.
    public static let leftStick = Extras(rawValue: 8)
    /// The right stick as a button.
    public static let rightStick = Extras(rawValue: 16)
    /// The upper direction of the cross.
    public static let padUp = Extras(rawValue: 32)
    /// The lower direction of the cross.
    public static let padDown = Extras(rawValue: 64)
    /// The left direction of the cross.
    public static let padLeft = Extras(rawValue: 128)
    /// The right direction of the cross.
    public static let padRight = Extras(rawValue: 256)
    /// All of them.
    public static let all = Extras(rawValue: 511)
  }

  /// The steering, -1 (left) to 1 (right).
  public var steering: Double
  /// How far the throttle is pressed, 0 to 1.
  public var throttle: Double
  /// How far the brake is pressed, 0 to 1.
  public var brake: Double
  /// How far a handbrake is pulled, 0 to 1: who pulls it may have no hand on wheel and throttle.
  public var handbrake: Double
  /// The buttons that are down.
  public var buttons: Buttons
  /// The further buttons that are down.
  public var extras: Extras = []
  /// The right stick, -1 (left) to 1 (right).
  public var rightX = 0.0
  /// The right stick, -1 (down) to 1 (up).
  public var rightY = 0.0

  /// A state with its values; without any, that of a device that nobody touches.
  public init(
    steering: Double = 0, throttle: Double = 0, brake: Double = 0, handbrake: Double = 0, buttons: Buttons = []
  ) {
    (self.steering, self.throttle, self.brake) = (steering, throttle, brake)
    (self.handbrake, self.buttons) = (handbrake, buttons)
  }

  /// True while a hand or a foot is on the device: it presses the throttle, the brake or the dead-man's button.
  public var isHeld: Bool { throttle > 0 || brake > 0 || buttons.contains(.grip) }
}

/// A change of one gamepad.
public struct GamepadEvent: Hashable, Sendable {
  /// What happened to the gamepad.
  public enum Phase: String, Hashable, Sendable {
    /// A value changed.
    case changed
    /// The gamepad is gone, or its input counts no longer. What it held ends without triggering anything.
    case cancelled
  }

  /// The gamepad: each is a seat of its own, because each is another hand.
  public var seat: SeatID
  /// What happened to it.
  public var phase: Phase
  /// Its values after the event.
  public var state: GamepadState
  /// The device's timestamp; 0 if unknown.
  public var time: MonotonicTime
  /// The hand that made the event; nil if no device made it.
  public private(set) var hand: Hand?

  /// An event with all its values.
  public init(seat: SeatID, phase: Phase, state: GamepadState, time: MonotonicTime) {
    (self.seat, self.phase, self.state, self.time) = (seat, phase, state, time)
  }

  /// An event made by `hand`, whose seat is the gamepad.
  @_spi(Devices) public init(phase: Phase, state: GamepadState, time: MonotonicTime, hand: Hand) {
    self.init(seat: hand.seat, phase: phase, state: state, time: time)
    self.hand = hand
  }
}
