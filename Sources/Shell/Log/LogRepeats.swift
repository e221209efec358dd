// Which lines say again what was said a moment ago. Pure.

import Interface

/// Counts equal lines, so that a fault that happens thousands of times a second is one line a second.
nonisolated struct LogRepeats {
  /// The shortest time between two equal lines.
  static let interval = Duration.seconds(1)
  /// The lines that are remembered; beyond that the oldest one counts as new again.
  private static let most = 32

  private var lines: [(text: String, written: MonotonicTime, unwritten: Int)] = []

  init() {}

  /// The line `text` is to be written at `now`: how often it was kept back since it was written last, or nil to keep this one
  /// back too.
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
