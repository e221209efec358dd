import Foundation
import Glibc

/// A control group of the kernel (cgroup) that limits a client's processor time or memory, made for a measurement.
///
/// It takes root. Both of the kernel's interfaces are known: one hierarchy for each controller, or a single one.
final class ControlGroup {
  /// The limit that a group sets.
  enum Limit: Sendable {
    /// Processor time, as a part of one core, in periods of 20 ms.
    case processor(Double)
    /// Memory in bytes, with the files' pages that the client reads first; there is no swapping.
    case memory(Int)
  }

  private let folder: String
  private let isUnified: Bool
  private static var count = 0

  /// Makes the group.
  init(_ limit: Limit) throws(BenchError) {
    isUnified = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0
    ControlGroup.count += 1
    let controller = if case .memory = limit { "memory" } else { "cpu" }
    let root = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/\(controller)"
    folder = "\(root)/cockpit-bench-\(getpid())-\(ControlGroup.count)"
    if isUnified { try? ControlGroup.write("+\(controller)", to: root + "/cgroup.subtree_control") }
    guard mkdir(folder, 0o755) == 0 else { throw .system(operation: folder, errno: errno) }
    let period = 20_000
    switch limit {
    case .processor(let part) where isUnified: try set("cpu.max", "\(Int(part * Double(period))) \(period)")
    case .processor(let part):
      try set("cpu.cfs_period_us", "\(period)")
      try set("cpu.cfs_quota_us", "\(Int(part * Double(period)))")
    case .memory(let bytes) where isUnified:
      try set("memory.max", "\(bytes)")
      try set("memory.swap.max", "0")
    case .memory(let bytes):
      try set("memory.limit_in_bytes", "\(bytes)")
      try set("memory.swappiness", "0")
    }
  }

  /// Removes the group, once the processes in it have ended.
  isolated deinit { rmdir(folder) }

  /// The words that start a program in the group.
  func words(_ words: [String]) -> [String] {
    ["/bin/sh", "-c", "echo $$ >\(folder)/cgroup.procs && exec \"$@\"", "sh"] + words
  }

  /// The greatest memory so far, in bytes.
  var peak: Int { number(isUnified ? "memory.peak" : "memory.max_usage_in_bytes") }
  /// The times that the kernel took back memory because of the limit, or ended a process.
  var refusals: Int {
    guard isUnified else { return number("memory.failcnt") }
    let line = systemText(folder + "/memory.events").split(separator: "\n").first { $0.hasPrefix("max ") }
    return line.flatMap { Int($0.dropFirst(4)) } ?? 0
  }

  private func number(_ name: String) -> Int {
    Int(systemText("\(folder)/\(name)").trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  private func set(_ name: String, _ value: String) throws(BenchError) {
    try ControlGroup.write(value, to: "\(folder)/\(name)")
  }

  private static func write(_ text: String, to path: String) throws(BenchError) {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    guard file >= 0, Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
      throw .system(operation: path, errno: errno)
    }
  }
}
