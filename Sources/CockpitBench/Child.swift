import Foundation
import Glibc

/// A running client.
@MainActor final class Child {
  let identifier: pid_t
  /// When it was asked for, just before the system call.
  let started: Int64
  private var isReaped = false

  /// What a program's standard output is.
  enum Output {
    /// This process's.
    case inherited
    case descriptor(Int32)
    case closed
  }

  /// Starts a program with `environment` instead of this process's.
  init(_ words: [String], environment: [String: String], output: Output = .inherited) throws(BenchError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch output {
    case .inherited: break
    case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
    case .closed: posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
    }
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var identifier: pid_t = 0
    started = Time.now
    let result = posix_spawn(&identifier, words[0], &actions, nil, arguments, variables)
    guard result == 0 else { throw .system(operation: words[0], errno: result) }
    self.identifier = identifier
  }

  isolated deinit {
    if !isReaped { end() }
  }

  /// Asks the process to end, then makes it, and waits for it.
  func end() {
    guard !isReaped else { return }
    kill(identifier, SIGTERM)
    let limit = Time.now + 500_000_000
    while Time.now < limit {
      if hasEnded { return }
      usleep(1000)
    }
    kill(identifier, SIGKILL)
    var status: Int32 = 0
    waitpid(identifier, &status, 0)
    isReaped = true
  }

  /// True when the process has ended by itself.
  var hasEnded: Bool {
    if isReaped { return true }
    var status: Int32 = 0
    if waitpid(identifier, &status, WNOHANG) == identifier { isReaped = true }
    return isReaped
  }

  /// What the process has cost so far.
  var cost: ProcessCost { ProcessCost(identifier: identifier) }

  /// Runs a program to its end: what it printed, and the milliseconds that it took; nil when it failed.
  static func run(_ words: [String]) -> (output: Data, milliseconds: Double)? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    let start = Time.now
    guard (try? process.run()) != nil else { return nil }
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let milliseconds = Double(Time.now - start) / 1e6
    return process.terminationStatus == 0 ? (output, milliseconds) : nil
  }
}
