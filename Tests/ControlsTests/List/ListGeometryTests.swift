import Testing

@testable import Controls

/// Tests of where the rows and headers of a list are, and of how sections divide rows.
@MainActor @Suite struct ListGeometryTests {
  /// Sections of three, no and two rows, the last without a header.
  private let mixed = ListGeometry(
    [ListSection("Drive", rowCount: 3), ListSection("Camera", rowCount: 0), ListSection("", rowCount: 2)], count: 5,
    rowHeight: 50, headerHeight: 20)

  @Test func `rows follow the headers of their sections`() {
    #expect((0..<6).map(mixed.top(ofRow:)) == [20, 70, 120, 190, 240, 290])
    #expect((0..<3).map { mixed.header(ofSection: $0).top } == [0, 170, 190])
    #expect((0..<3).map { mixed.header(ofSection: $0).height } == [20, 20, 0])
    #expect((0..<3).map(mixed.bottom(ofSection:)) == [170, 190, 290] && mixed.height == 290)
  }

  @Test func `a row's section is the one that has it, and empty ones have none`() {
    #expect((0..<6).map(mixed.section(ofRow:)) == [0, 0, 0, 2, 2, 2])
    #expect((-1..<4).map(mixed.rows(ofSection:)) == [5..<5, 0..<3, 3..<3, 3..<5, 5..<5])
    #expect((0..<5).filter(mixed.isLastOfSection) == [2, 4])
  }

  @Test(
    arguments: [
      (0, 20, 0..<0, 0..<1), (0, 21, 0..<1, 0..<1), (0, 100, 0..<2, 0..<1), (69, 2, 0..<2, 0..<1),
      (70, 50, 1..<2, 0..<1),
      (150, 30, 2..<3, 0..<2), (170, 20, 3..<3, 1..<2), (180, 20, 3..<4, 1..<3), (239, 500, 3..<5, 2..<3),
      (-40, 70, 0..<1, 0..<1), (-40, 30, 0..<0, 0..<1), (400, 100, 5..<5, 2..<3), (0, 0, 0..<0, 0..<0),
    ] as [(Double, Double, Range<Int>, Range<Int>)])
  func `what is in sight is what a height touches`(
    top: Double, height: Double, rows: Range<Int>, sections: Range<Int>
  ) {
    #expect(mixed.rows(from: top, height: height) == rows && mixed.sections(from: top, height: height) == sections)
  }

  @Test func `at any offset the rows in sight are those that looking at each one finds`() {
    for offset in stride(from: -60.0, through: 320, by: 1) {
      let found = (0..<5).filter { mixed.top(ofRow: $0) < offset + 90 && mixed.top(ofRow: $0) + 50 > offset }
      #expect(Array(mixed.rows(from: offset, height: 90)) == found, "at \(offset)")
    }
  }

  @Test(arguments: [(-30, 0), (0, 0), (10, 10), (149, 149), (160, 150), (400, 150)] as [(Double, Double)])
  func `a header stays at the top until the end of its rows takes it along`(offset: Double, top: Double) {
    #expect(mixed.stuckTop(ofSection: 0, at: offset) == top)
  }

  @Test func `a list without sections is rows alone, and NaN shows nothing`() {
    let plain = ListGeometry(count: 100_000, rowHeight: 44, headerHeight: 32)
    #expect(plain.top(ofRow: 99_999) == 4_399_956 && plain.height == 4_400_000 && plain.sectionCount == 1)
    #expect(plain.rows(from: 440, height: 88) == 10..<12 && plain.sections(from: 0, height: 88).isEmpty)
    #expect(plain.rows(from: .nan, height: 88).isEmpty && mixed.rows(from: .nan, height: 90).isEmpty)
  }

  @Test func `sections that do not add up divide the rows that there are`() {
    func counts(_ count: Int, _ wanted: Int...) -> [Int] {
      ListSection.divide(count, by: wanted.map { ListSection("", rowCount: $0) }).map(\.rowCount)
    }
    #expect(counts(10, 3, 4) == [3, 7] && counts(2, 3, 4) == [2, 0] && counts(5, -3, 9) == [0, 5])
    #expect(counts(7, .max, 1) == [7, 0] && counts(-1, 4) == [0] && counts(4) == [])
    #expect(ListSection.total([ListSection("", rowCount: .max), ListSection("", rowCount: 1)]) == .max)
  }

  @Test(arguments: ["Drive", "a: 4", ":", ""]) func `a section of all rows is restored by its text too`(title: String) {
    let section = ListSection(title, rowCount: .max)
    #expect(ListSection(text: section.text) == section)
  }

  @Test(
    arguments: [("Drive", 3), ("", 2), ("12:30", 0), ("a: 4", 1), (":", 7), ("ends with :", 0)] as [(String, Int)])
  func `a section's text restores it`(title: String, count: Int) {
    let section = ListSection(title, rowCount: count)
    #expect(ListSection(text: section.text) == section)
  }

  @Test func `a text without a number is a section of all rows that are left`() {
    #expect(ListSection(text: "Drive") == ListSection("Drive", rowCount: .max))
    #expect(ListSection(text: "Drive: ") == ListSection("Drive: ", rowCount: .max))
    #expect(ListSection(text: "Drive: -3") == ListSection("Drive", rowCount: 0))
    #expect(ListSection("Drive", rowCount: .max).text == "Drive")
  }
}
