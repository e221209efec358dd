import Foundation

/// The processors' work up to a moment (/proc/stat).
struct MachineLoad: Sendable {
  private var busy = 0.0
  private var total = 0.0

  /// The work up to now.
  init() {
    let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
    let ticks = text.split(separator: "\n").first?.split(separator: " ").dropFirst().compactMap { Double($0) } ?? []
    guard ticks.count > 7 else { return }
    // user nice system idle iowait irq softirq steal; guests are counted in user.
    total = ticks[0..<8].reduce(0, +)
    busy = total - ticks[3] - ticks[4]
  }

  /// The share of all processors' time that was worked since `earlier`, from 0 to 1.
  func share(since earlier: MachineLoad) -> Double {
    total > earlier.total ? (busy - earlier.busy) / (total - earlier.total) : 0
  }

  /// Waits until nothing else works for a second, at most `seconds`.
  static func waitUntilQuiet(seconds: Double) {
    let limit = Time.now + Int64(seconds * 1e9)
    while Time.now < limit {
      let before = MachineLoad()
      usleep(1_000_000)
      if MachineLoad().share(since: before) < 0.05 { return }
    }
  }
}
