/// An aim of the project for one of the cockpit's figures.
struct Aim: Sendable {
  /// How an aim limits its figure.
  enum Limit: Sendable {
    /// At most this value, in the figure's own unit.
    case most(Double)
    /// At most this many times the yardstick's figure named `of`, or of the same name.
    case times(Double, of: String? = nil)
    /// At most this many times the figure of the same name of the client that draws nothing.
    case floor(Double)
    /// At most this much more than the yardstick's figure of the same name.
    case more(Double)
    /// At most this many times the cockpit's own figure of that name, compared round by round.
    case own(Double, of: String)
    /// At most the sum of the cockpit's own figures by these names.
    case sum([String])
  }

  /// The figure's name; with `.most` also the part before the comma that the names of a group share.
  var name: String
  var scene: String
  var limit: Limit

  init(_ name: String, _ limit: Limit, scene: String = "1280x720") {
    (self.name, self.scene, self.limit) = (name, scene, limit)
  }

  /// Every aim.
  static let all = [
    Aim("wheel: CPU a frame", .times(1.1)),
    Aim("wheel: true p50", .times(1.15)),
    Aim("wheel: true p99", .times(1.5)),
    Aim("lever: CPU a frame", .times(1, of: "wheel: CPU a frame")),
    Aim("both: CPU a frame", .sum(["wheel: CPU a frame", "lever: CPU a frame"])),
    Aim("demo: CPU a frame", .times(1.6, of: "wheel: CPU a frame")),
    Aim("beacon: CPU a frame", .most(0.2)),
    Aim("flood: commits a refresh", .most(1.01)),
    Aim("flood: CPU a frame", .times(1.1)),
    Aim("wheel: damage", .most(5)),
    Aim("wheel: damage requests", .most(16)),
    Aim("wheel: CPU a frame", .times(0.7), scene: "3840x2160"),
    Aim("start", .times(1.5), scene: "3840x2160"),
    Aim("memory (PSS)", .more(8), scene: "3840x2160"),
    Aim("wheel: missed refreshes", .most(2), scene: "7680x4320"),
    Aim("start", .times(1)),
    Aim("start, files not in memory", .times(1.5)),
    Aim("start, 1,000 fonts", .times(1.2)),
    Aim("--version, start to end", .most(4), scene: ""),
    Aim("--screenshot, start to end", .most(60), scene: ""),
    Aim("memory (PSS)", .times(1.25)),
    Aim("memory (PSS), --drive", .times(1.25, of: "memory (PSS)")),
    Aim("the program's file, stripped", .most(12), scene: ""),
    Aim("idle wake-ups", .most(0)),
    Aim("idle commits", .most(0)),
    Aim("allocations a frame by own code", .most(0)),
    Aim("allocations a frame by libraries", .most(30)),
    Aim("busy loops: longest gap between commits", .most(50)),
    Aim("touch to drive line, p99", .most(2)),
    Aim("message late beside 2 busy loops, p99", .most(5)),
    Aim("wheel: overdraw factor", .most(2.5)),
    Aim("lever: overdraw factor", .most(2.5)),
    Aim("wheel: instructions a frame", .floor(3)),
    Aim("wheel: page faults a frame", .most(0)),
    Aim("lever: page faults a frame", .most(0)),
    Aim("wheel: allocations a frame by own code", .most(0)),
    Aim("lever: allocations a frame by own code", .most(0)),
    Aim("rest: wake-ups an hour", .most(0)),
    Aim("wheel: late frames", .most(0), scene: "1280x720 with a quarter of a core"),
    Aim("both: late frames", .most(0), scene: "1280x720 with a quarter of a core"),
    Aim("wheel: late frames", .most(0), scene: "3840x2160 with half a core"),
    Aim("greatest memory", .most(48), scene: "1280x720 with 48 MB"),
    Aim("both: late frames", .most(0), scene: "1280x720 with 48 MB"),
    Aim("greatest memory", .most(32), scene: "480x320 with 32 MB"),
    Aim("both: late frames", .most(0), scene: "480x320 with 32 MB"),
    Aim("reading a scene of 10,000 controls", .most(300), scene: ""),
    Aim("finding the control at a point among 10,000", .most(20), scene: ""),
    Aim("a change of one among 10,000 beside one among ten", .most(1.5), scene: ""),
    Aim("processor above a consumer that listens", .most(1)),
    Aim("asked: CPU a frame", .own(1.05, of: "wheel: CPU a frame")),
    Aim("asked: true p50", .own(1.05, of: "wheel: true p50")),
    Aim("asked: true p99", .own(1.05, of: "wheel: true p99")),
  ]

  /// The result of comparing an aim with a figure.
  struct Verdict: Sendable {
    var name: String
    var measured: Double
    var limit: Double
    var unit: String

    /// True if the measured value is within the limit.
    var isMet: Bool { measured <= limit }
  }

  /// The results as a table.
  static func table(_ verdicts: [Verdict]) -> String {
    verdicts.reduce(into: "| aim | measured | at most | |\n|---|---|---|---|") { table, aim in
      let unit = aim.unit.isEmpty ? "" : " \(aim.unit)"
      table +=
        "\n| \(aim.name) | \(text(aim.measured))\(unit) | \(text(aim.limit))\(unit) | \(aim.isMet ? "met" : "missed") |"
    }
  }

  /// The results of every aim. An aim is left out if its figure, or the yardstick's, was not measured.
  static func verdicts(_ figures: Figures) -> [Verdict] { all.flatMap { $0.verdicts(figures) } }

  /// Whether `figure` belongs to the aim. With `.most`, an aim covers a group of figures: "NAME, ONE" and "NAME, ANOTHER".
  private func isOf(_ figure: Figure) -> Bool {
    guard figure.client == "cockpit", figure.scene == scene else { return false }
    if case .most = limit, figure.name.hasPrefix(name + ", ") { return true }
    return figure.name == name
  }

  /// The results of the aim; empty if its figure, or the yardstick's, was not measured in this run.
  func verdicts(_ figures: Figures) -> [Verdict] {
    figures.all.filter(isOf).compactMap { figure in
      switch limit {
      case .most(let most):
        return Verdict(name: figure.title, measured: figure.median, limit: most, unit: figure.unit)
      case .times(let times, let other):
        guard let yardstick = figures[other ?? name, "bare", scene] else { return nil }
        let relative = figure.relative(to: yardstick)
        return Verdict(name: figure.title, measured: relative.median, limit: times, unit: relative.unit)
      case .floor(let times):
        guard let floor = figures.counterpart(of: figure, client: "floor") else { return nil }
        let relative = figure.relative(to: floor)
        return Verdict(name: figure.title, measured: relative.median, limit: times, unit: relative.unit)
      case .own(let times, let other):
        guard let yardstick = figures[other, "cockpit", scene] else { return nil }
        let relative = figure.relative(to: yardstick)
        return Verdict(name: figure.title, measured: relative.median, limit: times, unit: "x \(other)")
      case .more(let more):
        guard let yardstick = figures.counterpart(of: figure, client: "bare") else { return nil }
        return Verdict(
          name: figure.title, measured: figure.median - yardstick.median, limit: more,
          unit: "\(figure.unit) more than bare")
      case .sum(let names):
        let parts = names.compactMap { figures[$0, "cockpit", scene]?.median }
        guard parts.count == names.count else { return nil }
        return Verdict(name: figure.title, measured: figure.median, limit: parts.reduce(0, +), unit: figure.unit)
      }
    }
  }
}
