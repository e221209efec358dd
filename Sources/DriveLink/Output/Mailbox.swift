import Glibc
import Linux
import Synchronization
import UICore

/// The state shared by the loop and the sender's thread. A new line replaces one that was not sent yet.
///
/// The loop owns the stream. If the vehicle may move although the loop does not answer in time, the consumer is gone or the
/// machine was asleep, the first thread to notice takes over the mailbox's copy of the stream, and the loop gets it back by
/// `reclaim`.
final class Mailbox: Sendable {
  struct State {
    var stream: DriveStream
    var hasUnsentLine = true
    var lastBeat: MonotonicTime
    /// The time that the machine was asleep since its start.
    var asleep: Duration
    /// True from a loss until the loop has reclaimed the stream.
    var isTakenOver = false
    /// The time at which sending stops even if lines are left; nil until the end was requested.
    var finishTime: MonotonicTime?
    var report = DriveSender.Report()
    /// The newest line that was sent or dropped.
    var lastDone: UInt64 = 0
    var roundTrip: RoundTrip
    /// The line with which the present drive began: an answer to an earlier one says nothing of it.
    var firstCommand: UInt64 = .max
    /// The consumer's answers since the loop asked last, as one.
    var said: Telemetry?

    /// Takes over the stream if commands must stop: after a sleep, if the loop missed its deadline `limit` while commanding, or
    /// without a consumer that reads lines. Returns true if it did. Either thread may call it first: after the whole process
    /// was stopped, that may be the loop's.
    mutating func takeOver(after limit: Duration, now: MonotonicTime, asleep: Duration) -> Bool {
      let slept = asleep - self.asleep
      self.asleep = asleep
      guard !isTakenOver else { return false }
      let reason: DriveReason
      if slept > DriveSender.sleepLimit {
        // At rest too: the consumer must learn of the new identifier before anything is commanded.
        reason = .suspended
        stream.renew(DriveIdentifier())
      } else if !stream.isCommanding {
        // The consumer hears that input is lost for as long as it is, even if the loop hangs; a horn ends.
        guard let due = stream.nextSteadyTime, now - max(due, lastBeat) >= limit,
          stream.line.state == .safe || stream.hasMoreToLose
        else { return false }
        reason = stream.line.state == .safe && !stream.hasMoreToLose ? stream.line.reason : .loopHung
      } else if now - lastBeat >= limit {
        reason = .loopHung
      } else if report.status != .open {
        reason = .linkLost
      } else if let loss = roundTrip.loss(at: now) {
        reason = loss
      } else {
        return false
      }
      takeOver(for: reason, now: now)
      return true
    }

    /// Takes the stream over as it was last published.
    mutating func takeOver(for reason: DriveReason, now: MonotonicTime) {
      while stream.nextSteady(until: now) != nil {}
      _ = stream.enterSafeState(reason, at: now)
      (hasUnsentLine, isTakenOver) = (true, true)
      if reason == .loopHung { report.hangs += 1 }
    }
  }

  struct Job {
    /// The line to send; nil if the newest line was already sent or dropped.
    var line: DriveStream.Line?
    /// The time of the next check if the thread is not woken earlier; nil if no check is due.
    var wakeTime: MonotonicTime?
    var finishTime: MonotonicTime?
  }

  let work: Wake
  /// Wakes the loop: the report changed, or the stream was taken over.
  let notice: Wake
  /// Woken when the sender's thread has ended.
  let done: Wake
  /// The time that the loop may be silent.
  let hangLimit: Duration
  private let asleep: @Sendable () -> Duration
  private let state: Mutex<State>

  /// A mailbox for `stream`. `asleep` returns how long the machine has been asleep since its start.
  init(
    stream: DriveStream, hangLimit: Duration, linkLimit: Duration = RoundTrip.defaultLimit, now: MonotonicTime,
    asleep: @escaping @Sendable () -> Duration = Mailbox.asleep
  ) throws(DriveLinkError) {
    work = try Wake()
    notice = try Wake()
    done = try Wake()
    self.hangLimit = hangLimit
    self.asleep = asleep
    state = Mutex(State(stream: stream, lastBeat: now, asleep: asleep(), roundTrip: RoundTrip(limit: linkLimit)))
  }

  /// The time that this machine has been asleep since its start: the clock that includes sleep minus the one that does not.
  @Sendable static func asleep() -> Duration {
    // If the thread was preempted between the two readings, read the clocks again.
    while true {
      let before = MonotonicTime.system
      guard let running = MonotonicTime(onClock: CLOCK_BOOTTIME) else { return .zero }
      if MonotonicTime.system - before < .milliseconds(5) { return running - before }
    }
  }

  // MARK: For the loop

  /// Stores the loop's stream with its newest line. Returns false if the stream was taken over meanwhile, or if it commands
  /// without a consumer.
  func publish(_ stream: DriveStream, now: MonotonicTime) -> Bool {
    let isAccepted = accept(now: now) { state in
      // Nor does a channel change without a consumer: one that comes later would obey a hand that is gone.
      if state.report.status != .open,
        stream.isCommanding || stream.channels != state.stream.channels && stream.channels?.repeats == true
      {
        return state.takeOver(for: .linkLost, now: now)
      }
      if stream.isCommanding, !state.stream.isCommanding {
        state.firstCommand = stream.line.sequence
        state.roundTrip.begin()
      }
      state.stream = stream
      state.hasUnsentLine = true
    }
    if isAccepted { work.wake() }
    return isAccepted
  }

  /// Records that the loop is alive. Returns false if the stream was taken over.
  func beat(now: MonotonicTime) -> Bool { accept(now: now) { _ in } }

  /// Runs `body` for a live loop. Returns false, without running it, if the stream was taken over, and also if `body` took it
  /// over.
  private func accept(now: MonotonicTime, _ body: (inout State) -> Void) -> Bool {
    let asleep = asleep()
    let (isAccepted, isNew) = state.withLock { state -> (Bool, Bool) in
      let isNew = state.takeOver(after: hangLimit, now: now, asleep: asleep)
      state.lastBeat = now
      guard !state.isTakenOver else { return (false, isNew) }
      body(&state)
      return (!state.isTakenOver, state.isTakenOver)
    }
    if isNew {
      work.wake()
      notice.wake()
    }
    return isAccepted
  }

  /// Returns the stream as it was continued; nil if it was not taken over. After the whole process was stopped this may be the
  /// first call of any thread, so it judges the silence before it ends it.
  func reclaim(now: MonotonicTime) -> DriveStream? {
    let asleep = asleep()
    let (stream, isNew) = state.withLock { state -> (DriveStream?, Bool) in
      let isNew = state.takeOver(after: hangLimit, now: now, asleep: asleep)
      state.lastBeat = now
      guard state.isTakenOver else { return (nil, isNew) }
      state.isTakenOver = false
      while state.stream.nextSteady(until: now) != nil { state.hasUnsentLine = true }
      return (state.stream, isNew)
    }
    if isNew {
      work.wake()
      notice.wake()
    }
    return stream
  }

  /// True once the newest line was sent or dropped.
  var isDrained: Bool { state.withLock { !$0.hasUnsentLine } }

  func report() -> DriveSender.Report { state.withLock { $0.report } }

  func finish(by time: MonotonicTime) {
    state.withLock { $0.finishTime = time }
    work.wake()
  }

  // MARK: For the sender's thread

  func job(now: MonotonicTime) -> Job {
    let asleep = asleep()
    let (job, isNew) = state.withLock { state -> (Job, Bool) in
      let isNew = state.takeOver(after: hangLimit, now: now, asleep: asleep)
      if state.isTakenOver {
        while state.stream.nextSteady(until: now) != nil { state.hasUnsentLine = true }
      }
      var job = Job(line: state.hasUnsentLine ? state.stream.line : nil, finishTime: state.finishTime)
      if state.isTakenOver {
        job.wakeTime = state.stream.nextSteadyTime
      } else if state.stream.isCommanding {
        job.wakeTime = state.lastBeat + hangLimit
        if let missing = state.roundTrip.deadline, missing < state.lastBeat + hangLimit { job.wakeTime = missing }
      } else if state.stream.repeats, let due = state.stream.nextSteadyTime {
        job.wakeTime = max(due, state.lastBeat) + hangLimit
      }
      return (job, isNew)
    }
    if isNew { notice.wake() }
    return job
  }

  /// Records that a line was sent, or that the network dropped it. Earlier lines that were not sent count as dropped.
  func noteDone(_ sequence: UInt64, isSent: Bool, now: MonotonicTime) {
    state.withLock { state in
      if state.stream.line.sequence == sequence { state.hasUnsentLine = false }
      if sequence > state.lastDone { state.report.dropped += sequence - state.lastDone - 1 }
      state.lastDone = sequence
      if isSent { state.roundTrip.noteSent(sequence, at: now) }
      if isSent { state.report.sent += 1 } else { state.report.dropped += 1 }
    }
  }

  /// Keeps what the consumer says until the loop takes it, and ends a drive that the consumer does not obey.
  func note(_ said: Telemetry, now: MonotonicTime) {
    let isNew = state.withLock { state in
      if state.said == nil { state.said = said } else { state.said?.merge(said) }
      let own = state.stream.line.identifier
      guard let answer = said.answer, let acknowledged = answer.acknowledged,
        answer.identifier == nil || answer.identifier == own
      else { return false }
      state.roundTrip.noteAnswer(to: acknowledged, at: now)
      guard state.stream.isCommanding, !state.isTakenOver, acknowledged >= state.firstCommand,
        answer.driver == .other || answer.stop != nil
      else { return false }
      state.takeOver(for: .taken, now: now)
      return true
    }
    if isNew { work.wake() }
    notice.wake()
  }

  /// The consumer's answers since the last call, as one; nil without any.
  func takeSaid() -> Telemetry? {
    state.withLock { state in
      defer { state.said = nil }
      return state.said
    }
  }

  /// The quality of the way there and back; nil without answers.
  var quality: LinkQuality? { state.withLock { $0.roundTrip.quality } }

  /// Records a change of the connection. A new consumer receives the newest line at once, which commands nothing.
  func note(_ status: DriveSender.Status, errno: Int32, now: MonotonicTime) {
    let asleep = asleep()
    let isNew = state.withLock { state in
      let isNew = state.report.status != status || (status != .open && state.report.errno != errno)
      let isLost = state.report.status == .open && status != .open
      if status == .open, state.report.status == .waiting {
        state.roundTrip.reset()
        state.report.connections += 1
        state.hasUnsentLine = true
      }
      state.report.status = status
      state.report.errno = errno
      let isTaken = state.takeOver(after: hangLimit, now: now, asleep: asleep)
      // At rest too: a consumer that comes back must not find armed, or turned aside, what it has let go meanwhile.
      if isLost, !state.isTakenOver, state.stream.channels?.changes(by: .linkLost) == true {
        state.takeOver(for: .linkLost, now: now)
        return true
      }
      return isTaken || isNew
    }
    if isNew { notice.wake() }
  }
}
