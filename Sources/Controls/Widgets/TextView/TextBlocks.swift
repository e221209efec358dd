/// Where the pieces of a text are, from top to bottom in points. Most were never laid out: their heights are guesses until then.
nonisolated struct TextBlocks: Hashable, Sendable {
  private var heights = RunningSums<Double>()
  private var isMeasured: [Bool] = []

  var count: Int { heights.count }

  /// The height of all.
  var height: Double { heights.total }

  func isMeasured(_ index: Int) -> Bool { isMeasured[index] }
  func height(of index: Int) -> Double { heights[index] }

  /// The end of all blocks before this one.
  func top(of index: Int) -> Double { heights.sum(before: index) }

  /// The block that contains a height, with its top: the first above all, the last below all.
  func block(at y: Double) -> (index: Int, top: Double) {
    let found = heights.find(y)
    return (found.index, found.start)
  }

  /// The blocks that `height` points from `top` on show.
  func range(from top: Double, height: Double) -> Range<Int> {
    guard height > 0, count > 0 else { return 0..<0 }
    var (end, bottom) = block(at: top)
    let start = end
    while end < count, bottom < top + height {
      bottom += heights[end]
      end += 1
    }
    return start..<max(end, start)
  }

  /// Blocks have come in place of others; these are guesses of their heights.
  mutating func replace(_ range: Range<Int>, with guesses: [Double]) {
    heights.replace(range, with: guesses)
    isMeasured.replaceSubrange(range, with: Array(repeating: false, count: guesses.count))
  }

  /// Notes the height of a block that was laid out. Returns by how much it is higher than was guessed.
  mutating func measure(_ index: Int, _ new: Double) -> Double {
    let way = new - heights[index]
    (heights[index], isMeasured[index]) = (new, true)
    return way
  }

  /// Has a block laid out again, whose height may have changed.
  mutating func forget(_ index: Int) { if isMeasured.indices.contains(index) { isMeasured[index] = false } }
}
