import Glibc
import Synchronization

/// Child processes that their owners have let go, and that are collected when they end.
///
/// A process that has ended and is not collected stays in the system's table, and hides the ends of other children from whoever waits for any
/// of them.
package enum LeftProcess {
  /// Processes that got no thread.
  private static let waiting = Mutex<[pid_t]>([])

  /// Collects `process`, a child that nothing else collects, when it ends. A thread waits for that; where the system refuses one, the next
  /// call of `leave` or `collectEnded` after its end does.
  package static func leave(_ process: pid_t) {
    collectEnded()
    if hasEnded(process) { return }
    let refusal = startThread("collector") {
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    if refusal != 0 { wait(for: process) }
  }

  /// Leaves `process` to the next call of `collectEnded`.
  static func wait(for process: pid_t) { waiting.withLock { $0.append(process) } }

  /// Collects those that have ended and got no thread.
  package static func collectEnded() { waiting.withLock { $0.removeAll(where: hasEnded) } }

  private static func hasEnded(_ process: pid_t) -> Bool {
    var status: Int32 = 0
    let found = unsafe waitpid(process, &status, WNOHANG)
    return found == process || (found < 0 && errno != EINTR)
  }
}
