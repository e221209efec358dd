import ControlHarness
import Testing

@testable import Controls

/// Tests of the list: its rows and their views, taps, keys, the selection.
@MainActor @Suite(.serialized) struct ListViewTests {
  let log = Log()

  /// A list of 200 x 220 points, in which five rows fit.
  private func shown(_ count: Int = 100_000) -> (ControlHarness, ListView) {
    let harness = ControlHarness(size: Size(width: 220, height: 240))
    let list = ListView(frame: Rect(x: 10, y: 10, width: 200, height: 220))
    list.rowCount = count
    list.showRow = { row, index in row.text = "Row \(index)" }
    harness.root.addSubview(list)
    harness.frame()
    list.addAction(for: .valueChanged) { [log] in log.add("\($0.selectedIndex)") }
    list.addAction(for: .primaryActionTriggered) { [log] in log.add("open \($0.selectedIndex)") }
    return (harness, list)
  }

  private func scroll(_ list: ListView) -> ScrollView? { list.subviews.first as? ScrollView }

  private func texts(_ list: ListView) -> [String] {
    (scroll(list)?.contentView.subviews ?? []).compactMap { $0 as? ListRow }.filter { !$0.isHidden }
      .sorted { $0.index < $1.index }.map(\.text)
  }

  // MARK: Model

  @Test(
    arguments: [
      (.down, 0, 1), (.up, 3, 2), (.up, 0, 0), (.down, 9, 9), (.pageDown, 2, 7), (.pageUp, 2, 0), (.home, 5, 0),
      (.end, 0, 9),
      (.down, nil, 0), (.up, nil, 9),
    ] as [(Key, Int?, Int)]) func `keys move the selection`(key: Key, from: Int?, to: Int)
  {
    var model = ListModel()
    model.count = 10
    model.select(from)
    let taken = model.handle(key, page: 5)
    #expect(taken && model.selection == to)
  }

  @Test func `a number that no row has selects nothing, and cannot be chosen`() {
    var model = ListModel()
    model.count = 3
    model.select(2)
    model.select(7)
    #expect(model.selection == 2)
    model.count = 2
    #expect(model.selection == nil)
    model.count = 3
    #expect(model.selection == 2, "a file may name it before there are rows")
    model.count = -4
    let taken = model.handle(.down, page: 1)
    #expect(model.count == 0 && taken && model.selection == nil)
  }

  @Test func `the rows in sight are those that a height touches`() {
    func rows(_ top: Double, _ count: Int = 100) -> Range<Int> {
      RowWindow<ListRow>.rows(from: top, height: 100, rowHeight: 44, count: count)
    }
    #expect(rows(0) == 0..<3 && rows(44) == 1..<4 && rows(43) == 0..<4 && rows(0, 1) == 0..<1 && rows(-60) == 0..<1)
    #expect(rows(1e9) == 100..<100 && rows(.nan).isEmpty)
    #expect(RowWindow<ListRow>.rows(from: 0, height: 0, rowHeight: 44, count: 5).isEmpty)
  }

  // MARK: Rows

  @Test func `a hundred thousand rows have as many views as fit, wherever the list is scrolled`() {
    let (harness, list) = shown()
    #expect(texts(list) == (0..<5).map { "Row \($0)" } && list.rowViewCount == 5)
    for offset in stride(from: 0.0, through: 4_399_780, by: 43_997.8) {
      scroll(list)?.contentOffset = Point(x: 0, y: offset)
      harness.frameIfNeeded()
      #expect(list.rowViewCount <= 7)
    }
    #expect(texts(list).last == "Row 99999")
  }

  @Test func `a row is made anew only when it comes in sight, or when the list is reloaded`() {
    let (harness, list) = shown(50)
    var made: [Int] = []
    list.showRow = { row, index in
      row.text = "New \(index)"
      made.append(index)
    }
    harness.frame()
    #expect(made == [0, 1, 2, 3, 4])
    scroll(list)?.contentOffset = Point(x: 0, y: 88)
    harness.frameIfNeeded()
    #expect(made.suffix(2) == [5, 6] && made.count == 7)
    list.reload()
    harness.frame()
    #expect(made.count == 12 && texts(list) == (2..<7).map { "New \($0)" })
  }

  @Test func `texts make rows, and of fewer of them none beyond is selected`() {
    let (harness, list) = shown(0)
    list.showRow = nil
    list.texts = ["One", "Two", "Three"]
    harness.frame()
    #expect(texts(list) == ["One", "Two", "Three"] && list.rowCount == 3 && list.choices == "One|Two|Three")
    list.selection = 2
    list.texts = ["One"]
    harness.frame()
    #expect(texts(list) == ["One"] && list.selection == nil && log.take().isEmpty)
  }

  // MARK: Fingers and keys

  @Test func `a tap selects, a second one opens, and code selects silently`() {
    let (harness, list) = shown()
    harness.tap(Point(x: 50, y: 10 + 44 * 2.5))
    #expect(list.selection == 2 && list.isFocused && log.take() == ["2"])
    harness.tap(Point(x: 50, y: 10 + 44 * 2.5))
    #expect(log.take() == ["open 2"])
    list.selection = 9
    harness.frame()
    #expect(log.take().isEmpty && texts(list).contains("Row 9"), "it is scrolled to")
    list.selectedIndex = -1
    #expect(list.selection == nil)
    list.selectedIndex = 1_000_000
    #expect(list.selection == nil, "no row has that number")
    list.selectedIndex = -7
    #expect(list.selectedIndex == -1)
  }

  @Test func `a drag scrolls and selects nothing`() {
    let (harness, list) = shown()
    harness.drag(from: Point(x: 50, y: 200), to: Point(x: 50, y: 60), steps: 8)
    harness.settle()
    #expect((scroll(list)?.contentOffset.y ?? 0) > 100 && list.selection == nil && log.take().isEmpty)
  }

  @Test func `keys move the selection in sight, and Enter opens it`() {
    let (harness, list) = shown()
    harness.press(.tab)
    #expect(list.isFocused)
    harness.press(.down)
    harness.press(.pageDown)
    harness.press(.end)
    harness.frame()
    #expect(log.take() == ["0", "5", "99999"] && texts(list).contains("Row 99999"))
    harness.press(.enter)
    harness.press(.up)
    #expect(log.take() == ["open 99999", "99998"])
  }

  @Test func `assistive technology hears the selection and may change it`() throws {
    let (harness, list) = shown(20)
    #expect(list.accessibilityRole == .list)
    try list.carryOut(.setValue(12))
    harness.frame()
    #expect(list.accessibilityValue?.number == 12 && log.take() == ["12"])
    #expect(throws: AccessibilityRefusal.self) { try list.carryOut(.setValue(20)) }
    list.isEnabled = false
    #expect(throws: AccessibilityRefusal.self) { try list.carryOut(.setValue(1)) }
  }
}
