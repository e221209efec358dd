import CockpitControls
import Controls

/// The meaning of the positions of lever and wheel, and whether they can be held at all.
struct DriveRules: Equatable {
  private let gears: Int
  private let bands: GearboxGeometry.Bands
  private let lock: Double
  private let followsFinger: Bool
  private let hasLever: Bool
  private let hasWheel: Bool

  init(_ scene: CockpitScene) {
    (gears, bands, lock) = (scene.gearbox.gearCount, scene.gearbox.bands, scene.wheel.lock)
    followsFinger = scene.gearbox.followsFinger
    (hasLever, hasWheel) = (scene.takesInput(scene.gearbox), scene.takesInput(scene.wheel))
  }
}
