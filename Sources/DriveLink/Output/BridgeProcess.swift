import CLinux
import Glibc
import Linux
import Synchronization

/// A running `cockpit-bridge`, which forwards lines to a receiver in the receiver's own protocol.
///
/// The bridge has one end of a record-preserving socket, and exits when the socket is closed. It runs in its own session, so
/// that the terminal's Ctrl+C terminates only the cockpit; the bridge then stops the vehicle in the order that the receiver
/// needs.
final class BridgeProcess: Sendable {
  /// Exit codes of a bridge that would fail the same way again: its options, or the program itself, cannot be used.
  static let finalCodes: Set<Int32> = [2, 126, 127]

  /// The exit code of the bridge, or 128 plus the number of the signal that terminated it; nil while it runs.
  ///
  /// Asking is what collects it, which needs no thread: the system may refuse one, and a bridge whose end is not collected would never be
  /// started again.
  var exitCode: Int32? {
    code.withLock { code in
      if code == nil { code = BridgeProcess.collect(process) }
      return code
    }
  }
  private let code = Mutex<Int32?>(nil)
  let process: pid_t
  /// Starts `program`, found in PATH, with `arguments` for `receiver`, such as `donkey:192.168.4.1`. `socket` receives the cockpit's end: lines
  /// go out, telemetry comes back, and it never blocks. Nil if the bridge does not start; `errno` holds the reason.
  init?(_ program: String, _ arguments: [String] = [], receiver: String, socket: inout Descriptor?) {
    var ends = [Int32](repeating: -1, count: 2)
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0, let own = Descriptor(ends[0]),
      let other = Descriptor(ends[1])
    else { return nil }
    _ = fcntl(own.number, F_SETFL, O_NONBLOCK)
    let (process, failure) = unsafe spawnProcess(
      [program] + arguments + ["fd:3", receiver], flags: cockpit_spawn_session
    ) {
      unsafe posix_spawn_file_actions_adddup2(&$0, other.number, 3)
      unsafe posix_spawn_file_actions_addopen(&$0, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      // A program that reads standard output may not understand the bridge's own messages.
      unsafe posix_spawn_file_actions_adddup2(&$0, STDERR_FILENO, STDOUT_FILENO)
    }
    guard failure == 0 else {
      errno = failure
      return nil
    }
    socket = consume own
    self.process = process
    LeftProcess.collectEnded()
  }

  deinit {
    // It is saying its farewell to the vehicle.
    if exitCode == nil { LeftProcess.leave(process) }
  }

  private static func collect(_ process: pid_t) -> Int32? {
    var status: Int32 = 0
    switch unsafe waitpid(process, &status, WNOHANG) {
    case 0: return nil
    case process: return Linux.exitCode(ofStatus: status)
    // Its code is unknown: a process that ignores SIGCHLD gets none.
    default: return errno == EINTR ? nil : 0
    }
  }
}
