// Owns reading one of the kernel's small text files.
// Must not know what it says.

import Glibc

enum SensorFile {
  /// What no attribute is longer than.
  private static let longest = 4096

  /// The text of the file at `path` without white space around it; nil when it isn't there.
  ///
  /// - Throws: `TiltError.unreadable` when it is there and can't be read.
  static func text(_ path: String) throws(TiltError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .unreadable(path: path, errno: errno)
    }
    defer { close(descriptor) }
    var failure: Int32 = 0
    let text = String(unsafeUninitializedCapacity: longest) { buffer in
      let count = read(descriptor, buffer.baseAddress, longest)
      if count < 0 { failure = errno }
      return max(count, 0)
    }
    guard failure == 0 else { throw .unreadable(path: path, errno: failure) }
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

  /// The names in the folder at `path`, in order; none when there is no such folder.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.sorted()
  }
}
