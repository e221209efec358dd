import Linux

/// Owns a received file descriptor: closes it unless a handler takes it, so that an unhandled event leaks nothing.
public final class ReceivedFile {
  private var descriptor: Descriptor?

  /// Takes over the number that libwayland gave.
  public init(_ number: Int32) { descriptor = Descriptor(number) }

  /// Hands the descriptor over; nil from the second call on.
  package func take() -> Descriptor? { descriptor.take() }
}
