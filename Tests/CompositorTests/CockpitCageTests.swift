import CompositorLab
import TestSupport
import Testing

extension RealCompositors {
  /// The cockpit on cage, the compositor of kiosks that show one program.
  @Suite(.needs(.cage), .needs(.kwin)) struct CockpitCageTests {
    @Test func `the cockpit covers cage's output unasked, and fingers, mouse and keys drive it`() throws {
      let compositor = try Compositor(.cage, .init(width: 960, height: 540, hasTouchscreen: true))
      let hands = try compositor.handsBelongTo.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      func give(_ commands: String...) throws {
        for command in commands {
          try hands.send(command)
          #expect(try hands.line() == "ok")
        }
      }
      func offscreen(_ options: String...) throws -> ScreenPicture {
        let fixed = ["--beacon", "off", "--screenshot", "wanted.png", "--size", "960x540"]
        _ = try compositor.output(of: [Product.cockpit.path] + fixed + options)
        return try ScreenPicture(png: compositor.path(of: "wanted.png"))
      }
      let plan = try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", "960x540"]))
      let cockpit = try Desk.startCockpit(on: compositor, [])
      func expect(_ words: String...) throws {
        var missing = Set(words)
        while !missing.isEmpty {
          let line = try cockpit.line { $0.contains("] app: ") }
          missing = missing.filter { !line.hasSuffix($0) }
        }
      }
      let wanted = try offscreen()
      _ = try compositor.screenshot { $0 == wanted }

      try give("touch down 0 \(plan.gear(0))", "touch down 7 \(plan.rim(quarterTurns: 0))", "touch frame")
      try give("touch motion 0 \(plan.gear(4))", "touch motion 7 \(plan.rim(quarterTurns: 1))", "touch frame")
      try expect("gear 4", "steering 90")
      try give("touch up 0", "touch up 7", "touch frame")
      try expect("gearbox held false", "wheel held false", "steering 0")

      try give("pointer motion \(plan.rim(quarterTurns: 0))", "pointer press")
      try expect("wheel held true")
      try give("pointer motion \(plan.rim(quarterTurns: 3))")
      try expect("steering -90")
      try give("pointer release")
      try expect("wheel held false", "steering 0")

      for words in ["gear N", "gear 1"] {
        let key = words == "gear N" ? Key.space : .up
        try give("key press \(key.rawValue)", "key release \(key.rawValue)")
        try expect(words)
      }
      #expect(try cockpit.terminate() == .exited(0))
      try compositor.checkThatItRuns()
    }
  }
}
