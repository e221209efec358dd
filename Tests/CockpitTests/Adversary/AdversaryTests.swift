import CompositorLab
import DriveLink
import Glibc
import Testing

@testable import cockpit

/// A random adversary against the cockpit that drives: all that hands, files, assistive technology, compositors and consumers can do,
/// judged after each step. A breach is reported with the shortest sequence found, as Swift for `Adversary.play`.
@MainActor @Suite(.serialized) struct AdversaryTests {
  /// How many steps are played in all; COCKPIT_ADVERSARY_STEPS asks for more.
  nonisolated static let steps = number("COCKPIT_ADVERSARY_STEPS") ?? 100_000
  /// The number of the first session; COCKPIT_SEED gives another.
  nonisolated static let seed = number("COCKPIT_SEED") ?? 1
  /// How many steps a session has.
  nonisolated static let length = 2000
  /// Breaches after which no more are looked for.
  private static let mostFaults = 12

  nonisolated private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  /// In a process of its own, beside the tests of the main actor: it takes a minute and a half of a processor.
  @Test(.timeLimit(.minutes(60 + steps / 50_000)))
  func `whatever happens, nothing is commanded but by a hand, and the screen shows what is sent`() async throws {
    guard getenv("COCKPIT_ADVERSARY_PLAYS") == nil else { return try Self.play() }
    let (status, output) = try await TestProcess.run("AdversaryTests", environment: ["COCKPIT_ADVERSARY_PLAYS": "1"])
    #expect(status == .exited(0), "\(output)")
    output.split(separator: "\n").filter { $0.hasPrefix("adversary: ") }.forEach { print($0) }
  }

  private static func play() throws {
    var (played, sessions, faults) = (0, 0, 0)
    let tape = try getenv("COCKPIT_ADVERSARY_LINES").map { try #require(LineTape(path: String(cString: $0))) }
    let start = ContinuousClock.now
    while played < steps, faults < mostFaults {
      let count = min(length, steps - played)
      if let found = try Adversary.search(seed: seed + sessions, steps: count, tape: tape) {
        Issue.record("\(found.text)")
        faults += 1
      }
      played += count
      sessions += 1
    }
    let seconds = Double(start.duration(to: .now).components.seconds)
    print(
      "adversary: seed \(seed), \(played) steps in \(sessions) sessions, \(faults) breaches,"
        + " \(Int(Double(played) / max(seconds, 1))) steps a second")
  }
}

/// Sequences that once broke a rule, or that the judge once took for a breach.
@MainActor @Suite(.serialized) struct BrokenRulesTests {
  nonisolated static let found: [(session: Int, steps: [Step])] = [
    (1, [.key(.up, true), .pass(700)]),
    (10, [.down(1, .lever(0)), .linkLost, .linkBack]),
    (
      16,
      [
        .save(.looseWheel), .down(1, .rim(120)), .move(1, .rim(165)), .up(1), .pass(400), .frame, .pass(120), .frame,
        .frame, .pass(700),
      ]
    ),
    (4, [.down(2, .lever(6)), .save(.lever(.gearCount(3)))]),
    (2, [.resize(840, 400), .edit(.lock(180)), .down(1, .lever(2)), .edit(.gearCount(3))]),
    (4, [.edit(.wheelEnabled(true)), .point(.rim(0)), .press, .point(.rim(45)), .edit(.lock(180))]),
    (5, [.down(3, .lever(7)), .turn(3), .pass(400)]),
    (17, [.key(.down, true), .save(.lever(.leverEnabled(false))), .key(.space, true)]),
    (3, [.save(.bare), .key(.down, true)]),
    (6, [.save(.noWheel), .key(.right, true)]),
    (5, [.tilt(20), .tap(0, .rim(150))]),
    (4, [.save(.buttons), .down(3, .lever(0)), .assist(.button(.shiftDown), .press)]),
    (3, [.save(.lever(.gear(9))), .pass(1200)]),
    (23, [.stop, .tap(3, .lever(5)), .frame]),
    (46, [.key(.right, true), .save(.noWheel), .resize(920, 320), .frame, .frame]),
    (34, [.kill, .save(.buttons), .frame]),
    (
      900_000,
      [
        .down(0, .lever(5)), .freeze, .down(2, .rim(-150)), .move(0, .lever(-1)), .down(1, .lever(7)), .up(2), .thaw,
      ]
    ),
    (900_033, [.freeze, .key(.left, true), .kill]),
    (91, [.linkLost, .down(0, .lever(9)), .code(.gear(9)), .pass(700)]),
    (93, [.key(.left, true), .freeze, .turn(1), .down(2, .rim(75)), .suspend, .thaw]),
    (110, [.tilt(-40), .tap(1, .tiltLamp), .down(2, .lever(0)), .pass(1200)]),
    (129, [.down(3, .lever(5)), .freeze, .suspend, .key(.down, true), .thaw]),
    (139, [.key(.left, true), .freeze, .down(1, .rim(150)), .down(0, .lever(1)), .sleep(5000), .thaw]),
    (213, [.down(3, .rim(120)), .freeze, .move(3, .rim(45)), .up(3), .down(3, .lever(6)), .thaw]),
    (269, [.tilt(-30), .pass(1200), .code(.lock(90)), .down(0, .lever(2)), .pass(120)]),
    (
      407,
      [
        .code(.wheelEnabled(false)), .tilt(-20), .pass(1200), .code(.wheelEnabled(true)), .frame, .key(.down, true),
        .frame,
      ]
    ),
    (458, [.key(.down, true), .tilt(60), .tiltFails, .pass(1200)]),
    (479, [.freeze, .unplug(.keyboard), .plug(.keyboard), .focus, .thaw, .down(3, .lever(6)), .key(.space, true)]),
    (657, [.down(0, .lever(-1)), .freeze, .mode(960, 480), .key(.up, true), .thaw]),
    (900_240, [.point(.rim(-180)), .down(2, .rim(135)), .freeze, .down(3, .horn), .press, .sleep(5000), .thaw]),
    (
      900_242,
      [
        .unplug(.keyboard), .down(3, .tiltLamp), .tiltFails, .up(0), .frame, .frame, .tiltWorks, .key(.right, true),
        .move(3, .lever(10)), .move(3, .lever(3)), .frame, .pass(400), .frame, .frame, .frame, .down(3, .rim(-120)),
        .down(1, .rim(75)), .down(2, .horn), .key(.up, true), .frame, .move(2, .rim(-30)), .move(2, .rim(-150)),
        .down(0, .lever(4)), .edit(.leverHidden(false)), .frame, .pass(120), .move(1, .rim(15)), .pass(20), .frame,
        .up(3), .turn(1), .down(3, .lever(5)), .pass(400),
      ]
    ),
    (
      900_395,
      [
        .unplug(.touch), .tilt(10), .tiltFails, .edit(.wheelEnabled(false)), .frame, .plug(.touch), .down(3, .lever(3)),
        .pass(1200),
      ]
    ),
    (
      900_566, [.unplug(.keyboard), .freeze, .plug(.keyboard), .focus, .thaw, .down(3, .lever(-1)), .key(.space, true)]
    ),
    (2453, [.tilt(-10), .pass(1200), .assist(.tiltLamp, .press), .down(3, .lever(5)), .frame]),
    (
      1_001_651,
      [.code(.springsBack(false)), .tilt(-50), .suspend, .pass(700), .pass(700), .frame, .key(.up, true), .frame]
    ),
    (900_637, [.down(1, .lever(4)), .freeze, .key(.space, true), .key(.up, true), .thaw]),
    (
      50,
      [.key(.left, true), .save(.noWheel), .resize(840, 400), .pass(20), .down(0, .free(70, 300)), .pass(5)]
    ),
    (
      29,
      [
        .edit(.gear(4)), .down(3, .lever(8)), .code(.gearCount(3)), .down(1, .rim(150)), .key(.escape, true), .frame,
        .down(0, .free(50, 250)), .move(0, .lever(5)), .frame, .down(2, .rim(60)), .pass(1200),
      ]
    ),
    (
      35,
      [
        .code(.wheelHidden(true)), .tilt(40), .starve, .pass(50), .frame, .frame, .tilt(50), .tilt(30), .frame, .frame,
        .resize(640, 440), .down(3, .lever(5)), .frame, .feed, .tilt(10),
      ]
    ),
    (35, [.resize(640, 440), .save(.buttons), .key(.tab, true), .pass(1200)]),
  ]

  @Test(arguments: found.indices) func `a sequence that once broke a rule breaks none`(number: Int) throws {
    defer { Language.current = .english }
    let (session, steps) = BrokenRulesTests.found[number]
    // They were found without channels, whose strip would move everything else.
    var setting = AdversarySetting(session: session)
    setting.hasChannels = false
    let breach = try Adversary.play(steps, setting)
    #expect(breach == nil, "\(breach.map { "\($0.fault.rule): \($0.fault.text)" } ?? "")")
  }
}

/// The same for sequences that were found with a vehicle's channels.
@MainActor @Suite(.serialized) struct BrokenChannelRulesTests {
  nonisolated static let found: [(session: Int, steps: [Step])] = [
    (18, [.down(2, .free(10, 80)), .move(2, .lever(0)), .resize(720, 320), .frame]),
    (10, [.down(1, .lever(2)), .tap(1, .channel(.more, 18)), .resize(640, 320), .frame]),
    // A steady line was due before the button of the gamepad was let go.
    (
      7_011_125,
      [
        .tap(1, .channel(.winch, 14)), .pad(0, .brake, 100), .padButton(0, .winch, true), .frame,
        .move(2, .channel(.gears, 90)), .padButton(0, .lights, true), .padButton(0, .grip, false), .thaw,
        .point(.channel(.lights, 39)), .down(2, .rim(-135)), .move(1, .lever(4)), .outputCame, .pad(0, .throttle, 0),
        .move(2, .lever(10)), .pad(0, .rightStick, -60), .frame, .move(2, .lever(-1)), .move(2, .channel(.gears, 86)),
        .tap(1, .channel(.lights, 44)), .pad(0, .throttle, 100), .frame, .padButton(0, .grip, true),
        .down(3, .lever(9)), .down(1, .tiltLamp), .down(0, .lever(10)), .padButton(0, .winch, false),
      ]
    ),
    (
      7_012_045,
      [
        .padButton(1, .winch, true), .frame, .pad(1, .throttle, 100), .edit(.gearCount(5)), .code(.leverEnabled(true)),
        .pen(.lever(7)), .frame, .key(.tab, true), .padPlug(0), .move(3, .rim(105)), .padUnplug(0),
        .tap(3, .channel(.pan, 91)), .pad(1, .throttle, 30), .move(3, .lever(5)), .padButton(1, .winch, false),
      ]
    ),
    (
      7_012_205,
      [
        .kill, .unplug(.touch), .frame, .activate(true), .key(.escape, false), .key(.up, false),
        .padButton(0, .winch, false), .code(.gearCount(5)), .padButton(0, .grip, false), .down(3, .lever(-1)),
        .arm(700), .code(.springsBack(true)), .key(.up, true), .key(.right, true), .pad(0, .brake, 0),
        .pad(0, .throttle, 30), .point(.panel(48, 4)), .key(.space, true), .pass(20), .down(2, .rim(-180)), .up(2),
        .turn(0), .move(3, .lever(-1)), .padButton(0, .up, true), .padPlug(0), .padButton(0, .winch, true),
        .down(1, .lever(4)), .down(0, .lever(1)), .pad(0, .throttle, 100), .frame, .frame,
        .assist(.panel(15), .value(9)),
        .arm(200), .padButton(0, .winch, false),
      ]
    ),
    // A finger left the lever before the key was pressed, while the compositor was frozen.
    (7_004_052, [.down(3, .lever(10)), .down(2, .rim(150)), .freeze, .up(3), .key(.up, true), .thaw]),
  ]

  @Test(arguments: found.indices) func `a sequence with channels that once broke a rule breaks none`(number: Int) throws
  {
    defer { Language.current = .english }
    let (session, steps) = BrokenChannelRulesTests.found[number]
    let breach = try Adversary.play(steps, AdversarySetting(session: session))
    #expect(breach == nil, "\(breach.map { "\($0.fault.rule): \($0.fault.text)" } ?? "")")
  }

  @Test func `a winch that nobody holds, and one that arms without a hold, break a rule, and the judge sees it`() throws
  {
    var setting = AdversarySetting()
    setting.hasChannels = true
    let world = try World(setting)
    defer { world.end() }
    let judge = try #require(world.judge.channels)
    var stream = DriveStream(rate: 50, channels: world.line.channels, at: world.line.time)
    var model = try #require(stream.channels)
    model.hold(3, true)
    stream.set(model)
    var line = stream.tellChannels(at: world.line.time)
    judge.hear(try #require(line))
    #expect(world.judge.fault?.rule == .channel)
    let other = try World(setting)
    defer { other.end() }
    model = try #require(other.line.channels)
    model.arm()
    stream = DriveStream(rate: 50, channels: other.line.channels, at: other.line.time)
    stream.set(model)
    line = stream.tellChannels(at: other.line.time)
    try #require(other.judge.channels).hear(try #require(line))
    #expect(other.judge.fault?.rule == .armed)
  }
}

/// The adversary's own parts.
@MainActor @Suite(.serialized) struct AdversaryPartsTests {
  @Test func `a step's text is the Swift that makes it`() {
    let steps: [Step] = [
      .down(3, .lever(-1)), .key(.up, true), .thaw, .look(isLight: true, hasHighContrast: false),
      .language(isChinese: true), .assist(.button(.shiftUp), .value(-3)), .save(.wheel(.springsBack(false))),
    ]
    let texts = [
      ".down(3, .lever(-1))", ".key(.up, true)", ".thaw", ".look(isLight: true, hasHighContrast: false)",
      ".language(isChinese: true)", ".assist(.button(.shiftUp), .value(-3))", ".save(.wheel(.springsBack(false)))",
    ]
    #expect(steps.map(\.text) == texts)
  }

  @Test func `a seed makes the same steps again`() {
    func steps(_ seed: UInt64) -> [Step] {
      var source = StepSource(seed: seed, setting: AdversarySetting())
      return (0..<100).map { _ in source.next() }
    }
    #expect(steps(4) == steps(4) && steps(4) != steps(5))
  }

  @Test func `what has no part in a breach is left out`() {
    var steps = (0..<500).map { Step.pass($0) }
    steps[7] = .freeze
    steps[402] = .thaw
    let shrinker = Shrinker { steps in
      guard let first = steps.firstIndex(of: .freeze), let last = steps.firstIndex(of: .thaw) else { return false }
      return first < last
    }
    #expect(shrinker.shrink(steps) == [.freeze, .thaw])
    #expect(Shrinker { _ in false }.shrink(steps) == steps)
  }

  @Test func `a lever that latches breaks the dead-man's rule, and the judge sees it`() throws {
    var latching = AdversarySetting()
    latching.isDeadMan = false
    let world = try World(latching, judged: AdversarySetting())
    defer { world.end() }
    world.apply(.down(1, .lever(4)))
    #expect(world.judge.fault == nil && world.line.command.gear == 4)
    world.apply(.up(1))
    #expect(world.judge.fault?.rule == .hand)
  }
}

/// Plays steps against a cockpit.
@MainActor enum Adversary {
  /// A breach of a rule.
  struct Finding {
    let seed: Int
    let setting: AdversarySetting
    let fault: Judge.Fault
    /// The number of the step that broke it, from 1.
    let number: Int
    let steps: [Step]

    var text: String {
      """
      \(fault.rule): \(fault.text)
      seed \(seed), step \(number), AdversarySetting(session: \(seed))
      steps: [
      \(steps.map { "  \($0.text)," }.joined(separator: "\n"))
      ]
      """
    }
  }

  /// Plays `steps`; the first breach, and the number of the step that made it.
  static func play(
    _ steps: some Sequence<Step>, _ setting: AdversarySetting = AdversarySetting(),
    rules: Set<Judge.Rule> = Set(Judge.Rule.allCases), tape: LineTape? = nil
  ) throws -> (fault: Judge.Fault, number: Int)? {
    Language.current = .english
    let world = try World(setting, tape: tape)
    world.judge.rules = rules
    defer { world.end() }
    var number = 0
    for step in steps {
      number += 1
      world.apply(step)
      if let fault = world.judge.fault { return (fault, number) }
    }
    return nil
  }

  /// Plays the session of that number, and shortens what breaks a rule. Its lines go to `tape`.
  static func search(
    seed: Int, steps count: Int, _ setting: AdversarySetting? = nil,
    rules: Set<Judge.Rule> = Set(Judge.Rule.allCases), tape: LineTape? = nil
  ) throws -> Finding? {
    let setting = setting ?? AdversarySetting(session: seed)
    var source = StepSource(seed: UInt64(seed), setting: setting)
    let steps = (0..<count).map { _ in source.next() }
    tape?.begin(seed, isDeadMan: setting.isDeadMan)
    let found = try play(steps, setting, rules: rules, tape: tape)
    if tape?.flush() == false { Issue.record("there is no room for the lines: errno \(errno)") }
    guard let (fault, number) = found else { return nil }
    let shrinker = Shrinker { (try? play($0, setting, rules: [fault.rule])) != nil }
    return Finding(
      seed: seed, setting: setting, fault: fault, number: number, steps: shrinker.shrink(Array(steps.prefix(number))))
  }
}
