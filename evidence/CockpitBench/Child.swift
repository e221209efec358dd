import Foundation
import Glibc
import Linux

/// A child process.
@MainActor final class Child {
  let identifier: pid_t
  /// The time just before the system call that starts the process.
  let started: Int64
  private var isReaped = false

  /// Where a program's standard output goes.
  enum Output {
    /// To this process's standard output.
    case inherited
    case descriptor(Int32)
    case closed
  }

  /// Starts a program with `environment` instead of this process's. A name without a slash is looked up on the PATH. `input`
  /// becomes the standard input; nil inherits this process's.
  init(
    _ words: [String], environment: [String: String], input: Int32? = nil, output: Output = .inherited
  ) throws(BenchError) {
    started = Time.now
    let (identifier, failure) = spawnProcess(words, environment: environment.map { "\($0)=\($1)" }) { actions in
      if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
      switch output {
      case .inherited: break
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
      case .closed: posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
      }
    }
    guard failure == 0 else { throw .system(operation: words[0], errno: failure) }
    self.identifier = identifier
  }

  isolated deinit { end() }

  /// Ends the process and waits for it: first SIGTERM, after so many seconds SIGKILL.
  func end(within seconds: Double = 0.5) {
    guard !isReaped else { return }
    kill(identifier, SIGTERM)
    let limit = Time.now + Int64(seconds * 1e9)
    while Time.now < limit {
      if hasEnded { return }
      usleep(1000)
    }
    kill(identifier, SIGKILL)
    isReaped = waitpid(identifier, nil, 0) == identifier
  }

  /// True once the process has ended.
  var hasEnded: Bool {
    isReaped = isReaped || waitpid(identifier, nil, WNOHANG) == identifier
    return isReaped
  }

  var cost: ProcessCost { ProcessCost(identifier: identifier) }

  /// The milliseconds that a program takes from its start to its end; nil if it fails.
  static func duration(of words: [String]) throws(BenchError) -> Double? {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let child = try Child(words, environment: ProcessInfo.processInfo.environment, output: .descriptor(nowhere))
    return child.succeeds() ? Double(Time.now - child.started) / 1e6 : nil
  }

  /// Runs a program to its end and returns its output; nil if it fails.
  static func run(_ words: [String]) -> Data? {
    let pipe = Pipe()
    let end = pipe.fileHandleForWriting
    let child = try? Child(
      words, environment: ProcessInfo.processInfo.environment, output: .descriptor(end.fileDescriptor))
    try? end.close()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    return child?.succeeds() == true ? output : nil
  }

  /// Waits for the end of the process; returns whether its status is 0.
  private func succeeds() -> Bool {
    var status: Int32 = -1
    isReaped = waitpid(identifier, &status, 0) == identifier
    return status == 0
  }
}

/// CPU time, wake-ups and memory of a process up to a moment; the difference of two is the cost between them.
struct ProcessCost: Sendable {
  /// The CPU time of all threads, including ended ones, in nanoseconds (the process's CPU clock).
  var processorNanoseconds: Int64 = 0
  /// How often a thread went to sleep, which is how often one woke (voluntary_ctxt_switches of the threads that still run).
  var wakeUps = 0
  /// The same of each thread, by its identifier.
  private var threads: [String: Int] = [:]
  /// The process's proportional share of memory in bytes (smaps_rollup's Pss).
  var memory = 0
  /// The page faults without a read from a disk (minflt of all threads).
  var pageFaults = 0
  /// The process's anonymous memory in bytes: neither from a file nor shared (smaps_rollup's Anonymous).
  var ownMemory = 0
  /// The memory that only this process has, and has written, in bytes (smaps_rollup's Private_Dirty).
  var privateDirty = 0

  /// The cost of the process `identifier` up to now.
  init(identifier: pid_t) {
    var clock = clockid_t()
    var time = timespec()
    if clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 {
      processorNanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    let tasks = "/proc/\(identifier)/task"
    for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      threads[task] = ProcessCost.number("voluntary_ctxt_switches:", in: systemText("\(tasks)/\(task)/status"))
    }
    wakeUps = threads.values.reduce(0, +)
    let rollup = systemText("/proc/\(identifier)/smaps_rollup")
    memory = ProcessCost.number("Pss:", in: rollup) * 1024
    ownMemory = ProcessCost.number("Anonymous:", in: rollup) * 1024
    privateDirty = ProcessCost.number("Private_Dirty:", in: rollup) * 1024
    // The state follows the name, which may hold anything, even brackets.
    let stat = systemText("/proc/\(identifier)/stat")
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    pageFaults = fields.count > 8 ? Int(fields[8]) ?? 0 : 0
  }

  /// The cost since `earlier`; the memory values are not differences but those of `self`. A thread that has ended since counts as one
  /// wake-up, because its number is lost.
  func since(_ earlier: ProcessCost) -> ProcessCost {
    var spent = self
    spent.processorNanoseconds -= earlier.processorNanoseconds
    spent.wakeUps = threads.reduce(0) { $0 + $1.value - (earlier.threads[$1.key] ?? 0) }
    spent.wakeUps += earlier.threads.keys.count { threads[$0] == nil }
    return spent
  }

  /// The number after `label` in the text of a file of the system; 0 if it is missing.
  static func number(_ label: String, in text: String) -> Int {
    let line = text.split(separator: "\n").first { $0.hasPrefix(label) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}

/// The text of a system file; empty if it cannot be read.
func systemText(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
