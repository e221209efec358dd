import Synchronization
import UICore

/// The state that the loop and the sender's thread share. A new line replaces one that was not sent yet.
///
/// The loop owns the stream. When it does not answer in time while the vehicle may move, the sender's thread takes over with a copy
/// of the stream, and the loop takes it back by `reclaim`.
final class Mailbox: Sendable {
  struct State {
    var stream: DriveStream
    var hasUnsentLine = true
    var lastBeat: MonotonicTime
    /// True from a hang until the loop has asked for the stream back.
    var isTakenOver = false
    /// The time to give up sending the rest; nil before the end.
    var finishTime: MonotonicTime?
    var report = DriveSender.Report()
    /// The newest line that was sent or dropped.
    var lastDone: UInt64 = 0

    /// Takes the stream over from a loop that was silent for `limit` while the vehicle might move; true when it was. Either
    /// thread may call it first: after a process was stopped as a whole, that may be the loop's own.
    mutating func takeOver(after limit: Duration, now: MonotonicTime) -> Bool {
      guard !isTakenOver, stream.isCommanding, now - lastBeat >= limit else { return false }
      while stream.nextSteady(until: now) != nil {}
      _ = stream.lose(.loopHung, at: now)
      (hasUnsentLine, isTakenOver) = (true, true)
      report.hangs += 1
      return true
    }
  }

  /// The sender thread's work.
  struct Job {
    /// The line to send, if it was not yet.
    var line: DriveStream.Line?
    /// The time to look again without being woken.
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

  /// Stores the loop's newest lines; false when the stream was taken over meanwhile.
  func publish(_ stream: DriveStream, now: MonotonicTime) -> Bool {
    let isAccepted = hear(now: now) { state in
      state.stream = stream
      state.hasUnsentLine = true
    }
    if isAccepted { work.wake() }
    return isAccepted
  }

  /// Notes that the loop lives; false when the stream was taken over.
  func beat(now: MonotonicTime) -> Bool { hear(now: now) { _ in } }

  /// Runs `body` for a loop that lives; false, without running it, when the loop was silent for too long.
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

  /// Takes the stream back as the sender's thread continued it; nil when it did not take over.
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

  /// The work at `now`.
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

  /// Notes that a line went out, or that the network dropped it. Earlier lines that did not go out were overtaken.
  func noteDone(_ sequence: UInt64, isSent: Bool) {
    state.withLock { state in
      if state.stream.line.sequence == sequence { state.hasUnsentLine = false }
      if sequence > state.lastDone { state.report.dropped += sequence - state.lastDone - 1 }
      state.lastDone = sequence
      if isSent { state.report.sent += 1 } else { state.report.dropped += 1 }
    }
  }

  /// Notes the answer to a request for priority: 0 when it was granted, else the errno.
  func notePriority(errno: Int32) {
    guard errno != 0 else { return }
    state.withLock { $0.report.priorityErrno = errno }
    notice.wake()
  }

  /// Notes a change of the connection. A new consumer gets the newest line at once.
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
