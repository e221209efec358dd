import Foundation

/// A measured quantity of a client in a scene.
struct Figure: Codable, Sendable {
  var name: String
  var unit: String
  /// "cockpit", "bare", another client, or "machine".
  var client: String
  /// The window's size, perhaps with its content; empty where there is no window.
  var scene: String
  /// A sample for each round; infinite where there was nothing to measure.
  var samples: [Double] = []

  /// The name with the scene.
  var title: String { scene.isEmpty ? name : "\(name) at \(scene)" }

  /// The middle sample.
  var median: Double { Statistics.median(samples) ?? .infinity }

  /// The noise: half the range of the middle half of the rounds, as a fraction of the median; nil for a single round.
  var noise: Double? {
    guard samples.count > 2, median > 0, median.isFinite,
      let low = Statistics.percentile(0.25, samples), let high = Statistics.percentile(0.75, samples)
    else { return nil }
    return (high - low) / 2 / median
  }

  /// This figure in multiples of `yardstick`, each round by the same round's where both have as many, because the machine's speed
  /// drifts from round to round.
  func relative(to yardstick: Figure) -> Figure {
    var result = self
    result.unit = "x \(yardstick.client)"
    result.samples =
      samples.count == yardstick.samples.count
      ? zip(samples, yardstick.samples).map { $1 > 0 ? $0 / $1 : .infinity } : [median / yardstick.median]
    return result
  }

  /// True when `other` differs by more than the rounds do among each other: of all pairs of a round of one and a round of the
  /// other at most one in 25 goes the other way, which happens by chance with one pair of equal figures in 60. Nil for less than
  /// four rounds.
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

  /// Adds a round's sample; nil where there was nothing to measure.
  mutating func record(_ value: Double?, _ name: String, _ unit: String, client: String = "cockpit", scene: String = "")
  {
    let index = all.firstIndex { $0.name == name && $0.client == client && $0.scene == scene }
    if index == nil { all.append(Figure(name: name, unit: unit, client: client, scene: scene)) }
    all[index ?? all.count - 1].samples.append(value ?? .infinity)
  }

  /// The figure by that name of `client` in `scene`; nil when it was not measured.
  subscript(name: String, client: String, scene: String) -> Figure? {
    all.first { $0.name == name && $0.client == client && $0.scene == scene }
  }

  /// The same figure of another client.
  func counterpart(of figure: Figure, client: String) -> Figure? { self[figure.name, client, figure.scene] }

  /// Says for each of the cockpit's figures that another run has too whether it has changed beyond noise. Where both have the
  /// yardstick's, times are compared in multiples of it: the machine may have had another speed then.
  func changes(from earlier: Figures) -> [String] {
    changes { figure in
      guard let before = earlier.counterpart(of: figure, client: figure.client) else { return nil }
      guard figure.unit == "ms", let mine = counterpart(of: figure, client: "bare"),
        let its = earlier.counterpart(of: figure, client: "bare")
      else { return (before, figure) }
      return (before.relative(to: its), figure.relative(to: mine))
    }
  }

  /// Says for each of the cockpit's figures that `client` has too, in the same rounds, whether they differ beyond noise.
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
      // Less than a hundredth is no news, however sure.
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

/// A readable number: three digits.
func text(_ value: Double?) -> String {
  guard let value, value.isFinite else { return "-" }
  return String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
}

/// Medians and percentiles.
enum Statistics {
  /// The least value that the fraction `part` (0 to 1) of `values` does not exceed; nil without values.
  static func percentile(_ part: Double, _ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))]
  }

  /// The middle value.
  static func median(_ values: [Double]) -> Double? { percentile(0.5, values) }
}
