/// Where the rows and headers of a list are, in points from the top of its content. Each question costs the same among a hundred thousand
/// rows as among a hundred; with sections it is a search among these.
nonisolated struct ListGeometry: Hashable, Sendable {
  /// A section's rows, and its header above them.
  private struct Block: Hashable, Sendable {
    /// The number of the first row.
    var first: Int
    /// The top of the header, and its height; 0 for none.
    var top: Double
    var header: Double
  }

  /// The sections; one without a header if the list has none.
  private var blocks: [Block] = []
  /// Whether any section has a header.
  private(set) var hasHeaders = false
  let rowHeight: Double
  let count: Int

  /// A list of `count` rows in `sections`, which together have as many.
  init(_ sections: [ListSection] = [], count: Int, rowHeight: Double, headerHeight: Double) {
    (self.rowHeight, self.count) = (rowHeight, count)
    blocks.reserveCapacity(max(sections.count, 1))
    var (first, top) = (0, 0.0)
    for section in sections {
      let header = section.title.isEmpty ? 0 : headerHeight
      if header > 0 { hasHeaders = true }
      blocks.append(Block(first: first, top: top, header: header))
      first += section.rowCount
      top += header + Double(section.rowCount) * rowHeight
    }
    if sections.isEmpty { blocks = [Block(first: 0, top: 0, header: 0)] }
  }

  // MARK: Places

  /// The height of everything.
  var height: Double { bottom(ofSection: blocks.count - 1) }

  var sectionCount: Int { blocks.count }

  /// The section of a row. Beyond the last row it is the last section; where sections are empty, the one after them.
  func section(ofRow row: Int) -> Int { last { $0.first <= row } }

  /// The top of a row, or for one beyond the last where it would be.
  func top(ofRow row: Int) -> Double { top(ofRow: row, inSection: section(ofRow: row)) }

  /// The same in a section, at whose end the first row of the next one would be.
  func top(ofRow row: Int, inSection section: Int) -> Double {
    let block = blocks[section]
    return block.top + block.header + Double(row - block.first) * rowHeight
  }

  /// The rows of a section.
  func rows(ofSection section: Int) -> Range<Int> {
    guard blocks.indices.contains(section) else { return count..<count }
    return blocks[section].first..<(section + 1 < blocks.count ? blocks[section + 1].first : count)
  }

  /// Whether no row of the same section follows.
  func isLastOfSection(_ row: Int) -> Bool { row + 1 == rows(ofSection: section(ofRow: row)).upperBound }

  /// The place of a section's header; it has no height in a section without one.
  func header(ofSection section: Int) -> (top: Double, height: Double) { (blocks[section].top, blocks[section].header) }

  /// The end of a section's last row.
  func bottom(ofSection section: Int) -> Double {
    blocks[section].top + blocks[section].header + Double(rows(ofSection: section).count) * rowHeight
  }

  // MARK: What is in sight

  /// The rows that `height` points from `top` on show.
  func rows(from top: Double, height: Double) -> Range<Int> {
    guard height > 0 else { return 0..<0 }
    let (first, last) = ends(from: top, height: height)
    let start = shown(first, from: top, height: height).lowerBound
    return start..<max(shown(last, from: top, height: height).upperBound, start)
  }

  /// The sections that `height` points from `top` on show, be it their headers or their rows; none where no section has a header.
  func sections(from top: Double, height: Double) -> Range<Int> {
    guard height > 0, hasHeaders else { return 0..<0 }
    let (first, last) = ends(from: top, height: height)
    return first..<last + 1
  }

  /// The top of a section's header as it is shown at `offset`: it stays at the top while its rows are in sight, and the end of these takes it
  /// along. What moves shows the header and the next one so far below where they belong.
  func stuckTop(ofSection section: Int, at offset: Double, shift: Double = 0, nextShift: Double = 0) -> Double {
    let block = blocks[section]
    return max(block.top + shift, min(offset, bottom(ofSection: section) + nextShift - block.header))
  }

  private func ends(from top: Double, height: Double) -> (first: Int, last: Int) {
    let first = last { $0.top <= top }
    return (first, max(first, last { $0.top < top + height }))
  }

  private func shown(_ section: Int, from top: Double, height: Double) -> Range<Int> {
    let (rows, block) = (rows(ofSection: section), blocks[section])
    let shown = RowWindow<ListRow>.rows(
      from: top - block.top - block.header, height: height, rowHeight: rowHeight, count: rows.count)
    return rows.lowerBound + shown.lowerBound..<rows.lowerBound + shown.upperBound
  }

  /// The last section for which `isBefore` is true, which it is for none after one for which it is false; the first if there is none.
  private func last(where isBefore: (Block) -> Bool) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(blocks[middle]) { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }
}
