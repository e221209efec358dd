// Owns the way from a lost connection to the next one.
// Must not know what was lost with it but windows.

import Interface

extension Application {
  /// The connection ended by itself: windows and devices go, the contents stay, and it is tried anew.
  func recover(from reason: ShellError) {
    let isNews = recovery.noteLost(reason, at: now)
    for window in windows { window.connectionLost() }
    outbox.atRest { [unowned self] in detachWindows(from: reason, isNews: isNews) }
    outbox.deliver()
  }

  /// Contents know of the loss: what they had of the connection ends, and they wait for the next one.
  private func detachWindows(from reason: ShellError, isNews: Bool) {
    let lost = windows
    for window in lost {
      if let request = detach(window) { waiting.append(request) }
    }
    guard !isEnding else { return }
    if waiting.isEmpty {
      // Contents that closed their windows when they heard of it wanted the end.
      if lost.isEmpty { failure = reason }
      return finish()
    }
    endObjects()
    retryLater()
    if isNews { onConnectionLoss?(reason) }
  }

  /// Tries again in a while.
  func retryLater() {
    loop.cancel(recovery.timer)
    let time = recovery.nextAttempt(now: now, policy: reconnection)
    recovery.timer = loop.schedule(at: time) { [weak self] in self?.retry() }
  }

  private func retry() {
    recovery.timer = nil
    // Only now: the old one may have been in the middle of its work when it ended.
    connection = nil
    do throws(ShellError) {
      begin(on: try connect())
    } catch {
      if let end = recovery.end(of: reconnection), end <= now {
        failure = recovery.loss?.reason
        finish()
      } else {
        retryLater()
      }
    }
  }
}
