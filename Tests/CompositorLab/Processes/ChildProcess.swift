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
  let lifeline: SharedDescriptor
  private let end: End

  /// Starts `command` in the process group `group` (0: a new one). A stream that is nil is /dev/null.
  init(
    _ command: [String], environment: [String: String], folder: String? = nil, group: pid_t = 0,
    input: SharedDescriptor? = nil, output: SharedDescriptor? = nil, errors: SharedDescriptor? = nil
  ) throws(LabError) {
    precondition(!command.isEmpty, "a command of no words")
    let nothing = try SharedDescriptor.open("/dev/null", O_RDWR)
    let start = Starter.Order(command: command, environment: environment, folder: folder, group: group)
    let process = try Starter.start(start, streams: [input, output, errors].map { ($0 ?? nothing).number })
    name = command[0]
    id = process
    // Only this object waits for the child, so its process id cannot have been reused yet.
    lifeline = SharedDescriptor(pidfd_open(process, 0))
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
