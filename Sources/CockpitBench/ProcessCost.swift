import Foundation
import Glibc

/// Processor time, wake-ups and memory of a process up to a moment; subtract two to get what lies between.
struct ProcessCost: Sendable {
  /// Nanoseconds on a processor, of all threads that are or were (the process's CPU clock).
  var processorNanoseconds: Int64 = 0
  /// Times that a thread was put to sleep, so the number of times that it woke (voluntary_ctxt_switches).
  var wakeUps = 0
  /// The process's proportional share of memory in bytes (smaps_rollup's Pss).
  var memory = 0
  /// The process's own memory in bytes, that of no file and shared with nobody (smaps_rollup's Anonymous).
  var ownMemory = 0

  /// What `identifier` has cost up to now.
  init(identifier: pid_t) {
    var clock = clockid_t()
    var time = timespec()
    if clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 {
      processorNanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    let tasks = "/proc/\(identifier)/task"
    for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      wakeUps += ProcessCost.number("voluntary_ctxt_switches:", in: "\(tasks)/\(task)/status")
    }
    memory = ProcessCost.number("Pss:", in: "/proc/\(identifier)/smaps_rollup") * 1024
    ownMemory = ProcessCost.number("Anonymous:", in: "/proc/\(identifier)/smaps_rollup") * 1024
  }

  /// What was spent since `earlier`; the memory is the later one's.
  func since(_ earlier: ProcessCost) -> ProcessCost {
    var spent = self
    spent.processorNanoseconds -= earlier.processorNanoseconds
    spent.wakeUps -= earlier.wakeUps
    return spent
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  private static func number(_ label: String, in path: String) -> Int {
    for line in text(path).split(separator: "\n") where line.hasPrefix(label) {
      return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return 0
  }
}
