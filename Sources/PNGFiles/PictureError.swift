import Linux

/// The failure to read an image file.
nonisolated public struct PictureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error in a file.
  public enum Reason: Hashable, Sendable {
    /// It cannot be read; the system's error number says why.
    case unreadable(errno: Int32)
    /// It is a directory, a device or something else that is not a file.
    case notAFile
    /// It is larger than 256 MB.
    case tooManyBytes
    /// It is not a PNG file.
    case notPNG
    /// It has no pixels, or more than 64 million, or more than 32,767 to a side.
    case unusableSize(PixelSize)
    /// It begins as a PNG file and is then invalid.
    case damaged
    /// There is not enough memory for it.
    case noMemory
  }

  /// The file's path as it was given.
  public let path: String
  /// The kind of error.
  public let reason: Reason

  package init(path: String, reason: Reason) { (self.path, self.reason) = (path, reason) }

  /// One line: the file and its error.
  public var description: String { "\(path): \(reason.text)" }
}

nonisolated extension PictureError.Reason {
  fileprivate var text: String {
    switch self {
    case .unreadable(let number): "cannot be read: \(systemMessage(number))"
    case .notAFile: "is not a file"
    case .tooManyBytes: "is larger than 256 MB"
    case .notPNG: "is not a PNG picture"
    case .unusableSize(let size): "has \(size.width) x \(size.height) pixels, which is none or too many"
    case .damaged: "is a damaged PNG picture"
    case .noMemory: "is too large for the memory there is"
    }
  }
}
