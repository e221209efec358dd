import Foundation

/// A measured quantity of a client in a scene.
struct Figure: Codable, Sendable {
  var name: String
  var unit: String
  /// "cockpit", "bare", another client, or "machine".
  var client: String
  /// The window's size, or the name of its content; empty without a window.
  var scene: String
  /// One sample for each round; infinite if nothing could be measured.
  var samples: [Double] = []

  /// The name, with the scene if there is one.
  var title: String { scene.isEmpty ? name : "\(name) at \(scene)" }

  /// The median of the samples; infinite without samples.
  var median: Double { Statistics.median(samples) ?? .infinity }

  /// The noise: half the range of the middle half of the rounds, as a fraction of the median; nil for fewer than three rounds.
  var noise: Double? {
    guard samples.count > 2, median > 0, median.isFinite,
      let low = Statistics.percentile(0.25, samples), let high = Statistics.percentile(0.75, samples)
    else { return nil }
    return (high - low) / 2 / median
  }

  /// This figure in multiples of `yardstick`. Rounds are compared one by one if both have the same number of them, because the
  /// machine's speed drifts from round to round; otherwise the medians are.
  func relative(to yardstick: Figure) -> Figure {
    var result = self
    result.unit = "x \(yardstick.client)"
    result.samples =
      samples.count == yardstick.samples.count
      ? zip(samples, yardstick.samples).map { $1 > 0 ? $0 / $1 : .infinity } : [median / yardstick.median]
    return result
  }

  /// Whether this figure differs from `other` beyond noise. Each round of one is paired with each round of the other; at most one
  /// pair in 25 may have the opposite order. With five rounds, one comparison of equal figures in 60 does so by chance. Nil for
  /// fewer than four rounds.
  func differs(from other: Figure) -> Bool? {
    guard min(samples.count, other.samples.count) >= 4 else { return nil }
    var (less, more) = (0.0, 0.0)
    for mine in samples {
      for its in other.samples {
        less += mine < its ? 1 : mine == its ? 0.5 : 0
        more += mine > its ? 1 : mine == its ? 0.5 : 0
      }
    }
    return min(less, more) <= (less + more) * 0.04
  }
}

/// Every figure of a run, in the order in which each was first measured.
struct Figures: Codable, Sendable {
  private(set) var all: [Figure] = []

  /// Adds a round's sample; nil if nothing could be measured.
  mutating func record(_ value: Double?, _ name: String, _ unit: String, client: String = "cockpit", scene: String = "")
  {
    let index = all.firstIndex { $0.name == name && $0.client == client && $0.scene == scene }
    if index == nil { all.append(Figure(name: name, unit: unit, client: client, scene: scene)) }
    all[index ?? all.count - 1].samples.append(value ?? .infinity)
  }

  /// The figure of that name of `client` in `scene`; nil if it was not measured.
  subscript(name: String, client: String, scene: String) -> Figure? {
    all.first { $0.name == name && $0.client == client && $0.scene == scene }
  }

  /// The same figure of another client.
  func counterpart(of figure: Figure, client: String) -> Figure? { self[figure.name, client, figure.scene] }

  /// Lists the cockpit's figures that have changed beyond noise since an earlier run, then counts the others. If both runs have
  /// the yardstick's figure, times are compared in multiples of it, because the machine's speed may have been different.
  func changes(from earlier: Figures) -> [String] {
    changes { figure in
      guard let before = earlier.counterpart(of: figure, client: figure.client) else { return nil }
      guard figure.unit == "ms", let mine = counterpart(of: figure, client: "bare"),
        let its = earlier.counterpart(of: figure, client: "bare")
      else { return (before, figure) }
      return (before.relative(to: its), figure.relative(to: mine))
    }
  }

  /// Lists the cockpit's figures that differ beyond noise from those of `client` in the same rounds, then counts the others.
  func changes(fromClient client: String) -> [String] {
    changes { figure in counterpart(of: figure, client: client).map { ($0, figure) } }
  }

  private func changes(_ pair: (Figure) -> (before: Figure, now: Figure)?) -> [String] {
    var lines: [String] = []
    var (equal, single) = (0, 0)
    for figure in all where figure.client == "cockpit" {
      guard let (before, now) = pair(figure), before.median.isFinite, now.median.isFinite else { continue }
      guard let isChanged = now.differs(from: before) else {
        single += 1
        continue
      }
      // A change of less than 1 % is not reported, however certain.
      guard isChanged, abs(now.median / before.median - 1) >= 0.01 else {
        equal += 1
        continue
      }
      let percent = String(format: "%+.0f", (now.median / before.median - 1) * 100)
      lines.append(
        "changed: \(figure.title): \(text(before.median)) -> \(text(now.median)) \(now.unit) (\(percent) %)")
    }
    return lines + ["\(equal) figures without a change beyond noise, \(single) measured in too few rounds to say"]
  }
}

/// A number with about three digits; "-" if it is nil or not finite.
func text(_ value: Double?) -> String {
  guard let value, value.isFinite else { return "-" }
  return String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
}

/// Medians and percentiles.
enum Statistics {
  /// The smallest of `values` that at least the fraction `part` (0 to 1) of them does not exceed; nil without values.
  static func percentile(_ part: Double, _ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))]
  }

  /// The slope of the straight line through `points` that has the least squares of distances, and its standard error, as if the distances
  /// were independent of each other; nil for fewer than three points.
  static func slope(_ points: [(x: Double, y: Double)]) -> (slope: Double, error: Double)? {
    guard points.count > 2 else { return nil }
    let count = Double(points.count)
    let (x, y) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
    let width = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    guard width > 0 else { return nil }
    let slope = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / width
    let rest = points.reduce(0) { sum, point in
      let distance = point.y - y - slope * (point.x - x)
      return sum + distance * distance
    }
    return (slope, (rest / (count - 2) / width).squareRoot())
  }

  /// The middle value, or the lower one of the two in the middle; nil without values.
  static func median(_ values: [Double]) -> Double? { percentile(0.5, values) }
}
