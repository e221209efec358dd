/// The smallest and the largest of some numbers.
nonisolated struct ValueExtent: Hashable, Sendable {
  var least: Double
  var most: Double

  init(_ value: Double) { (least, most) = (value, value) }

  init(least: Double, most: Double) { (self.least, self.most) = (least, most) }

  func union(_ other: ValueExtent) -> ValueExtent {
    ValueExtent(least: min(least, other.least), most: max(most, other.most))
  }
}

/// A growing row of numbers that knows the smallest and largest of any part of it, in a time that grows with the logarithm of the part.
///
/// Appending takes constant time on average: each block of 16 numbers is summed up once, when it is whole, and so is each block of 16 blocks.
/// What cannot be drawn (NaN, infinities) is a gap, which has no extent.
nonisolated struct ExtentTree: Sendable {
  /// The numbers in a block.
  private static let width = 16
  /// How many numbers are forgotten at once, so that whole blocks of three levels are.
  private static let page = 4096

  private var values: [Double] = []
  /// The extents of whole blocks: of 16 numbers, of 16 such blocks, and so on; nil for a block of gaps.
  private var levels: [[ValueExtent?]] = []
  /// How many of `values` do not count any more.
  private var skipped = 0

  /// How many numbers are kept; the oldest are forgotten beyond that.
  var capacity = Int.max { didSet { forget() } }

  var count: Int { values.count - skipped }
  var isEmpty: Bool { count == 0 }

  /// The number at `index`, 0 for the oldest; nil for a gap and outside.
  subscript(index: Int) -> Double? {
    guard index >= 0, index < count else { return nil }
    let value = values[skipped + index]
    return value.isFinite ? value : nil
  }

  /// Adds a number at the end.
  mutating func append(_ value: Double) {
    values.append(value)
    var (level, end) = (0, values.count)
    while end.isMultiple(of: Self.width) {
      end /= Self.width
      if level == levels.count { levels.append([]) }
      let first = (end - 1) * Self.width
      levels[level].append(extent(first..<first + Self.width, level: level - 1))
      level += 1
    }
    forget()
  }

  mutating func removeAll() { (values, levels, skipped) = ([], [], 0) }

  /// Skips what is beyond the capacity, and gives its memory back when as much is skipped as is kept.
  private mutating func forget() {
    skipped = max(skipped, values.count - max(capacity, 0))
    guard skipped >= Self.page, skipped >= values.count - skipped else { return }
    let gone = skipped / Self.page * Self.page
    values.removeFirst(gone)
    skipped -= gone
    var size = Self.width
    for level in levels.indices {
      if gone.isMultiple(of: size) {
        levels[level].removeFirst(min(gone / size, levels[level].count))
      } else {
        // The blocks of higher levels lie differently now.
        levels[level] = []
        let below = level == 0 ? values.count : levels[level - 1].count
        for block in 0..<below / Self.width {
          let first = block * Self.width
          levels[level].append(extent(first..<first + Self.width, level: level - 1))
        }
      }
      size *= Self.width
    }
  }

  /// The smallest and the largest of the numbers in `range`, 0 for the oldest; nil if there are gaps only.
  func extent(of range: Range<Int>) -> ValueExtent? {
    let range = range.clamped(to: 0..<count)
    return range.isEmpty ? nil : search(range.lowerBound + skipped..<range.upperBound + skipped, level: -1)
  }

  /// The extent of a range of blocks of a level, or of numbers for level -1, by whole blocks of the level above where there are any.
  private func search(_ range: Range<Int>, level: Int) -> ValueExtent? {
    let above = level + 1
    let first = (range.lowerBound + Self.width - 1) / Self.width
    let last = above < levels.count ? min(range.upperBound / Self.width, levels[above].count) : 0
    guard first < last else { return extent(range, level: level) }
    let parts = [
      extent(range.lowerBound..<first * Self.width, level: level), search(first..<last, level: above),
      extent(last * Self.width..<range.upperBound, level: level),
    ]
    return parts.reduce(nil) { Self.union($0, $1) }
  }

  private func extent(_ range: Range<Int>, level: Int) -> ValueExtent? {
    var found: ValueExtent?
    for index in range {
      let own = level < 0 ? values[index].isFinite ? ValueExtent(values[index]) : nil : levels[level][index]
      found = Self.union(found, own)
    }
    return found
  }

  private static func union(_ a: ValueExtent?, _ b: ValueExtent?) -> ValueExtent? {
    guard let a else { return b }
    return b.map { a.union($0) } ?? a
  }
}
