// Owns the wheel's way to follow a sensor, such as one that feels how the device is tilted.
// Must not know sensors.

extension SteeringWheel {
  /// Turns the wheel towards `angle` in degrees, right positive, clamped to the lock; nil lets go, and it returns as it does from a
  /// finger. Fingers and held keys are stronger, and when the last of them leaves the wheel goes to the latest angle (G6).
  /// Each step sends `valueChanged`. NaN, and any angle while it is disabled, change nothing.
  public func steer(toward angle: Double?) {
    if let angle, !angle.isFinite || !isEnabled { return }
    let goal = angle.map { min(max($0, -lock), lock) }
    guard goal != sensedAngle else { return }
    sensedAngle = goal
    guard !model.isHeld, heldDirection == nil else { return }
    swingOn(model.swing(velocity: animationMotion(forKey: Self.swingKey)?.velocity ?? 0))
  }

  /// True while a sensor steers, and nothing stronger does.
  public var followsSensor: Bool { sensedAngle != nil && !model.isHeld && heldDirection == nil }
}
