import CLaboratory
import Dispatch
import Glibc
import Synchronization

/// A child of the test process.
final class ChildProcess {
  /// The program's name, for messages.
  let name: String
  /// The process id.
  let id: pid_t
  /// Becomes readable when the process has ended.
  let lifeline: Descriptor
  private let end: End

  /// Starts `command` in the process group `group` (0: a new one). A stream that is nil is /dev/null.
  init(
    _ command: [String], environment: [String: String], folder: String? = nil, group: pid_t = 0,
    input: Descriptor? = nil, output: Descriptor? = nil, errors: Descriptor? = nil
  ) throws(LabError) {
    precondition(!command.isEmpty, "a command of no words")
    let nothing = try Descriptor.open("/dev/null", O_RDWR)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (stream, target) in [(input, 0), (output, 1), (errors, 2)] as [(Descriptor?, Int32)] {
      posix_spawn_file_actions_adddup2(&actions, (stream ?? nothing).number, target)
    }
    // No other descriptor of the test process is inherited.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }

    // Test runners block and ignore signals; a child starts with all of them unblocked and at their defaults.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, group)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var process: pid_t = 0
    let failure = onMainThread {
      withCStrings(command) { arguments in
        withCStrings(environment.map { "\($0)=\($1)" }) { variables in
          posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
        }
      }
    }
    guard failure == 0 else { throw .failed(operation: "starting \(command[0])", errno: failure) }
    name = command[0]
    id = process
    // Only this object waits for the child, so its process id cannot have been reused yet.
    lifeline = Descriptor(pidfd_open(process, 0))
    end = End(of: process)
    end.takeWhenReadable(pidfd_open(process, 0))
  }

  /// Its exit status, or nil if it has not ended by the deadline.
  func waitForEnd(until deadline: Deadline) -> ExitStatus? {
    guard !readable([lifeline.number], until: deadline).isEmpty else { return nil }
    return end.take()
  }

  /// Its exit status, or nil while it runs.
  var ended: ExitStatus? { waitForEnd(until: Deadline(in: .zero)) }

  /// Sends a signal, unless it has ended.
  func signal(_ number: Int32) {
    end.signal(number)
  }

  /// Reaps a child as soon as it ends: an unreaped child would keep the runner of exit tests from noticing the end of its own
  /// children.
  private final class End: Sendable {
    private let id: pid_t
    private let status = Mutex<ExitStatus?>(nil)

    init(of id: pid_t) { self.id = id }

    /// Reaps a child, waiting for its end if necessary, and returns its exit status.
    @discardableResult func take() -> ExitStatus {
      status.withLock { status in
        if let status { return status }
        var raw: Int32 = 0
        while waitpid(id, &raw, 0) < 0, errno == EINTR {}
        let found = ExitStatus(waitStatus: raw)
        status = found
        return found
      }
    }

    /// Sends a signal unless the child has been reaped: its process id may then belong to another process.
    func signal(_ number: Int32) {
      status.withLock { status in
        if status == nil { kill(id, number) }
      }
    }

    /// Reaps the child when `descriptor` becomes readable, and closes that.
    func takeWhenReadable(_ descriptor: Int32) {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
      source.setEventHandler { [self] in
        take()
        source.cancel()
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
    }
  }
}

/// Calls `body` on the main thread, between other work there.
///
/// A new child holds a copy of every descriptor until it executes its program. Other tests of this process close sockets and
/// expect the other end to notice at once. They run on the main thread, so no child may be started anywhere else.
private func onMainThread<R>(_ body: () -> R) -> R {
  let isThere = getpid() == gettid() || DispatchQueue.getSpecific(key: mainQueueKey) == true
  return isThere ? body() : DispatchQueue.main.sync(execute: body)
}

/// Marks the main queue, which need not run on the first thread: tests on the main actor may already be on it.
private let mainQueueKey = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

/// Calls `body` with the strings as a C array that ends in NULL.
private func withCStrings<R>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
  let copies = strings.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  return body(copies + [nil])
}
