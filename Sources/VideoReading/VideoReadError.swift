/// Why a stream can't be read any further.
package struct VideoReadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, in words for the log.
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The most that streams may make the helper keep.
package enum VideoLimits {
  /// The bytes of a line, in heads of responses and parts.
  package static let line = 2048
  /// The bytes of a whole head.
  package static let head = 16_384
  /// The bytes of an encoded picture.
  package static let picture = 8 << 20
  /// The bytes between two parts, or before the first.
  package static let between = 65_536
}

/// One complete encoded picture, and what its source said of it.
package struct EncodedPicture: Hashable, Sendable {
  /// Its bytes.
  package var bytes: [UInt8]
  /// The fields of its part's head.
  package var fields = HeaderFields()

  package init(bytes: [UInt8], fields: HeaderFields = HeaderFields()) {
    (self.bytes, self.fields) = (bytes, fields)
  }
}
