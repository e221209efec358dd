import CLaboratory
import Dispatch
import Glibc
import Linux
import Synchronization

/// A thread that starts the children of the test process.
///
/// A new child holds a copy of every descriptor of its parent until it executes its program. Other tests of this process close
/// sockets and expect the other end to notice at once. This thread has a descriptor table of its own, with standard streams and one
/// socket, so no child ever holds a descriptor of another test, and no start waits for a test to end.
final class Starter: Sendable {
  /// The child to start.
  struct Order: Sendable {
    var command: [String]
    var environment: [String: String]
    var folder: String?
    /// Its process group (0: a new one).
    var group: pid_t
  }

  private static let shared = Starter()

  private let turn = Mutex(())
  private let order = Mutex<Order?>(nil)
  private let outcome = Mutex<Result<pid_t, LabError>>(.failure(.failed(operation: "starting a thread", errno: EAGAIN)))
  private let isDone = DispatchSemaphore(value: 0)
  /// The socket that takes a child's streams to the thread; -1 if there is no thread.
  private let socket: Int32

  /// Starts a child and returns its process id. `streams` are its standard input, output and error.
  static func start(_ order: Order, streams: [Int32]) throws(LabError) -> pid_t {
    try shared.turn.withLock { _ in shared.outcome(of: order, streams) }.get()
  }

  private init() {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      socket = -1
      return
    }
    let far = ends[1]
    socket = ends[0]
    guard startThread("starter", { [self] in run(far) }) == 0 else { return }
    isDone.wait()
    close(far)
  }

  private func outcome(of order: Order, _ streams: [Int32]) -> Result<pid_t, LabError> {
    self.order.withLock { $0 = order }
    if laboratory_send_streams(socket, streams) == 0 { isDone.wait() }
    return outcome.withLock { $0 }
  }

  private func run(_ socket: Int32) {
    let isAlone =
      close_range(UInt32(socket) + 1, .max, laboratory_unshare) == 0 && close_range(3, UInt32(socket) - 1, 0) == 0
    isDone.signal()
    while isAlone {
      var streams: [Int32] = [-1, -1, -1]
      let isComplete = laboratory_receive_streams(socket, &streams) == 0
      let failure = LabError.failed(operation: "passing descriptors to a thread", errno: errno)
      let order = order.withLock { $0.take() }
      outcome.withLock {
        $0 = if isComplete, let order { spawn(order, streams) } else { .failure(failure) }
      }
      for stream in streams where stream >= 0 { close(stream) }
      isDone.signal()
    }
  }

  private func spawn(_ order: Order, _ streams: [Int32]) -> Result<pid_t, LabError> {
    let (process, failure) = spawnProcess(
      order.command, environment: order.environment.map { "\($0)=\($1)" }, flags: Int32(POSIX_SPAWN_SETPGROUP),
      group: order.group
    ) {
      for (target, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&$0, stream, Int32(target)) }
      posix_spawn_file_actions_addclosefrom_np(&$0, 3)
      if let folder = order.folder { posix_spawn_file_actions_addchdir_np(&$0, folder) }
    }
    return failure == 0
      ? .success(process) : .failure(.failed(operation: "starting \(order.command[0])", errno: failure))
  }
}
