import Glibc
import JSON
import Linux
import Stage

extension StepKind {
  /// What a script waits for and demands of the client.
  static let expectationSteps: [StepKind] = [
    StepKind(
      "window", "Waits for a window that shows a buffer and has all of these properties.",
      [
        StepParameter("title", .text, "its title"), StepParameter("appID", .text, "its application ID"),
        StepParameter("width", .whole(1...100_000), "the width of its geometry in logical points"),
        StepParameter("height", .whole(1...100_000), "the height"),
        StepParameter("states", .choices(WindowStates.names), "states that the client has acknowledged, among others"),
        StepParameter("count", .whole(0...1000), "how many windows there are in all"),
        StepParameter("within", .number(0...600_000), "milliseconds of real time; 5000 by default"),
      ], ClientRun.expectWindow),
    StepKind(
      "popup", "Waits for a number of popups that are shown.",
      [
        StepParameter("count", .whole(0...100), "how many; 1 by default"),
        StepParameter("within", .number(0...600_000), "milliseconds of real time; 1000 by default"),
      ], ClientRun.expectPopup),
    StepKind(
      "frames", "Counts the frames that a window has shown since the previous `frames` step, or since it appeared.",
      [
        StepParameter("count", .whole(0...1_000_000), "exactly so many"),
        StepParameter("least", .whole(0...1_000_000), "at least so many"),
        StepParameter("most", .whole(0...1_000_000), "at most so many"), window,
      ], ClientRun.expectFrames),
    StepKind(
      "no-violation", "Fails if the client has broken a rule so far. The end of each script does the same.",
      allowsAbsence: true, ClientRun.expectNoViolation),
    StepKind(
      "violation",
      "Expects that the client has broken a rule since the last `violation` step for the same rule. Only those violations fail nothing.",
      [
        StepParameter(
          "rule", .choice(Violation.Rule.allCases.map(\.rawValue)), isRequired: true,
          "the rule's name, as `stage rules` prints it"
        )
      ], allowsAbsence: true, ClientRun.expectViolation),
    StepKind(
      "exit", "Waits until the client's process ends.",
      [
        StepParameter(
          "code", .whole(0...255), "its exit code; by default any, but no signal"),
        StepParameter("signal", .whole(1...127), "the number of the signal that ends it, instead of an exit code"),
        StepParameter("within", .number(0...600_000), "milliseconds of real time; 5000 by default"),
      ], allowsAbsence: true, ClientRun.expectExit),
    StepKind(
      "screenshot",
      "Writes NAME.png into the folder of --out, which is created if it is absent: the window with its subsurfaces, in its own pixels. With --against, it must equal the file there in every pixel; if not, NAME.difference.png shows where.",
      [
        StepParameter("name", .text, isRequired: true, "the file's name, without .png"), window,
        StepParameter("popup", .whole(0...100), "the popup to take instead, from 0 in the order of creation"),
        StepParameter("against", .text, "the path of the file to compare it with, in place of the one in --against"),
      ], ClientRun.screenshot),
  ]

  /// The parameter that names a window.
  static let window = StepParameter(
    "window", .whole(0...1000), "the window, from 0 in the order of creation; 0 by default")
}

/// The states of windows by the names that scripts use.
enum WindowStates {
  private static let all: [(name: String, state: StageToplevel.State)] = [
    ("maximized", .maximized), ("fullscreen", .fullscreen), ("resizing", .resizing), ("activated", .activated),
    ("tiled-left", .tiledLeft), ("tiled-right", .tiledRight), ("tiled-top", .tiledTop), ("tiled-bottom", .tiledBottom),
    ("suspended", .suspended), ("constrained-left", .constrainedLeft), ("constrained-right", .constrainedRight),
    ("constrained-top", .constrainedTop), ("constrained-bottom", .constrainedBottom),
  ]

  static let names = all.map(\.name)

  /// The states with these names.
  static func states(_ names: [String]) -> Set<StageToplevel.State> {
    Set(all.filter { names.contains($0.name) }.map(\.state))
  }

  /// The names of these states, in a fixed order.
  static func names(of states: Set<StageToplevel.State>) -> [String] {
    all.filter { states.contains($0.state) }.map(\.name)
  }
}

extension ClientRun {
  /// The window that a step means.
  func toplevel(_ arguments: StepArguments) throws(StepFailure) -> StageToplevel {
    let index = arguments.whole("window", or: 0)
    guard stage.toplevels.indices.contains(index) else {
      throw StepFailure(
        stage.toplevels.isEmpty
          ? "the client has no window" : "there is no window \(index): there are \(stage.toplevels.count)")
    }
    return stage.toplevels[index]
  }

  func expectWindow(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    func match() -> StageToplevel? {
      let shown = stage.toplevels.filter(\.surface.isMapped)
      if let count = arguments.whole("count"), count != shown.count { return nil }
      return shown.first { isMatch($0, arguments) }
    }
    let isGone = arguments.whole("count") == 0
    let limit = arguments.milliseconds("within", or: 5000)
    let found = wait(within: limit) { isGone ? !stage.toplevels.contains(where: \.surface.isMapped) : match() != nil }
    awaitRest()
    guard found else {
      if let ending = process.ending { throw StepFailure("\(ending.words) and shows no such window") }
      let all = stage.toplevels.map(describe)
      throw StepFailure(
        all.isEmpty ? "the client has shown no window" : "no such window; there is \(all.joined(separator: ", "))")
    }
    guard !isGone, let window = match() else { return [:] }
    let size = size(of: window)
    return [
      "title": .string(window.title ?? ""), "appID": .string(window.appID ?? ""), "width": .number(Double(size.width)),
      "height": .number(Double(size.height)),
      // The corner of the geometry in the surface: right and below of a shadow.
      "x": .number(Double(window.geometry?.x ?? 0)), "y": .number(Double(window.geometry?.y ?? 0)),
      "states": .array(WindowStates.names(of: window.agreed?.states ?? []).map { .string($0) }),
    ]
  }

  private func isMatch(_ window: StageToplevel, _ arguments: StepArguments) -> Bool {
    let size = size(of: window)
    return window.surface.isMapped && arguments.text("title").map { $0 == window.title } ?? true
      && arguments.text("appID").map { $0 == window.appID } ?? true
      && arguments.whole("width").map { $0 == size.width } ?? true
      && arguments.whole("height").map { $0 == size.height } ?? true
      && WindowStates.states(arguments.words("states") ?? []).isSubset(of: window.agreed?.states ?? [])
  }

  /// The size of a window's geometry, or of its surface without one.
  private func size(of window: StageToplevel) -> PixelSize {
    window.geometry.map { PixelSize(width: $0.width, height: $0.height) }
      ?? PixelSize(width: Int(window.surface.logicalSize.width), height: Int(window.surface.logicalSize.height))
  }

  private func describe(_ window: StageToplevel) -> String {
    let size = size(of: window)
    let states = WindowStates.names(of: window.agreed?.states ?? []).joined(separator: " ")
    let look = window.surface.isMapped ? "\(size.width) x \(size.height)" : "without a buffer"
    return
      "\"\(window.title ?? "")\" (\(window.appID ?? "no application ID"), \(look)\(states.isEmpty ? "" : ", \(states)"))"
  }

  func expectPopup(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    var shown: Int { stage.popups.count { $0.surface.isMapped && !$0.isDismissed } }
    let count = arguments.whole("count", or: 1)
    let found = wait(within: arguments.milliseconds("within", or: 1000)) { shown == count }
    awaitRest()
    guard found else { throw StepFailure("\(shown) shown, not \(count)") }
    return [:]
  }

  func expectFrames(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    let surface = try toplevel(arguments).surface
    let count = surface.contentCommits.count
    surface.forgetCommits()
    if let exact = arguments.whole("count"), count != exact { throw StepFailure("\(count), not \(exact)") }
    if let least = arguments.whole("least"), count < least { throw StepFailure("\(count), not at least \(least)") }
    if let most = arguments.whole("most"), count > most { throw StepFailure("\(count), not at most \(most)") }
    return ["count": .number(Double(count))]
  }

  func expectNoViolation(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    let broken = findings.filter { !$0.isExpected && !$0.isAdvice }.map(\.violation)
    guard !broken.isEmpty else { return [:] }
    // Each rule once, with the first request that broke it.
    let rules = Violation.Rule.allCases.compactMap { rule in
      broken.first { $0.rule == rule }.map { violation in
        rule.rawValue + (violation.request.map { " in request \($0.number), \($0)" } ?? "")
      }
    }
    throw StepFailure("the client has broken \(rules.joined(separator: "; "))")
  }

  func expectViolation(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    guard let rule = arguments.text("rule").flatMap(Violation.Rule.init(rawValue:)), claim(rule) else {
      throw StepFailure("the client has kept the rule \(arguments.text("rule") ?? "")")
    }
    return [:]
  }

  func expectExit(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    hasExpectedExit = true
    _ = wait(within: arguments.milliseconds("within", or: 5000)) { process.status != nil }
    stage.exchange()
    guard let ending = process.ending else { throw StepFailure("the client still runs") }
    let wanted =
      arguments.whole("signal").map { ", not by the signal \($0)" }
      ?? arguments.whole("code").map { ", not with \($0)" }
    switch ending {
    case .code(let code) where arguments.whole("signal") == nil && arguments.whole("code").map { code == $0 } ?? true:
      return ["code": .number(Double(code))]
    case .signal(let signal) where arguments.whole("signal") == signal:
      return ["signal": .number(Double(signal))]
    default: throw StepFailure(ending.words + (wanted ?? ""))
    }
  }
}
