import ControlHarness
import Controls
import DriveLink
import Testing
import UICore

@testable import cockpit

/// Tests of telemetry on the instruments.
@MainActor @Suite(.serialized) struct TelemetryDisplayTests {
  private let scene: CockpitScene
  private let display: TelemetryDisplay

  init() {
    FontLibrary.shared = ControlHarness.fonts
    scene = CockpitScene()
    scene.cluster.beacon.isEnabled = false
    display = TelemetryDisplay(scene: scene)
  }

  private func show(_ line: String) throws { display.show(try #require(Telemetry(line: Array(line.utf8)))) }

  @Test func `the instruments show what the vehicle tells, not the built-in car`() throws {
    #expect(!scene.cluster.speedometer.isKnown && scene.cluster.telemetry?.content.isStale == true)
    try show(#"{"speed":-42,"battery":0.756,"linkAge":0.0449,"warnings":["MOTOR HOT","LOW"]}"#)
    let content = try #require(scene.cluster.telemetry?.content)
    #expect(scene.cluster.speedometer.speed == 42 && scene.cluster.speedometer.isKnown)
    #expect(
      content.battery == 76 && content.link == 40 && content.warnings == ["MOTOR HOT", "LOW"] && !content.isStale)
    // The car would go by its gear.
    scene.gearbox.gear = .forward(9)
    scene.car.resume()
    for step in 1...60 { scene.prepareFrame(for: MonotonicTime(nanoseconds: Int64(step) * 16_000_000)) }
    #expect(scene.cluster.speedometer.speed == 42)
  }

  @Test func `what is not told or too old is shown as not known`() throws {
    try show(#"{"speed":10,"battery":0.5}"#)
    try show(#"{"battery":0.4}"#)
    #expect(scene.cluster.speedometer.isKnown && scene.cluster.telemetry?.content.battery == 40)
    try show(#"{"speed":null}"#)
    #expect(!scene.cluster.speedometer.isKnown && scene.cluster.telemetry?.content.battery == 40)
    try show(#"{"speed":10}"#)
    display.showStale(.speed)
    #expect(!scene.cluster.speedometer.isKnown && scene.cluster.telemetry?.content.battery == 40)
    #expect(scene.cluster.telemetry?.content.isStale == false)
    display.showStale(.all)
    #expect(!scene.cluster.speedometer.isKnown && scene.cluster.telemetry?.content.isStale == true)
    try show(#"{"speed":11}"#)
    #expect(scene.cluster.speedometer.isKnown && scene.cluster.speedometer.speed == 11)
    #expect(scene.cluster.telemetry?.content.battery == nil, "what is over stays over")
  }
}
