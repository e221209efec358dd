import Linux

/// The reason why a gamepad cannot be used. The description is one line.
public enum GamepadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libevdev, which reads the devices, is not installed.
  case noLibrary
  /// The directory of the devices cannot be watched, for the reason in `errno`.
  case noFolder(path: String, errno: Int32)
  /// The device's file is not there.
  case missing(path: String)
  /// The device's file cannot be opened or read, for the reason in `errno`.
  case unreadable(path: String, errno: Int32)
  /// The user may not open the device.
  case forbidden(path: String)
  /// The device is no gamepad, wheel or handbrake whose controls are known.
  case notAGamepad(path: String, name: String)
  /// The kernel does not date the device's events by the clock that tells old ones.
  case noClock(path: String)

  /// The reason in one line, without the program's name.
  public var description: String {
    switch self {
    case .noLibrary: "--gamepad needs libevdev: install the package libevdev2"
    case .noFolder(let path, let errno): "\(path) can't be watched for gamepads: \(systemMessage(errno))"
    case .missing(let path): "\(path) is not there"
    case .unreadable(let path, let errno): "\(path) can't be read: \(systemMessage(errno))"
    case .forbidden(let path):
      "\(path) may not be opened: add yourself to the group input, or have logind give the device to your seat (uaccess)"
    case .notAGamepad(let path, let name):
      "\(path) (\(name)) is no gamepad, wheel or handbrake that the cockpit knows the controls of"
    case .noClock(let path): "\(path) can't date its events by the monotonic clock, so old ones could not be told"
    }
  }
}
