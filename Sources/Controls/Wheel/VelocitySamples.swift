// Owns the last moments of a dragged value, from which its speed at release is read.
// Must not know what the value is or what goes on with its speed.

import Interface

/// Recent values with their times: a finger's speed is the mean of the last moments, because single events tremble.
nonisolated struct VelocitySamples: Sendable {
  /// How far back a sample counts, and how long a finger may rest before its release has no speed.
  static let window = Duration.milliseconds(80)
  /// The greatest speed that is believed, in units per second.
  static let maximum = 3000.0

  private var samples: [(time: MonotonicTime, value: Double)] = []

  /// Forgets everything.
  mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
  }

  /// Adds a value; of several at one time the last counts. A clock that runs backwards starts anew.
  mutating func add(_ value: Double, at time: MonotonicTime) {
    if let last = samples.last {
      if time < last.time { samples.removeAll(keepingCapacity: true) }
      if time == last.time { samples.removeLast() }
    }
    samples.removeAll { time - $0.time > VelocitySamples.window }
    samples.append((time, value))
  }

  /// The mean speed over the window before `time` in units per second; 0 when the value rested before it.
  func velocity(at time: MonotonicTime) -> Double {
    let recent = samples.filter { time - $0.time <= VelocitySamples.window }
    guard let first = recent.first, let last = recent.last, first.time < last.time else { return 0 }
    let mean = (last.value - first.value) / (max(time, last.time) - first.time).inSeconds
    return min(max(mean, -VelocitySamples.maximum), VelocitySamples.maximum)
  }
}
