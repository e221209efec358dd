import Linux

/// Owns a received file descriptor, and closes it unless a handler takes it. So an unhandled event leaks nothing.
public final class ReceivedFile {
  private var descriptor: Descriptor?

  /// Takes ownership of a descriptor that libwayland received.
  public init(_ number: Int32) { descriptor = Descriptor(number) }

  /// Transfers the descriptor to the caller; nil from the second call on.
  package func take() -> Descriptor? { descriptor.take() }
}
