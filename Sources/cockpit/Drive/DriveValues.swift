import CockpitControls
import Controls

struct DriveValues {
  private(set) var gear = Gear.neutral
  private var throttle = 0.0
  /// The wheel's angle in degrees.
  private(set) var angle = 0.0

  /// A lever in neutral, and a straight wheel.
  init() {}

  init(_ scene: CockpitScene) {
    take(scene.gearbox)
    take(scene.wheel)
  }

  mutating func take(_ lever: ThrottleGearbox) { (gear, throttle) = (lever.gear, lever.throttle) }

  mutating func take(_ wheel: SteeringWheel) { angle = wheel.angle }

  /// True if the lever commands the same as that of `other`.
  func hasLever(of other: DriveValues) -> Bool { gear == other.gear && throttle == other.throttle }
}

/// The meaning of the positions of lever and wheel, and whether they can be held at all.
struct DriveRules: Equatable {
  private let gears: Int
  private let bands: GearboxGeometry.Bands
  private let lock: Double
  private let hasLever: Bool
  private let hasWheel: Bool

  init(_ scene: CockpitScene) {
    (gears, bands, lock) = (scene.gearbox.gearCount, scene.gearbox.bands, scene.wheel.lock)
    (hasLever, hasWheel) = (scene.takesInput(scene.gearbox), scene.takesInput(scene.wheel))
  }
}
