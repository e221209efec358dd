import CompositorLab
import Testing

extension RealCompositors {
  /// The cockpit on a car's display and as a strip.
  @Suite struct CockpitRoleTests {
    private func give(_ hands: ClientProcess, _ commands: String...) throws {
      for command in commands {
        try hands.send(command)
        #expect(try hands.line() == "ok")
      }
    }

    private func plan(_ compositor: Compositor, _ size: String) throws -> Plan {
      try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", size]))
    }

    @Test(.needs(.weston), .needs(.kwin))
    func `two fingers drive the surface that weston's ivi-shell knows by a number`() throws {
      var settings = Compositor.Settings(width: 960, height: 540, hasTouchscreen: true)
      settings.isCarDisplay = true
      let compositor = try Compositor(.weston, settings)
      let hands = try compositor.handsBelongTo.launch([Product.input.path, "960x540"])
      #expect(try hands.line() == "ready")
      let cockpit = try Desk.startCockpit(on: compositor, ["--ivi-id", "7001"])
      // The layout of weston's example gives the first surface a quarter of the width, in the corner.
      _ = try cockpit.line { $0.contains("240 x 235") }
      let plan = try plan(compositor, "240x235")
      try give(
        hands, "touch down 0 \(plan.gear(0))", "touch down 1 \(plan.rim(quarterTurns: 0))", "touch frame",
        "touch motion 0 \(plan.gear(7))", "touch motion 1 \(plan.rim(quarterTurns: 1))", "touch frame")
      var missing: Set = ["gearbox held true", "wheel held true", "gear 7"]
      while !missing.isEmpty {
        let line = try cockpit.line()
        missing = missing.filter { !line.hasSuffix($0) }
      }
      try give(hands, "touch up 0", "touch up 1", "touch frame")
      _ = try cockpit.line { $0.hasSuffix("held false") }
      #expect(try cockpit.terminate() == .exited(0))
    }

    @Test(.needs(.sway)) func `a strip drives, and a window beneath takes what the strip leaves`() throws {
      let compositor = try Compositor(.sway, .init(width: 960, height: 540))
      let hands = try compositor.launch([Product.input.path, "960x540"])
      #expect(try hands.line() == "ready")
      _ = try compositor.output(of: ["sh", "-c", #"printf '{"type": "Horn", "name": "horn"}' >horn.json"#])
      let beneath = try Desk.startCockpit(on: compositor, ["--scene", "horn.json"])
      _ = try beneath.line { $0.contains("960 x 540") }
      let strip = try Desk.startCockpit(on: compositor, ["--strip", "bottom"])
      _ = try strip.line { $0.contains("960 x 240") }
      _ = try compositor.screenshot()
      let plan = try plan(compositor, "960x240")
      func place(_ words: String) throws -> String {
        let numbers = words.split(separator: " ").compactMap { Double($0) }
        return "\(try #require(numbers.first)) \(try #require(numbers.last) + 300)"
      }
      try give(hands, "pointer motion \(place(plan.gear(0)))", "pointer press", "pointer motion \(place(plan.gear(4)))")
      _ = try strip.line { $0.hasSuffix("gear 4") }
      try give(hands, "pointer release")
      _ = try strip.line { $0.hasSuffix("gearbox held false") }
      // Between the controls: the window beneath.
      try give(hands, "pointer motion \(place(plan.between))", "pointer press")
      _ = try beneath.line { $0.hasSuffix("horn true") }
      try give(hands, "pointer release")
      _ = try beneath.line { $0.hasSuffix("horn false") }
      #expect(try strip.terminate() == .exited(0))
      #expect(try beneath.terminate() == .exited(0))
    }
  }
}
