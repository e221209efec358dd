import ControlTools
import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of a scene's file that is saved again during a drive: held controls stay held.
@MainActor @Suite(.serialized) struct WatchedSceneTests {
  /// The gearbox as the cockpit has it, and the parts named.
  private func file(_ parts: [String], color: String = "#102030") throws -> LayoutFile {
    let views = parts.map {
      "{\"type\": \"\($0.prefix { $0 != " " })\", \"name\": \"\($0.drop { $0 != " " }.dropFirst())\"}"
    }
    return try LayoutFile(
      text: """
        {"type": "CockpitPanel", "name": "panel", "backgroundColor": "\(color)", "subviews": [
          {"type": "ThrottleGearbox", "name": "gearbox", "fit": "filling"}, \(views.joined(separator: ", "))]}
        """, name: "a scene")
  }

  @Test(arguments: [[], ["SteeringWheel wheel"], ["InstrumentCluster cluster", "SteeringWheel wheel"]])
  func `a file is saved while somebody drives: what is held stays held, whatever else the file has`(parts: [String])
    throws
  {
    let desk = try DriveDesk()
    let idle = ScreenAwake(scene: desk.scene)
    func save(_ parts: [String], color: String = "#102030") throws {
      let file = try file(parts, color: color)
      desk.relay.record(.wake) { try? desk.scene.load(file) }
      desk.refresh()
    }
    try save(parts)
    desk.takeLever(to: .forward(5))
    #expect(desk.line.command.gear == 5 && idle.isHeld)
    // Other parts, another colour, a part more, a part less: the lever that is held is held on.
    for others in [parts, parts, parts + ["Horn horn"], parts] {
      try save(others, color: others == parts ? "#112233" : "#223344")
      #expect(desk.line.state == .driving && desk.line.command.gear == 5 && desk.scene.gearbox.gear == .forward(5))
      #expect(desk.scene.gearbox.isTracking && idle.isHeld, "the screen stays awake")
    }
    desk.move(1, to: desk.scene.lever(.forward(7)))
    #expect(desk.line.command.gear == 7)
    desk.lift(1)
    #expect(!idle.isHeld && desk.line.reason == .lift)
    desk.end()
  }

  @Test(arguments: [true, false])
  func `a file without the lever that is held stops the vehicle, until a file has it and it is taken anew`(
    isDeadMan: Bool
  ) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    desk.takeLever(to: .forward(5))
    let file = try LayoutFile(text: "{\"type\": \"CockpitPanel\"}", name: "a scene")
    desk.relay.record(.wake) { try? desk.scene.load(file) }
    desk.refresh()
    #expect(desk.line.state == .safe && desk.line.reason == .sceneChanged && desk.line.command == .neutral)
    desk.relay.record(.wake) { try? desk.scene.load(SceneTypes.own()) }
    desk.refresh()
    desk.lift(1)
    #expect(desk.line.state == .safe && desk.line.command == .neutral)
    desk.takeLever(to: .forward(2))
    #expect(desk.line.state == .driving && desk.line.command.gear == 2)
    desk.end()
  }
}
