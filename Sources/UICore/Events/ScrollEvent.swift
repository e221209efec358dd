/// A scroll by one seat's pointer. The changes of one wl_pointer.frame form one event.
public struct ScrollEvent: Hashable, Sendable {
  /// The kind of device that scrolls.
  public enum Source: String, Hashable, Sendable {
    /// The compositor does not say.
    case unknown
    /// A wheel, with or without detents.
    case wheel
    /// A finger on a touchpad. Lifting it sends `Phase.ended`, after which the content may keep scrolling with momentum.
    case finger
    /// A device without detents and without an end, such as scrolling with a held button.
    case continuous
  }

  /// The progress of the scroll.
  public enum Phase: String, Hashable, Sendable {
    /// The wheel or the fingers moved.
    case changed
    /// The finger left the touchpad. This event scrolls nothing.
    case ended
  }

  /// The seat of the pointer.
  public var seat: SeatID
  /// The progress of the scroll.
  public var phase: Phase
  /// The pointer's position, in logical points from the content's top left corner.
  public var location: Point
  /// The distance to the right in logical points.
  public var dx: Double
  /// The distance down in logical points.
  public var dy: Double
  /// The number of wheel detents scrolled to the right; a fraction if the wheel is finer than its detents, 0 for devices
  /// without detents.
  public var clicksX: Double
  /// The number of wheel detents scrolled down, like `clicksX`.
  public var clicksY: Double
  /// The kind of device that scrolls.
  public var source: Source
  /// True if the device's own direction was inverted ("natural scrolling"), for controls that turn like the wheel itself.
  public var isInverted: Bool
  /// The device's timestamp, on the event's own clock; 0 if unknown.
  public var time: MonotonicTime

  /// A scroll with all its values.
  public init(
    seat: SeatID, phase: Phase = .changed, location: Point, dx: Double = 0, dy: Double = 0, clicksX: Double = 0,
    clicksY: Double = 0, source: Source = .unknown, isInverted: Bool = false, time: MonotonicTime = .zero
  ) {
    self.seat = seat
    self.phase = phase
    self.location = location
    self.dx = dx
    self.dy = dy
    self.clicksX = clicksX
    self.clicksY = clicksY
    self.source = source
    self.isInverted = isInverted
    self.time = time
  }
}
