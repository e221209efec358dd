// Owns the sender's thread: its start, its turns, its end.
// Must not know who publishes.

import CLinux
import Glibc
import Interface

/// Starts a thread that sends a mailbox's lines to `endpoint` until the mailbox is finished.
func startSender(_ mailbox: Mailbox, _ endpoint: DriveEndpoint) throws(DriveLinkError) {
  let failure = createThread(Unmanaged.passRetained(SenderStart(mailbox, endpoint)))
  guard failure == 0 else { throw .system(operation: "pthread_create", errno: failure) }
}

/// What the thread begins with.
private final class SenderStart: Sendable {
  let mailbox: Mailbox
  let endpoint: DriveEndpoint

  init(_ mailbox: Mailbox, _ endpoint: DriveEndpoint) {
    self.mailbox = mailbox
    self.endpoint = endpoint
  }
}

/// No signal is ever delivered to the thread: they are the loop's.
private func createThread(_ start: Unmanaged<SenderStart>) -> Int32 {
  var all = sigset_t()
  var previous = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_BLOCK, &all, &previous)
  var thread = pthread_t()
  let failure = pthread_create(&thread, nil, runSender, start.toOpaque())
  pthread_sigmask(SIG_SETMASK, &previous, nil)
  if failure == 0 { pthread_detach(thread) } else { start.release() }
  return failure
}

/// The thread's first function.
private func runSender(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let start = Unmanaged<SenderStart>.fromOpaque(argument).takeRetainedValue()
  _ = cockpit_name_thread("drive")
  // Before everything else on a busy machine, where the system grants it.
  var priority = sched_param(sched_priority: 1)
  pthread_setschedparam(pthread_self(), SCHED_RR, &priority)
  let loop = SenderLoop(start.mailbox, to: Outlet(start.endpoint))
  while loop.turn() {}
  loop.repeatLast()
  start.mailbox.done.wake()
  return nil
}

/// The thread's loop, one turn at a time.
final class SenderLoop {
  private let mailbox: Mailbox
  private let outlet: Outlet
  private let writer = DriveLineWriter()
  private var entries: (pollfd, pollfd)

  init(_ mailbox: Mailbox, to outlet: Outlet) {
    self.mailbox = mailbox
    self.outlet = outlet
    entries = (pollfd(fd: mailbox.work.descriptor, events: Int16(POLLIN), revents: 0), pollfd())
  }

  /// Sends what there is and, unless that was the last, waits for more (with `waits`). False when it was the last.
  func turn(waits: Bool = true) -> Bool {
    mailbox.work.clear()
    let now = MonotonicTime.system
    if outlet.status == .waiting {
      _ = outlet.open(now: now)
      mailbox.note(outlet.status, errno: outlet.lastErrno)
    }
    let job = mailbox.job(now: now)
    let isLeft = outlet.status == .open && !deliver(job.line)
    if let finishTime = job.finishTime, !isLeft || now >= finishTime { return false }
    wait(for: job, isLeft: isLeft, since: now, limit: waits ? nil : now)
    if outlet.hungUp(entries.1.revents) { mailbox.note(outlet.status, errno: outlet.lastErrno) }
    return true
  }

  /// A datagram may get lost, and after the last one nothing follows that would make it good.
  func repeatLast() {
    guard outlet.isLossy, outlet.status == .open, writer.bytes.count > 0 else { return }
    for _ in 0..<2 {
      usleep(10_000)
      _ = outlet.send(writer.bytes)
    }
  }

  /// Sends a line, or what is left of the one before. True when nothing is left to send.
  private func deliver(_ line: DriveStream.Line?) -> Bool {
    let outcome: Outlet.Outcome
    if let line {
      writer.write(line)
      outcome = outlet.send(writer.bytes)
      if outcome == .sent || outcome == .dropped { mailbox.noteDone(line.sequence, isSent: outcome == .sent) }
    } else {
      outcome = outlet.finishLine()
    }
    if outcome == .lost { mailbox.note(outlet.status, errno: outlet.lastErrno) }
    return outcome != .full && !outlet.isUnfinished
  }

  /// Waits for news, for the consumer, or until something is due.
  private func wait(for job: Mailbox.Job, isLeft: Bool, since now: MonotonicTime, limit: MonotonicTime?) {
    var wakeTime = earliest(earliest(earliest(job.wakeTime, job.finishTime), outlet.retryTime), limit)
    if isLeft, !outlet.tellsRoom { wakeTime = earliest(wakeTime, now + .milliseconds(5)) }
    entries.0.revents = 0
    entries.1 = pollfd(
      fd: outlet.status == .open ? outlet.descriptor : -1, events: isLeft && outlet.tellsRoom ? Int16(POLLOUT) : 0,
      revents: 0)
    // Not at once, whatever the poll would say: room that no line fits in must not keep the processor busy.
    if isLeft { usleep(500) }
    let nanoseconds = wakeTime.map { max(0, ($0 - .system).inNanoseconds) } ?? -1
    _ = withUnsafeMutablePointer(to: &entries) { raw in
      raw.withMemoryRebound(to: pollfd.self, capacity: 2) { cockpit_poll($0, 2, nanoseconds) }
    }
  }

  private func earliest(_ a: MonotonicTime?, _ b: MonotonicTime?) -> MonotonicTime? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
