import Glibc

/// Owns a received file descriptor: closes it unless somebody takes it, so that an event nobody handles leaks nothing.
public final class ReceivedFile {
  private var descriptor: Int32

  /// Takes over `descriptor`.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Hands the descriptor over; the caller closes it. The second call gives -1.
  public func take() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }
}
