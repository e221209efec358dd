import CompositorLab
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// The cockpit on mutter, GNOME's compositor.
  @Suite(.needs(.mutter)) struct MutterTests {
    private static let buttons = """
      {"type": "View", "subviews": [
        {"type": "PopUpButton", "name": "mode", "frame": [20, 20, 200, 36], "choices": "One|Two|Three",
         "actions": {"valueChanged": "log"}},
        {"type": "PopUpButton", "name": "light", "frame": [320, 20, 200, 36], "choices": "Red|Green|Blue",
         "actions": {"valueChanged": "log"}}]}
      """

    /// The device that presses.
    enum Hand: String, CaseIterable {
      /// The mouse's button.
      case mouse
      /// A finger.
      case finger

      func press(_ place: String, by hands: MutterHands) throws {
        switch self {
        case .mouse: try hands.give("pointer motion \(place)", "pointer press")
        case .finger: try hands.give("touch down 0 \(place)")
        }
      }

      func release(by hands: MutterHands) throws {
        try hands.give(self == .mouse ? "pointer release" : "touch up 0")
      }
    }

    /// A cockpit that covers the output, and its log.
    private final class Witness {
      let cockpit: ClientProcess
      private(set) var isConnected = true

      init(on compositor: Compositor, _ options: [String] = []) throws {
        cockpit = try compositor.launch(
          [Product.cockpit.path, "--beacon", "off", "--fullscreen", "--log", "app,window,frame:debug"] + options,
          joinsErrors: true)
        try expect(": \(960 * 540) pixels")
      }

      /// Returns once it has logged this; throws if the connection was lost before.
      func expect(_ words: String, within limit: Duration = .seconds(10)) throws {
        _ = try cockpit.line(within: limit) { line in
          if line.contains("; waiting for a compositor") { isConnected = false }
          return line.contains(words) || !isConnected
        }
        try #require(isConnected, "the connection was lost before \"\(words)\"")
      }

      /// Repeats `body` until this is logged: a window may not take input right after its first frame.
      func expect(_ words: String, from body: () throws -> Void, undo: () throws -> Void = {}) throws {
        for _ in 0..<5 {
          try body()
          do { return try expect(words, within: .seconds(1)) } catch is LabError { try undo() }
        }
        try expect(words, within: .milliseconds(1))
      }
    }

    @Test(arguments: Hand.allCases)
    func `a second pop-up button pressed while the first one's menu is open opens its own`(hand: Hand) throws {
      let compositor = try Compositor(.mutter, .init(width: 960, height: 540))
      let hands = try compositor.startMutterHands()
      try compositor.write(Self.buttons, to: "buttons.json")
      let witness = try Witness(on: compositor, ["--scene", "buttons.json"])
      func open(_ x: Int) throws {
        // The press is held until the menu is there, because mutter shows no popup for a touch that has ended.
        try witness.expect(
          "window: 200 x 140", from: { try hand.press("\(x) 38", by: hands) }, undo: { try hand.release(by: hands) })
        // The menu's own first frame.
        try witness.expect(": \(200 * 140) pixels")
        // Touches reach a menu only once mutter has drawn it, a refresh or two later, which it does not report.
        usleep(100_000)
        try hand.release(by: hands)
      }
      try open(120)
      try open(420)
      // Selects the second row of the second menu. A finger that comes too early misses the menu and closes it.
      try witness.expect(
        "light valueChanged: selected \"Green\"",
        from: {
          switch hand {
          case .mouse: try hands.give("key press 108", "key release 108", "key press 28", "key release 28")
          case .finger:
            try hand.press("420 \(38 + 18 + 8 + 44 + 22)", by: hands)
            try hand.release(by: hands)
          }
        }, undo: { try open(420) })
      #expect(try witness.cockpit.terminate() == .exited(0))
    }

    @Test func `two fingers drive, and keys`() throws {
      let compositor = try Compositor(.mutter, .init(width: 960, height: 540))
      let hands = try compositor.startMutterHands()
      let plan = try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", "960x540"]))
      let witness = try Witness(on: compositor)
      try witness.expect(
        "gearbox held true", from: { try hands.give("touch down 0 \(plan.gear(0))") },
        undo: { try hands.give("touch up 0") })
      try hands.give("touch down 7 \(plan.rim(quarterTurns: 0))")
      try witness.expect("wheel held true")
      try hands.give("touch motion 0 \(plan.gear(4))")
      try witness.expect("gear 4")
      try hands.give("touch motion 7 \(plan.rim(quarterTurns: 1))")
      try witness.expect("steering 90")
      try hands.give("touch up 0", "touch up 7")
      try witness.expect("steering 0")
      try hands.give("key press \(Key.space.rawValue)", "key release \(Key.space.rawValue)")
      try witness.expect("gear N")
      #expect(try witness.cockpit.terminate() == .exited(0))
    }
  }
}
