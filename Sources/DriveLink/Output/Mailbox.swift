import Synchronization
import UICore

/// The one place between two threads. What is put in overtakes what was not sent yet.
///
/// The loop has the say. When it does not answer in time while the vehicle may move, the sender's thread takes over with a copy
/// of the stream, and the loop asks for it back (`reclaim`).
final class Mailbox: Sendable {
  struct State {
    var stream: DriveStream
    var hasUnsentLine = true
    var lastBeat: MonotonicTime
    /// True from a hang until the loop has asked for the stream back.
    var isTakenOver = false
    /// When to give up sending what is left; nil while it goes on.
    var finishTime: MonotonicTime?
    var report = DriveSender.Report()
    /// The newest line that was sent or dropped.
    var lastDone: UInt64 = 0

    /// Takes the stream over from a loop that was silent for `limit` while the vehicle might move. True when it was. Whichever
    /// thread looks first finds out: after a process was stopped as a whole, that may be the loop's own.
    mutating func takeOver(after limit: Duration, now: MonotonicTime) -> Bool {
      guard !isTakenOver, stream.isCommanding, now - lastBeat >= limit else { return false }
      while stream.nextSteady(until: now) != nil {}
      _ = stream.lose(.loopHung, at: now)
      (hasUnsentLine, isTakenOver) = (true, true)
      report.hangs += 1
      return true
    }
  }

  /// What there is for the sender's thread to do.
  struct Job {
    /// The line to send, if it was not yet.
    var line: DriveStream.Line?
    /// When to look again although nobody woke it.
    var wakeTime: MonotonicTime?
    var finishTime: MonotonicTime?
  }

  /// Wakes the sender's thread.
  let work: Wake
  /// Wakes the loop: the report changed, or the stream was taken over.
  let notice: Wake
  /// Woken when the sender's thread has ended.
  let done: Wake
  private let hangLimit: Duration
  private let state: Mutex<State>

  init(stream: DriveStream, hangLimit: Duration, now: MonotonicTime) throws(DriveLinkError) {
    work = try Wake()
    notice = try Wake()
    done = try Wake()
    self.hangLimit = hangLimit
    state = Mutex(State(stream: stream, lastBeat: now))
  }

  // MARK: For the loop

  /// The loop's newest lines; false when they were taken over meanwhile.
  func publish(_ stream: DriveStream, now: MonotonicTime) -> Bool {
    let isAccepted = hear(now: now) { state in
      state.stream = stream
      state.hasUnsentLine = true
    }
    if isAccepted { work.wake() }
    return isAccepted
  }

  /// The loop lives; false when the stream was taken over.
  func beat(now: MonotonicTime) -> Bool { hear(now: now) { _ in } }

  /// Does `body` for a loop that lives; false, and not at all, where it was silent for too long.
  private func hear(now: MonotonicTime, _ body: (inout State) -> Void) -> Bool {
    let (isAccepted, isNew) = state.withLock { state -> (Bool, Bool) in
      let isNew = state.takeOver(after: hangLimit, now: now)
      state.lastBeat = now
      if !state.isTakenOver { body(&state) }
      return (!state.isTakenOver, isNew)
    }
    if isNew {
      work.wake()
      notice.wake()
    }
    return isAccepted
  }

  /// The stream as the sender's thread went on with it; nil when it had no reason to.
  func reclaim(now: MonotonicTime) -> DriveStream? {
    state.withLock { state in
      state.lastBeat = now
      guard state.isTakenOver else { return nil }
      state.isTakenOver = false
      while state.stream.nextSteady(until: now) != nil { state.hasUnsentLine = true }
      return state.stream
    }
  }

  func report() -> DriveSender.Report { state.withLock { $0.report } }

  func finish(by time: MonotonicTime) {
    state.withLock { $0.finishTime = time }
    work.wake()
  }

  // MARK: For the sender's thread

  /// What to do at `now`.
  func job(now: MonotonicTime) -> Job {
    let (job, isNew) = state.withLock { state -> (Job, Bool) in
      let hangs = state.takeOver(after: hangLimit, now: now)
      if state.isTakenOver {
        while state.stream.nextSteady(until: now) != nil { state.hasUnsentLine = true }
      }
      var job = Job(line: state.hasUnsentLine ? state.stream.line : nil, finishTime: state.finishTime)
      if state.isTakenOver {
        job.wakeTime = state.stream.nextSteadyTime
      } else if state.stream.isCommanding {
        job.wakeTime = state.lastBeat + hangLimit
      }
      return (job, hangs)
    }
    if isNew { notice.wake() }
    return job
  }

  /// A line went out, or the network dropped it. Those before it that did not go out were overtaken.
  func noteDone(_ sequence: UInt64, isSent: Bool) {
    state.withLock { state in
      if state.stream.line.sequence == sequence { state.hasUnsentLine = false }
      if sequence > state.lastDone { state.report.dropped += sequence - state.lastDone - 1 }
      state.lastDone = sequence
      if isSent { state.report.sent += 1 } else { state.report.dropped += 1 }
    }
  }

  /// A thread's priority was asked for; 0 when it was granted.
  func notePriority(errno: Int32) {
    guard errno != 0 else { return }
    state.withLock { $0.report.priorityErrno = errno }
    notice.wake()
  }

  /// The way to the consumer changed. Who comes is told the newest line at once.
  func note(_ status: DriveSender.Status, errno: Int32) {
    let isNew = state.withLock { state in
      let isNew = state.report.status != status || (status != .open && state.report.errno != errno)
      if status == .open, state.report.status != .open {
        state.report.connections += 1
        state.hasUnsentLine = true
      }
      state.report.status = status
      state.report.errno = errno
      return isNew
    }
    if isNew { notice.wake() }
  }
}
