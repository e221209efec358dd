/// The rows of a list that are in sight, and the views that show them: a view whose row scrolled away shows another.
///
/// A hundred thousand rows need as many views as fit in the window.
@MainActor package final class RowWindow<Row: View> {
  /// The views in sight by the numbers of their rows.
  package private(set) var seen: [Int: Row] = [:]
  /// The views that show no row at present.
  package private(set) var spare: [Row] = []
  /// Storage for the numbers of rows that leave, empty between uses: scrolling allocates nothing.
  private var leaving: [Int] = []
  private let make: () -> Row

  /// A window whose views `make` makes, each once.
  package init(make: @escaping () -> Row) { self.make = make }

  /// The number of views that exist.
  package var viewCount: Int { seen.count + spare.count }

  /// The rows of a list of `count`, each `rowHeight` high, that `height` points from `top` on show.
  nonisolated package static func rows(
    from top: Double, height: Double, rowHeight: Double, count: Int
  ) -> Range<Int> {
    guard rowHeight > 0, height > 0 else { return 0..<0 }
    let first = Int(clamping: (top / rowHeight).rounded(.down)).clamped(to: 0...count)
    return first..<Int(clamping: ((top + height) / rowHeight).rounded(.up)).clamped(to: first...count)
  }

  /// Shows `rows`. A view that `keeps` wants, such as one that a finger holds, stays with its row as long as that. `place` gives each view in
  /// sight its content and its frame.
  package func show(_ rows: Range<Int>, keeps: (Row) -> Bool = { _ in false }, place: (Int, Row) -> Void) {
    for (index, view) in seen where !rows.contains(index) && !keeps(view) { leaving.append(index) }
    for index in leaving { if let view = seen.removeValue(forKey: index) { spare.append(view) } }
    leaving.removeAll(keepingCapacity: true)
    for index in rows {
      let view = seen[index] ?? spare.popLast() ?? make()
      seen[index] = view
      view.isHidden = false
      place(index, view)
    }
    for view in spare { view.isHidden = true }
  }

  /// Rows have moved, come or gone: a view in sight stays with its row, whose number was `old` and is now what `number` says; nil for a row that
  /// is gone. Its view is the caller's, who gives it back by `reuse`.
  package func renumber(_ number: (_ old: Int, Row) -> Int?) {
    let old = seen.sorted { $0.key > $1.key }
    seen = [:]
    for (index, view) in old {
      guard let number = number(index, view) else { continue }
      if seen[number] == nil { seen[number] = view } else { spare.append(view) }
    }
  }

  /// Takes back a view whose row is gone. What a finger or key holds there is lost at once.
  package func reuse(_ view: Row) {
    view.isHidden = true
    spare.append(view)
  }

  /// Forgets views that show nothing, if there are more than scrolling through `count` rows needs: none where all are in sight, else a few.
  /// Returns those that it has forgotten.
  package func dropSpare(beyond count: Int) -> [Row] {
    let outOfSight = max(count - seen.count, 0)
    guard spare.count > min(outOfSight, 3) else { return [] }
    let dropped = Array(spare.dropFirst(min(outOfSight, 2)))
    spare.removeLast(dropped.count)
    return dropped
  }

  /// No row is what it was: `mark` is called for each view, and the next `show` gives each row any of them.
  package func forgetRows(_ mark: (Row) -> Void) {
    // The first rows get the views that they had.
    spare += seen.sorted { $0.key > $1.key }.map(\.value)
    seen = [:]
    spare.forEach(mark)
  }
}
