import ControlHarness
import Controls
import DriveLink
import ScreenshotTesting
import Testing
import UICore

@testable import cockpit

/// The scene as drivers see it, at the sizes that it is composed for: one whole image of each, and in each look a sheet of all that it
/// may say, in both languages and both directions.
@MainActor @Suite(.serialized) struct SceneGoldenTests {
  /// The state of the vehicle.
  nonisolated enum Moment: CaseIterable {
    /// In neutral, at 0 km/h.
    case rest
    /// Gear 7 at 83 km/h, the wheel 40 degrees to the right.
    case driving
    /// In reverse at 6 km/h, the wheel far to the left.
    case reverse
  }

  /// A window, the pixels of a point in its whole image, and in its sheet: a layout is in points, so smaller images show the same.
  nonisolated struct Window: Sendable, CustomTestStringConvertible {
    let size: Size
    var scale = 1.0
    let sheetScale: Double
    /// The theme of the whole image.
    var isLight = false

    var name: String { "\(Int(size.width))x\(Int(size.height))" }
    var testDescription: String { name }

    static let all = [
      Window(size: Size(width: 480, height: 320), sheetScale: 1),
      Window(size: Size(width: 400, height: 640), sheetScale: 0.75, isLight: true),
      Window(size: Size(width: 800, height: 480), sheetScale: 0.5),
      Window(size: Size(width: 1280, height: 720), sheetScale: 0.5, isLight: true),
      Window(size: Size(width: 1280, height: 800), sheetScale: 0.5),
      Window(size: Size(width: 800, height: 1280), sheetScale: 0.5, isLight: true),
      Window(size: Size(width: 1920, height: 1080), scale: 2, sheetScale: 0.375),
      Window(size: Size(width: 3440, height: 1440), sheetScale: 0.25, isLight: true),
    ]
  }

  /// Light or dark, and contrast.
  nonisolated struct Look: Sendable, CustomTestStringConvertible {
    let name: String
    let look: SceneLook
    var testDescription: String { name }

    static let all = [
      Look(name: "dark", look: SceneLook()), Look(name: "light", look: SceneLook(isLight: true)),
      Look(name: "dark-contrast", look: SceneLook(hasHighContrast: true)),
      Look(name: "light-contrast", look: SceneLook(isLight: true, hasHighContrast: true)),
    ]
  }

  /// The texts of a cockpit that drives a vehicle.
  nonisolated enum DriveMoment: CaseIterable {
    /// Before the first drive: the destination.
    case start
    /// Gear 7, the wheel to the right; the vehicle reports no speed.
    case driving
    /// The last finger was lifted: a small card.
    case lifted
    /// The link was lost, and is lost still.
    case linkLost
    /// The link is back, after a fault.
    case fault
    /// The emergency stop was pressed, and is being released.
    case stopped, releasing
    /// Tilting steers, the vehicle sends telemetry, the link is lost.
    case everything
  }

  private func show(_ moment: DriveMoment, in harness: ControlHarness) throws -> Snapshot {
    let scene = try #require(harness.root as? CockpitScene)
    let stop = try #require(scene.stop)
    let drives = moment == .driving
    (scene.gearbox.gear, scene.wheel.angle) = drives ? (.forward(7), 40) : (.neutral, 0)
    scene.car.showControls()
    var options = Options()
    (options.receiver, options.deadMan) = (.udp(host: "192.168.4.1", port: 5005), false)
    options.settingsFile = SettingsFile(path: "/etc/config.json", options: [.deadMan])
    let reason: DriveReason? =
      switch moment {
      case .start: .start
      case .driving: nil
      case .lifted: .lift
      case .linkLost, .everything: .linkLost
      case .fault: .compositorFrozen
      case .stopped, .releasing: .emergencyStop
      }
    var notice = reason.map { LossNotice(reason: $0) }
    if moment == .start { notice?.summary = DriveSummary(options) }
    notice?.isUnlinked = moment == .linkLost || moment == .everything
    notice?.isStopped = moment == .stopped || moment == .releasing
    scene.cluster.beacon.status =
      switch moment {
      case .start: .ready
      case .driving: .driving
      case .linkLost, .everything: .noLink
      case .lifted, .fault, .stopped, .releasing: .stopped
      }
    if moment == .driving {
      // The consumer answers, and reports only the vehicle's battery.
      var content = TelemetryPanel.Content(nil, isStale: false)
      (content.battery, content.figures) = (71, LinkFigures(milliseconds: 12, loss: 0))
      scene.cluster.showTelemetry(content)
    }
    if moment == .everything {
      scene.cluster.showsTilt = true
      scene.cluster.showTelemetry(TelemetryPanel.Content(nil, isStale: true))
    }
    if moment == .stopped || moment == .releasing { stop.press() }
    scene.showLoss(notice, ignored: [])
    harness.frame()
    harness.host.now = harness.host.now + Beacon.period * 2
    harness.frame()
    if moment == .releasing {
      _ = stop.takeKey(KeyEvent(seat: SeatID(0), phase: .down, key: .pause, time: harness.host.now))
      harness.frame()
      harness.host.now = harness.host.now + EmergencyStop.releaseTime * 5 / 8
      harness.frame()
    }
    return harness.shown
  }

  @Test(arguments: [Window.all[0], .all[1], .all[4]], Look.all)
  func `what a cockpit that drives a vehicle says`(window: Window, look: Look) throws {
    defer { Language.current = .english }
    // Whole images, at a pixel a point, of the two most common sizes.
    let isWhole = window.size.width != 400 && !look.look.hasHighContrast
    let scale = isWhole ? 1 : window.sheetScale
    let size = Scale(scale).pixelSize(window.size)
    var sheet = SceneSheet(width: 4 * size.width + 12)
    for language in [Language.english, .chinese] {
      Language.current = language
      for moment in DriveMoment.allCases {
        let harness = harness(window, scale, look.look)
        let scene = try #require(harness.root as? CockpitScene)
        // The vehicle sends no telemetry.
        scene.cluster.speedometer.isKnown = false
        scene.drivesVehicle = true
        sheet.add(try show(moment, in: harness), over: nil)
      }
    }
    try ScreenshotReferences(besideFile: #filePath, folderName: "Goldens").verify(
      sheet.image, named: "vehicle-\(window.name)-\(look.name)", tolerance: Tolerance(levels: 2))
  }

  /// A scene that rests, at `scale`.
  private func harness(_ window: Window, _ scale: Double, _ look: SceneLook) -> ControlHarness {
    let scene = CockpitScene()
    scene.adopt(look)
    // The speed is a vehicle's: the built-in car would begin at rest.
    scene.car.followsTelemetry = true
    let harness = ControlHarness(
      size: window.size, scale: Scale(scale), root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    return harness
  }

  /// The scene of `harness` in `moment`, and after a loss with `notice`.
  private func show(
    _ moment: Moment, _ notice: LossNotice? = nil, ignored: IgnoredControls = [], in harness: ControlHarness
  ) throws -> Snapshot {
    let scene = try #require(harness.root as? CockpitScene)
    switch moment {
    case .rest: (scene.gearbox.gear, scene.wheel.angle) = (.neutral, 0)
    case .driving: (scene.gearbox.gear, scene.wheel.angle) = (.forward(7), 40)
    case .reverse: (scene.gearbox.gear, scene.wheel.angle) = (.reverse, -160)
    }
    scene.cluster.speedometer.speed = moment == .driving ? 83 : moment == .reverse ? 6 : 0
    scene.car.showControls()
    scene.showLoss(notice, ignored: ignored)
    harness.frame()
    // Until all motions have ended; the beacon is then as bright as before.
    harness.host.now = harness.host.now + Beacon.period * 2
    harness.frame()
    return harness.shown
  }

  @Test(arguments: Window.all) func `driving, whole`(window: Window) throws {
    var pictures = [(window.scale, window.isLight)]
    // Edges between pixels.
    if window.size.width == 480 { pictures += [(1.5, false), (2, true)] }
    for (scale, isLight) in pictures {
      let harness = harness(window, scale, SceneLook(isLight: isLight))
      _ = try show(Moment.driving, in: harness)
      harness.expectGolden("scene-\(window.name)-driving\(isLight ? "-light" : "")@\(scale)", tolerance: 2)
    }
  }

  @Test(arguments: Window.all, Look.all)
  func `at rest, driving, in reverse and after every loss`(window: Window, look: Look) throws {
    defer { (Language.current, Language.direction) = (.english, .leftToRight) }
    let scale = Scale(window.sheetScale)
    let size = scale.pixelSize(window.size)
    let place = scale.pixelRect(covering: CockpitLayout(size: window.size).notice.insetBy(dx: -4, dy: -4))
    var sheet = SceneSheet(width: 4 * size.width + 12)
    var first: [Snapshot] = []
    var losses: [(image: Snapshot, base: Snapshot)] = []
    for (language, direction) in [(Language.english, LayoutDirection.leftToRight), (.chinese, .leftToRight)]
      + [(.english, .rightToLeft)]
    {
      (Language.current, Language.direction) = (language, direction)
      let harness = harness(window, window.sheetScale, look.look)
      var images: [Snapshot] = []
      for moment in Moment.allCases { images.append(try show(moment, in: harness)) }
      // After a fault, the card asks for held controls to be let go.
      let held = LossNotice(reason: .displayFault, isStillHeld: true)
      images.append(try show(.rest, held, ignored: [.lever, .wheel], in: harness))
      for (index, image) in images.enumerated() {
        let base = first.isEmpty ? (index == 0 ? nil : images[0]) : first[index]
        sheet.add(image, over: base)
      }
      if first.isEmpty { first = images }
      for reason in LossNotice.reasons {
        losses.append((try show(.rest, LossNotice(reason: reason), in: harness), images[0]))
      }
    }
    sheet.nextRow()
    for loss in losses { sheet.add(loss.image, over: loss.base, area: place) }
    try ScreenshotReferences(besideFile: #filePath, folderName: "Goldens").verify(
      sheet.image, named: "sheet-\(window.name)-\(look.name)", tolerance: Tolerance(levels: 2))
  }
}
