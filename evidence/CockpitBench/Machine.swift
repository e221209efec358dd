import Foundation
import Glibc

/// The measuring machine. Its speed and the load by other programs affect every figure.
enum Machine {
  /// The processor, its load and the date.
  static func describe() -> String {
    let name = systemText("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
    let model = name?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    let date = ISO8601DateFormatter().string(from: Date())
    let load = systemText("/proc/loadavg").split(separator: " ").first ?? "?"
    return "\(model), \(ProcessInfo.processInfo.activeProcessorCount) processors, load \(load) at the start, \(date)"
  }

  /// The checkout's commit, and whether its sources differ from that; nil outside of a checkout.
  static func commit() -> String? {
    func git(_ words: String...) -> String? {
      Child.run(["/usr/bin/env", "git"] + words).map { String(decoding: $0, as: UTF8.self) }
    }
    guard let commit = git("rev-parse", "--short=8", "HEAD") else { return nil }
    let changes = git("status", "--porcelain", "--", "Sources", "evidence", "Package.swift") ?? ""
    return commit.trimmingCharacters(in: .newlines) + (changes.isEmpty ? "" : " with changes")
  }

  /// The milliseconds for ten million steps of integer arithmetic, the best of three: the machine's current speed.
  static func integerLoop() -> Double {
    var best = Double.infinity
    var number: UInt64 = 88_172_645_463_325_252
    for _ in 0..<3 {
      let start = Time.now
      for _ in 0..<10_000_000 {
        number ^= number << 13
        number ^= number >> 7
        number ^= number << 17
      }
      best = min(best, Double(Time.now - start) / 1e6)
    }
    // The generator never reaches 0, but the compiler does not know that and has to run the loop.
    return number == 0 ? .infinity : best
  }

  /// The CPU time of this process and of the children that it has waited for, in nanoseconds.
  static var ownNanoseconds: Int64 {
    [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(into: Int64(0)) { sum, who in
      var usage = rusage()
      getrusage(__rusage_who_t(who.rawValue), &usage)
      for time in [usage.ru_utime, usage.ru_stime] {
        sum += Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000
      }
    }
  }

  /// Has this process run in real time (SCHED_RR), or as ordinary programs again. It needs the system's permission, and does nothing
  /// without it. Processes that it starts are ordinary.
  static func setRealTime(_ isRealTime: Bool) {
    var parameter = sched_param(sched_priority: isRealTime ? 1 : 0)
    let resetOnFork: Int32 = 0x4000_0000
    sched_setscheduler(0, isRealTime ? SCHED_RR | resetOnFork : SCHED_OTHER, &parameter)
  }

  /// The files that the process `identifier` has mapped.
  static func files(mappedBy identifier: pid_t) -> Set<String> {
    let lines = systemText("/proc/\(identifier)/maps").split(separator: "\n")
    return Set(lines.compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } })
  }

  /// Drops every file that no program maps from the page cache, and every name from the kernel's caches. Returns false without the
  /// permission.
  static func dropCaches() -> Bool {
    sync()
    let file = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return write(file, "3", 1) == 1
  }

  /// Drops `files` from the page cache, so that they are read from the disk again. Pages that a running program maps stay.
  static func dropPages(of files: Set<String>) {
    for path in files {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { continue }
      posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
      close(file)
    }
  }
}

/// The work of all processors up to a moment (/proc/stat).
struct MachineLoad: Sendable {
  private var busy = 0.0
  private var total = 0.0
  private let own = Machine.ownNanoseconds
  private let time = Time.now

  init() {
    let line = systemText("/proc/stat").prefix { $0 != "\n" }
    let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard ticks.count > 7 else { return }
    // user nice system idle iowait irq softirq steal; guests are counted in user.
    total = ticks[0..<8].reduce(0, +)
    busy = total - ticks[3] - ticks[4]
  }

  /// The fraction of all processors' time that was used since `earlier`, from 0 to 1.
  func fraction(since earlier: MachineLoad) -> Double {
    total > earlier.total ? (busy - earlier.busy) / (total - earlier.total) : 0
  }

  /// The fraction that other programs used since `earlier`, from 0 to 1. A child of this process counts as another program until
  /// it has been waited for.
  func othersFraction(since earlier: MachineLoad) -> Double {
    let processors = Double(ProcessInfo.processInfo.activeProcessorCount)
    let used = Double(own - earlier.own) / Double(max(1, time - earlier.time)) / processors
    return max(0, fraction(since: earlier) - used)
  }

  /// Waits for a second in which less than 5 % of the processors' time is used, for about `seconds` at most.
  static func waitUntilQuiet(seconds: Double) {
    let limit = Time.now + Int64(seconds * 1e9)
    while Time.now < limit {
      let before = MachineLoad()
      usleep(1_000_000)
      if MachineLoad().fraction(since: before) < 0.05 { return }
    }
  }
}

/// A progress line on standard error, redrawn in place; shown only if that is a terminal.
enum Progress {
  private static let isTerminal = isatty(STDERR_FILENO) != 0
  private static let start = Time.now

  /// The beginning of every line, which names the round.
  static var prefix = ""

  /// Shows the name of the current measurement; an empty text clears the line.
  static func show(_ text: String) {
    guard isTerminal else { return }
    let seconds = (Time.now - start) / 1_000_000_000
    CockpitBench.write("\r\u{1B}[K" + (text.isEmpty ? "" : "\(seconds) s  \(prefix)\(text)"))
  }
}
