/// Rows that come and go one by one, while the list is shown.
///
/// The program changes what it shows, and says so in the same turn, before or after: `showRow` is only called later, with the next frame.
/// Each call counts in the numbers that the calls before have left. The list is right at once, whatever still moves: the selection, a finger
/// and views with the focus stay with their rows, or go with them.
extension ListView {
  /// Rows have come, which have these numbers now; those that were there have moved down. Beyond the last row they are at the end of the last
  /// section, and at the border of two sections the first rows of the second. `texts` are theirs in a list of `texts`.
  ///
  /// They fade in while the rows below move. Above what is in sight of a list that is not at its top, nothing in sight moves.
  public func insertRows(_ rows: Range<Int>, texts: [String] = []) {
    let start = rows.lowerBound.clamped(to: 0...rowCount)
    insert(rows, at: start, section: geometry.section(ofRow: start), texts: texts)
  }

  /// Rows have come to one section, which have these numbers in it now, counted from 0; its end takes those beyond. Nothing happens if there is
  /// no such section.
  public func insertRows(_ rows: Range<Int>, inSection section: Int, texts: [String] = []) {
    guard 0..<geometry.sectionCount ~= section else { return }
    let present = geometry.rows(ofSection: section)
    let start = present.lowerBound + rows.lowerBound.clamped(to: 0...present.count)
    insert(rows, at: start, section: section, texts: texts)
  }

  private func insert(_ rows: Range<Int>, at start: Int, section: Int, texts: [String]) {
    // Numbers below 0 are no rows, and there are no more than can be counted.
    let count = min(max(rows.upperBound, 0) - max(rows.lowerBound, 0), .max - rowCount)
    guard count > 0 else { return }
    apply(.insertion(start..<start + count), section: section, texts: texts)
  }

  /// The rows with these numbers have gone; numbers that no row has are ignored. A selected row is no longer selected, and a finger on a row or
  /// a focus inside lets go. Keys go on from the place where the selection was.
  public func removeRows(_ rows: Range<Int>) {
    let rows = rows.clamped(to: 0..<rowCount)
    guard !rows.isEmpty else { return }
    // From the last section on, so that the numbers of the others stay.
    let sections = geometry.section(ofRow: rows.lowerBound)...geometry.section(ofRow: rows.upperBound - 1)
    for section in sections.reversed() {
      let part = rows.clamped(to: geometry.rows(ofSection: section))
      if !part.isEmpty { apply(.removal(part), section: section, isMoving: sections.count <= ListMotion.mostSlides) }
    }
  }

  /// The rows with these numbers in one section, counted from 0, have gone.
  public func removeRows(_ rows: Range<Int>, inSection section: Int) {
    if let rows = numbers(of: rows, in: section) { removeRows(rows) }
  }

  /// Shows the rows with these numbers anew, because what they show has changed.
  public func reloadRows(_ rows: Range<Int>) {
    for (index, row) in window.seen where rows.contains(index) { row.isStale = true }
    forgetSpareRows()
    setNeedsLayout()
  }

  /// Shows the rows with these numbers in one section, counted from 0, anew.
  public func reloadRows(_ rows: Range<Int>, inSection section: Int) {
    if let rows = numbers(of: rows, in: section) { reloadRows(rows) }
  }

  private func numbers(of rows: Range<Int>, in section: Int) -> Range<Int>? {
    let present = geometry.rows(ofSection: section)
    let rows = rows.clamped(to: 0..<present.count)
    return rows.isEmpty ? nil : present.lowerBound + rows.lowerBound..<present.lowerBound + rows.upperBound
  }

  // MARK: A change

  private func apply(_ change: ListChange, section: Int, texts: [String] = [], isMoving: Bool = true) {
    let (old, offset) = (geometry, scrollView.contentOffset.y)
    let reported = (selected: selectedIndex, choices: choices)
    // Before the first layout nothing is in sight.
    let isLaidOut = !bounds.isEmpty && scrollView.bounds.size == bounds.size
    let moves = isMoving && isLaidOut && canMove
    adopt(change, section: section, texts: texts)
    motion.apply(change)
    let gone = renumber(by: change)
    if isLaidOut {
      let start = old.top(ofRow: change.rows.lowerBound, inSection: section)
      let way = geometry.height - old.height
      let above = wayAboveSight(of: change, from: start, by: way, at: offset)
      let shift = resizeContent(by: above)
      for row in leaving + gone { row.frame = row.frame.offsetBy(dx: 0, dy: shift) }
      if moves, above != way { move(change, section: section, from: start, by: -way, shift) }
    }
    setNeedsLayout()
    // Last: handlers of a finger or a focus that is lost, and observers, find everything done.
    let sight = scrollView.contentOffset.y..<scrollView.contentOffset.y + bounds.height
    for row in gone where row.superview != nil {
      let isInSight = row.frame.minY < sight.upperBound && row.frame.maxY > sight.lowerBound
      letGo(row, fades: moves && isInSight && !motion.isOver)
    }
    reportChange(from: reported)
  }

  /// Whether anybody sees rows move.
  private var canMove: Bool {
    guard let root, isShown, !root.isInBackground else { return false }
    return !root.prefersReducedMotion
  }

  /// Gives the views of rows their new numbers. Returns those whose rows are gone.
  private func renumber(by change: ListChange) -> [ListRow] {
    var gone: [ListRow] = []
    window.renumber { index, row in
      guard let number = change.number(of: index) else {
        gone.append(row)
        return nil
      }
      // What it shows may depend on its number.
      if number != index { (row.index, row.isStale) = (number, true) }
      return number
    }
    forgetSpareRows()
    return gone
  }

  /// How much of the `way` by which the content grows at `start` is above what is in sight, in a list that is scrolled at all.
  private func wayAboveSight(of change: ListChange, from start: Double, by way: Double, at offset: Double) -> Double {
    let room = offset + scrollView.covered.top - start
    guard offset > 0, room >= 0 else { return 0 }
    return way > 0 ? way : -min(-way, room)
  }

  /// Moves what is in sight from where it was, `way` below where it belongs; what is above the change from `shift` points.
  private func move(_ change: ListChange, section: Int, from start: Double, by way: Double, _ shift: Double) {
    let bottom = scrollView.contentOffset.y + bounds.height
    guard start < bottom || shift != 0 else { return }
    var (row, inserted) = (change.rows.lowerBound, 0..<0)
    if case .insertion(let rows) = change { (row, inserted) = (rows.upperBound, rows) }
    // What was far below comes as from just below what is in sight.
    let below = way > 0 ? min(way + shift, max(bottom - start, 0)) : way + shift
    motion.begin(row: row, section: section + 1, above: shift, below: below, inserted: inserted)
    runMotion()
  }
}
