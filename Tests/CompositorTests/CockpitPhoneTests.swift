import CompositorLab
import TestSupport
import Testing

extension RealCompositors {
  /// The cockpit on phoc, the compositor of Phosh.
  @Suite(.needs(.phoc), .needs(.kwin)) struct CockpitPhoneTests {
    @Test func `the picture is on the output, two fingers drive, and F11 leads to fullscreen and back`() throws {
      let compositor = try Compositor(.phoc, .init(width: 960, height: 540, hasTouchscreen: true))
      let hands = try compositor.handsBelongTo.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      func give(_ commands: String...) throws {
        for command in commands {
          try hands.send(command)
          #expect(try hands.line() == "ok")
        }
      }
      _ = try compositor.output(
        of: [Product.cockpit.path, "--beacon", "off", "--screenshot", "wanted.png", "--size", "960x540"])
      let wanted = try ScreenPicture(png: compositor.path(of: "wanted.png"))
      let plan = try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", "960x540"]))
      let cockpit = try compositor.launch(
        [Product.cockpit.path, "--beacon", "off", "--log", "app,window,wayland:debug"], joinsErrors: true)
      _ = try compositor.screenshot { $0 == wanted }
      try give("touch down 0 \(plan.gear(0))", "touch down 7 \(plan.rim(quarterTurns: 0))", "touch frame")
      try give("touch motion 0 \(plan.gear(4))", "touch motion 7 \(plan.rim(quarterTurns: 1))", "touch frame")
      var missing: Set = ["gear 4", "steering 90"]
      while !missing.isEmpty {
        let line = try cockpit.line { $0.contains("app: ") }
        missing = missing.filter { !line.hasSuffix($0) }
      }
      try give("touch up 0", "touch up 7", "touch frame")
      _ = try cockpit.line { $0.contains("app: steering 0") }
      for state in ["12 bytes", "8 bytes"] {
        try give("key press 87", "key release 87")
        _ = try cockpit.line { $0.contains("xdg_toplevel@") && $0.contains(".configure(960, 540, \(state))") }
      }
      #expect(try cockpit.terminate() == .exited(0))
    }
  }
}
