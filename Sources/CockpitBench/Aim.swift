/// An aim of the project, with the value that was measured for it.
struct Aim: Sendable {
  /// What is asked for, in words.
  var text: String
  var measured: Double
  var limit: Double
  var unit: String

  /// True when the measured value keeps the limit.
  var isMet: Bool { measured <= limit }

  /// The aims of a client at the usual size.
  static func all(of result: Measurement, screenshot: Double?, driveLatencies: [Double] = []) -> [Aim] {
    var aims = [
      Aim(
        text: "a motion is answered by a painted commit, median",
        measured: Statistics.median(result.drag.latencies) ?? .infinity, limit: 1, unit: "ms"),
      Aim(
        text: "processor time for a painted frame", measured: result.drag.processorPerFrame, limit: 0.8, unit: "ms"),
      Aim(
        text: "damage of a turned wheel", measured: (result.damagedShare ?? 1) * 100, limit: 12,
        unit: "% of the surface"),
      Aim(
        text: "commits for each refresh at 1000 motions/s", measured: result.flood.commitsPerRefresh, limit: 1.01,
        unit: ""),
      Aim(text: "wake-ups while idle", measured: result.idleWakeUpsPerSecond, limit: 0, unit: "/s"),
      Aim(text: "commits while idle", measured: Double(result.idleCommits), limit: 0, unit: ""),
      Aim(text: "start to the first painted frame", measured: result.start ?? .infinity, limit: 40, unit: "ms"),
      Aim(text: "memory (PSS)", measured: result.memoryMegabytes, limit: 30, unit: "MB"),
    ]
    if let late = Statistics.percentile(0.99, driveLatencies) {
      aims.append(Aim(text: "a touch to the drive's line, 99 of 100", measured: late, limit: 2, unit: "ms"))
    }
    if let screenshot {
      aims.append(Aim(text: "--screenshot, start to end", measured: screenshot, limit: 150, unit: "ms"))
    }
    return aims
  }
}
