// Owns reading a whole file.
// Must not know what is in it.

import Glibc

/// Files as bytes.
enum FileReader {
  /// The bytes of the file at `path`, as many of them as a record may have.
  ///
  /// - Throws: `SessionError.cannotRead`.
  static func bytes(of path: String) throws(SessionError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(path, errno: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < RecordedSession.largestFile {
      let count = read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw .cannotRead(path, errno: errno) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
