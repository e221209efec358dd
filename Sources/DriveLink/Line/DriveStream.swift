import UICore

/// The drive's lines as a function of what happens and when.
///
/// The same happenings give the same lines, to the last digit, on any machine: steady lines carry the time when they were due,
/// not the time when a timer found out. Call `nextSteady(until:)` until it gives nothing before anything else.
///
/// A value without references: a copy goes on by itself, which is what the sender's thread does when the loop hangs.
public struct DriveStream: Sendable {
  /// One line of the contract in docs/drive.md.
  public struct Line: Hashable, Sendable {
    /// Counted from 1; a gap says how many lines were overtaken by newer ones.
    public internal(set) var sequence: UInt64
    /// When this was commanded.
    public internal(set) var time: MonotonicTime
    /// What.
    public internal(set) var command: DriveCommand
    /// By whom.
    public internal(set) var state: DriveState
    /// Why.
    public internal(set) var reason: DriveReason
  }

  /// The rates that may be asked for, in lines a second.
  public static let rates = 5...200

  /// How long a loss is told at the steady rate, and the time between lines after that.
  static let safeMinute = Duration.seconds(60)
  static let slowPeriod = Duration.seconds(1)

  /// The newest line.
  public private(set) var line: Line
  /// When the last line was said that was not a repetition.
  public private(set) var changeTime: MonotonicTime
  /// The time between steady lines.
  public let period: Duration
  /// The touches that have begun, and those that had when nobody drove any more.
  private var grips: UInt64 = 0
  private var gripsAtRest: UInt64 = 0

  /// A stream whose first line, ready and neutral, is already there. `rate` is clamped to `rates`.
  public init(rate: Int, at time: MonotonicTime) {
    let rate = min(max(rate, DriveStream.rates.lowerBound), DriveStream.rates.upperBound)
    period = .nanoseconds(1_000_000_000 / Int64(rate))
    changeTime = time
    line = Line(sequence: 1, time: time, command: .neutral, state: .ready, reason: .start)
  }

  /// True while lines come at the steady rate: somebody drives or sounds the horn, or input is lost.
  public var isSteady: Bool { line.state != .ready || line.command.horn }

  /// True while the vehicle may move: the time in which a loop that hangs is dangerous.
  public var isCommanding: Bool { line.state == .driving }

  /// When the next steady line is due; nil while there are none. After a minute without input they come once a second.
  public var nextSteadyTime: MonotonicTime? {
    guard isSteady else { return nil }
    let isLongSafe = line.state == .safe && !line.command.horn && line.time - changeTime >= DriveStream.safeMinute
    return line.time + (isLongSafe ? max(period, DriveStream.slowPeriod) : period)
  }

  /// The next steady line that was due by `time`; nil when there is none.
  public mutating func nextSteady(until time: MonotonicTime) -> Line? {
    guard let due = nextSteadyTime, due <= time else { return nil }
    line.sequence += 1
    line.time = due
    return line
  }

  /// What is commanded now, after `grips` touches or presses have ever begun. The line, if that changes anything.
  ///
  /// Driving begins only with a touch: at first, after rest and after a loss, nothing but the horn is commanded without one.
  public mutating func update(_ command: DriveCommand, grips: UInt64, at time: MonotonicTime) -> Line? {
    self.grips = max(self.grips, grips)
    guard line.state == .driving || self.grips > gripsAtRest else {
      let quiet = DriveCommand(gear: 0, throttle: 0, steering: 0, horn: command.horn)
      return quiet == line.command ? nil : say(quiet, line.state, line.reason, at: time)
    }
    let state: DriveState = command.isAtRest ? .ready : .driving
    if state == .ready { gripsAtRest = self.grips }
    guard command != line.command || state != line.state else { return nil }
    return say(command, state, .none, at: time)
  }

  /// Input is lost: neutral and straight at once, until another touch begins. The line, unless it was lost before for a reason as
  /// grave.
  public mutating func lose(_ reason: DriveReason, at time: MonotonicTime) -> Line? {
    gripsAtRest = grips
    guard line.state != .safe || reason.severity > line.reason.severity else { return nil }
    return say(.neutral, .safe, reason, at: time)
  }

  /// What has touched or pressed so far, `grips` in all, counts for nothing any more: it was taken away, even where nothing was
  /// commanded by it yet.
  public mutating func forget(grips: UInt64) {
    self.grips = max(self.grips, grips)
    gripsAtRest = self.grips
  }

  private mutating func say(
    _ command: DriveCommand, _ state: DriveState, _ reason: DriveReason, at time: MonotonicTime
  ) -> Line {
    line.sequence += 1
    // A consumer never sees time go back.
    line.time = max(line.time, time)
    changeTime = line.time
    line.command = command
    line.state = state
    line.reason = reason
    return line
  }
}
