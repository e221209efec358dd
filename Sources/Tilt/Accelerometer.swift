import Glibc
import Linux

/// An accelerometer that the kernel exposes as a sysfs directory (Documentation/ABI/testing/sysfs-bus-iio).
///
/// A value is (raw + offset) * scale in metres per second squared, transformed by the mount matrix into the device's
/// directions. The matrix is udev's ACCEL_MOUNT_MATRIX if its database has one for the device, otherwise the kernel's.
public struct Accelerometer: Sendable {
  /// The directory in which the kernel lists the devices.
  public static let systemFolder = "/sys/bus/iio/devices"
  /// The directory of udev's device database.
  public static let udevFolder = "/run/udev/data"

  /// The device's directory.
  public let path: String
  private let axes: [Axis]
  private let mount: MountMatrix

  private struct Axis {
    let raw: String
    let scale: Double
    let offset: Double
  }

  /// Opens the accelerometer in the directory at `path`, and reads it once.
  ///
  /// - Throws: `TiltError` if it is not an accelerometer, or if one of its files cannot be used.
  public init(path: String, udevFolder: String = Accelerometer.udevFolder) throws(TiltError) {
    self.path = path
    var axes: [Axis] = []
    for axis in ["x", "y", "z"] {
      let raw = "\(path)/in_accel_\(axis)_raw"
      guard unsafe access(raw, F_OK) == 0 else { throw .notASensor(path: path) }
      axes.append(
        Axis(
          raw: raw, scale: try Self.number(path, ["in_accel_\(axis)_scale", "in_accel_scale"]) ?? 1,
          offset: try Self.number(path, ["in_accel_\(axis)_offset", "in_accel_offset"]) ?? 0))
    }
    self.axes = axes
    mount = try Self.mount(path, udevFolder)
    _ = try read()
  }

  /// Finds the accelerometer under `folder` that moves with the screen. If there are several, one that is labelled as the
  /// screen's is preferred, and one in a keyboard's base is the last choice.
  ///
  /// - Throws: `TiltError.noSensor` if there is no accelerometer, or the error of one that was found.
  public static func find(in folder: String = systemFolder, udevFolder: String = udevFolder) throws(TiltError)
    -> Accelerometer
  {
    let devices = FileReader.names(in: folder).filter { $0.hasPrefix("iio:device") }.map { "\(folder)/\($0)" }
      .filter { unsafe access("\($0)/in_accel_x_raw", F_OK) == 0 }
    var best: (path: String, rank: Int)?
    for device in devices {
      let rank = try rank(device)
      if best.map({ rank > $0.rank }) ?? true { best = (device, rank) }
    }
    guard let best else { throw .noSensor(folder: folder) }
    return try Accelerometer(path: best.path, udevFolder: udevFolder)
  }

  private static func rank(_ device: String) throws(TiltError) -> Int {
    var place = try SensorFile.text("\(device)/label")
    if place == nil { place = try SensorFile.text("\(device)/location") }
    return switch place {
    case "accel-display", "lid": 2
    case "accel-base", "base": 0
    default: 1
    }
  }

  /// Measures the current acceleration, in the device's directions.
  ///
  /// - Throws: `TiltError.unreadable` if the device is gone or fails, `badFile` if a file does not contain a finite number.
  public func read() throws(TiltError) -> Acceleration {
    var values: [Double] = []
    for axis in axes {
      guard let raw = try SensorFile.number(axis.raw) else { throw .unreadable(path: axis.raw, errno: ENOENT) }
      values.append((raw + axis.offset) * axis.scale)
    }
    return mount.apply(to: Acceleration(x: values[0], y: values[1], z: values[2]))
  }

  /// The number in the first of these files that exists; nil if none exists.
  private static func number(_ path: String, _ names: [String]) throws(TiltError) -> Double? {
    for name in names {
      if let number = try SensorFile.number("\(path)/\(name)") { return number }
    }
    return nil
  }

  private static func mount(_ path: String, _ udevFolder: String) throws(TiltError) -> MountMatrix {
    var (file, text) = try (udevFolder, udevMatrix(path, udevFolder))
    for name in ["in_accel_mount_matrix", "in_mount_matrix", "mount_matrix"] where text == nil {
      file = "\(path)/\(name)"
      text = try SensorFile.text(file)
    }
    guard let text else { return .identity }
    guard let matrix = MountMatrix(text) else { throw .badFile(path: file, text: text) }
    return matrix
  }

  /// The mount matrix of the device in udev's database, found by the device's number or name; nil if the database has none.
  private static func udevMatrix(_ path: String, _ folder: String) throws(TiltError) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var files = ["+iio:\(name)"]
    if let number = try SensorFile.text("\(path)/dev") { files.insert("c\(number)", at: 0) }
    for file in files {
      // Skip an entry that cannot be read: the kernel may still have a matrix.
      guard let text = try? SensorFile.text("\(folder)/\(file)") else { continue }
      let key = "E:ACCEL_MOUNT_MATRIX="
      if let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key) }) {
        return String(line.dropFirst(key.count))
      }
    }
    return nil
  }
}
