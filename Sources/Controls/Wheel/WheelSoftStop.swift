// Owns the soft end of a wheel's range: from the fingers' travel to the angle shown.
// Must not know fingers or springs.

/// A stop that is felt as growing resistance instead of a wall: past the lock the wheel gives less and less.
///
/// Up to the lock the angle is the travel. Past it, `e` degrees of travel turn the wheel by `give * e / (e + give)`: at
/// first as before, and never by `give` degrees or more. After `slip` degrees the hand slips on the rim, so that turning
/// back takes hold within `slip` degrees, however far the hand went on.
nonisolated public struct WheelSoftStop: Hashable, Sendable {
  /// The greatest angle at rest to either side, in degrees.
  public let lock: Double

  /// The limit of the angle past the lock, in degrees.
  public static let give = 24.0
  /// The travel past the lock that is counted at all, in degrees.
  public static let slip = 96.0

  /// A stop at `lock` degrees, which must be finite and positive.
  init(lock: Double) {
    self.lock = lock
  }

  /// The greatest angle that any travel gives.
  public var maximumAngle: Double { angle(forTravel: lock + WheelSoftStop.slip) }

  /// The travel that is kept: what goes past the slip is forgotten.
  public func limited(_ travel: Double) -> Double {
    min(max(travel, -lock - WheelSoftStop.slip), lock + WheelSoftStop.slip)
  }

  /// The angle that the wheel shows.
  public func angle(forTravel travel: Double) -> Double {
    let excess = abs(limited(travel)) - lock
    guard excess > 0 else { return travel }
    let size = lock + WheelSoftStop.give * excess / (excess + WheelSoftStop.give)
    return travel < 0 ? -size : size
  }

  /// The travel that shows `angle`: where a hand begins that grabs a wheel past its lock.
  public func travel(forAngle angle: Double) -> Double {
    let excess = abs(angle) - lock
    guard excess > 0 else { return angle }
    let inside = min(excess, maximumAngle - lock)
    let size = lock + inside * WheelSoftStop.give / (WheelSoftStop.give - inside)
    return angle < 0 ? -size : size
  }
}
