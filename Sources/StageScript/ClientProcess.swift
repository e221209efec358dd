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
  /// is this process's standard error. Throws errno.
  init(_ command: [String], environment: [String: String?]) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(cockpit_spawn_session | Int32(POSIX_SPAWN_SETSIGMASK)))
    var variables: [String] = []
    var entry = cockpit_environment()
    while let variable = entry?.pointee {
      let text = String(cString: variable)
      if !environment.keys.contains(String(text.prefix { $0 != "=" })) { variables.append(text) }
      entry = entry?.successor()
    }
    variables += environment.compactMap { name, value in value.map { "\(name)=\($0)" } }
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for pointer in words + settings { free(pointer) } }
    var pid: pid_t = 0
    let failure = posix_spawnp(&pid, command[0], &actions, &attributes, &words, &settings)
    guard failure == 0 else { throw SystemError(errno: failure) }
    self.pid = pid
    tree = [pid]
  }

  /// Notices that the process has ended.
  func reap() {
    var status: Int32 = 0
    if self.status == nil, waitpid(pid, &status, WNOHANG) == pid { self.status = status }
  }

  /// The exit code, or 128 and the signal's number as shells have it; nil while the process runs.
  var exitCode: Int? { status.map { Int($0 & 0x7f == 0 ? ($0 >> 8) & 0xff : 128 + $0 & 0x7f) } }

  /// Kills the process and its session, and waits for its end: SIGTERM first, SIGKILL after a quarter of a second.
  func end() {
    reap()
    kill(-pid, SIGTERM)
    for _ in 0..<250 where status == nil {
      usleep(1000)
      reap()
    }
    kill(-pid, SIGKILL)
    if status == nil {
      var status: Int32 = 0
      if waitpid(pid, &status, 0) == pid { self.status = status }
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

  private static func text(of path: String) -> ArraySlice<UInt8> {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(file, &bytes, bytes.count)
    return bytes.prefix(max(0, count))
  }
}

/// A failed system call.
struct SystemError: Error, CustomStringConvertible {
  let errno: Int32

  var description: String { systemMessage(errno) }
}
