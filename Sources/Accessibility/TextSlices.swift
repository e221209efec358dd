/// The parts of a line of text that AT-SPI requests. Positions count Unicode scalars; those outside are clamped.
nonisolated struct TextSlices {
  /// The unit of a part.
  enum Unit: Hashable {
    case character
    case word
    /// The whole text, since every text here is one line.
    case line
  }

  /// A unit around a position.
  struct Granularity: Hashable {
    let place: Int
    let unit: Unit

    /// By the numbers of GetStringAtOffset: character, word, sentence, line, paragraph.
    init(_ place: Int32?, _ granularity: UInt32?) {
      self.place = Int(place ?? 0)
      unit = granularity == 0 ? .character : granularity == 1 ? .word : .line
    }

    /// By the numbers of GetTextAtOffset and similar: character, word by start or end, sentence, line.
    init(_ place: Int32?, boundary: UInt32?) {
      self.place = Int(place ?? 0)
      unit = boundary == 0 ? .character : boundary == 1 || boundary == 2 ? .word : .line
    }
  }

  /// The requested unit: the one at the position, or its neighbour.
  enum Which {
    case at
    case before
    case after
  }

  private let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The number of scalars.
  var count: Int { scalars.count }

  func scalar(at place: Int) -> Unicode.Scalar? { scalars.indices.contains(place) ? scalars[place] : nil }

  /// The text between two positions.
  func part(_ start: Int, _ end: Int) -> (text: String, range: Range<Int>) {
    let start = min(max(start, 0), count)
    let end = min(max(end, start), count)
    return (String(String.UnicodeScalarView(scalars[start..<end])), start..<end)
  }

  /// The unit at a position or beside it; empty at the text's ends.
  func unit(_ granularity: Granularity, _ which: Which) -> (text: String, range: Range<Int>) {
    let here = range(granularity.unit, at: granularity.place)
    let range =
      switch which {
      case .at: here
      case .before: here.lowerBound > 0 ? self.range(granularity.unit, at: here.lowerBound - 1) : 0..<0
      case .after: here.upperBound < count ? self.range(granularity.unit, at: here.upperBound) : count..<count
      }
    return part(range.lowerBound, range.upperBound)
  }

  /// A word extends to the beginning of the next one.
  private func range(_ unit: Unit, at place: Int) -> Range<Int> {
    guard place >= 0, place < count else { return count..<count }
    switch unit {
    case .character: return place..<place + 1
    case .line: return 0..<count
    case .word:
      func begins(_ place: Int) -> Bool {
        place == 0 || (scalars[place - 1].properties.isWhitespace && !scalars[place].properties.isWhitespace)
      }
      var (start, end) = (place, place + 1)
      while !begins(start) { start -= 1 }
      while end < count, !begins(end) { end += 1 }
      return start..<end
    }
  }
}
