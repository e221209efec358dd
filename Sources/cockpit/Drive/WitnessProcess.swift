import CLinux
import CSockets
import Glibc
import Linux
import Shell
import Witnessing

/// What a witness answers.
nonisolated enum WitnessAnswer {
  /// So many cells were asked about, and all are right.
  case right(cells: Int)
  /// What each of the cells shows.
  case readings([Reading])
}

/// Whoever reads the pixels of frames for `DisplayWatch`.
protocol DisplayWitness: AnyObject {
  /// Receives the number of a question and the answer.
  var onAnswer: ((UInt64, WitnessAnswer) -> Void)? { get set }
  /// Called when it has ended by itself.
  var onEnd: (() -> Void)? { get set }
  /// Asks what `cells` of `frame` show, whose picture has `shape` in its memory. The memory must stay as it is until the answer. Returns false
  /// if it cannot be asked.
  func ask(_ number: UInt64, _ frame: CommittedFrame, _ shape: FrameShape, _ cells: [Cell]) -> Bool
  /// Ends it; nothing is called any more.
  func end()
}

/// A running `cockpit-witness`, which shares the frames' memory and nothing else. It runs in a session of its own, so that the terminal's
/// Ctrl+C does not end it before the drive.
final class WitnessProcess: DisplayWitness {
  var onAnswer: ((UInt64, WitnessAnswer) -> Void)?
  var onEnd: (() -> Void)?
  private let socket: Descriptor
  /// The process, for tests that stop or end it.
  let process: pid_t
  private let loop: EventLoop
  private var isAlive = true
  /// The numbers and lengths of the memories that it keeps, by the same rule as its own.
  private var known: [(number: UInt64, count: Int)] = []
  private var bytes = [UInt8](repeating: 0, count: WitnessMessage.mostBytes)
  private var question: [UInt8] = []

  /// Starts the program at `path`; nil if that fails, for the reason in `errno`.
  init?(_ path: String, loop: EventLoop) {
    LeftProcess.collectEnded()
    var ends = [Int32](repeating: -1, count: 2)
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0, let own = Descriptor(ends[0]), let other = Descriptor(ends[1])
    else { return nil }
    _ = fcntl(own.number, F_SETFL, O_NONBLOCK)
    // It needs no variables, and should not obey those that change how programs are loaded.
    let (process, failure) = spawnProcess([path], environment: [], flags: cockpit_spawn_session) {
      posix_spawn_file_actions_adddup2(&$0, other.number, 3)
      posix_spawn_file_actions_addopen(&$0, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      // Standard output may carry the vehicle's lines.
      posix_spawn_file_actions_addopen(&$0, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    guard failure == 0 else {
      errno = failure
      return nil
    }
    (self.process, self.loop) = (process, loop)
    socket = own
    loop.watchReadable(socket.number) { [unowned self] in receive() }
  }

  isolated deinit { end() }

  /// The path of the program: beside this one, or where packages keep it; nil if it is missing. It is not looked for in PATH, where another
  /// could lie.
  static var path: String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let folder = String(cString: own).split(separator: "/").dropLast().joined(separator: "/")
    return ["/\(folder)/cockpit-witness", "/\(folder)/../lib/cockpit-wayland/cockpit-witness"]
      .first { access($0, X_OK) == 0 }
  }

  func ask(_ number: UInt64, _ frame: CommittedFrame, _ shape: FrameShape, _ cells: [Cell]) -> Bool {
    guard isAlive else { return false }
    if !known.contains(where: { $0.number == frame.memory }) {
      guard give(frame) else { return false }
      known.removeAll { $0.count != frame.byteCount }
      if known.count >= WitnessMessage.mostMemories { known.removeFirst() }
      known.append((frame.memory, frame.byteCount))
    }
    WitnessMessage.write(question: number, memory: frame.memory, shape, cells, to: &question)
    return cockpit_send(socket.number, question, question.count, nil, 0) == question.count
  }

  /// Sends a descriptor that allows reading alone: the witness could not even by mistake draw into the frame. Returns false if there is none.
  private func give(_ frame: CommittedFrame) -> Bool {
    guard let reading = Descriptor(open("/proc/self/fd/\(frame.file)", O_RDONLY | O_CLOEXEC)) else { return false }
    return put(WitnessMessage.memory(frame.memory, count: frame.byteCount), reading.number)
  }

  /// Sends a message. If it cannot be sent because the witness is gone, its end is noticed by `receive`; a full socket is a witness that does
  /// not read, whose silence is noticed by the clock.
  private func put(_ message: WitnessMessage, _ file: Int32) -> Bool {
    let bytes = message.bytes
    return cockpit_send(socket.number, bytes, bytes.count, [file], 1) == bytes.count
  }

  private func receive() {
    while isAlive {
      let count = recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      if count > 0, let right = WitnessMessage.allRight(bytes.prefix(count)) {
        onAnswer?(right.number, .right(cells: right.cells))
        continue
      }
      guard count > 0, case .answer(let number, let readings) = WitnessMessage(bytes.prefix(count)) else {
        end()
        onEnd?()
        return
      }
      onAnswer?(number, .readings(readings))
    }
  }

  func end() {
    guard isAlive else { return }
    isAlive = false
    loop.unwatch(socket.number)
    kill(process, SIGKILL)
    // Waiting here could take as long as a disk does.
    LeftProcess.leave(process)
  }
}
