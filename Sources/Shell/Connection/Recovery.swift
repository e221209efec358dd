/// An application's policy for a compositor that crashes, restarts, or ends the connection for an error.
public enum Reconnection: Hashable, Sendable {
  /// The application ends with the connection.
  case never
  /// Keeps its content and retries after 10 ms, then with growing waits up to 250 ms, for this long; nil: without end. Windows
  /// are then reopened with the content, size and handlers that they were requested with.
  case tries(for: Duration?)
}

/// The rules of reconnecting: the connections' lives, the time of the next attempt, the errors that were logged.
struct Recovery {
  /// A connection that lasted this long resets the back-off.
  private static let goodLife = Duration.seconds(2)
  /// The time that a compositor has to announce its globals on a new connection, and to answer the question of a report.
  static let silenceLimit = Duration.seconds(5)

  /// The time and reason of the loss of the connection; nil while connected.
  private(set) var loss: (time: MonotonicTime, reason: ShellError)?
  private var connectedAt = MonotonicTime.zero
  private var backOff = BackOff(least: .milliseconds(10), most: .milliseconds(250))
  private var reportedErrors: Set<ShellError> = []

  /// True from a loss until there is a connection again.
  var isRunning: Bool { loss != nil }

  /// Records a connection to a compositor that has every required global.
  mutating func noteConnected(at time: MonotonicTime) {
    loss = nil
    connectedAt = time
  }

  /// Records that the connection was lost. Returns whether to notify the program: not for failing attempts, and for protocol
  /// errors only for the first of its kind.
  mutating func noteLost(_ reason: ShellError, at time: MonotonicTime) -> Bool {
    guard loss == nil else { return false }
    loss = (time, reason)
    if time - connectedAt >= Recovery.goodLife { backOff.reset() }
    guard case .protocolError(let interface, _, let code, _) = reason else { return true }
    // The words may name objects, whose numbers change.
    return reportedErrors.insert(.protocolError(interface: interface, id: 0, code: code, message: "")).inserted
  }

  /// The time of the next attempt, at the end of the policy's time at the latest.
  mutating func nextAttempt(now: MonotonicTime, policy: Reconnection) -> MonotonicTime {
    let time = now + backOff.wait()
    guard let end = end(of: policy) else { return time }
    return min(time, max(end, now))
  }

  /// The time at which attempts end; nil for never.
  func end(of policy: Reconnection) -> MonotonicTime? {
    guard let loss, case .tries(let limit?) = policy else { return nil }
    return loss.time + limit
  }
}

struct WindowRequest {
  let content: any WindowContent
  var options: WindowOptions
  let ready: (Window) -> Void
  /// True once the content had a window, on a connection or an output before.
  var wasShown = false
  /// When the content got its window; nil before.
  var opened: MonotonicTime?
}
