import CLinux
import Glibc
import Linux
import UICore

/// The client's process, with the processes that it started.
final class ClientProcess {
  let pid: pid_t
  /// The wait status once the process has ended; nil while it runs.
  private(set) var status: Int32?
  private var tree: [pid_t]
  /// The newest process of the system when `tree` was read.
  private var newest = ""

  /// Starts `command`, found by PATH, with these variables changed (nil removes one), in a session of its own. Its standard output
  /// is this process's standard error; with `output`, both are that descriptor. Throws errno.
  init(_ command: [String], environment: [String: String?], output: Int32? = nil) throws(SystemError) {
    var variables: [String] = []
    var entry = unsafe cockpit_environment()
    while let variable = unsafe entry?.pointee {
      let text = unsafe String(cString: variable)
      if !environment.keys.contains(String(text.prefix { $0 != "=" })) { variables.append(text) }
      unsafe entry = entry?.successor()
    }
    variables += environment.compactMap { name, value in value.map { "\(name)=\($0)" } }
    let (pid, failure) = unsafe spawnProcess(command, environment: variables, flags: cockpit_spawn_session) {
      if let output { unsafe posix_spawn_file_actions_adddup2(&$0, output, STDERR_FILENO) }
      unsafe posix_spawn_file_actions_adddup2(&$0, STDERR_FILENO, STDOUT_FILENO)
    }
    guard failure == 0 else { throw SystemError(errno: failure) }
    self.pid = pid
    tree = [pid]
  }

  /// Notices that the process has ended.
  func reap() {
    var status: Int32 = 0
    if self.status == nil, unsafe waitpid(pid, &status, WNOHANG) == pid { self.status = status }
  }

  /// How the process ended; nil while it runs.
  var ending: ProcessEnding? { status.map(ProcessEnding.init(status:)) }

  /// Whether the kernel, or a program that it started for that, writes down what a process that crashed had in memory. Until that is
  /// done, the process has neither ended nor closed its connections.
  var isDumping: Bool {
    guard status == nil else { return false }
    return ClientProcess.text(of: "/proc/\(pid)/status", atMost: 4096).split(separator: UInt8(ascii: "\n")).contains {
      $0.elementsEqual("CoreDumping:\t1".utf8)
    }
  }

  /// Kills the process and its session, and waits for its end: SIGTERM first, SIGKILL after a quarter of a second. Meanwhile
  /// it calls `work` again and again.
  func end(while work: () -> Void = {}) {
    reap()
    kill(-pid, SIGTERM)
    for _ in 0..<250 where status == nil {
      usleep(1000)
      work()
      reap()
    }
    kill(-pid, SIGKILL)
    if status == nil {
      var status: Int32 = 0
      if unsafe waitpid(pid, &status, 0) == pid { self.status = status }
    }
  }

  // MARK: Sleep

  /// Whether no thread of the client runs or is about to: each waits for an event or a timer, and none has run between two looks
  /// at them.
  var isAsleep: Bool {
    reap()
    guard status == nil else { return true }
    findTree()
    guard let first = look(), let second = look() else { return false }
    return first == second
  }

  /// How often each thread has run; nil if one runs now.
  private func look() -> [String]? {
    var seen: [String] = []
    for pid in tree {
      for thread in FileReader.names(in: "/proc/\(pid)/task") where thread.utf8.first != UInt8(ascii: ".") {
        let place = "/proc/\(pid)/task/\(thread)/"
        // The state follows the name, which may hold anything, even brackets.
        let stat = ClientProcess.text(of: place + "stat")
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")), end + 2 < stat.count else { continue }
        if [UInt8(ascii: "R"), UInt8(ascii: "D")].contains(stat[end + 2]) { return nil }
        seen.append(thread + " " + String(decoding: ClientProcess.text(of: place + "schedstat"), as: UTF8.self))
      }
    }
    return seen
  }

  /// Finds the processes that the client started, if the system has any that is new.
  private func findTree() {
    let load = String(decoding: ClientProcess.text(of: "/proc/loadavg"), as: UTF8.self)
    let newest = String(load.split(separator: " ").last ?? "")
    guard newest != self.newest else { return }
    self.newest = newest
    var parents: [pid_t: [pid_t]] = [:]
    for name in FileReader.names(in: "/proc") {
      guard let pid = pid_t(name) else { continue }
      let stat = ClientProcess.text(of: "/proc/\(pid)/stat")
      guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { continue }
      let words = stat[(end + 1)...].split(separator: UInt8(ascii: " "))
      guard words.count > 1, let parent = pid_t(String(decoding: words[1], as: UTF8.self)) else { continue }
      parents[parent, default: []].append(pid)
    }
    tree = [pid]
    var index = 0
    while index < tree.count {
      tree += parents[tree[index]] ?? []
      index += 1
    }
  }

  private static func text(of path: String, atMost limit: Int = 512) -> ArraySlice<UInt8> {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = unsafe read(file, &bytes, bytes.count)
    return bytes.prefix(max(0, count))
  }
}

/// How a process ended. A code above 128 is no signal: only a shell reports the signal of its child so.
enum ProcessEnding: Hashable {
  case code(Int)
  case signal(Int)

  /// Reads a wait status.
  init(status: Int32) {
    self = status & 0x7f == 0 ? .code(Int(status >> 8) & 0xff) : .signal(Int(status) & 0x7f)
  }

  /// The end of a client in words.
  var words: String {
    switch self {
    case .code(let code): "the client ended with \(code)"
    case .signal(let signal): "the client was ended by the signal \(signal)"
    }
  }
}

/// A failed system call.
struct SystemError: Error, CustomStringConvertible {
  let errno: Int32

  var description: String { systemMessage(errno) }
}
