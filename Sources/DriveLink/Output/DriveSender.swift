import Glibc
import Linux
import UICore

/// Sends the newest line of a stream to one consumer, from a thread of its own: no consumer, however slow, makes anybody wait.
///
/// What a consumer does not take in time is overtaken by what is newer. A consumer that is not there is tried again, with growing
/// waits up to two seconds.
public final class DriveSender: Sendable {
  /// How it stands with the consumer.
  public enum Status: UInt8, Sendable {
    /// Nobody is there; it is tried again.
    case waiting
    /// Lines go out.
    case open
    /// Nobody will ever be there: the reader of standard output has gone.
    case ended
  }

  /// What became of the lines so far.
  public struct Report: Hashable, Sendable {
    /// How it stands with the consumer.
    public var status = Status.waiting
    /// Lines handed to the kernel.
    public var sent: UInt64 = 0
    /// Lines that newer ones overtook.
    public var dropped: UInt64 = 0
    /// How many times a consumer was there.
    public var connections: UInt64 = 0
    /// How many times the loop hung while the vehicle might move.
    public var hangs: UInt64 = 0
    /// Why nobody is there; 0 for no reason.
    public var errno: Int32 = 0
    /// Why the priority that was asked for is not granted; 0 when it is.
    public var priorityErrno: Int32 = 0

    /// Nothing yet.
    public init() {}
  }

  /// How long the loop may be silent while the vehicle may move.
  public static let hangLimit = Duration.milliseconds(200)

  private let mailbox: Mailbox

  /// Starts sending `stream`'s newest line to `endpoint`. With a raised `priority` the calling thread is raised too.
  ///
  /// - Throws: `DriveLinkError` when the system has no thread or descriptor left.
  public convenience init(
    to endpoint: DriveEndpoint, stream: DriveStream, hangLimit: Duration = DriveSender.hangLimit,
    priority: DrivePriority = .normal
  ) throws(DriveLinkError) {
    let mailbox = try Mailbox(stream: stream, hangLimit: hangLimit, now: .system)
    try self.init(mailbox, to: endpoint, priority: priority, lookup: NameLookup(whenDone: { mailbox.work.wake() }))
  }

  /// Starts sending a mailbox's lines to `endpoint`, whose name `lookup` finds.
  init(
    _ mailbox: Mailbox, to endpoint: DriveEndpoint, priority: DrivePriority = .normal, lookup: NameLookup
  ) throws(DriveLinkError) {
    self.mailbox = mailbox
    mailbox.notePriority(errno: priority.applyToLoop())
    try startSender(mailbox, endpoint, priority: priority, lookup: lookup)
  }

  deinit { mailbox.finish(by: .zero) }

  /// Becomes readable when the report changed or the thread took over; `clearNotice` makes it quiet again.
  public var noticeDescriptor: Int32 { mailbox.notice.descriptor }

  /// Forgets the notice.
  public func clearNotice() { mailbox.notice.clear() }

  /// Has the stream's newest line sent, and says that the loop lives. False when the thread has taken over: `reclaim` first.
  public func publish(_ stream: DriveStream) -> Bool { mailbox.publish(stream, now: .system) }

  /// Says that the loop lives. False when the thread has taken over: `reclaim` first.
  public func beat() -> Bool { mailbox.beat(now: .system) }

  /// The stream as the thread went on with it after the loop hung; nil when it did not. From now on the loop has the say.
  public func reclaim() -> DriveStream? { mailbox.reclaim(now: .system) }

  /// What became of the lines.
  public var report: Report { mailbox.report() }

  /// Ends the thread when the newest line is sent, and waits for that, but not longer than `limit`.
  public func finish(within limit: Duration = .milliseconds(100)) {
    mailbox.finish(by: .system + limit)
    var entry = pollfd(fd: mailbox.done.descriptor, events: Int16(POLLIN), revents: 0)
    // A little longer than the thread itself waits, so that it ends first.
    _ = poll(&entry, 1, Int32(clamping: limit.inNanoseconds / 1_000_000 + 20))
  }
}
