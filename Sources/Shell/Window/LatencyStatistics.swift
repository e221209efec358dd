/// Counts any number of durations for percentiles, in fixed memory.
///
/// Up to 64 microseconds, a bucket is one microsecond wide. Above that, each doubling has 32 buckets, so a percentile is at
/// most 1.6 % off. Durations above 16 seconds count in the last bucket, negative ones as zero. Recording does not allocate,
/// except for the first time after a copy was taken.
nonisolated public struct LatencyHistogram: Hashable, Sendable {
  /// The number of microseconds up to which each has its own bucket.
  private static let linear = 64
  /// The number of buckets per doubling.
  private static let steps = 32
  /// The doublings from `linear` on: up to 2 to the power of 24 microseconds.
  private static let doublings = 18

  /// The number of recorded durations.
  public private(set) var count = 0
  /// The longest duration, exact; zero before the first.
  public private(set) var most = Duration.zero
  private var buckets = [Int](repeating: 0, count: linear + doublings * steps)

  /// A histogram without durations.
  public init() {}

  /// Counts `duration`.
  public mutating func record(_ duration: Duration) {
    count += 1
    most = max(most, duration)
    buckets[LatencyHistogram.bucket(of: duration)] += 1
  }

  /// The duration that `fraction` (0 to 1) of the recorded ones do not exceed, at most 1.6 % off and never above `most`; nil
  /// before the first. 1 gives `most`.
  public func percentile(_ fraction: Double) -> Duration? {
    guard count > 0 else { return nil }
    guard fraction < 1 else { return most }
    var left = max(1, Int((max(fraction, 0) * Double(count)).rounded(.up)))
    for (index, number) in buckets.enumerated() {
      left -= number
      if left <= 0 { return min(LatencyHistogram.middle(of: index), most) }
    }
    return most
  }

  /// Adds the durations of `other`.
  public mutating func add(_ other: LatencyHistogram) {
    count += other.count
    most = max(most, other.most)
    for index in buckets.indices { buckets[index] += other.buckets[index] }
  }

  private static func bucket(of duration: Duration) -> Int {
    let end = (linear << doublings) - 1
    let microseconds = Int(min(max(0, duration.inNanoseconds / 1000), Int64(end)))
    guard microseconds >= linear else { return microseconds }
    // The highest bit says which doubling it is, the five below it the step.
    let shift = Int.bitWidth - 6 - microseconds.leadingZeroBitCount
    return linear + (shift - 1) * steps + (microseconds >> shift) - steps
  }

  private static func middle(of bucket: Int) -> Duration {
    guard bucket >= linear else { return .nanoseconds(bucket * 1000 + 500) }
    let (doubling, step) = (bucket - linear).quotientAndRemainder(dividingBy: steps)
    let width = 2 << doubling
    return .microseconds((steps + step) * width + width / 2)
  }
}

/// Measurements of a window's answers to input, from the event to the screen; see `Window.measuresLatency`.
///
/// An input counts if content needed a frame after it; the first new image after that is its answer. While content is animated
/// every input counts, since the next image could show it.
nonisolated public struct LatencyStatistics: Hashable, Sendable {
  /// The source of what is known about frames after their commit.
  public enum Feedback: Hashable, Sendable {
    /// The compositor reports when each frame was visible (wp_presentation).
    case reported
    /// It has no wp_presentation.
    case missing
    /// It says so on a clock that can't be read here.
    case unreadableClock
  }

  /// From an input's arrival in the process to the commit of its answer.
  public internal(set) var arrivalToCommit = LatencyHistogram()
  /// From an input's own time (the middle of its whole millisecond) to the commit of its answer. Inputs whose time is not
  /// within the second before their arrival are left out: their clock is not CLOCK_MONOTONIC.
  public internal(set) var eventToCommit = LatencyHistogram()
  /// From an input's arrival in the process to the time at which its answer was visible.
  public internal(set) var arrivalToPhotons = LatencyHistogram()
  /// From an input's own time, as for `eventToCommit`, to the time at which its answer was visible.
  public internal(set) var eventToPhotons = LatencyHistogram()

  /// The number of commits with a new image.
  public internal(set) var commits = 0
  /// The source of everything below.
  public internal(set) var feedback = Feedback.reported
  /// The number of images that were visible.
  public internal(set) var presented = 0
  /// The number of images that the compositor replaced before they were visible.
  public internal(set) var discarded = 0
  /// The number of `presented` images that the display showed without tearing.
  public internal(set) var synchronized = 0
  /// The number of `presented` images that the display read from the window's own buffer.
  public internal(set) var zeroCopy = 0
  /// The time between refreshes, as reported last; nil if the compositor does not report it or the rate is not constant.
  public internal(set) var refresh: Duration?
  /// The number of refreshes that showed no new image while one was due: a change had waited longer than the shortest time
  /// observed so far from a commit to the screen. Refreshes before the first visible image and after the last are not counted.
  public internal(set) var missed = 0
  /// The longest time for which a change waited without a new visible image. One refresh and the compositor's own delay are
  /// normal.
  public internal(set) var longestWait = Duration.zero

  /// Statistics of nothing.
  public init() {}

  /// Adds the measurements of `other`, such as those of the window before a reconnection. Values of which only the last is
  /// kept, such as the refresh, are taken from `other`.
  public mutating func add(_ other: LatencyStatistics) {
    arrivalToCommit.add(other.arrivalToCommit)
    eventToCommit.add(other.eventToCommit)
    arrivalToPhotons.add(other.arrivalToPhotons)
    eventToPhotons.add(other.eventToPhotons)
    commits += other.commits
    feedback = other.feedback
    presented += other.presented
    discarded += other.discarded
    synchronized += other.synchronized
    zeroCopy += other.zeroCopy
    refresh = other.refresh ?? refresh
    missed += other.missed
    longestWait = max(longestWait, other.longestWait)
  }
}

nonisolated extension LatencyStatistics: CustomStringConvertible {
  /// A table as text, each line with a line end.
  public var description: String {
    var lines = [
      row("latency in ms", "p50", "p99", "most", "inputs"),
      row("input to commit, since its arrival", of: arrivalToCommit),
      row("input to commit, since its own time", of: eventToCommit),
    ]
    if presented > 0 {
      lines.append(row("input to photons, since its arrival", of: arrivalToPhotons))
      lines.append(row("input to photons, since its own time", of: eventToPhotons))
      lines.append(
        "frames: \(commits) committed, \(presented) seen (\(synchronized) without tearing, \(zeroCopy) without a copy), "
          + "\(discarded) replaced unseen")
      lines.append("refreshes: \(missedRefreshes); longest wait for a picture \(text(longestWait)) ms")
    } else {
      lines.append("frames: \(commits) committed")
      lines.append("input to photons and missed refreshes: unknown, \(reason)")
    }
    if eventToCommit.count < arrivalToCommit.count {
      lines.append("inputs left out under \"own time\": those of another clock than CLOCK_MONOTONIC, or without a time")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var missedRefreshes: String {
    guard let refresh else { return "missed ones unknown, the compositor reports no constant refresh rate" }
    let hundredths = Int((100 / refresh.inSeconds).rounded())
    return "\(missed) missed at \(LatencyStatistics.decimal(hundredths)) Hz"
  }

  private var reason: String {
    switch feedback {
    case .missing: "the compositor has no wp_presentation"
    case .unreadableClock: "the compositor's presentation times are on a clock that can't be read"
    case .reported: "the compositor has reported no frame as shown"
    }
  }

  private func row(_ label: String, of histogram: LatencyHistogram) -> String {
    let values = [0.5, 0.99, 1].map { histogram.percentile($0).map(text) ?? "-" }
    return row(label, values[0], values[1], values[2], "\(histogram.count)")
  }

  private func row(_ label: String, _ cells: String...) -> String {
    cells.reduce(label + String(repeating: " ", count: max(0, 37 - label.count))) { line, cell in
      line + String(repeating: " ", count: max(1, 9 - cell.count)) + cell
    }
  }

  /// In milliseconds.
  private func text(_ duration: Duration) -> String {
    LatencyStatistics.decimal(Int((Double(duration.inNanoseconds) / 10_000).rounded()))
  }

  /// A non-negative number with two decimals.
  private static func decimal(_ hundredths: Int) -> String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(rest / 10)\(rest % 10)"
  }
}
