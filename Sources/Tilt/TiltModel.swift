import Glibc
import UICore

/// Steering by tilting the device like a wheel.
///
/// The tilt is the angle between the content's left-right axis and the horizon, so steering works both with an upright device,
/// held like a wheel, and with one that lies flat in the hand. `calibrate()` makes the current tilt the centre.
///
/// Sensors use two sign conventions: an upright panel measures +g along y by the kernel's binding, but -g with most devices'
/// matrices. During calibration the user looks at the screen, so its top or its face points upwards, which determines the sign.
public struct TiltModel: Sendable {
  /// The tilt for full steering, in degrees to either side of the holding position.
  public static let fullTilt = 45.0
  /// The tilt to either side of the holding position that does not steer, in degrees.
  public static let deadZone = 1.5
  /// The smallest change of the tilt, in degrees, that changes the steering. Smaller ones are ignored, because a resting hand
  /// trembles.
  public static let steadyBand = 0.15
  /// The smoothing's time constant: the time in which the smoothed acceleration covers 63 % of a step.
  public static let timeConstant = Duration.milliseconds(60)
  /// The pause between samples from which on smoothing starts again, without the earlier samples.
  public static let longestPause = Duration.milliseconds(500)
  /// The magnitudes of the samples that are used, in multiples of standard gravity. Others mean that the device is shaken, thrown
  /// or broken.
  public static let plausible = 0.5...1.5

  /// The steering from -1 (fully left) to 1 (fully right); nil before the first used sample, and after `reset()`.
  public private(set) var steering: Double?

  private var smoothed: Acceleration?
  private var lastTime: MonotonicTime?
  /// The tilt of the holding position, and the sign of the sensor's convention; nil until calibrated.
  private var middle: (tilt: Double, sign: Double)?
  /// The tilt from which `steering` was computed last.
  private var heldTilt: Double?

  /// A model without a sample.
  public init() {}

  /// Adds an acceleration in the device's directions, under the output's `transform`. Returns true if the sample was used. A
  /// sample that is implausible, NaN, or not newer than the last one is ignored. The first used sample calibrates.
  @discardableResult
  public mutating func add(_ sample: Acceleration, at time: MonotonicTime, transform: OutputTransform = .normal) -> Bool
  {
    let size = sample.magnitude / Acceleration.gravity
    guard Self.plausible.contains(size), lastTime.map({ time > $0 }) ?? true else { return false }
    if let old = smoothed, let lastTime, time - lastTime < Self.longestPause {
      let (step, constant) = ((time - lastTime).inSeconds, Self.timeConstant.inSeconds)
      let fraction = step / (constant + step)
      smoothed = Acceleration(
        x: old.x + (sample.x - old.x) * fraction, y: old.y + (sample.y - old.y) * fraction,
        z: old.z + (sample.z - old.z) * fraction)
    } else {
      smoothed = sample
    }
    lastTime = time
    if middle == nil { calibrate(transform: transform) }
    updateSteering(transform)
    return true
  }

  /// Makes the current tilt the holding position, in which `steering` is 0; if there is no sample yet, the next one's tilt.
  public mutating func calibrate(transform: OutputTransform = .normal) {
    middle = nil
    heldTilt = nil
    guard let smoothed else { return }
    let direction = transform.contentDirection(ofPanel: smoothed.x, smoothed.y)
    let sign: Double = direction.y + smoothed.z < 0 ? -1 : 1
    middle = (tilt(sign, transform) ?? 0, sign)
    updateSteering(transform)
  }

  /// Forgets all samples, so that `steering` is nil and the next sample calibrates. Call this if the sensor is gone or the
  /// window is hidden.
  public mutating func reset() {
    self = TiltModel()
  }

  /// The angle in degrees by which the content's right side is below its left side; nil without a sample.
  private func tilt(_ sign: Double, _ transform: OutputTransform) -> Double? {
    guard let smoothed else { return nil }
    let up = transform.contentDirection(ofPanel: smoothed.x * sign, smoothed.y * sign)
    let rest = (up.y * up.y + smoothed.z * smoothed.z).squareRoot()
    return atan2(-up.x, rest) * 180 / .pi
  }

  private mutating func updateSteering(_ transform: OutputTransform) {
    guard let middle, let tilt = tilt(middle.sign, transform) else { return }
    if let heldTilt, abs(tilt - heldTilt) < Self.steadyBand { return }
    heldTilt = tilt
    let away = tilt - middle.tilt
    let beyond = max(abs(away) - Self.deadZone, 0) / (Self.fullTilt - Self.deadZone)
    steering = min(beyond, 1) * (away < 0 ? -1 : 1)
  }
}
