import CLinux
import CSockets
import Glibc
import Linux
import Shell

/// A program of the cockpit's own that runs beside it: the witness of the screen, or what fetches video. The two speak by the records of a
/// socket, its descriptor 3, and it ends with that. It runs in a session of its own, so that the terminal's Ctrl+C does not end it before the
/// drive.
final class Companion {
  /// Receives a message and the descriptor that came with it. Returns false if nobody understands it: then the program is ended.
  var onMessage: ((ArraySlice<UInt8>, consuming Descriptor?) -> Bool)?
  /// Called when the program has ended by itself, or was ended for what it said.
  var onEnd: (() -> Void)?
  /// The process, for tests that stop or end it.
  let process: pid_t
  private let socket: Descriptor
  private let loop: EventLoop
  private var isAlive = true
  private var bytes: [UInt8]
  private var files = [Int32](repeating: -1, count: 32)

  /// Starts the program at `path`, whose messages have at most `mostBytes`. `environment` is nil for this program's own variables. It has this
  /// program's standard input if it `takesInput`. Nil if that fails, for the reason in `errno`.
  init?(
    _ path: String, _ arguments: [String] = [], environment: [String]?, takesInput: Bool = false, mostBytes: Int,
    loop: EventLoop
  ) {
    LeftProcess.collectEnded()
    var ends = [Int32](repeating: -1, count: 2)
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0, let own = Descriptor(ends[0]), let other = Descriptor(ends[1])
    else { return nil }
    _ = fcntl(own.number, F_SETFL, O_NONBLOCK)
    let (process, failure) = spawnProcess([path] + arguments, environment: environment, flags: cockpit_spawn_session) {
      posix_spawn_file_actions_adddup2(&$0, other.number, 3)
      if !takesInput { posix_spawn_file_actions_addopen(&$0, STDIN_FILENO, "/dev/null", O_RDONLY, 0) }
      // Standard output may carry the vehicle's lines.
      posix_spawn_file_actions_addopen(&$0, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    guard failure == 0 else {
      errno = failure
      return nil
    }
    (self.process, self.loop) = (process, loop)
    socket = own
    bytes = [UInt8](repeating: 0, count: mostBytes)
    loop.watchReadable(socket.number) { [unowned self] in receive() }
  }

  isolated deinit { end() }

  /// The path of the program of this name: beside this one, or where packages keep it; nil if it is missing. It is not looked for in PATH,
  /// where another could lie.
  static func path(_ name: String) -> String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let folder = String(cString: own).split(separator: "/").dropLast().joined(separator: "/")
    return ["/\(folder)/\(name)", "/\(folder)/../lib/cockpit-wayland/\(name)"].first { access($0, X_OK) == 0 }
  }

  /// Sends a message, and a descriptor with it unless that is nil. Returns false if it cannot be sent. If the program is gone, its end is
  /// noticed by `receive`; a full socket is a program that does not read, whose silence is noticed by the clock.
  @discardableResult func send(_ bytes: [UInt8], _ file: Int32? = nil) -> Bool {
    guard isAlive else { return false }
    guard var file else { return cockpit_send(socket.number, bytes, bytes.count, nil, 0) == bytes.count }
    return cockpit_send(socket.number, bytes, bytes.count, &file, 1) == bytes.count
  }

  private func receive() {
    while isAlive {
      var count: Int32 = 0
      let length = cockpit_receive(socket.number, &bytes, bytes.count, &files, &count)
      if length < 0, errno == EINTR { continue }
      if length < 0, errno == EAGAIN { return }
      let file = count > 0 ? Descriptor(files[0]) : nil
      for extra in files.prefix(Int(count)).dropFirst() { close(extra) }
      guard length > 0, onMessage?(bytes.prefix(length), file) == true else {
        // Whoever is called may have ended it.
        guard isAlive else { return }
        end()
        onEnd?()
        return
      }
    }
  }

  /// Ends the program; nothing is called any more.
  func end() {
    guard isAlive else { return }
    isAlive = false
    loop.unwatch(socket.number)
    // Also one that is stopped.
    kill(process, SIGKILL)
    // Waiting here could take as long as a disk does.
    LeftProcess.leave(process)
  }
}
