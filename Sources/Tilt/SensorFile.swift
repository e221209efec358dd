import Glibc
import Linux

/// Reading one of the kernel's small text files.
enum SensorFile {
  /// In bytes; attributes have 4096 at most, udev's database may have more.
  private static let longest = 1 << 16

  /// The text of the file at `path` without white space around it; nil when it isn't there.
  ///
  /// - Throws: `TiltError.unreadable` when it is there and can't be read.
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

  /// The number in the file at `path`; nil when there is no such file.
  ///
  /// - Throws: `TiltError.unreadable`, or `badFile` when it holds no finite number.
  static func number(_ path: String) throws(TiltError) -> Double? {
    guard let text = try text(path) else { return nil }
    guard let value = Double(text), value.isFinite else { throw .badFile(path: path, text: String(text.prefix(40))) }
    return value
  }
}
