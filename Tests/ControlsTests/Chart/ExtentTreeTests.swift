import TestSupport
import Testing

@testable import Controls

/// The smallest and largest of any part of a growing row of numbers.
@Suite struct ExtentTreeTests {
  private func slow(_ values: ArraySlice<Double>) -> ValueExtent? {
    let finite = values.filter(\.isFinite)
    guard let least = finite.min(), let most = finite.max() else { return nil }
    return ValueExtent(least: least, most: most)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 255, 256, 257, 4097, 70_000]) func `any part has the extent of its numbers`(
    count: Int
  ) {
    var (tree, values, random) = (ExtentTree(), [Double](), Random(count + 1))
    for _ in 0..<count {
      let value = random.below(9) == 0 ? Double.nan : random.number(-1000, 1000)
      values.append(value)
      tree.append(value)
    }
    #expect(tree.count == count)
    for _ in 0..<300 {
      let ends = [random.below(count + 1), random.below(count + 1)].sorted()
      #expect(tree.extent(of: ends[0]..<ends[1]) == slow(values[ends[0]..<ends[1]]))
    }
    #expect(tree.extent(of: -5..<count + 5) == slow(values[...]))
  }

  @Test func `numbers beyond the capacity are forgotten, the oldest first, and the rest stays right`() {
    var (tree, values, random) = (ExtentTree(), [Double](), Random(3))
    tree.capacity = 9000
    for step in 0..<120_000 {
      let value = random.number(-1, 1) + Double(step) / 1000
      values.append(value)
      tree.append(value)
      guard step % 997 == 0 else { continue }
      let kept = Array(values.suffix(9000))
      #expect(tree.count == kept.count && tree[0] == kept[0] && tree[kept.count - 1] == value)
      let ends = [random.below(kept.count + 1), random.below(kept.count + 1)].sorted()
      #expect(tree.extent(of: ends[0]..<ends[1]) == slow(kept[ends[0]..<ends[1]]))
    }
    tree.capacity = 10
    #expect(tree.count == 10 && tree.extent(of: 0..<10) == slow(values.suffix(10)))
    tree.removeAll()
    #expect(tree.isEmpty && tree.extent(of: 0..<1) == nil)
  }

  @Test func `what is not finite is a gap`() {
    var tree = ExtentTree()
    for value in [Double.nan, .infinity, -.infinity] { tree.append(value) }
    #expect(tree.count == 3 && tree.extent(of: 0..<3) == nil && tree[1] == nil && tree[-1] == nil && tree[3] == nil)
    tree.append(2)
    #expect(tree.extent(of: 0..<4) == ValueExtent(2))
  }
}
