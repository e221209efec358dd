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
    /// It is not a PNG file, where only those are read.
    case notPNG
    /// It is neither a PNG nor a JPEG file.
    case unknownFormat
    /// It has no pixels, or more than one picture may have (`PictureLimits.pixels`), or more than 32,767 to a side.
    case unusableSize(PixelSize)
    /// With it, all pictures in use would have so many pixels, more than `PictureLimits.sum`.
    case tooManyPixels(sum: Int)
    /// It is a JPEG file of so many scans that decoding its pixels would take seconds.
    case tooManyScans(Int)
    /// It is a JPEG file of a kind that cameras and browsers do not use: lossless, arithmetic, or of 12 bits.
    case unsupportedJPEG
    /// It is a JPEG file, and this machine has no TurboJPEG.
    case noJPEGLibrary
    /// It begins as a PNG or JPEG file and is then invalid.
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
    case .unknownFormat: "is neither a PNG nor a JPEG picture"
    case .unusableSize(let size): "has \(size.width) x \(size.height) pixels, which is none or too many"
    case .tooManyPixels(let sum): "is too large beside the other pictures: \(sum) pixels together"
    case .tooManyScans(let count): "is a JPEG picture of \(count) scans, which is too many for its size"
    case .unsupportedJPEG: "is a JPEG picture of a kind that cannot be read: lossless, arithmetic or of 12 bits"
    case .noJPEGLibrary: "is a JPEG picture, which needs libturbojpeg.so.0 (Debian's package libturbojpeg0)"
    case .damaged: "is a damaged picture"
    case .noMemory: "is too large for the memory there is"
    }
  }
}

nonisolated extension PictureError {
  /// The bytes of the file at `path`, at most 256 MB; pipes and devices are refused instead of waited for.
  package static func bytes(ofPictureAt path: String) throws(PictureError) -> [UInt8] {
    do throws(FileReader.Failure) {
      return try FileReader.bytes(of: path, atMost: 256 << 20)
    } catch {
      switch error {
      case .notAFile: throw PictureError(path: path, reason: .notAFile)
      case .tooLarge: throw PictureError(path: path, reason: .tooManyBytes)
      case .system, .tooSlow: throw PictureError(path: path, reason: .unreadable(errno: error.errno))
      }
    }
  }
}
