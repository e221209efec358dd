import ControlHarness
import Controls
import DriveLink
import ScreenshotTesting
import Testing
import UICore

@testable import cockpit

/// What a driver sees of this machine, in the sizes that the scene is composed for.
@MainActor @Suite(.serialized) struct MachineGoldenTests {
  nonisolated enum Moment: CaseIterable {
    /// Nothing is wrong: with answers of a receiver that tells nothing, and with a vehicle that tells its battery.
    case quiet, beside
    /// The battery at 18 %; at 9 %, with a warning of the vehicle.
    case low, severe
    /// The signal at -84 dBm; gone, while the vehicle says nothing any more.
    case weak, gone
  }

  private func show(_ moment: Moment, on scene: CockpitScene) {
    let display = TelemetryDisplay(scene: scene, isInSight: false)
    var line = #"{"speed":12,"battery":0.71,"linkAge":0.02}"#
    var notice = MachineNotice(battery: 62, level: -58)
    switch moment {
    case .quiet: line = ""
    case .beside: break
    case .low: (notice.battery, notice.batteryWarning) = (18, .low)
    case .severe:
      (notice.battery, notice.batteryWarning) = (9, .severe)
      line = #"{"battery":0.71,"warnings":["MOTOR HOT"]}"#
    case .weak: (notice.level, notice.wirelessWarning) = (-84, .severe)
    case .gone: (notice.level, notice.wirelessWarning, notice.isWirelessGone) = (nil, .severe, true)
    }
    if let telemetry = Telemetry(line: Array(line.utf8)) { display.show(telemetry) }
    if moment == .gone { display.showStale(.all) } else { display.show(LinkFigures(milliseconds: 12, loss: 0)) }
    display.show(notice)
  }

  @Test(arguments: [
    (Size(width: 480, height: 320), 1.0), (Size(width: 400, height: 640), 0.75), (Size(width: 1280, height: 720), 0.5),
  ]) func `battery and Wi-Fi of this machine`(size: Size, scale: Double) throws {
    defer { Language.current = .english }
    var sheet = SceneSheet(width: 3 * Scale(scale).pixelSize(size).width + 8)
    for (language, isLight) in [(Language.english, false), (.chinese, true)] {
      Language.current = language
      for moment in Moment.allCases {
        let scene = CockpitScene()
        scene.adopt(SceneLook(isLight: isLight))
        scene.cluster.speedometer.isKnown = false
        scene.cluster.beacon.isEnabled = false
        scene.drivesVehicle = true
        let harness = ControlHarness(size: size, scale: Scale(scale), root: scene, fonts: ControlHarness.screenFonts)
        harness.checksDamage = false
        show(moment, on: scene)
        harness.frame()
        harness.frame()
        sheet.add(harness.shown, over: nil)
      }
    }
    try ScreenshotReferences(besideFile: #filePath, folderName: "Goldens").verify(
      sheet.image, named: "machine-\(Int(size.width))x\(Int(size.height))", tolerance: Tolerance(levels: 2))
  }
}
