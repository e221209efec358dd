import Glibc

/// Regular files as bytes. A pipe, a socket or a device may never come to an end, so they are refused instead of waited for.
package enum FileReader {
  /// The reason why a file's bytes can't be read.
  package enum Failure: Error, Hashable, Sendable {
    /// The system refuses; its error number says why.
    case system(errno: Int32)
    /// It is a folder, a pipe, a device or something else that is no regular file.
    case notAFile
    /// There are more bytes than the caller wants.
    case tooLarge
    /// The bytes come so slowly that the program would seem to hang.
    case tooSlow
  }

  /// The bytes of the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the working directory or absolute.
  ///   - limit: The greatest number of bytes.
  ///   - timeout: The limit on the time of reading; a system that hangs within one read is not interrupted.
  ///   - mayWait: True on a thread that may block: pipes and devices are then waited for instead of refused.
  /// - Throws: `Failure`.
  package static func bytes(
    of path: String, atMost limit: Int, within timeout: Duration = .seconds(10), mayWait: Bool = false
  ) throws(Failure) -> [UInt8] {
    // A path with a zero byte would end there for the system and name another file.
    guard !path.utf8.contains(0) else { throw .system(errno: EINVAL) }
    guard let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))) else {
      throw .system(errno: errno)
    }
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw .system(errno: errno) }
    guard mayWait || status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= limit else { throw .tooLarge }
    let end = ContinuousClock.now + timeout
    // One byte more than there should be: the file may grow meanwhile.
    var bytes = [UInt8](repeating: 0, count: status.st_size + 1)
    var count = 0
    while true {
      guard ContinuousClock.now <= end else { throw .tooSlow }
      if count == bytes.count { bytes += [UInt8](repeating: 0, count: chunk) }
      let part = bytes.withUnsafeMutableBytes {
        read(file.number, $0.baseAddress.map { $0 + count }, min($0.count - count, chunk))
      }
      if part < 0 {
        if errno == EINTR { continue }
        throw .system(errno: errno)
      }
      if part == 0 { break }
      count += part
      guard count <= limit else { throw .tooLarge }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// The names in the folder at `path`, in order; empty when there is no such folder.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.sorted()
  }

  /// The most that one read asks for, in bytes: so slow a disk is noticed within a few of them.
  private static let chunk = 1 << 20
}

extension FileReader.Failure: CustomStringConvertible {
  /// The system's number for it, or the one that comes nearest.
  package var errno: Int32 {
    switch self {
    case .system(let errno): errno
    case .notAFile: EINVAL
    case .tooLarge: EFBIG
    case .tooSlow: ETIMEDOUT
    }
  }

  /// The failure in words, to follow "can't be read: ".
  package var description: String {
    switch self {
    case .system(let errno): systemMessage(errno)
    case .notAFile: "it is no regular file"
    case .tooLarge: "it is too large"
    case .tooSlow: "it comes too slowly"
    }
  }
}
