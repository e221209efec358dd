import Foundation
import Glibc

/// A control group whose processes together get a fraction of one processor.
///
/// In each period of 100 ms, the kernel's default, they may run for that fraction of it, then they wait for the next.
struct ProcessorQuota: ~Copyable {
  private static let period = 100_000
  private let folder: String

  /// A group of `fraction` of one processor; nil where this process may not make one.
  init?(fraction: Double) {
    let quota = Int(fraction * Double(ProcessorQuota.period))
    for parent in ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"] {
      let folder = "\(parent)/cockpit-bench-\(getpid())"
      guard mkdir(folder, 0o755) == 0 else { continue }
      // The first version of control groups has one hierarchy for each controller, the second one for all.
      let isLimited =
        ProcessorQuota.write("\(ProcessorQuota.period)", to: "\(folder)/cpu.cfs_period_us")
        && ProcessorQuota.write("\(quota)", to: "\(folder)/cpu.cfs_quota_us")
        || ProcessorQuota.write("+cpu", to: "\(parent)/cgroup.subtree_control")
          && ProcessorQuota.write("\(quota) \(ProcessorQuota.period)", to: "\(folder)/cpu.max")
      if isLimited {
        self.folder = folder
        return
      }
      rmdir(folder)
    }
    return nil
  }

  deinit { rmdir(folder) }

  /// Puts a process with all its threads into the group; returns false if that fails.
  func limit(_ identifier: pid_t) -> Bool { ProcessorQuota.write("\(identifier)", to: "\(folder)/cgroup.procs") }

  private static func write(_ text: String, to path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return Glibc.write(file, text, text.utf8.count) == text.utf8.count
  }
}
