/// The failures of one or several screenshots. Tests of Swift Testing and XCTest throw it, and any program can print it: its
/// description has all details.
nonisolated public struct ScreenshotFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason why one screenshot failed.
  nonisolated public enum Reason: Hashable, Sendable {
    /// There is no reference to compare with.
    case missingReference
    /// The reference is not a PNG file, or larger than 64 million pixels.
    case unreadableReference
    /// The image differs from its reference by more than `tolerance`.
    case different(SnapshotDifference, size: PixelSize, referenceSize: PixelSize, tolerance: Tolerance)
    /// The view has no size, or its image would have more than 64 million pixels or too long a side.
    case unusableSize
    /// The reference was to be recorded, but could not be written.
    case notWritten
  }

  /// One screenshot that failed.
  nonisolated public struct Problem: Hashable, Sendable {
    /// The screenshot's name, without `.png`.
    public let name: String
    /// What is wrong with the image or its reference.
    public let reason: Reason
    /// The path of the reference image.
    public let reference: String
    /// The path of the new image; nil if no image could be drawn or written.
    public let newPicture: String?
    /// The path of the image of the difference; nil if it was not needed or could not be written.
    public let differencePicture: String?
  }

  /// The location of a call in the sources.
  nonisolated public struct Location: Hashable, Sendable, CustomStringConvertible {
    /// The path of the source file that calls.
    public let filePath: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// `PATH:LINE:COLUMN`, which editors and CI turn into a link.
    public var description: String { "\(filePath):\(line):\(column)" }
  }

  /// The screenshots that failed, in the order in which they were taken.
  public let problems: [Problem]
  /// The call that compared the screenshots; nil if unknown. It is needed because a test framework reports a thrown error at
  /// the test, or without a location.
  public let location: Location?

  init(problems: [Problem], location: Location? = nil) { (self.problems, self.location) = (problems, location) }

  /// All failures in words, one fact per line. The first line begins with the location of the call, if known.
  public var description: String {
    (location.map { "\($0): error: " } ?? "") + problems.map(\.description).joined(separator: "\n")
  }
}

nonisolated extension ScreenshotFailure.Problem: CustomStringConvertible {
  /// The reason, and the paths of the images.
  public var description: String {
    let isMissing = reason == .missingReference
    var lines = [
      "\(name): \(reason)", isMissing ? "  reference expected at \(reference)" : "  reference: \(reference)",
    ]
    if let newPicture { lines.append("  new: \(newPicture)") }
    if let differencePicture { lines.append("  difference: \(differencePicture)") }
    if isMissing {
      lines.append("  look at the new picture; SCREENSHOT_RECORD=missing in the environment makes it the reference")
    }
    return lines.joined(separator: "\n")
  }
}

nonisolated extension ScreenshotFailure.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .missingReference: "there is no reference"
    case .unreadableReference: "the reference cannot be read as a picture"
    case .unusableSize: "there is nothing to draw: the view has no size, or one of more than 64 million pixels"
    case .notWritten: "the reference cannot be written"
    case .different(let difference, let size, let referenceSize, let tolerance):
      Self.words(difference, size, referenceSize, tolerance)
    }
  }

  private static func words(
    _ found: SnapshotDifference, _ size: PixelSize, _ referenceSize: PixelSize, _ tolerance: Tolerance
  ) -> String {
    let allowed = "allowed: \(tolerance.levels) levels, \(percent(tolerance.share)) of the pixels"
    guard found.isSameSize else {
      return "is \(words(size)) pixels, its reference \(words(referenceSize)) (\(allowed))"
    }
    let bounds = found.bounds
    return """
      differs from its reference in \(found.count) of \(found.total) pixels \
      (\(percent(Double(found.count) / Double(max(found.total, 1))))), by up to \(found.largest) levels, all within \
      \(words(PixelSize(width: bounds.width, height: bounds.height))) pixels at (\(bounds.x), \(bounds.y)) (\(allowed))
      """
  }

  private static func words(_ size: PixelSize) -> String { "\(size.width) x \(size.height)" }

  /// A fraction in per cent, rounded up to hundredths, so that only zero becomes 0 %.
  private static func percent(_ share: Double) -> String {
    let hundredths = (share * 1e4).rounded(.up)
    let (whole, part) = (Int(hundredths) / 100, Int(hundredths) % 100)
    if part == 0 { return "\(whole) %" }
    return "\(whole).\(part < 10 ? "0" : "")\(part) %"
  }
}
