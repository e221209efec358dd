import UICore

/// The drive's lines as a function of events and their times.
///
/// The same events give the same lines, to the last digit, on any machine: a steady line carries the time at which it was due,
/// not the time at which a timer fired. Call `nextSteady(until:)` until it returns nil before anything else.
///
/// The stream is a value without references, so that the sender's thread can continue a copy if the loop hangs.
public struct DriveStream: Sendable {
  /// One line of the format in docs/drive.md.
  public struct Line: Hashable, Sendable {
    /// Whose line it is: nil in records of earlier versions.
    public internal(set) var identifier: DriveIdentifier?
    /// The line's number from 1; a gap is the number of lines that newer ones replaced.
    public internal(set) var sequence: UInt64
    /// The time of the command.
    public internal(set) var time: MonotonicTime
    /// Gear, throttle, steering and horn that the vehicle is asked for.
    public internal(set) var command: DriveCommand
    /// The state of control that produced the command.
    public internal(set) var state: DriveState
    /// The reason for the state.
    public internal(set) var reason: DriveReason
    /// Steady lines a second.
    public internal(set) var rate: Int
    /// The number of presses of the emergency stop by this identifier; nil in lines with another reason.
    public internal(set) var press: UInt64?
    /// Channels, arming and mode; nil for a vehicle that has none of them.
    public internal(set) var channels: ChannelModel?
  }

  /// The allowed rates, in lines per second.
  public static let rates = 5...200

  /// The duration of steady lines after a loss, and the time between lines after that.
  static let safeMinute = Duration.seconds(60)
  static let slowPeriod = Duration.seconds(1)
  /// The duration of steady lines after an emergency stop was released: one that gets lost must not leave a consumer stopped.
  static let releaseTime = Duration.seconds(1)

  /// The newest line.
  public private(set) var line: Line
  /// The time of the last line that was not a repetition.
  public private(set) var changeTime: MonotonicTime
  /// The time between steady lines.
  public let period: Duration
  /// The shaping of lever and wheel values.
  public let shaping: DriveShaping
  /// The command that the lines lead to. Lines differ from it while the throttle rises along the ramp.
  private var goal = DriveCommand.neutral
  /// The newest line's throttle before rounding, so that the increases of short times add up.
  private var throttle = 0.0
  /// Channels, arming and mode as they are now; nil for a vehicle that has none of them. Those of the newest line may be older.
  public private(set) var channels: ChannelModel?
  /// The number of touches that have begun, and that number when the last drive ended or input was lost.
  private var holdCount: UInt64 = 0
  private var holdCountAtRest: UInt64 = 0
  /// True from an emergency stop until it is released. Meanwhile nothing is commanded, whatever touches begin.
  public private(set) var isStopped = false
  private var pressCount: UInt64 = 0
  /// The identifier that follows once the emergency stop was released: its owner must not change before.
  private var nextIdentifier: DriveIdentifier?
  /// The time to which a release is said. Later lines must not say it again, whatever they are for: a consumer would take it for another
  /// release, which lifts another cockpit's stop.
  private var releaseEnd = MonotonicTime.zero

  /// A stream with a first line, ready and neutral. `rate` is clamped to `rates`.
  public init(
    rate: Int, shaping: DriveShaping = .none, identifier: DriveIdentifier? = nil, channels: ChannelModel? = nil,
    at time: MonotonicTime
  ) {
    let rate = min(max(rate, DriveStream.rates.lowerBound), DriveStream.rates.upperBound)
    period = .nanoseconds(1_000_000_000 / Int64(rate))
    self.shaping = shaping
    self.channels = channels
    changeTime = time
    line = Line(
      identifier: identifier, sequence: 1, time: time, command: .neutral, state: .ready, reason: .start, rate: rate,
      channels: channels)
  }

  /// True while lines are sent at the steady rate: a hand drives or sounds the horn, input is lost, or the vehicle's channels need it.
  public var repeats: Bool { line.state != .ready || line.command.horn || line.channels?.repeats == true }

  /// True while more than the loss of the present state would have to end at a loss: the horn, or what channels repeat for.
  var hasMoreToLose: Bool { line.command.horn || line.channels?.repeats == true }

  /// True while the vehicle may move, so that a hanging loop is dangerous.
  public var isCommanding: Bool { line.state == .driving }

  /// The time at which the next steady line is due; nil if no steady lines are sent. From a minute after a loss they are sent
  /// once a second.
  public var nextSteadyTime: MonotonicTime? {
    let isReleasing =
      line.reason == .released && (line.time < releaseEnd || nextIdentifier != nil)
    guard repeats || isReleasing else { return nil }
    let isLongSafe = line.state == .safe && !hasMoreToLose && line.time - changeTime >= DriveStream.safeMinute
    return line.time + (isLongSafe ? max(period, DriveStream.slowPeriod) : period)
  }

  /// Creates the next steady line that was due by `time`; nil if no line was due.
  public mutating func nextSteady(until time: MonotonicTime) -> Line? {
    guard let due = nextSteadyTime, due <= time else { return nil }
    if line.reason == .released, repeats || nextIdentifier != nil, due > releaseEnd {
      return makeLine(goal, line.state, .none, at: due)
    }
    return makeLine(at: due)
  }

  /// Applies the current command; `holdCount` is the total number of touches or presses that have begun. Returns the line if
  /// anything changed.
  ///
  /// After start, rest or a loss only a new touch starts driving; without one, nothing except the horn is commanded.
  public mutating func update(_ command: DriveCommand, holdCount: UInt64, at time: MonotonicTime) -> Line? {
    self.holdCount = max(self.holdCount, holdCount)
    guard !isStopped, line.state == .driving || self.holdCount > holdCountAtRest else {
      let quiet = DriveCommand(gear: 0, throttle: 0, steering: 0, horn: command.horn)
      return quiet == line.command ? nil : makeLine(quiet, line.state, reasonToRepeat(at: time), at: time)
    }
    let state: DriveState = command.isReady ? .ready : .driving
    if state == .ready { holdCountAtRest = self.holdCount }
    let command = state == .driving ? shaping.shaped(command) : command
    guard command != goal || state != line.state else { return nil }
    return makeLine(command, state, .none, at: time)
  }

  /// Applies a loss of input: neutral and straight at once, until another touch begins. Returns the line, unless input was lost
  /// before for a reason as severe.
  public mutating func enterSafeState(_ reason: DriveReason, at time: MonotonicTime) -> Line? {
    holdCountAtRest = holdCount
    channels?.lose(reason)
    guard line.state != .safe || reason.severity > line.reason.severity else { return tellChannels(at: time) }
    return makeLine(.neutral, .safe, reason, at: time)
  }

  /// Takes over what hands have set of channels, arming and mode, for the next line; nothing while the emergency stop is pressed, and nothing
  /// for a vehicle that has none. `tellChannels` makes a line of it if nothing else does.
  public mutating func set(_ channels: ChannelModel) {
    if self.channels != nil, !isStopped { self.channels = channels }
  }

  /// Creates a line that says what of channels, arming and mode no line has said yet; nil if there is nothing.
  public mutating func tellChannels(at time: MonotonicTime) -> Line? {
    guard channels != line.channels else { return nil }
    return makeLine(goal, line.state, reasonToRepeat(at: time), at: time)
  }

  /// Applies an emergency stop: neutral and straight at once, until `releaseStop` and another touch after it. Returns the line,
  /// unless input was lost before for a reason as severe.
  public mutating func stop(at time: MonotonicTime) -> Line? {
    if !isStopped { pressCount += 1 }
    isStopped = true
    return enterSafeState(.emergencyStop, at: time)
  }

  /// Releases an emergency stop. Driving requires another touch; touches that began meanwhile do not count. Returns a line of
  /// state `ready`, which reports the release to a consumer that latches the stop too; nil after a more severe loss.
  public mutating func releaseStop(at time: MonotonicTime) -> Line? {
    isStopped = false
    holdCountAtRest = holdCount
    return line.reason == .emergencyStop ? makeRelease(at: time) : nil
  }

  /// Says that the driver released by hand what others have stopped. Driving requires another touch. Returns the line; nil while the own
  /// emergency stop is pressed.
  public mutating func lift(at time: MonotonicTime) -> Line? {
    guard !isStopped else { return nil }
    holdCountAtRest = holdCount
    return makeRelease(at: time)
  }

  /// The reason of a line whose state goes on.
  private func reasonToRepeat(at time: MonotonicTime) -> DriveReason {
    line.reason == .released && time >= releaseEnd ? .none : line.reason
  }

  private mutating func makeRelease(at time: MonotonicTime) -> Line {
    releaseEnd = max(line.time, time) + DriveStream.releaseTime
    return makeLine(.neutral, .ready, .released, at: time)
  }

  /// Takes another identifier, because a consumer can no longer compare the times of lines with earlier ones: the clock stood
  /// still while the machine was suspended. The next line has it; while the emergency stop is pressed, the first line after its
  /// release, which only its owner can release.
  public mutating func renew(_ identifier: DriveIdentifier) {
    guard line.identifier != nil, identifier != followingIdentifier else { return }
    nextIdentifier = identifier
    if !isStopped, line.reason != .released { takeNextIdentifier() }
  }

  /// The identifier of lines after the emergency stop.
  public var followingIdentifier: DriveIdentifier? { nextIdentifier ?? line.identifier }

  private mutating func takeNextIdentifier() {
    guard let next = nextIdentifier else { return }
    (line.identifier, nextIdentifier, pressCount) = (next, nil, 0)
  }

  /// Ignores all touches and presses so far, because they were cancelled, even those that had not commanded anything yet.
  /// `holdCount` is their total number.
  public mutating func requireNewHold(after holdCount: UInt64) {
    self.holdCount = max(self.holdCount, holdCount)
    holdCountAtRest = self.holdCount
  }

  private mutating func makeLine(
    _ command: DriveCommand, _ state: DriveState, _ reason: DriveReason, at time: MonotonicTime
  ) -> Line {
    goal = command
    line.state = state
    line.reason = reason
    if !isStopped, reason != .released { takeNextIdentifier() }
    line.press = reason == .emergencyStop ? pressCount : nil
    // A consumer never sees time go back.
    changeTime = max(line.time, time)
    return makeLine(at: changeTime)
  }

  /// Creates the line of `time`, on the ramp to the goal. The throttle does not rise during silence.
  private mutating func makeLine(at time: MonotonicTime) -> Line {
    throttle = shaping.throttle(from: throttle, to: goal.throttle, over: min(time - line.time, period))
    line.sequence += 1
    line.time = time
    line.command = goal.with(throttle: throttle)
    line.channels = channels
    return line
  }
}
