import Glibc
import Linux

/// Reads small text files of the kernel and of udev.
enum SensorFile {
  /// The maximum size of a file in bytes. The kernel's attributes have at most 4096; entries of udev's database may have more.
  private static let longest = 1 << 16

  /// The text of the file at `path` without white space and NULs around it; nil if the file does not exist.
  ///
  /// - Throws: `TiltError.unreadable` if it exists and cannot be read.
  static func text(_ path: String) throws(TiltError) -> String? {
    let bytes: [UInt8]
    do throws(FileReader.Failure) {
      bytes = try FileReader.bytes(of: path, atMost: longest, mayWait: true)
    } catch {
      if error == .system(errno: ENOENT) || error == .system(errno: ENOTDIR) { return nil }
      throw .unreadable(path: path, errno: error.errno)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let isSpace = { (character: Character) in character.isWhitespace || character == "\0" }
    let start = text.drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...end])
  }

  /// The number in the file at `path`; nil if the file does not exist.
  ///
  /// - Throws: `TiltError.unreadable`, or `badFile` if it does not contain a finite number.
  static func number(_ path: String) throws(TiltError) -> Double? {
    guard let text = try text(path) else { return nil }
    guard let value = Double(text), value.isFinite else { throw .badFile(path: path, text: String(text.prefix(40))) }
    return value
  }
}

/// The reason why tilt cannot steer. The description is one line.
public enum TiltError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No device in this directory measures acceleration along three axes.
  case noSensor(folder: String)
  /// The device in this directory does not measure acceleration.
  case notASensor(path: String)
  /// A file of the device contains text of an unexpected form.
  case badFile(path: String, text: String)
  /// A file of the device cannot be read, for the reason in `errno`.
  case unreadable(path: String, errno: Int32)
  /// The reader could not be started.
  case noReader(errno: Int32)

  /// The reason in one line, without the program's name.
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
