/// A grid over a view's subviews that lists which of them touch each cell. Finding those at a point costs the same among ten
/// thousand as among a hundred.
///
/// Subviews are identified by their index in `subviews`, so adding, removing and reordering invalidate an index; moving one
/// does not.
final class SubviewIndex {
  /// With fewer subviews than this, looking at each is as fast.
  nonisolated static let threshold = 48
  /// The distance beyond its frame at which a subview among many can be touched, in points: half of a finger's need.
  static let reach = 22.0
  /// Subviews that touch more cells are looked at always.
  private static let largestSpan = 16

  /// The cells that a subview touches; `isLarge` if they are too many to be listed.
  private struct Span: Equatable {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>

    var isLarge: Bool { columns.count * rows.count > SubviewIndex.largestSpan }
  }

  private let origin: Point
  private let columnCount: Int
  private let rowCount: Int
  private let cell: Size
  /// The subviews of every cell, row by row, each list in ascending order; so is `large`.
  private var cells: [[Int32]]
  private var large: [Int32] = []
  private var spans: [Span] = []
  /// The number of the search that found each subview last, so that one in several cells is found once.
  private var stamps: [UInt32]
  private var stamp: UInt32 = 0

  init(_ frames: [Rect]) {
    var (left, top) = (Double.infinity, Double.infinity)
    var (right, bottom) = (-Double.infinity, -Double.infinity)
    for frame in frames {
      (left, top) = (min(left, frame.minX), min(top, frame.minY))
      (right, bottom) = (max(right, frame.maxX), max(bottom, frame.maxY))
    }
    if frames.isEmpty { (left, top, right, bottom) = (0, 0, 0, 0) }
    let (width, height) = (max(right - left, 1), max(bottom - top, 1))
    // About as many cells as subviews, about square.
    let columns = (Double(frames.count) * width / height).squareRoot().rounded(.up)
    columnCount = Int(clamping: columns).clamped(to: 1...max(frames.count, 1))
    rowCount = max(frames.count / columnCount, 1)
    origin = Point(x: left, y: top)
    cell = Size(width: width / Double(columnCount), height: height / Double(rowCount))
    cells = Array(repeating: [], count: columnCount * rowCount)
    stamps = Array(repeating: 0, count: frames.count)
    spans.reserveCapacity(frames.count)
    for (number, frame) in frames.enumerated() {
      let span = span(of: frame)
      spans.append(span)
      forEachList(of: span) { $0.append(Int32(number)) }
    }
  }

  func move(_ number: Int, to frame: Rect) {
    guard spans.indices.contains(number) else { return }
    let new = span(of: frame)
    let old = spans[number]
    guard new != old else { return }
    let entry = Int32(number)
    forEachList(of: old) { list in
      let place = Self.place(of: entry, in: list)
      if place < list.count, list[place] == entry { list.remove(at: place) }
    }
    forEachList(of: new) { list in list.insert(entry, at: Self.place(of: entry, in: list)) }
    spans[number] = new
  }

  /// Calls `body` with the subviews that may hold `point`, the front-most first, until it returns true. Active areas may
  /// reach `reach` beyond a frame.
  func first(at point: Point, where body: (Int) -> Bool) {
    guard point.isFinite else { return }
    let side = 2 * Self.reach
    let found = find([Rect(x: point.x - Self.reach, y: point.y - Self.reach, width: side, height: side)])
    for entry in found.reversed() where body(Int(entry)) { return }
  }

  /// Calls `body` with the subviews that may touch the inside of any of `rects`, the rear-most first.
  func forEach(in rects: [Rect], _ body: (Int) -> Void) {
    for entry in find(rects) { body(Int(entry)) }
  }

  private func find(_ rects: [Rect]) -> [Int32] {
    stamp &+= 1
    if stamp == 0 {
      stamps = Array(repeating: 0, count: stamps.count)
      stamp = 1
    }
    var found = large
    for rect in rects where rect.isFinite {
      let span = span(of: rect)
      for row in span.rows {
        for column in span.columns {
          for entry in cells[row * columnCount + column] where stamps[Int(entry)] != stamp {
            stamps[Int(entry)] = stamp
            found.append(entry)
          }
        }
      }
    }
    if found.count > 1 { found.sort() }
    return found
  }

  // MARK: Cells

  /// The cells that the inside of `rect` touches. Parts outside the grid count to its outermost cells, in queries as in frames.
  private func span(of rect: Rect) -> Span {
    Span(
      columns: Self.range((rect.minX - origin.x) / cell.width, (rect.maxX - origin.x) / cell.width, columnCount),
      rows: Self.range((rect.minY - origin.y) / cell.height, (rect.maxY - origin.y) / cell.height, rowCount))
  }

  private static func range(_ low: Double, _ high: Double, _ count: Int) -> ClosedRange<Int> {
    let last = count - 1
    let first = Int(clamping: low.rounded(.down)).clamped(to: 0...last)
    // A tolerance: neighbours that are placed by sums may miss each other by rounding.
    let end = Int(clamping: (high - 1e-6).rounded(.up) - 1).clamped(to: 0...last)
    return first...max(first, end)
  }

  private func forEachList(of span: Span, _ body: (inout [Int32]) -> Void) {
    if span.isLarge { return body(&large) }
    for row in span.rows {
      for column in span.columns { body(&cells[row * columnCount + column]) }
    }
  }

  /// The index of the first element that is not less than `entry`.
  private static func place(of entry: Int32, in list: [Int32]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension View {
  /// The index of the subviews if there are many, created on first use.
  var indexedSubviews: SubviewIndex? {
    guard subviews.count >= SubviewIndex.threshold else { return nil }
    if let subviewIndex { return subviewIndex }
    for (number, view) in subviews.enumerated() { view.numberInSuperview = number }
    let made = SubviewIndex(subviews.map(\.storedFrame))
    subviewIndex = made
    return made
  }

  /// Calls `body` with the subviews that may touch any of `rects` (in this view's coordinates), the rear-most first.
  func forEachSubview(in rects: @autoclosure () -> [Rect], _ body: (View) -> Void) {
    guard let index = indexedSubviews else {
      for view in subviews { body(view) }
      return
    }
    index.forEach(in: rects()) { body(subviews[$0]) }
  }
}
