/// Something that waits for its time: dropping it does not end the wait, `cancel` does.
public final class WakeUp {
  /// The due time on the window's clock.
  public let time: MonotonicTime
  var body: (() -> Void)?
  private weak var root: RootView?

  fileprivate init(_ time: MonotonicTime, _ root: RootView, _ body: @escaping () -> Void) {
    self.time = time
    self.root = root
    self.body = body
  }

  /// True until it was called or cancelled.
  public var isWaiting: Bool { body != nil }

  /// Cancels the wake-up; does nothing once it has fired.
  public func cancel() {
    guard isWaiting else { return }
    body = nil
    root?.wakeUps.removeAll { $0 === self }
    root?.askForWake()
  }
}

extension RootView {
  /// Schedules one call of `body` at `time` on the window's clock (see `now`), after all input received by then. For waits,
  /// such as that of a long press; use animations for motion. In the background and without a window nothing is called; calls
  /// that became due meanwhile follow once the content is visible again.
  @discardableResult public func wake(at time: MonotonicTime, _ body: @escaping () -> Void) -> WakeUp {
    let wakeUp = WakeUp(time, self, body)
    wakeUps.insert(wakeUp, at: wakeUps.firstIndex { $0.time > time } ?? wakeUps.count)
    askForWake()
    return wakeUp
  }

  /// Requests the earliest pending time from the window if it changed.
  func askForWake() {
    let time = wantedWake
    guard time != askedWake else { return }
    askedWake = time
    host?.setWake(at: time)
  }
}
