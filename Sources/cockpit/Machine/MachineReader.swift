import Glibc
import Linux
import MainLoop
import Synchronization

/// Tells how the machine is, when it is asked.
protocol MachineSource: AnyObject {
  /// Called with each answer.
  var onState: ((MachineState) -> Void)? { get set }
  /// Asks for the state. The answer may come late, or never.
  func ask()
}

/// Reads the machine's files on a thread of its own, which waits until it is asked: a chip that hangs delays neither the window nor the drive.
final class MachineReader: MachineSource {
  var onState: ((MachineState) -> Void)?
  private let loop: EventLoop
  private let requests: Descriptor
  private let answers: Box

  /// The newest answer, for the main thread.
  private nonisolated final class Box: Sendable {
    let state = Mutex<MachineState?>(nil)
  }

  /// A reader of what `read` returns, which is called on the thread; nil if the system has no thread or socket for it.
  init?(loop: EventLoop, read: @escaping @Sendable () -> MachineState) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0, let own = Descriptor(ends[0]) else { return nil }
    let (other, box) = (ends[1], Box())
    guard startThread("machine", { MachineReader.run(other, box, read) }) == 0 else {
      close(other)
      return nil
    }
    requests = own
    (self.loop, answers) = (loop, box)
    loop.watchReadable(requests.number) { [unowned self] in take() }
  }

  isolated deinit { loop.unwatch(requests.number) }

  func ask() {
    var byte: UInt8 = 0
    _ = send(requests.number, &byte, 1, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }

  private func take() {
    var byte: UInt8 = 0
    guard recv(requests.number, &byte, 1, Int32(MSG_DONTWAIT)) == 1 else {
      // The thread has ended, or nothing is there.
      if errno != EAGAIN { loop.unwatch(requests.number) }
      return
    }
    if let state = answers.state.withLock({ $0 }) { onState?(state) }
  }

  /// Answers until the other end is closed.
  private nonisolated static func run(_ socket: Int32, _ box: Box, _ read: () -> MachineState) {
    defer { close(socket) }
    var byte: UInt8 = 0
    while recv(socket, &byte, 1, 0) == 1 {
      let state = read()
      box.state.withLock { $0 = state }
      guard send(socket, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 else { return }
    }
  }
}
