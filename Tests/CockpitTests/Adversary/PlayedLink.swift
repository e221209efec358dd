import Synchronization
import UICore

@testable import DriveLink
@testable import cockpit

/// The consumer's end of the messages: the sender's own mailbox, and a thread's turns when the test wants them.
final class PlayedLink: DriveSink {
  private let mailbox: Mailbox
  private let clock: ManualClock
  private let sleep = Sleep()
  private(set) var status = DriveSender.Status.open
  /// The newest message that arrived.
  private(set) var newest: DriveStream.Line?
  var onLine: ((DriveStream.Line) -> Void)?

  init(stream: DriveStream, clock: ManualClock) throws {
    self.clock = clock
    let sleep = sleep
    mailbox = try Mailbox(stream: stream, hangLimit: .milliseconds(200), now: clock.now) { sleep.total.withLock { $0 } }
    mailbox.note(.open, errno: 0, now: clock.now)
  }

  func publish(_ stream: DriveStream) -> Bool { mailbox.publish(stream, now: clock.now) }
  func beat() -> Bool { mailbox.beat(now: clock.now) }
  func reclaim() -> DriveStream? { mailbox.reclaim(now: clock.now) }

  /// A turn of the sender's thread; the message that arrived.
  @discardableResult func turn() -> DriveStream.Line? {
    guard let line = mailbox.job(now: clock.now).line, status == .open else { return nil }
    mailbox.noteDone(line.sequence, isSent: true, now: clock.now)
    newest = line
    onLine?(line)
    return line
  }

  /// The consumer goes, takes nothing, or comes; the message that it finds.
  func set(_ status: DriveSender.Status) -> DriveStream.Line? {
    self.status = status
    mailbox.note(status, errno: status == .open ? 0 : 111, now: clock.now)
    return turn()
  }

  /// The machine sleeps, and its clock with it.
  func sleep(_ duration: Duration) { sleep.total.withLock { $0 += duration } }

  private nonisolated final class Sleep: Sendable {
    let total = Mutex(Duration.zero)
  }
}
