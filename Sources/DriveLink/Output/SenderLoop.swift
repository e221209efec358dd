import CLinux
import Glibc
import Linux
import UICore

/// The clock of a sender's thread; tests replace it and count iterations.
struct SenderTime {
  var now: () -> MonotonicTime = { .system }
  /// Polls the entries until a time, or without a limit if the time is nil.
  var wait: (inout [pollfd], MonotonicTime?) -> Void = { entries, time in
    let result = unsafe cockpit_poll(
      &entries, UInt(entries.count), time.map { max(0, ($0 - .system).inNanoseconds) } ?? -1)
    // The system has no memory, or allows fewer than two descriptors: a pause keeps the loop from spinning.
    if result < 0, errno != EINTR { usleep(10_000) }
  }
}

/// The thread's loop, one iteration at a time.
final class SenderLoop {
  private let mailbox: Mailbox
  private let outlet: Outlet
  private let time: SenderTime
  private let writer = DriveLineWriter()
  private var noted: (status: DriveSender.Status, errno: Int32) = (.waiting, 0)
  /// Those of the mailbox and of the outlet.
  private var entries: [pollfd]

  init(_ mailbox: Mailbox, to outlet: Outlet, time: SenderTime = SenderTime()) {
    self.mailbox = mailbox
    self.outlet = outlet
    self.time = time
    entries = [pollfd(fd: mailbox.work.descriptor, events: Int16(POLLIN), revents: 0), pollfd()]
  }

  /// Sends the current line, and waits for the next event. Returns false, without waiting, once the mailbox is finished and
  /// nothing is left to send, or its finish time has come.
  func turn() -> Bool {
    mailbox.work.clear()
    let now = time.now()
    if outlet.status == .waiting { _ = outlet.open(now: now) }
    // Report the link first, because its state decides whether the line may command.
    noteStatus(now: now)
    let job = mailbox.job(now: now)
    // The process was stopped in between, so the line is old by now: start again, and let the mailbox decide what to send
    // instead.
    guard time.now() - now < mailbox.hangLimit else { return true }
    let isLeft = outlet.status == .open && !deliver(job.line, now: now)
    noteStatus(now: now)
    if let finishTime = job.finishTime, !isLeft || now >= finishTime { return false }
    wait(for: job)
    let later = time.now()
    // First the error, if there is one: reading would take it away.
    _ = outlet.take(entries[1].revents, now: later)
    _ = outlet.followName(now: later)
    if entries[1].revents & Int16(POLLIN) != 0 { outlet.receive(now: later) { mailbox.note($0, now: later) } }
    noteStatus(now: later)
    return true
  }

  /// Repeats the last datagram twice, because it may get lost and no later line would replace it.
  func repeatLast() {
    guard outlet.isLossy, outlet.status == .open, writer.bytes.count > 0 else { return }
    for _ in 0..<2 {
      usleep(10_000)
      _ = outlet.send(writer.bytes, now: time.now())
    }
  }

  /// Sends a line, or the rest of the previous one. Returns true if nothing is left to send.
  private func deliver(_ line: DriveStream.Line?, now: MonotonicTime) -> Bool {
    let outcome: Outlet.Outcome
    if let line {
      writer.write(line)
      outcome = outlet.send(writer.bytes, now: now)
      if outcome == .sent || outcome == .dropped { mailbox.noteDone(line.sequence, isSent: outcome == .sent, now: now) }
    } else {
      outcome = outlet.finishLine(now: now)
    }
    return outcome != .full && !outlet.isUnfinished
  }

  private func noteStatus(now: MonotonicTime) {
    let new = (status: outlet.linkStatus(now: now), errno: outlet.lastErrno)
    guard new != noted else { return }
    noted = new
    mailbox.note(new.status, errno: new.errno, now: now)
  }

  /// Waits for a new line, for the consumer, or until the next attempt is due.
  private func wait(for job: Mailbox.Job) {
    // A consumer that already counts as stalled is reported once.
    let stallTime = noted.status == .open ? outlet.stallTime : nil
    let wakeTime = earlier(earlier(job.wakeTime, job.finishTime), earlier(outlet.wakeTime, stallTime))
    entries[0].revents = 0
    entries[1] = outlet.pollEntry
    time.wait(&entries, wakeTime)
  }
}
