import UICore

extension Stage {
  /// Stops the compositor as SIGSTOP does: until `thaw()` steps read and send nothing and refreshes do not happen, while
  /// every socket stays open.
  ///
  /// What the script says meanwhile waits, with the times at which it was said, as input waits in the kernel. Up to 4 KiB
  /// for each client: beyond that libwayland sends by itself.
  public func freeze() {
    // What was said before has been sent by then.
    if !isFrozen { display.flush() }
    isFrozen = true
  }

  /// Lets the compositor go on: the next step reads all that clients sent meanwhile and sends all that waited.
  public func thaw() { isFrozen = false }
}

/// A presentation time as it goes over the wire; nothing says that it makes sense.
nonisolated public struct PresentationTime: Hashable, Sendable {
  /// Whole seconds; all 64 bits are possible.
  public var seconds: UInt64
  /// Nanoseconds of the second; compositors send less than a billion.
  public var nanoseconds: UInt32
  /// Nanoseconds from one refresh to the next; 0 for unknown.
  public var refresh: UInt32

  /// A time of any numbers.
  public init(seconds: UInt64, nanoseconds: UInt32, refresh: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.refresh = refresh
  }

  /// A true time.
  public init(_ time: MonotonicTime, refresh: UInt32) {
    self.init(
      seconds: UInt64(max(0, time.nanoseconds)) / 1_000_000_000,
      nanoseconds: UInt32(max(0, time.nanoseconds) % 1_000_000_000), refresh: refresh)
  }
}
