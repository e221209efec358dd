import CompositorLab
import TestSupport
import Testing

/// Everything that a drive by two fingers takes, on any compositor.
final class DriveRig {
  /// The compositor.
  let compositor: Compositor
  /// The cockpit, with the log of its frames and of input.
  let cockpit: ClientProcess
  /// The consumer of the drive.
  let witness: DriveWitness
  /// Where the cockpit's parts are.
  let plan: Plan
  private let look: [String]
  /// The output at rest, without the mouse's corner.
  private var atRest: [ScreenPicture]?
  private var hands: ClientProcess?
  /// Mutter's own. They come before the cockpit, which doesn't get the first event of each device.
  private let mutterHands: MutterHands?
  private let hasTouchscreen: Bool
  /// The watched scene, in the compositor's folder.
  static let sceneFile = "scene.json"
  /// The output's size, as options take it.
  static let size = "960x540"

  /// The option with which the lever stays where it is left: no line is safe because a finger was lifted.
  static let latchedLever = ["--dead-man", "off"]

  /// Starts all of it, with a watched scene if there is one. Without a touchscreen the lever is the mouse's, which sway takes without a
  /// host.
  init(
    _ kind: CompositorKind, hasTouchscreen: Bool = true, idleSeconds: Int = 0, beacon: String = "off",
    scene: String? = nil, options: [String] = [], environment: (Compositor) throws -> [String: String] = { _ in [:] }
  ) throws {
    self.hasTouchscreen = hasTouchscreen
    var settings = Compositor.Settings(width: 960, height: 540, hasTouchscreen: hasTouchscreen)
    settings.idleSeconds = idleSeconds
    compositor = try Compositor(kind, settings)
    mutterHands = kind == .mutter ? try compositor.startMutterHands() : nil
    if let scene { try compositor.write(scene, to: Self.sceneFile) }
    look = scene == nil ? [] : ["--scene", Self.sceneFile]
    plan = try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", DriveRig.size] + look))
    witness = try DriveWitness(path: compositor.path(of: "drive"))
    cockpit = try compositor.launch(
      [
        // Other tests run at the same time: without real time, where it is granted, a message's 10 ms are the scheduler's.
        "sh", "-c", "chrt --rr --pid 1 $$ 2>/dev/null; exec \"$0\" \"$@\"",
        Product.cockpit.path, "--fullscreen", "--beacon", beacon, "--drive", "unix:\(compositor.path(of: "drive"))",
        "--log", "frame:debug,input,app",
      ] + (scene == nil ? [] : ["--watch", Self.sceneFile]) + options,
      // glibc moves its limit for memory that goes back to the system at once up to the largest picture that was freed. Heaps then
      // keep or don't keep 2 MB from one picture to the next, so a leak could not be distinguished from that.
      environment: ["MALLOC_MMAP_THRESHOLD_": "131072"].merging(environment(compositor)) { $1 }, joinsErrors: true)
    try witness.acceptCockpit()
    try expectFullPaint()
    try bringHands()
  }

  /// Returns once the cockpit has painted the whole output.
  func expectFullPaint() throws {
    _ = try cockpit.line { $0.contains(": \(960 * 540) pixels") }
  }

  // MARK: Hands

  /// Adds the missing hands, and returns when they reach the cockpit. Each of the compositors between them asks for the
  /// new touchscreen when it asks for the new mouse, so a mouse that has come through says that no first finger gets lost.
  func bringHands() throws {
    if mutterHands == nil {
      let hands = try compositor.handsBelongTo.startHands(Product.input.path, DriveRig.size)
      #expect(try hands.line() == "ready")
      self.hands = hands
      let wanted = hasTouchscreen ? 5 : 1
      _ = try cockpit.line {
        $0.contains("capabilities") && ($0.split(separator: " ").last.flatMap { Int($0) } ?? 0) & wanted == wanted
      }
    }
    // Somewhere else first: a mouse that a host already knows is not announced to a new guest.
    try attempt("\"held\":true") {
      try give("pointer motion \(plan.between)", "pointer motion \(plan.rim(quarterTurns: 0))", "pointer press")
    } else: {
      try give("pointer release")
    }
    try give("pointer release")
    _ = try witness.line("\"held\":false")
  }

  /// Takes the hands away, whether their compositor lives or not. One that lives would keep a finger that never lifts.
  func takeHandsAway() throws {
    if compositor.handsBelongTo !== compositor { try liftFingers() }
    hands?.closeInput()
    _ = try hands?.waitForEnd()
    hands = nil
  }

  /// Gives input, and returns when the compositor that takes it has passed it on.
  func give(_ commands: String...) throws {
    for command in commands {
      if let mutterHands {
        try mutterHands.give(command)
      } else {
        try send(command)
        try awaitAnswers(1)
      }
    }
  }

  /// Presses a key while another key is down.
  func press(_ key: Key, with modifier: Key) throws {
    try give(
      "key press \(modifier.rawValue)", "key press \(key.rawValue)", "key release \(key.rawValue)",
      "key release \(modifier.rawValue)")
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

  /// Two fingers take lever and wheel, or the mouse the lever. A window may be shown a moment after its first frame: then they come again.
  func drive() throws {
    cockpit.dropOutput()
    try attempt("\"gear\":\"4\"", "\"held\":true", "\"state\":\"driving\"") {
      guard hasTouchscreen else {
        return try give("pointer motion \(plan.gear(0))", "pointer press", "pointer motion \(plan.gear(4))")
      }
      try give(
        "touch down 0 \(plan.gear(0))", "touch down 7 \(plan.rim(quarterTurns: 0))", "touch frame",
        "touch motion 0 \(plan.gear(4))", "touch motion 7 \(plan.rim(quarterTurns: 1))", "touch frame")
    } else: {
      try liftFingers()
    }
  }

  /// Does something until a line with these words comes of it; before each new attempt it is undone.
  private func attempt(_ words: String..., body: () throws -> Void, else undo: () throws -> Void) throws {
    for _ in 0..<5 {
      try body()
      do {
        _ = try witness.line(words, within: .seconds(1))
        return
      } catch is DriveWitness.Missing {
        try undo()
      }
    }
    // Fails with what the cockpit said last.
    _ = try cockpit.line(within: .milliseconds(1)) { _ in false }
  }

  /// Both fingers leave, or the mouse's button.
  func liftFingers() throws {
    guard hasTouchscreen else { return try give("pointer release") }
    try give("touch up 0", "touch up 7", "touch frame")
  }

  /// Moves both fingers, on a compositor that may not answer now. Returns how many answers are to come.
  func moveUnanswered() throws -> Int {
    try send(
      "touch motion 0 \(plan.gear(6))", "touch motion 7 \(plan.rim(quarterTurns: 2))", "touch frame",
      "touch motion 0 \(plan.gear(8))", "touch motion 7 \(plan.rim(quarterTurns: 0))", "touch frame")
    return 6
  }

  /// Returns once the output shows the cockpit at rest: the wheel straight, nothing in motion, and from the second call on each byte as at
  /// the first. The mouse is put into a corner that does not count: weston's pictures show the cursor.
  func expectPictureAtRest() throws {
    try give("pointer motion 959 0")
    try expectStraightWheel()
    var last: [ScreenPicture]?
    _ = try compositor.screenshot { picture in
      let parts = [
        picture.cropped(x: 0, y: 0, width: 900, height: 48),
        picture.cropped(x: 0, y: 48, width: 960, height: picture.height - 48),
      ]
      defer { last = parts }
      return parts == atRest ?? last
    }
    atRest = last
  }

  /// Returns once the output shows the wheel's spokes as they are when it is straight.
  func expectStraightWheel() throws {
    let place = plan.spokes
    let file = "offscreen.png"
    _ = try compositor.output(
      of: [Product.cockpit.path, "--beacon", "off", "--screenshot", file, "--size", DriveRig.size] + look)
    func spokes(_ picture: ScreenPicture) -> ScreenPicture {
      picture.cropped(x: Int(place.x), y: Int(place.y), width: Int(place.width), height: Int(place.height))
    }
    let wanted = spokes(try ScreenPicture(png: compositor.path(of: file)))
    _ = try compositor.screenshot { spokes($0) == wanted }
  }
}
