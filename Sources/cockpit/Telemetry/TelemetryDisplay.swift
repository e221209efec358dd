import Controls
import DriveLink
import UICore

/// Puts telemetry on the scene's instruments. What the vehicle does not tell, or told too long ago, is shown as not known.
final class TelemetryDisplay {
  private unowned let scene: CockpitScene
  private var newest: Telemetry?
  private var isStale = true

  /// Nothing is known yet.
  init(scene: CockpitScene) {
    self.scene = scene
    attach()
  }

  /// The scene has other instruments than before.
  func attach() {
    scene.drive.followsTelemetry = true
    update()
  }

  /// The vehicle told something.
  func show(_ telemetry: Telemetry) {
    newest = telemetry
    isStale = false
    update()
  }

  /// The vehicle told nothing for too long.
  func showStale() {
    isStale = true
    update()
  }

  private func update() {
    let speedometer = scene.cluster.speedometer
    if let speed = newest?.speed, !isStale { speedometer.speed = abs(speed) }
    speedometer.isKnown = !isStale && newest?.speed != nil
    scene.cluster.showTelemetry(TelemetryPanel.Content(newest, isStale: isStale))
  }
}
