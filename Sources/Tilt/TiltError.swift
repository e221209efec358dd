import Linux

/// Why there is no tilt to steer by. The description is one line that says what to do.
public enum TiltError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No device under this folder measures acceleration along three axes.
  case noSensor(folder: String)
  /// This folder is no device that does.
  case notASensor(path: String)
  /// A file of the device holds something else than it should.
  case badFile(path: String, text: String)
  /// A file of the device can't be read, for the reason that errno tells.
  case unreadable(path: String, errno: Int32)
  /// The reader could not be started.
  case noReader(errno: Int32)

  /// The line, without the program's name.
  public var description: String {
    switch self {
    case .noSensor(let folder):
      "there is no accelerometer under \(folder): name its folder after --tilt, or steer by finger with --tilt off"
    case .notASensor(let path):
      "\(path) is no accelerometer: it should hold in_accel_x_raw, in_accel_y_raw and in_accel_z_raw"
    case .badFile(let path, let text): "\(path) holds \"\(text)\", which can't be used"
    case .unreadable(let path, let errno): "\(path) can't be read: \(systemMessage(errno))"
    case .noReader(let errno): "the accelerometer's reader can't start: \(systemMessage(errno))"
    }
  }
}
