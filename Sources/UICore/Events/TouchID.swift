/// A seat (one user's set of input devices) for as long as the connection lives.
public struct SeatID: Hashable, Sendable {
  /// A number that is unique to the seat.
  public var value: UInt32

  /// The seat with a number.
  public init(_ value: UInt32) {
    self.value = value
  }
}

/// The identity of a finger from down to up, unique among all seats' fingers that are down. It may be reused afterwards.
public struct TouchID: Hashable, Sendable {
  /// What touches, by the seat's own numbers.
  public enum Contact: Hashable, Sendable {
    /// A finger by the seat's own number (wl_touch.down id). Numbers need not start at 0.
    case finger(Int32)
    /// The seat's pointer with its primary button held.
    case pointer
    /// The tip of a drawing tablet's stylus. Each stylus of the seat has its own number.
    case pen(UInt32)
  }

  /// The seat of the finger.
  public var seat: SeatID
  /// Which of the seat's fingers or pens it is, or that it is the pointer.
  public var contact: Contact

  /// The finger, pointer or pen `contact` of `seat`.
  public init(seat: SeatID, contact: Contact) {
    self.seat = seat
    self.contact = contact
  }
}
