import ControlTools
import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of a scene's file that is saved again while somebody drives: what is held stays held.
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
  func `a part that the file lacks stays the same, so that saving it throws nothing out of hands`(parts: [String])
    throws
  {
    let desk = try DriveDesk()
    let idle = IdleGuard(scene: desk.scene)
    var changes = 0
    desk.scene.onPartsChange = {
      changes += 1
      idle.attach()
      desk.session.partsChanged()
    }
    desk.relay.perform(.wake) { try? desk.scene.load(try file(parts)) }
    desk.refresh()
    #expect(changes == 1)
    desk.takeLever(to: .forward(5))
    #expect(desk.line.command.gear == 5 && idle.isHeld)
    for color in ["#112233", "#223344"] {
      desk.relay.perform(.wake) { try? desk.scene.load(try file(parts, color: color)) }
      desk.refresh()
    }
    #expect(changes == 1)
    #expect(desk.line.state == .driving && desk.line.command.gear == 5 && desk.scene.gearbox.gear == .forward(5))
    // A part more, and a part less: the lever that stays is held on.
    for others in [parts + ["Horn horn"], parts] {
      desk.relay.perform(.wake) { try? desk.scene.load(try file(others)) }
      desk.refresh()
      #expect(desk.line.state == .driving && desk.line.command.gear == 5 && desk.scene.gearbox.isTracking)
      #expect(idle.isHeld, "the screen stays awake")
    }
    #expect(changes == 3)
    desk.move(1, to: desk.scene.lever(.forward(7)))
    #expect(desk.line.command.gear == 7)
    desk.lift(1)
    #expect(!idle.isHeld && desk.line.reason == .lift)
    desk.end()
  }
}
