import CompositorLab
import TestSupport
import Testing

extension RealCompositors {
  /// The cockpit on a car's display, on a kiosk and as a strip.
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

    /// A weston shell, the cockpit's options for it, and the size that the cockpit gets there.
    struct Shell: CustomTestStringConvertible {
      var name: Compositor.Settings.WestonShell
      var options: [String] = []
      var size: (width: Int, height: Int)
      var testDescription: String { "\(name)" }
    }

    @Test(
      .needs(.weston), .needs(.kwin),
      arguments: [
        // weston's example for a car gives the first surface a quarter of the width, in the corner.
        Shell(name: .ivi, options: ["--ivi-id", "7001"], size: (240, 235)),
        Shell(name: .kiosk, size: (960, 540)),
      ])
    func `two fingers drive on weston's ivi-shell, which knows surfaces by a number, and alone on its kiosk shell`(
      shell: Shell
    ) throws {
      var settings = Compositor.Settings(width: 960, height: 540, hasTouchscreen: true)
      settings.westonShell = shell.name
      let compositor = try Compositor(.weston, settings)
      let hands = try compositor.handsBelongTo.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      // weston's car shell places no surface that comes before its own panel; such a cockpit is started again.
      var placed: ClientProcess?
      for _ in 0..<4 where placed == nil {
        let cockpit = try Desk.startCockpit(on: compositor, shell.options)
        let size = "\(shell.size.width) x \(shell.size.height)"
        if (try? cockpit.line(within: .seconds(5)) { $0.contains(size) }) != nil { placed = cockpit }
        if placed == nil { _ = try cockpit.terminate() }
      }
      let cockpit = try #require(placed)
      let plan = try plan(compositor, "\(shell.size.width)x\(shell.size.height)")
      // A touch gets lost while the window, or the touchscreen between the two compositors, is missing. Both are there once a
      // press of the mouse arrives.
      var isHeard = false
      for _ in 0..<10 where !isHeard {
        let press = ["pointer motion \(plan.between)", "pointer motion \(plan.rim(quarterTurns: 0))", "pointer press"]
        for command in press + ["pointer release"] { try give(hands, command) }
        isHeard = (try? cockpit.line(within: .seconds(1)) { $0.hasSuffix("wheel held false") }) != nil
      }
      #expect(isHeard)
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
      let hands = try compositor.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      _ = try compositor.output(of: ["sh", "-c", #"printf '{"type": "Horn", "name": "horn"}' >horn.json"#])
      let beneath = try Desk.startCockpit(on: compositor, ["--scene", "horn.json"])
      _ = try beneath.line { $0.contains("960 x 540") }
      func lowerPart(_ picture: ScreenPicture) -> ScreenPicture {
        picture.cropped(x: 0, y: 300, width: 960, height: 240)
      }
      let uncovered = lowerPart(try compositor.screenshot { $0.colours.count > 2 })
      let strip = try Desk.startCockpit(on: compositor, ["--strip", "bottom"])
      // The size is logged before the strip is visible. Until its first frame, input goes to the window beneath.
      _ = try strip.line { $0.contains("960 x 240") }
      _ = try compositor.screenshot { lowerPart($0) != uncovered }
      let plan = try plan(compositor, "960x240")
      func place(_ words: String) throws -> String {
        let numbers = words.split(separator: " ").compactMap { Double($0) }
        return "\(try #require(numbers.first)) \(try #require(numbers.last) + 300)"
      }
      try give(hands, "pointer motion \(place(plan.gear(0)))", "pointer press", "pointer motion \(place(plan.gear(4)))")
      _ = try strip.line { $0.hasSuffix("gear 4") }
      try give(hands, "pointer release")
      _ = try strip.line { $0.hasSuffix("gearbox held false") }
      // A press between the controls goes to the window beneath.
      try give(hands, "pointer motion \(place(plan.between))", "pointer press")
      _ = try beneath.line { $0.hasSuffix("horn true") }
      try give(hands, "pointer release")
      _ = try beneath.line { $0.hasSuffix("horn false") }
      #expect(try strip.terminate() == .exited(0))
      #expect(try beneath.terminate() == .exited(0))
    }
  }
}
