import CompositorLab
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// Ways in which a vehicle might move without a hand, or by more than the hand requests, on a weston with a touchscreen.
  @Suite(.needs(.weston), .needs(.kwin)) struct DriveSafetyTests {
    /// A second and a half of steady lines.
    private static let steadyLines = 45

    private static func scene(gearCount: Int = 10, springsBack: Bool = true) -> String {
      """
      {"type": "CockpitPanel", "leftView": "gearbox", "rightView": "wheel", "subviews": [
        {"type": "ThrottleGearbox", "name": "gearbox", "fit": "filling", "showsGearNumbers": true, "showsSlot": true,
         "gearCount": \(gearCount)},
        {"type": "SteeringWheel", "name": "wheel", "springsBack": \(springsBack)}]}
      """
    }

    /// Whether the two options come from the command line or from a file.
    enum Source: String, CaseIterable {
      /// Both are on the command line.
      case typed
      /// Both are in the configuration file.
      case file
      /// The drive is in the configuration file, which is allowed, and the demo on the command line.
      case both
    }

    @Test(arguments: Source.allCases)
    func `a demo that would drive a vehicle is refused by one error, and sends nothing`(source: Source) throws {
      let compositor = try Compositor(.weston)
      var options = ["--demo", "--drive", "-"]
      if source != .typed {
        _ = try compositor.output(of: ["mkdir", "cockpit"])
        let demo = source == .file ? #""demo": true, "# : ""
        try compositor.write("{\(demo)\"drive\": \"-\"}", to: "cockpit/config.json")
        options = source == .file ? [] : ["--demo"]
      }
      let cockpit = try compositor.launch([Product.cockpit.path] + options)
      #expect(throws: LabError.self) { try cockpit.line() }
      #expect(try cockpit.waitForEnd() == .exited(2))
      let errors = cockpit.errors.split(separator: "\n")
      #expect(errors.count == 1 && errors.allSatisfy { $0.contains("demo") }, "\(cockpit.errors)")
    }

    @Test func `the key Up, held, is one gear`() throws {
      let rig = try DriveRig(.weston)
      try rig.give("key press \(Key.up.rawValue)")
      _ = try rig.witness.line("\"gear\":\"1\"", "\"state\":\"driving\"")
      let gears = Set(try rig.witness.next(Self.steadyLines).map(\.gear))
      #expect(gears == ["1"])
      try rig.give("key release \(Key.up.rawValue)")
      _ = try rig.witness.line("\"gear\":\"N\"", "\"state\":\"safe\"")
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    @Test func `a consumer that was killed and starts again under a finger gets nothing to drive by but a new touch`()
      throws
    {
      let rig = try DriveRig(.weston)
      try rig.drive()
      try rig.witness.restart()
      let lines = try rig.witness.next(Self.steadyLines)
      #expect(lines.allSatisfy { $0.state == "safe" && $0.throttle == 0 }, "such as \(lines[0])")
      try rig.liftFingers()
      try rig.drive()
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    @Test func `a wheel that does not spring back and is let go stands as it steers: straight`() throws {
      let rig = try DriveRig(.weston, scene: Self.scene(springsBack: false))
      try rig.give("touch down 7 \(rig.plan.rim(quarterTurns: 0))", "touch frame")
      try rig.give("touch motion 7 \(rig.plan.rim(quarterTurns: 1))", "touch frame")
      let (_, turned) = try rig.witness.line("\"steering\":0.2", "\"held\":true")
      #expect(try DriveLine(turned).steering > 0.1)
      try rig.give("touch up 7", "touch frame")
      _ = try rig.witness.line("\"steering\":0.0000", "\"state\":\"safe\"")
      try rig.expectStraightWheel()
      // The wheel is still straight at the next touches, of the lever and then of the wheel.
      for place in [rig.plan.gear(0), rig.plan.rim(quarterTurns: 0)] {
        try rig.give("touch down 1 \(place)", "touch frame")
        let (_, touched) = try rig.witness.line("\"held\":true")
        #expect(try DriveLine(touched).steering == 0)
        #expect(try rig.witness.next(5).allSatisfy { $0.steering == 0 })
        try rig.give("touch up 1", "touch frame")
        _ = try rig.witness.line("\"held\":false")
      }
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    @Test func `a saved scene with fewer gears does not speed up the vehicle of a resting finger`() throws {
      let rig = try DriveRig(.weston, scene: Self.scene())
      try rig.give(
        "touch down 0 \(rig.plan.gear(0))", "touch frame", "touch motion 0 \(rig.plan.gear(3))", "touch frame")
      let (_, before) = try rig.witness.line("\"gear\":\"3\"", "\"held\":true")
      #expect(try DriveLine(before).throttle == 0.3)
      try rig.compositor.write(Self.scene(gearCount: 3), to: DriveRig.sceneFile)
      let throttles = try rig.witness.next(Self.steadyLines).map(\.throttle)
      #expect(throttles.allSatisfy { $0 <= 0.3 }, "up to \(throttles.max() ?? 0)")
      try rig.give("touch up 0", "touch frame")
      _ = try rig.cockpit.line { $0.contains("\(DriveRig.sceneFile) is shown") }
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    @Test func `an error as long as a file's longest word does not end the connection`() throws {
      let rig = try DriveRig(.weston, scene: Self.scene())
      rig.cockpit.dropOutput()
      var isConnected = true
      func expectLine(_ words: String) throws {
        _ = try rig.cockpit.line { line in
          if line.contains("; waiting for a compositor") { isConnected = false }
          return line.contains(words)
        }
      }
      try rig.compositor.write(#"{"type": "\#(String(repeating: "x", count: 4200))"}"#, to: DriveRig.sceneFile)
      try expectLine("xxxxxxxx")
      try rig.compositor.write(Self.scene(springsBack: false), to: DriveRig.sceneFile)
      try expectLine("is shown")
      try #require(isConnected)
      try rig.drive()
      #expect(try rig.cockpit.terminate() == .exited(0))
    }
  }
}
