/// The parts of a text that AT-SPI requests. Offsets count Unicode scalars; those outside are clamped.
nonisolated struct TextSlices {
  enum Unit: Hashable {
    case character
    case word
    /// A line with its end; a text without line ends is one.
    case line
  }

  struct Granularity: Hashable {
    let offset: Int
    let unit: Unit

    /// By the numbers of GetStringAtOffset: character, word, sentence, line, paragraph.
    init(_ offset: Int, _ granularity: UInt32) {
      self.offset = offset
      unit = granularity == 0 ? .character : granularity == 1 ? .word : .line
    }

    /// By the numbers of GetTextAtOffset and similar: character, word by start or end, sentence, line.
    init(_ offset: Int, boundary: UInt32) {
      self.offset = offset
      unit = boundary == 0 ? .character : boundary == 1 || boundary == 2 ? .word : .line
    }
  }

  /// The requested unit: the one at the offset, or the one before or after it.
  enum Neighbor {
    case at
    case before
    case after
  }

  private let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  var count: Int { scalars.count }

  func scalar(at offset: Int) -> Unicode.Scalar? { scalars.indices.contains(offset) ? scalars[offset] : nil }

  func part(_ start: Int, _ end: Int) -> (text: String, range: Range<Int>) {
    let start = min(max(start, 0), count)
    let end = min(max(end, start), count)
    return (String(String.UnicodeScalarView(scalars[start..<end])), start..<end)
  }

  /// The unit at an offset or beside it; empty at the text's ends.
  func unit(_ granularity: Granularity, _ neighbor: Neighbor) -> (text: String, range: Range<Int>) {
    let here = range(granularity.unit, at: granularity.offset)
    let range =
      switch neighbor {
      case .at: here
      case .before: here.lowerBound > 0 ? self.range(granularity.unit, at: here.lowerBound - 1) : 0..<0
      case .after: here.upperBound < count ? self.range(granularity.unit, at: here.upperBound) : count..<count
      }
    return part(range.lowerBound, range.upperBound)
  }

  /// A word extends to the beginning of the next one.
  private func range(_ unit: Unit, at offset: Int) -> Range<Int> {
    guard offset >= 0, offset < count else { return count..<count }
    switch unit {
    case .character: return offset..<offset + 1
    case .line:
      let start = scalars[..<offset].lastIndex(of: "\n").map { $0 + 1 } ?? 0
      return start..<(scalars[offset...].firstIndex(of: "\n").map { $0 + 1 } ?? count)
    case .word:
      func begins(_ offset: Int) -> Bool {
        offset == 0 || (scalars[offset - 1].properties.isWhitespace && !scalars[offset].properties.isWhitespace)
      }
      var (start, end) = (offset, offset + 1)
      while !begins(start) { start -= 1 }
      while end < count, !begins(end) { end += 1 }
      return start..<end
    }
  }
}
