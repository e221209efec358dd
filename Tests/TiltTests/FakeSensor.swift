import Foundation
import TestSupport
import Tilt
import UICore

/// A folder that looks like the kernel's; removed with this object.
final class FakeSensor {
  /// The folders in place of /sys/bus/iio/devices and of udev's database.
  let folder: String
  let udev: String
  let device: String
  private let base: TemporaryFolder

  init(_ name: String = "iio:device0") throws {
    base = try TemporaryFolder()
    let base = base.path
    (folder, udev, device) = ("\(base)/devices", "\(base)/udev", "\(base)/devices/\(name)")
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: udev, withIntermediateDirectories: true)
  }

  /// Writes an attribute of the device; nil takes it away.
  func set(_ name: String, _ text: String?) throws {
    let path = "\(device)/\(name)"
    if let text {
      try (text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// Writes the three raw values.
  func raw(_ x: Double, _ y: Double, _ z: Double) throws {
    for (axis, value) in [("x", x), ("y", y), ("z", z)] { try set("in_accel_\(axis)_raw", "\(Int(value))") }
  }

  var sensor: Accelerometer {
    get throws { try Accelerometer(path: device, udevFolder: udev) }
  }
}
