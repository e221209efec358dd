/// A seat (a person's set of input devices) as long as the connection lives.
public struct SeatID: Hashable, Sendable {
  /// A number that no other seat has.
  public var value: UInt32

  /// The seat with a number.
  public init(_ value: UInt32) {
    self.value = value
  }
}

/// A finger from down to up: unique among the fingers down on all seats at one time, free to be used again after.
public struct TouchID: Hashable, Sendable {
  /// The kind of contact.
  public enum Contact: Hashable, Sendable {
    /// A finger by the seat's own number (wl_touch.down id); numbers need not start at 0.
    case finger(Int32)
    /// The seat's pointer with its primary button held.
    case pointer
    /// The tip of a drawing tablet's pen; each pen of the seat has its own number.
    case pen(UInt32)
  }

  /// Whose finger it is.
  public var seat: SeatID
  /// The kind of contact.
  public var contact: Contact

  /// A contact of a seat.
  public init(seat: SeatID, contact: Contact) {
    self.seat = seat
    self.contact = contact
  }
}
