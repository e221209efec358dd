import CompositorLab
import Testing

extension RealCompositors {
  /// A menu in a popup of the compositor's own.
  @Suite(.needs(.sway)) struct CockpitMenuTests {
    private static let scene = """
      {"type": "View", "subviews": [{"type": "PopUpButton", "name": "mode", "frame": [20, 20, 200, 36],
      "choices": "One|Two|Three", "actions": {"valueChanged": "log"}}]}
      """

    @Test
    func `a press slides to a row of the menu beyond the window, taps and keys choose, and a press elsewhere closes`()
      throws
    {
      let compositor = try Compositor(.sway, .init(width: 960, height: 540))
      try compositor.sway("for_window", "[app_id=.*]", "floating", "enable")
      _ = try compositor.output(of: ["sh", "-c", "printf '%s' '\(Self.scene)' >menu.json"])
      let hands = try compositor.launch([Product.input.path, "960x540"])
      #expect(try hands.line() == "ready")
      func give(_ commands: String...) throws {
        for command in commands {
          try hands.send(command)
          #expect(try hands.line() == "ok")
        }
      }
      let cockpit = try compositor.launch(
        [
          Product.cockpit.path, "--beacon", "off", "--log", "app,window,lifecycle", "--scene", "menu.json", "--size",
          "400x100",
        ], joinsErrors: true)
      // The window is in the middle of the output; the menu of three rows reaches beyond it.
      _ = try cockpit.line { $0.contains("window: 400 x 100") }
      _ = try compositor.screenshot { $0[300, 250] != $0[10, 10] }
      let (x, y) = (280 + 20, 220 + 20)
      let button = "\(x + 100) \(y + 18)"
      func row(_ index: Int) -> String { "\(x + 100) \(y + 36 + 8 + 44 * index + 22)" }
      // Its lower border lies on the desktop.
      func expectMenu() throws {
        _ = try cockpit.line { $0.contains("window: 200 x 140 at scale 1.0") }
        _ = try compositor.screenshot { $0[x + 100, y + 176] != $0[10, 10] }
      }
      // One press.
      try give("pointer motion \(button)", "pointer press")
      try expectMenu()
      for index in 0...2 { try give("pointer motion \(row(index))") }
      try give("pointer release")
      _ = try cockpit.line { $0.contains("mode: selected \"Three\"") }
      _ = try cockpit.line { $0.contains("willTerminate") }
      // A click, and another on a row.
      try give("pointer motion \(button)", "pointer press")
      try expectMenu()
      try give("pointer release", "pointer motion \(row(0))", "pointer press", "pointer release")
      _ = try cockpit.line { $0.contains("mode: selected \"One\"") }
      // Keys: down, Enter.
      try give("pointer motion \(button)", "pointer press")
      try expectMenu()
      try give("pointer release", "key press 108", "key release 108", "key press 28", "key release 28")
      _ = try cockpit.line { $0.contains("mode: selected \"Two\"") }
      // A press on the desktop, where the compositor ends it.
      try give("pointer motion \(button)", "pointer press")
      try expectMenu()
      try give("pointer release", "pointer motion 900 500", "pointer press", "pointer release")
      _ = try cockpit.line { $0.contains("willTerminate") }
      #expect(try cockpit.terminate() == .exited(0))
    }
  }
}
