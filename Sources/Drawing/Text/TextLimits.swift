/// How a text that exceeds the available space is truncated.
nonisolated public enum TextTruncation: String, CaseIterable, Sendable {
  /// The end is cut off without an ellipsis.
  case clip
  /// An ellipsis replaces the beginning of the last line.
  case head
  /// An ellipsis replaces the middle of the last line.
  case middle
  /// An ellipsis replaces the end.
  case tail
}

/// The space in which a text is set.
nonisolated public struct TextLimits: Hashable, Sendable {
  /// The maximum width of a line, in points; nil for any width.
  public var width: Double? {
    didSet { width = Self.usable(width: width) }
  }
  /// The maximum number of lines, at least 1; nil for any number. If it is 1, line breaks in the text become blanks.
  public var lineCount: Int? {
    didSet { lineCount = Self.usable(lineCount: lineCount) }
  }
  /// How the rest is truncated.
  public var truncation: TextTruncation
  /// The alignment of lines shorter than the longest.
  public var alignment: HorizontalAlignment
  /// The direction of reading, for the alignment and for texts whose characters have none, such as numbers.
  public var direction: LayoutDirection
  /// True to set the text as it is, without further places where a very long word may be broken: bytes then count in the given text. Setting
  /// a word takes the square of its length.
  package var isExact = false

  /// Limits from their components. A width that is not finite is no limit.
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
