import UICore

/// What becomes of a text that needs more room than there is.
nonisolated public enum TextTruncation: String, CaseIterable, InspectableValue {
  /// The end is cut off without a sign.
  case clip
  /// Dots stand for the beginning of the last line.
  case head
  /// Dots stand for the middle of the last line.
  case middle
  /// Dots stand for the end.
  case tail
}

/// The room that a text is set in.
nonisolated public struct TextLimits: Hashable, Sendable {
  /// How wide a line may be, in points; nil for any width.
  public var width: Double? {
    didSet { width = Self.usable(width: width) }
  }
  /// How many lines there may be, at least 1; nil for any number. Where there may be one only, line breaks in the text are
  /// blanks.
  public var lineCount: Int? {
    didSet { lineCount = Self.usable(lineCount: lineCount) }
  }
  /// What becomes of the rest.
  public var truncation: TextTruncation
  /// At which side lines shorter than the longest stand.
  public var alignment: HorizontalAlignment
  /// The direction of reading: of texts without letters that have one, such as numbers, and for the alignment.
  public var direction: LayoutDirection

  /// Limits from their parts. A width that is not finite is no limit.
  public init(
    width: Double? = nil, lineCount: Int? = nil, truncation: TextTruncation = .tail,
    alignment: HorizontalAlignment = .left,
    direction: LayoutDirection = .leftToRight
  ) {
    self.width = Self.usable(width: width)
    self.lineCount = Self.usable(lineCount: lineCount)
    self.truncation = truncation
    self.alignment = alignment
    self.direction = direction
  }

  private static func usable(width: Double?) -> Double? { width.flatMap { $0.isFinite ? max($0, 0) : nil } }

  private static func usable(lineCount: Int?) -> Int? { lineCount.map { max($0, 1) } }
}
