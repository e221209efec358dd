/// An application's policy for a compositor that crashes, restarts, or ends the connection for an error.
public enum Reconnection: Hashable, Sendable {
  /// It ends.
  case never
  /// It keeps its content and tries again, at first at once and then four times a second, until this time after the loss; nil
  /// for ever.
  /// Windows are then opened anew with the content, size and handlers that they were asked for with.
  case tries(for: Duration?)
}

/// The rules of reconnecting: the connections' lives, the time of the next attempt, the errors that were logged.
struct Recovery {
  /// A connection that lasted this long resets the back-off.
  private static let goodLife = Duration.seconds(2)
  /// The time that a compositor has to tell its globals on a new connection.
  static let greetingLimit = Duration.seconds(5)

  /// The time and the reason of the connection's loss; nil while there is one.
  private(set) var loss: (time: MonotonicTime, reason: ShellError)?
  private var connectedAt = MonotonicTime.zero
  private var backOff = BackOff(least: .milliseconds(10), most: .milliseconds(250))
  private var toldErrors: Set<ShellError> = []

  /// True from a loss until there is a connection again.
  var isRunning: Bool { loss != nil }

  /// Notes a connection to a compositor that has every global that is needed.
  mutating func noteConnected(at time: MonotonicTime) {
    loss = nil
    connectedAt = time
  }

  /// Notes that the connection was lost. True when the program should be told: not for attempts that fail, and of protocol
  /// errors only for the first of its kind.
  mutating func noteLost(_ reason: ShellError, at time: MonotonicTime) -> Bool {
    guard loss == nil else { return false }
    loss = (time, reason)
    if time - connectedAt >= Recovery.goodLife { backOff.reset() }
    guard case .protocolError(let interface, _, let code) = reason else { return true }
    return toldErrors.insert(.protocolError(interface: interface, id: 0, code: code)).inserted
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

/// A window as it was asked for.
struct WindowRequest {
  let content: any WindowContent
  var options: WindowOptions
  let ready: (Window) -> Void
  /// True once the content had a window, on a connection before.
  var wasShown = false
}
