import CompositorLab
import Testing

extension RealCompositors {
  /// docs/drive.md has the table of this: compositors differ in the events that they send to a client whose window can't be seen.
  @Suite struct VisibilityTests {
    /// How a window gets out of sight.
    enum Way: String, Sendable {
      /// Minimised; sway puts it on its scratchpad.
      case minimised
      /// The workspace changes.
      case workspace = "another workspace"
      /// Another window covers the output.
      case covered
      /// The output is turned off.
      case off = "output off"
    }

    /// A compositor, a way, and the reason with which the drive ends; nil where no event is sent and the drive goes on.
    struct Case: Sendable, CustomTestStringConvertible {
      /// The compositor.
      var kind: CompositorKind
      /// The way.
      var way: Way
      /// The reason.
      var reason: String?
      /// In words.
      var testDescription: String { "\(kind.rawValue), \(way.rawValue)" }
    }

    static let cases: [Case] = [
      Case(kind: .weston, way: .covered),
      Case(kind: .weston, way: .off, reason: "hidden"),
      Case(kind: .sway, way: .minimised, reason: "hidden"),
      Case(kind: .sway, way: .workspace, reason: "hidden"),
      Case(kind: .sway, way: .covered, reason: "hidden"),
      // Its frame callbacks go on.
      Case(kind: .sway, way: .off),
      Case(kind: .kwin, way: .minimised, reason: "hidden"),
      Case(kind: .kwin, way: .workspace, reason: "hidden"),
      Case(kind: .kwin, way: .covered, reason: "hidden"),
      Case(kind: .mutter, way: .minimised, reason: "hidden"),
      Case(kind: .mutter, way: .workspace, reason: "hidden"),
      Case(kind: .mutter, way: .covered, reason: "hidden"),
    ].filter { $0.kind.isTested }

    @Test(arguments: cases)
    func `a window out of sight is noticed as the table in the documents says`(hiding: Case) throws {
      // sway turns off only outputs of its own, and has no touchscreen there.
      let rig = try DriveRig(
        hiding.kind, hasTouchscreen: hiding.kind != .sway || hiding.way != .off,
        idleSeconds: hiding.kind == .weston && hiding.way == .off ? 1 : 0, beacon: "on",
        // Beside other tests mutter can need longer than a second for an answer, and that would be a loss of its own.
        options: DriveRig.latchedLever + (hiding.kind == .mutter ? ["--answer-limit", "2000"] : []))
      try rig.drive()
      // The gear is on the screen: one that no frame shows in time is a fault of its own.
      rig.cockpit.dropOutput()
      for _ in 0..<2 { _ = try rig.cockpit.line { $0.contains("frame: frame") } }
      // A finger that is down keeps weston's output on, and a mouse's button ends with sway's: the lever is left in its gear there.
      if hiding.way == .off { try rig.liftFingers() }
      let start = ContinuousClock.now
      let other = try hide(hiding, rig)
      defer { _ = other }
      do {
        let (arrival, text) = try rig.witness.line("\"state\":\"safe\"", within: .seconds(5))
        let reason = text.split(separator: "\"reason\":\"").last.map { String($0.prefix { $0 != "\"" }) }
        print(
          "visibility: \(hiding.testDescription): \(reason ?? "?") after \(start.duration(to: arrival).inMilliseconds)")
        #expect(reason == hiding.reason)
      } catch is DriveWitness.Missing {
        print("visibility: \(hiding.testDescription): the drive goes on")
        #expect(hiding.reason == nil)
      }
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    /// Hides the window; what it returns has to live on.
    private func hide(_ hiding: Case, _ rig: DriveRig) throws -> ClientProcess? {
      let compositor = rig.compositor
      switch (hiding.kind, hiding.way) {
      case (.sway, .minimised): try compositor.sway("move", "scratchpad")
      case (.sway, .workspace): try compositor.sway("workspace", "2")
      case (.sway, .off): try compositor.sway("output", "*", "dpms", "off")
      case (.kwin, .minimised): try compositor.kwin(script: "workspace.activeClient.minimized = true;")
      case (.kwin, .workspace): try compositor.kwin(script: "workspace.currentDesktop = 2;")
      case (.mutter, .minimised): try rig.press(.h, with: .leftMeta)
      case (.mutter, .workspace): try rig.press(.pageDown, with: .leftMeta)
      case (_, .covered):
        let other = try Desk.startCockpit(on: compositor, ["--fullscreen"])
        _ = try other.line { $0.contains("window: 960 x 540") }
        return other
      default: break
      }
      return nil
    }
  }
}
