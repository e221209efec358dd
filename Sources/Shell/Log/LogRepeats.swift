// Repeated log lines: which are written and which are only counted. Pure.

import Interface

/// Counts equal lines: a fault that happens 12,000 times a second writes one line a second.
nonisolated struct LogRepeats {
  /// The shortest time between two equal lines.
  static let interval = Duration.seconds(1)
  /// The number of lines that are remembered; with one more the oldest is forgotten.
  private static let most = 32

  private var lines: [(text: String, written: MonotonicTime, unwritten: Int)] = []

  init() {}

  /// Notes the line `text` at `now`. The result is nil when the line is only counted; else the line is written, and the result is
  /// how many were only counted since it was written last.
  mutating func note(_ text: String, at now: MonotonicTime) -> Int? {
    guard let index = lines.firstIndex(where: { $0.text == text }) else {
      if lines.count == LogRepeats.most { lines.removeFirst() }
      lines.append((text, now, 0))
      return 0
    }
    guard now - lines[index].written >= LogRepeats.interval else {
      lines[index].unwritten += 1
      return nil
    }
    let count = lines.remove(at: index).unwritten
    lines.append((text, now, 0))
    return count
  }
}
