// A compositor with a touchscreen, a cockpit on it that drives, and who reads the drive.

import CompositorLab
import Testing

/// Everything that a drive by two fingers takes, on any compositor.
final class DriveRig {
  /// The compositor.
  let compositor: Compositor
  /// The cockpit, with the log of its frames and of input.
  let cockpit: ClientProcess
  /// Who reads the drive.
  let witness: DriveWitness
  private let plan: Plan
  private var hands: ClientProcess?
  private static let size = "960x540"

  /// Starts all of it. The lever stays where it is left: no line can be safe because a finger was lifted.
  init(_ kind: CompositorKind) throws {
    compositor = try Compositor(kind, .init(width: 960, height: 540, hasTouchscreen: true))
    plan = try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", DriveRig.size]))
    witness = try DriveWitness(path: compositor.path(of: "drive"))
    cockpit = try compositor.launch(
      [
        Product.cockpit.path, "--fullscreen", "--beacon", "off", "--drive", "unix:\(compositor.path(of: "drive"))",
        "--dead-man", "off", "--log", "frame:debug,input",
      ], joinsErrors: true)
    witness.acceptCockpit()
    _ = try cockpit.line { $0.contains("frame 1:") }
    try bringHands()
    _ = try cockpit.line(where: DriveRig.tellsTouchscreen)
  }

  /// Whether a line of the cockpit's log says that the seat has a touchscreen.
  static func tellsTouchscreen(_ line: String) -> Bool {
    line.contains("capabilities") && (line.split(separator: " ").last.flatMap { Int($0) } ?? 0) & 4 != 0
  }

  // MARK: Hands

  /// Brings hands to where there are none; the touchscreen comes with them.
  func bringHands() throws {
    let hands = try compositor.handsBelongTo.launch([Product.input.path, DriveRig.size])
    #expect(try hands.line() == "ready")
    self.hands = hands
  }

  /// Takes the hands away, whether their compositor lives or not.
  func takeHandsAway() throws {
    hands?.closeInput()
    _ = try hands?.waitForEnd()
    hands = nil
  }

  /// Gives input, and returns when the compositor that takes it has passed it on.
  func give(_ commands: String...) throws {
    for command in commands {
      try send(command)
      try awaitAnswers(1)
    }
  }

  /// Gives input to a compositor that may not answer now.
  func send(_ commands: String...) throws {
    for command in commands { try #require(hands).send(command) }
  }

  /// Returns once so many of the commands that were sent are answered.
  func awaitAnswers(_ count: Int) throws {
    for _ in 0..<count { #expect(try #require(hands).line() == "ok") }
  }

  // MARK: Driving

  /// Two fingers take lever and wheel. A window may be shown a moment after its first frame: then they come again.
  func drive() throws {
    for _ in 0..<10 {
      try give(
        "touch down 0 \(plan.gear(0))", "touch down 7 \(plan.rim(quarterTurns: 0))", "touch frame",
        "touch motion 0 \(plan.gear(4))", "touch motion 7 \(plan.rim(quarterTurns: 1))", "touch frame")
      do {
        _ = try witness.line("\"gear\":\"4\"", "\"held\":true", "\"state\":\"driving\"", within: .seconds(1))
        return
      } catch is DriveWitness.Missing {
        try letGo()
      }
    }
    throw DriveWitness.Missing(words: ["driving"])
  }

  /// Both fingers leave.
  func letGo() throws {
    try give("touch up 0", "touch up 7", "touch frame")
  }

  /// Both fingers move, told to a compositor that may not answer now. How many answers are to come.
  func moveUnanswered() throws -> Int {
    try send(
      "touch motion 0 \(plan.gear(6))", "touch motion 7 \(plan.rim(quarterTurns: 2))", "touch frame",
      "touch motion 0 \(plan.gear(8))", "touch motion 7 \(plan.rim(quarterTurns: 0))", "touch frame")
    return 6
  }

  /// Returns once the output shows the cockpit at rest, byte for byte.
  func expectPictureAtRest() throws {
    let file = "offscreen.png"
    _ = try compositor.output(
      of: [Product.cockpit.path, "--beacon", "off", "--screenshot", file, "--size", DriveRig.size])
    let wanted = try Picture(png: compositor.path(of: file))
    var shown: Picture?
    do {
      _ = try compositor.screenshot {
        shown = $0
        return $0 == wanted
      }
    } catch {
      try shown?.write(png: "/tmp/deepwork/shown.png")
      throw error
    }
  }
}
