import CockpitControls
import Controls
import UICore

/// Feeds the controls' values to the car in fixed steps, and shows the result on the instruments.
///
/// Frames are requested only while the car's speed changes; a car that stands still, or drives steadily, costs nothing.
final class SimulatedCar {
  private(set) var vehicle = VehicleModel()
  /// True if a real vehicle is driven or telemetry is read: only telemetry provides the speed then, and the built-in car stands
  /// still.
  var followsTelemetry = false
  private let (gearbox, wheel, cluster): (ThrottleGearbox, SteeringWheel, InstrumentCluster)
  private var frames: ObservationToken?
  private var lastTime: MonotonicTime?

  /// Connects the scene's controls; the scene owns this controller.
  init(scene: CockpitScene) {
    (gearbox, wheel, cluster) = (scene.gearbox, scene.wheel, scene.cluster)
    gearbox.addAction(for: .valueChanged) { [unowned self] _ in
      showControls()
      resume()
    }
    wheel.addAction(for: .valueChanged) { [unowned self] _ in showSteering() }
    // Nothing moves by itself while the user drives.
    for control in [gearbox, wheel] {
      control.addAction(for: .editingDidBegin) { [cluster] _ in cluster.speedometer.endSweep() }
    }
    frames = scene.observeFrames { [unowned self] in advance(to: $0) }
  }

  /// Resumes the car now; time in the background does not count.
  func resume() {
    frames?.setNeedsFrame()
  }

  func showControls() {
    let gear = gearbox.gear
    cluster.speedometer.gear = gear.description
    cluster.speedometer.gearColor = SimulatedCar.color(of: gear, in: cluster.palette)
    cluster.brake.isLit = gear == .neutral
    showSteering()
  }

  /// A gear's colour, which repeats the meaning of its letter.
  static func color(of gear: Gear, in palette: CockpitTheme) -> Color {
    switch gear {
    case .neutral: palette.red
    case .reverse: palette.green
    case .forward: palette.text
    }
  }

  private func showSteering() {
    cluster.steering.lock = wheel.lock
    cluster.steering.degrees = wheel.angle
  }

  /// Advances the car to `time`. Returns true while its speed changes.
  private func advance(to time: MonotonicTime) -> Bool {
    guard !followsTelemetry else { return false }
    let throttle = gearbox.throttle
    if let lastTime { vehicle.advance(by: (time - lastTime).inSeconds, throttle: throttle) }
    cluster.speedometer.speed = vehicle.kilometresPerHour
    let isSettled = vehicle.isSettled(under: throttle)
    lastTime = isSettled ? nil : time
    return !isSettled
  }
}
