/// The proof that a physical input device made an event: the kind of device, and its seat.
///
/// Only the code that receives device events creates a hand. Events of scripts, records, tests and assistive technology have no
/// hand, so a program that drives a real machine can distinguish physical input from everything else by its type.
public struct Hand: Hashable, Sendable {
  /// The kind of device.
  public let device: InputLoss.Device
  /// The seat of the device.
  public let seat: SeatID

  /// The hand on a device. Only for code that has just received the device's event.
  @_spi(Devices) public init(_ device: InputLoss.Device, seat: SeatID) {
    self.device = device
    self.seat = seat
  }
}
