/// An acceleration in metres per second squared along three axes. At rest it shows away from the earth or towards it,
/// whichever way the sensor's driver counts.
public struct Acceleration: Hashable, Sendable {
  /// Along the first axis.
  public var x: Double
  /// Along the second axis.
  public var y: Double
  /// Along the third axis.
  public var z: Double

  /// An acceleration from its parts, which may be anything.
  public init(x: Double, y: Double, z: Double) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// Standard gravity.
  public static let gravity = 9.80665

  /// Its size; NaN and infinity where a part is.
  public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}
