import Glibc
import Linux
import UICore

/// Sends the newest line of a stream to one consumer, from a dedicated thread, so that a slow consumer never blocks the caller.
///
/// A line that the consumer does not read in time is replaced by a newer one. A missing consumer is retried, with growing waits
/// up to two seconds.
///
/// Nothing is commanded without a consumer that reads lines. If it disappears while the vehicle may move, or a hand begins to
/// drive without one, the thread takes over the stream, so that a returning consumer never receives an old command.
public final class DriveSender: Sendable {
  /// The state of the connection to the consumer.
  public enum Status: String, Sendable {
    /// There is no consumer; the connection is retried.
    case waiting
    /// Lines go out.
    case open
    /// There is a consumer, but it accepts nothing: it has not read for 300 ms, or its host has refused datagrams for 500 ms.
    case stalled
    /// There will never be a consumer: the reader of standard output is gone, or the bridge cannot be used.
    case ended
  }

  /// Counts and states of sending so far.
  public struct Report: Hashable, Sendable {
    /// The state of the connection to the consumer.
    public var status = Status.waiting
    /// The number of lines passed to the kernel.
    public var sent: UInt64 = 0
    /// The number of lines that newer ones replaced.
    public var dropped: UInt64 = 0
    /// The number of times that a consumer connected.
    public var connections: UInt64 = 0
    /// The number of times that the loop hung while the vehicle might move.
    public var hangs: UInt64 = 0
    /// The errno of the last failure to reach the consumer; 0 without a failure since the start or the last connection.
    public var errno: Int32 = 0

    /// A report without any line.
    public init() {}
  }

  /// The time that the loop may be silent while the vehicle may move.
  public static let hangLimit = Duration.milliseconds(200)
  /// The increase of the time asleep that counts as a suspend of the machine.
  static let sleepLimit = Duration.milliseconds(100)

  private let mailbox: Mailbox

  /// Starts sending `stream`'s newest line to `endpoint`. A bridge that is started for it gets `bridgeArguments` before its own.
  ///
  /// - Throws: `DriveLinkError` if the system has no thread or descriptor left.
  public convenience init(
    to endpoint: DriveEndpoint, stream: DriveStream, hangLimit: Duration = DriveSender.hangLimit,
    linkLimit: Duration = .milliseconds(500), bridgeArguments: [String] = []
  ) throws(DriveLinkError) {
    let mailbox = try Mailbox(stream: stream, hangLimit: hangLimit, linkLimit: linkLimit, now: .system)
    try self.init(
      mailbox, to: endpoint, lookup: NameLookup(whenDone: { mailbox.work.wake() }), bridgeArguments: bridgeArguments)
  }

  /// Starts sending a mailbox's lines to `endpoint`, whose name `lookup` finds, or whose bridge is `program`.
  init(
    _ mailbox: Mailbox, to endpoint: DriveEndpoint, lookup: NameLookup,
    program: String = Outlet.bridgeProgram, bridgeArguments: [String] = []
  ) throws(DriveLinkError) {
    self.mailbox = mailbox
    let failure = startThread("drive") {
      let outlet = Outlet(endpoint, lookup: lookup, program: program, bridgeArguments: bridgeArguments)
      let loop = SenderLoop(mailbox, to: outlet)
      while loop.turn() {}
      loop.repeatLast()
      mailbox.done.wake()
    }
    guard failure == 0 else { throw .system(operation: "pthread_create", errno: failure) }
  }

  deinit { mailbox.finish(by: .zero) }

  /// Becomes readable when the report changed or the thread took over; `clearNotice` resets it.
  public var noticeDescriptor: Int32 { mailbox.notice.descriptor }

  /// Makes `noticeDescriptor` unreadable again, until the next notice.
  public func clearNotice() { mailbox.notice.clear() }

  /// Sends the stream's newest line, and records that the loop is alive. Returns false if the stream was taken over because the
  /// loop hung, the machine slept or the consumer is missing: call `reclaim` first.
  public func publish(_ stream: DriveStream) -> Bool { mailbox.publish(stream, now: .system) }

  /// Records that the loop is alive. Returns false if the stream was taken over: call `reclaim` first.
  public func beat() -> Bool { mailbox.beat(now: .system) }

  /// Returns the stream as it was continued after a loss, which the loop owns from now on; nil if it was not taken over.
  public func reclaim() -> DriveStream? { mailbox.reclaim(now: .system) }

  /// The consumer's answers since the last call, as one; nil without any. Ask after each notice.
  public func takeSaid() -> Telemetry? { mailbox.takeSaid() }

  /// How good the way to the consumer and back is; nil while the consumer has not answered.
  public var quality: LinkQuality? { mailbox.quality }

  /// The current report.
  public var report: Report { mailbox.report() }

  /// Waits until the newest line is sent, but not much longer than `limit`.
  public func drain(within limit: Duration = .milliseconds(100)) {
    let end = MonotonicTime.system + limit
    while !mailbox.isDrained, MonotonicTime.system < end { usleep(1000) }
  }

  /// Ends the thread after the newest line is sent, and waits for that, but not much longer than `limit`.
  public func finish(within limit: Duration = .milliseconds(100)) {
    mailbox.finish(by: .system + limit)
    var entry = pollfd(fd: mailbox.done.descriptor, events: Int16(POLLIN), revents: 0)
    // Wait a little longer than the thread itself waits, so that the thread ends first.
    _ = unsafe poll(&entry, 1, Int32(clamping: limit.inNanoseconds / 1_000_000 + 20))
  }
}
