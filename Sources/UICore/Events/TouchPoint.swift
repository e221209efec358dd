/// One finger's change within a touch frame.
public struct TouchPoint: Hashable, Sendable {
  /// The four phases of a touch; every `began` is followed by exactly one `ended` or `cancelled` of the same identity.
  public enum Phase: Hashable, Sendable {
    /// The finger came down.
    case began
    /// It moved while down.
    case moved
    /// It was lifted.
    case ended
    /// Taken away by the system: a gesture, a lost device, a hidden window. Nothing may be triggered by it.
    case cancelled
  }

  /// The finger.
  public var id: TouchID
  /// The change of the finger.
  public var phase: Phase
  /// Logical points from the content's top left corner; may lie outside the window while the finger is held.
  public var location: Point
  /// The pressure of the contact, from 0 to 1; nil if the device can't tell.
  public var pressure: Double?
  /// The time by the device, on the event's own clock; 0 if unknown.
  public var time: MonotonicTime
  /// The hand that made it; nil for a change that no device made.
  public private(set) var hand: Hand?

  /// A change with all that is known of it.
  public init(id: TouchID, phase: Phase, location: Point, pressure: Double? = nil, time: MonotonicTime) {
    self.id = id
    self.phase = phase
    self.location = location
    self.pressure = pressure
    self.time = time
  }

  /// The same change, made by `hand`.
  @_spi(Devices) public init(
    id: TouchID, phase: Phase, location: Point, pressure: Double? = nil, time: MonotonicTime, hand: Hand
  ) {
    self.init(id: id, phase: phase, location: location, pressure: pressure, time: time)
    self.hand = hand
  }
}
