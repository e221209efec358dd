/// A change of one finger within a touch frame.
public struct TouchPoint: Hashable, Sendable {
  /// The phase of a touch. Every `began` is followed by exactly one `ended` or `cancelled` of the same identity.
  public enum Phase: String, Hashable, Sendable {
    /// The finger came down.
    case began
    /// The finger moved while down.
    case moved
    /// The finger was lifted.
    case ended
    /// The system cancelled the touch, because of a gesture, a lost device or a hidden window. It must not trigger anything.
    case cancelled
  }

  /// The finger, by an identity that it keeps from down to up.
  public var id: TouchID
  /// The change of the finger.
  public var phase: Phase
  /// The position in logical points from the content's top left corner. It may lie outside the window while the finger is held.
  public var location: Point
  /// The pressure of the contact, from 0 to 1; nil if the device does not report it.
  public var pressure: Double?
  /// The device's timestamp, on the event's own clock; 0 if unknown.
  public var time: MonotonicTime
  /// The hand that made the change; nil if no device made it.
  public private(set) var hand: Hand?

  /// A change with all its values.
  public init(id: TouchID, phase: Phase, location: Point, pressure: Double? = nil, time: MonotonicTime) {
    self.id = id
    self.phase = phase
    self.location = location
    self.pressure = pressure
    self.time = time
  }

  /// A change made by `hand`.
  @_spi(Devices) public init(
    id: TouchID, phase: Phase, location: Point, pressure: Double? = nil, time: MonotonicTime, hand: Hand
  ) {
    self.init(id: id, phase: phase, location: location, pressure: pressure, time: time)
    self.hand = hand
  }
}
