/// An acceleration in metres per second squared along three axes. At rest it points away from the earth or towards it,
/// depending on the convention of the sensor's driver.
public struct Acceleration: Hashable, Sendable {
  /// Along the first axis.
  public var x: Double
  /// Along the second axis.
  public var y: Double
  /// Along the third axis.
  public var z: Double

  /// Makes an acceleration from its components, which may be NaN or infinite.
  public init(x: Double, y: Double, z: Double) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// Standard gravity, in metres per second squared.
  public static let gravity = 9.80665

  /// The vector's length; NaN or infinite if a component is.
  public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}

/// Converts a sensor's measurement to the device's directions: x to the panel's right, y to its top, z out of it. The kernel's
/// mount-matrix binding and udev's ACCEL_MOUNT_MATRIX define it.
public struct MountMatrix: Hashable, Sendable {
  /// The nine numbers, row by row.
  private let values: [Double]

  /// The matrix of a sensor whose axes are the device's.
  public static let identity = MountMatrix(values: [1, 0, 0, 0, 1, 0, 0, 0, 1])

  private init(values: [Double]) { self.values = values }

  /// Reads three rows of three numbers: "1, 0, 0; 0, 1, 0; 0, 0, 1". nil if the text has another form, if a number is not finite,
  /// or if the matrix loses a direction (the determinant is within 0.01 of 0).
  public init?(_ text: String) {
    let rows = text.split(separator: ";", omittingEmptySubsequences: false)
    guard rows.count == 3 else { return nil }
    var values: [Double] = []
    for row in rows {
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      guard cells.count == 3 else { return nil }
      for cell in cells {
        guard let value = Double(cell.filter { !$0.isWhitespace }), value.isFinite else { return nil }
        values.append(value)
      }
    }
    self.values = values
    guard abs(determinant) > 0.01 else { return nil }
  }

  private var determinant: Double {
    let v = values
    return v[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (v[3] * v[8] - v[5] * v[6])
      + v[2] * (v[3] * v[7] - v[4] * v[6])
  }

  /// Converts the sensor's `value` to the device's directions.
  public func apply(to value: Acceleration) -> Acceleration {
    func row(_ start: Int) -> Double {
      values[start] * value.x + values[start + 1] * value.y + values[start + 2] * value.z
    }
    return Acceleration(x: row(0), y: row(3), z: row(6))
  }
}
