/// The proof that a person's device made an event: the kind of device, and whose it is.
///
/// Only the code that receives devices' events makes one. Events of scripts, records, tests and assistive technology have none, so that a
/// program which drives something real can tell a hand from everything else by its type.
public struct Hand: Hashable, Sendable {
  /// The kind of device.
  public let device: InputLoss.Device
  /// Whose device it is.
  public let seat: SeatID

  /// The hand on a device. Only for code that has just received the device's event.
  @_spi(Devices) public init(_ device: InputLoss.Device, seat: SeatID) {
    self.device = device
    self.seat = seat
  }
}
