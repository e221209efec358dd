import Glibc

/// Reads whole files into memory. A pipe or a device may never end, so these are refused unless the caller may wait.
package enum FileReader {
  /// The reason why a file's bytes can't be read.
  package enum Failure: Error, Hashable, Sendable {
    /// A system call failed with this error number.
    case system(errno: Int32)
    /// The path is a directory, a pipe, a device or something else that is not a regular file.
    case notAFile
    /// The file has more bytes than the caller's limit.
    case tooLarge
    /// Reading took longer than the caller's timeout.
    case tooSlow
  }

  /// Reads the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the working directory or absolute.
  ///   - limit: The maximum number of bytes.
  ///   - timeout: The maximum time of reading. It is checked between reads: a single read that hangs is not interrupted.
  ///   - mayWait: True on a thread that may block. Pipes and devices are then read too.
  /// - Throws: `Failure`.
  package static func bytes(
    of path: String, atMost limit: Int, within timeout: Duration = .seconds(10), mayWait: Bool = false
  ) throws(Failure) -> [UInt8] {
    // For the system a path ends at a NUL, so a path that contains one would name a different file.
    guard !path.utf8.contains(0) else { throw .system(errno: EINVAL) }
    guard let file = unsafe Descriptor(open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))) else {
      throw .system(errno: errno)
    }
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { throw .system(errno: errno) }
    guard mayWait || status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= limit else { throw .tooLarge }
    let end = ContinuousClock.now + timeout
    // One byte more than the size, because the file may grow meanwhile.
    var bytes = [UInt8](repeating: 0, count: status.st_size + 1)
    var count = 0
    while true {
      guard ContinuousClock.now <= end else { throw .tooSlow }
      if count == bytes.count { bytes += [UInt8](repeating: 0, count: chunk) }
      let part = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(file.number, $0.baseAddress.map { unsafe $0 + count }, min($0.count - count, chunk))
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

  /// The directory of the file at `path`, which need not exist: an absolute path, if the directory exists.
  package static func folder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard let absolute = unsafe realpath(folder, nil) else { return folder }
    defer { unsafe free(absolute) }
    return unsafe String(cString: absolute)
  }

  /// The first `count` bytes of the regular file at `path`, or fewer if it is shorter.
  ///
  /// - Throws: `Failure`.
  package static func beginning(of path: String, count: Int) throws(Failure) -> [UInt8] {
    guard !path.utf8.contains(0) else { throw .system(errno: EINVAL) }
    guard let file = unsafe Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else {
      throw .system(errno: errno)
    }
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { throw .system(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    var bytes = [UInt8](repeating: 0, count: count)
    let part = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file.number, $0.baseAddress, $0.count, 0) }
    guard part >= 0 else { throw .system(errno: errno) }
    bytes.removeLast(count - part)
    return bytes
  }

  /// The names of all entries of the directory at `path`, sorted, with `.` and `..`; empty if the directory cannot be opened.
  package static func names(in path: String) -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      unsafe names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.sorted()
  }

  /// The maximum number of bytes per read. It must be small, because the timeout is checked only between reads.
  private static let chunk = 1 << 20
}

extension FileReader.Failure: CustomStringConvertible {
  /// The system's error number, or the nearest one for a failure that is not the system's.
  package var errno: Int32 { facts.errno }

  /// The failure in words, to follow "can't be read: ".
  package var description: String { facts.words }

  private var facts: (errno: Int32, words: String) {
    switch self {
    case .system(let errno): (errno, systemMessage(errno))
    case .notAFile: (EINVAL, "it is no regular file")
    case .tooLarge: (EFBIG, "it is too large")
    case .tooSlow: (ETIMEDOUT, "it comes too slowly")
    }
  }
}
