import ControlHarness
import Controls
import DriveLink
import Testing
import UICore

@testable import cockpit

/// The strip of a vehicle's channels: where its controls are, and how it looks.
@MainActor @Suite(.serialized) struct ChannelStripTests {
  private static func vehicle() throws -> VehicleFile {
    let text = """
      {"version": 1, "name": "Crawler", "channels": {
        "lights": {"kind": "switch", "off": -1, "on": 1}, "pan": {"kind": "axis", "safe": 0},
        "gearbox": {"kind": "choice", "values": {"low": -1, "high": 1}, "start": "low"}, "winch": {"kind": "momentary", "off": 0, "on": 1}},
       "arm": {}, "mode": {"values": {"manual": 0, "hold": 4, "auto": 10}, "start": "manual"}, "units": "mph"}
      """
    return try VehicleFile(Array(text.utf8), path: "car.json")
  }

  /// A scene that drives this vehicle.
  private func harness(_ size: Size, isLight: Bool = false) throws -> ControlHarness {
    let scene = CockpitScene()
    scene.adopt(SceneLook(isLight: isLight))
    scene.car.followsTelemetry = true
    let vehicle = try Self.vehicle()
    scene.adopt(vehicle)
    scene.drivesVehicle = true
    scene.cluster.beacon.status = .ready
    let harness = ControlHarness(size: size, scale: .one, root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    harness.frame()
    return harness
  }

  @Test func `each control is on a page, large enough for a finger, and none lies over another or outside`() throws {
    for width in stride(from: 200.0, through: 1600, by: 20) {
      let harness = try harness(Size(width: width, height: 400))
      let strip = try #require((harness.root as? CockpitScene)?.channelStrip)
      let controls = strip.subviews.compactMap { $0 as? Control }
      let more = try #require(controls.first { $0.name == "more" } as? Button)
      var seen: Set<String> = []
      for page in 0..<10 {
        let shown = controls.filter { !$0.isHidden }
        for (index, control) in shown.enumerated() {
          #expect(
            control.frame.width >= 44 && control.frame.height >= 36 && strip.bounds.union(control.frame) == strip.bounds
          )
          for other in shown.dropFirst(index + 1) {
            #expect(!control.frame.intersects(other.frame), "\(control.name) and \(other.name) at \(width)")
          }
        }
        if page == 0 { #expect(shown.contains { $0 is ArmButton }, "arming is on the first page") }
        seen.formUnion(shown.map(\.name))
        guard !more.isHidden else { break }
        more.sendActions(for: .primaryActionTriggered)
        harness.frame()
      }
      #expect(seen.isSuperset(of: ["arm", "mode", "lights", "pan", "gearbox", "winch"]), "at \(width): \(seen)")
    }
  }

  @Test func `the scene keeps clear of the strip, and STOP too`() throws {
    for size in [Size(width: 480, height: 320), Size(width: 1280, height: 720), Size(width: 400, height: 640)] {
      let harness = try harness(size)
      let scene = try #require(harness.root as? CockpitScene)
      let strip = try #require(scene.channelStrip)
      for view in [scene.gearbox, scene.wheel, scene.cluster, try #require(scene.stop)] as [View] {
        #expect(view.windowFrame.maxY <= strip.windowFrame.minY, "\(view.name) at \(size)")
      }
    }
  }

  @Test(arguments: [
    (Size(width: 480, height: 320), false), (Size(width: 1280, height: 720), true),
    (Size(width: 400, height: 640), false),
  ])
  func `the strip, whole`(size: Size, isLight: Bool) throws {
    let harness = try harness(size, isLight: isLight)
    let scene = try #require(harness.root as? CockpitScene)
    let channels = try #require(scene.channels)
    var model = try #require(try Self.vehicle().model)
    model.set(0, to: 1)
    model.set(1, to: 0.5)
    model.choose(mode: 1)
    model.arm()
    channels.show(model, canArm: true)
    scene.cluster.speedometer.speed = 60
    scene.car.showControls()
    harness.frame()
    harness.host.now = harness.host.now + Beacon.period * 2
    harness.frame()
    harness.expectGolden("channels-\(Int(size.width))x\(Int(size.height))", tolerance: 2)
  }
}
