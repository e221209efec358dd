/// Numbers whose sums from the beginning are found, and found back, without adding all: where each of a million lines begins.
nonisolated struct RunningSums<Value: SignedNumeric & Comparable & Hashable & Sendable>: Hashable, Sendable {
  private var values: [Value] = []
  /// The sums of so many values each.
  private var totals: [Value] = []
  private static var length: Int { 128 }

  init() {}

  var count: Int { values.count }

  /// The sum of all.
  var total: Value { sum(before: count) }

  subscript(index: Int) -> Value {
    get { values[index] }
    set {
      values[index] = newValue
      addUp(from: index / Self.length, to: index / Self.length + 1)
    }
  }

  /// The sum of the values before this one; of all for an index beyond the end.
  func sum(before index: Int) -> Value {
    let end = index.clamped(to: 0...values.count)
    let part = end / Self.length
    var sum = Value.zero
    for index in 0..<part { sum += totals[index] }
    for index in part * Self.length..<end { sum += values[index] }
    return sum
  }

  /// The value that contains the unit `goal` when all follow each other, and the sum before it: the first for a goal below zero, the last
  /// for one beyond the end.
  func find(_ goal: Value) -> (index: Int, start: Value) {
    var (part, start) = (0, Value.zero)
    while part < totals.count - 1, start + totals[part] <= goal {
      start += totals[part]
      part += 1
    }
    var index = part * Self.length
    while index < values.count - 1, start + values[index] <= goal {
      start += values[index]
      index += 1
    }
    return (index, start)
  }

  /// Puts `new` in place of others.
  mutating func replace(_ range: Range<Int>, with new: [Value]) {
    values.replaceSubrange(range, with: new)
    let parts = (values.count + Self.length - 1) / Self.length
    let first = range.lowerBound / Self.length
    if totals.count > parts { totals.removeLast(totals.count - parts) }
    while totals.count < parts { totals.append(.zero) }
    // Those behind are moved, unless as many came as went.
    let end = new.count == range.count ? min((range.upperBound + Self.length - 1) / Self.length, parts) : parts
    addUp(from: first, to: end)
  }

  /// Adds the values anew, so that no error of rounding adds up over the years.
  private mutating func addUp(from first: Int, to end: Int) {
    var part = first
    while part < end {
      var total = Value.zero
      for index in part * Self.length..<min((part + 1) * Self.length, values.count) { total += values[index] }
      totals[part] = total
      part += 1
    }
  }
}
