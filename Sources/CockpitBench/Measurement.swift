/// Raw results and what follows from them; written by `--record`.
struct Measurement: Codable, Sendable {
  /// A drag of the wheel.
  struct Drag: Codable, Sendable {
    /// Milliseconds from a motion to the first commit whose pixels show it, or a later one.
    var latencies: [Double] = []
    var motions = 0
    var unanswered = 0
    var commits = 0
    var refreshes = 0
    var processorMilliseconds = 0.0
    /// Damaged pixels of each commit as a share of the surface.
    var shares: [Double] = []

    /// Processor milliseconds for each painted frame.
    var processorPerFrame: Double { commits == 0 ? 0 : processorMilliseconds / Double(commits) }
    /// Painted commits for each refresh.
    var commitsPerRefresh: Double { refreshes == 0 ? 0 : Double(commits) / Double(refreshes) }
  }

  var client: String
  var width: Int
  var height: Int
  /// Milliseconds from before exec to the first commit with a buffer, start by start.
  var starts: [Double] = []
  var idleSeconds = 0.0
  var idleWakeUps = 0
  var idleCommits = 0
  var idleProcessorMilliseconds = 0.0
  var memoryMegabytes = 0.0
  /// Motions that keep their distance from the refresh.
  var inPhase = Drag()
  /// Motions that drift through every distance from it.
  var drifting = Drag()
  /// A thousand motions a second.
  var flood = Drag()

  /// The share of all processors' time that others used during the drags.
  var othersShare = 0.0
  /// The positions whose pictures could be told apart.
  var distinctPositions = 0

  /// Both drags together.
  var drag: Drag {
    var both = inPhase
    both.latencies += drifting.latencies
    both.motions += drifting.motions
    both.unanswered += drifting.unanswered
    both.commits += drifting.commits
    both.refreshes += drifting.refreshes
    both.processorMilliseconds += drifting.processorMilliseconds
    both.shares += drifting.shares
    return both
  }

  /// The median start in milliseconds.
  var start: Double? { Statistics.median(starts) }
  /// Wake-ups a second with nothing to do.
  var idleWakeUpsPerSecond: Double { idleSeconds == 0 ? 0 : Double(idleWakeUps) / idleSeconds }
  /// The median damaged share of a drag's frames.
  var damagedShare: Double? { Statistics.median(drag.shares) }
}
