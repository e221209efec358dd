import ControlHarness
import TestSupport
import Testing

@testable import Controls

/// Tests of rows that come and go while a list is shown: what is right at once, what moves, and what stays with its row.
///
/// Lists of other toolkits failed here: numbers that count rows which are still fading out, selections that stay behind, views that are used
/// again with what they showed before, rows that stop half-way when a second change comes.
@MainActor @Suite(.serialized) struct ListRowsTests {
  /// The rows that a program has.
  final class Data {
    var rows: [String]
    init(_ count: Int) { rows = (0..<count).map { "Row \($0)" } }
  }

  private func shown(_ data: Data, _ set: (ListView) -> Void = { _ in }) -> ListProbe {
    ListProbe { list in
      list.rowCount = data.rows.count
      list.showRow = { row, index in row.text = data.rows[index] }
      set(list)
    }
  }

  private func insert(_ rows: [String], at index: Int, _ data: Data, _ probe: ListProbe) {
    data.rows.insert(contentsOf: rows, at: index)
    probe.list.insertRows(index..<index + rows.count)
  }

  private func remove(_ rows: Range<Int>, _ data: Data, _ probe: ListProbe) {
    data.rows.removeSubrange(rows)
    probe.list.removeRows(rows)
  }

  // MARK: Moving

  @Test func `rows below those that come move down, and these fade in`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    insert(["a", "b"], at: 1, data, probe)
    probe.harness.frame()
    #expect(probe.texts.prefix(4) == ["Row 0", "a", "b", "Row 1"] && probe.list.rowCount == 22)
    #expect(probe.top("Row 0") == 0 && probe.top("a") == 44 && probe.top("Row 1") == 44, "where it was")
    #expect(probe.row("a").map { $0.alpha < 0.1 } == true && probe.row("Row 1")?.alpha == 1)
    probe.harness.advance(by: .milliseconds(125))
    #expect(probe.top("Row 1").map { $0 > 60 && $0 < 120 } == true)
    probe.harness.settle()
    #expect(probe.top("Row 1") == 132 && probe.row("a")?.alpha == 1 && !probe.harness.root.needsFrame)
  }

  @Test func `rows below those that go move up, and these fade out behind them`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    let gone = probe.row("Row 1")
    remove(1..<3, data, probe)
    probe.harness.frame()
    #expect(probe.texts.prefix(3) == ["Row 0", "Row 3", "Row 4"] && probe.top("Row 3") == 132)
    #expect(probe.top("Row 5").map { $0 == 220 } == true, "what comes into sight comes along")
    #expect(gone?.isHidden == false && gone?.isUserInteractionEnabled == false)
    probe.harness.advance(by: .milliseconds(100))
    #expect(gone.map { $0.alpha < 1 && $0.windowFrame.minY == 54 } == true)
    probe.harness.settle()
    #expect(probe.top("Row 3") == 44 && probe.rows.allSatisfy { $0.alpha == 1 })
    #expect(probe.list.rowViewCount <= 5 + 4)
  }

  @Test func `a change while rows move lets none of them jump`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    for step in 0..<12 {
      switch step % 3 {
      case 0: insert(["new \(step)"], at: step % 4, data, probe)
      case 1: remove(step % 2..<step % 2 + 1, data, probe)
      default: insert(["x \(step)", "y \(step)"], at: 0, data, probe)
      }
      let places = Dictionary(uniqueKeysWithValues: probe.texts.map { ($0, probe.top($0) ?? 0) })
      probe.harness.frame()
      #expect(probe.texts == Array(data.rows.prefix(probe.texts.count)), "right at once")
      for (text, place) in places {
        if let now = probe.top(text) { #expect(abs(now - place) <= 2, "step \(step): \(text) jumped") }
      }
      probe.harness.advance(by: .milliseconds(60))
    }
    probe.harness.settle()
    for (index, text) in data.rows.prefix(5).enumerated() { #expect(probe.top(text) == 44 * Double(index)) }
  }

  @Test func `at the end of the list, rows that go have those above come down`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    probe.scroll(to: 660)
    #expect(probe.texts.last == "Row 19" && probe.top("Row 17") == 88)
    remove(18..<20, data, probe)
    probe.harness.frame()
    #expect(probe.texts.last == "Row 17" && probe.top("Row 17") == 88 && probe.scroll?.contentOffset.y == 572)
    probe.harness.settle()
    #expect(probe.top("Row 17") == 176 && probe.top("Row 13") == 0)
  }

  @Test func `nothing in sight moves when rows come or go above it`() {
    let (data, probe) = { ($0, shown($0)) }(Data(1000))
    probe.scroll(to: 4410)
    let (texts, top) = (probe.texts, probe.top("Row 102"))
    insert((0..<10).map { "new \($0)" }, at: 3, data, probe)
    #expect(!probe.harness.root.isAnimating)
    probe.harness.frame()
    #expect(probe.texts == texts && probe.top("Row 102") == top && probe.scroll?.contentOffset.y == 4850)
    remove(0..<20, data, probe)
    probe.harness.frame()
    #expect(probe.texts == texts && probe.top("Row 102") == top && !probe.harness.root.isAnimating)
    remove(0..<93, data, probe)
    probe.harness.settle()
    #expect(probe.top("Row 103") == 0 && probe.texts.first == "Row 103", "those of which a part was in sight")
  }

  @Test func `a finger that scrolls, and a list that glides, go on when rows come above`() {
    let (data, probe) = { ($0, shown($0)) }(Data(1000))
    probe.scroll(to: 4400)
    probe.harness.drag(from: Point(x: 60, y: 200), to: Point(x: 60, y: 100), steps: 10, holds: true)
    let top = probe.top("Row 103") ?? 0
    insert(["a", "b", "c"], at: 0, data, probe)
    probe.harness.frame()
    #expect(probe.top("Row 103") == top)
    probe.harness.move(from: Point(x: 60, y: 100), to: Point(x: 60, y: 40), steps: 6)
    #expect(probe.top("Row 103").map { abs($0 - (top - 60)) < 1 } == true)
    probe.harness.touch(.ended, at: Point(x: 60, y: 40))
    probe.harness.advance(by: .milliseconds(50))
    let (text, place) = (probe.texts[3], probe.top(probe.texts[3]) ?? 0)
    insert(["d"], at: 0, data, probe)
    probe.harness.frame()
    #expect(probe.scroll?.isDecelerating == true && probe.top(text).map { abs($0 - place) < 1 } == true)
    probe.harness.settle()
    #expect(probe.scroll?.isDecelerating == false && probe.top(text).map { $0 < place } ?? true)
  }

  @Test func `who prefers reduced motion, and a window that nobody sees, get rows where they belong`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    probe.harness.root.prefersReducedMotion = true
    insert(["a"], at: 0, data, probe)
    remove(2..<3, data, probe)
    #expect(!probe.harness.root.isAnimating)
    probe.harness.frame()
    #expect(probe.texts.prefix(3) == ["a", "Row 0", "Row 2"] && probe.top("Row 2") == 88)
    #expect(probe.rows.allSatisfy { $0.alpha == 1 } && probe.list.leaving.isEmpty)
    probe.harness.root.prefersReducedMotion = false
    probe.harness.enterBackground()
    remove(0..<2, data, probe)
    #expect(probe.list.leaving.isEmpty && probe.list.motion.isOver)
  }

  @Test func `a list that leaves the window, or shows other rows, has nothing left that moves`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    remove(0..<2, data, probe)
    probe.list.removeFromSuperview()
    #expect(probe.list.leaving.isEmpty && probe.list.motion.isOver)
    probe.harness.root.addSubview(probe.list)
    probe.harness.frame()
    #expect(probe.texts.first == "Row 2" && probe.top("Row 2") == 0)
    remove(0..<2, data, probe)
    probe.harness.frame()
    data.rows = ["only"]
    probe.list.rowCount = 1
    probe.harness.frame()
    #expect(probe.texts == ["only"] && probe.top("only") == 0 && probe.rows.allSatisfy { $0.alpha == 1 })
    #expect(!probe.harness.root.isAnimating && probe.list.rowViewCount == 1)
  }

  @Test func `headers below a change move with their rows`() {
    let data = Data(12)
    let probe = shown(data) { $0.sections = ["A", "B", "C"].map { ListSection($0, rowCount: 4) } }
    data.rows.insert("new", at: 4)
    probe.list.insertRows(4..<5, inSection: 0)
    probe.harness.frame()
    #expect(probe.list.sections.map(\.rowCount) == [5, 4, 4] && probe.headers == ["A 0", "B 208"])
    probe.harness.settle()
    #expect(probe.headers == ["A 0"] && probe.top("new") == 208 && probe.list.headings == "A: 5|B: 4|C: 4")
    data.rows.removeSubrange(2..<7)
    probe.list.removeRows(2..<7)
    probe.harness.frame()
    #expect(probe.list.sections.map(\.rowCount) == [2, 2, 4] && probe.texts == Array(data.rows.prefix(4)))
    probe.harness.settle()
    #expect(probe.headers == ["A 0", "B 120"] && probe.top("Row 6") == 152)
  }

  // MARK: What stays with its row

  @Test func `the selection stays with its row without an event, and goes with it`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    var reported: [Int] = []
    let token = probe.list.observe(\ListView.selectedIndex) { reported.append($0.new) }
    probe.harness.tap(Point(x: 50, y: 10 + 44 * 2.5))
    #expect(probe.log.take() == ["2"])
    insert(["a", "b"], at: 0, data, probe)
    probe.harness.frame()
    #expect(probe.list.selection == 4 && probe.row("Row 2")?.isSelected == true)
    insert(["c"], at: 5, data, probe)
    remove(0..<1, data, probe)
    #expect(probe.list.selection == 3)
    remove(2..<4, data, probe)
    probe.harness.frame()
    #expect(probe.list.selection == nil && !probe.rows.contains(where: \.isSelected))
    #expect(probe.log.take().isEmpty && reported == [2, 4, 3, -1])
    probe.harness.press(.down)
    #expect(probe.log.take() == ["2"], "not the first row: keys go on from where it was")
    token.remove()
  }

  @Test func `a finger stays with its row, and selects that row where it is then`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    let place = Point(x: 50, y: 10 + 44 * 1.5)
    probe.harness.touch(.began, at: place)
    probe.harness.advance(by: .milliseconds(200))
    let row = probe.row("Row 1")
    #expect(row?.isTracking == true)
    // Right away, before any frame: the row still lies under the finger.
    insert(["a", "b", "c"], at: 0, data, probe)
    probe.harness.touch(.ended, at: place)
    #expect(probe.log.take() == ["4"] && probe.list.selection == 4 && row?.text == "Row 1" && row?.isSelected == true)
  }

  @Test func `a finger on a row that goes lets go at once, and selects nothing`() {
    for waits in [true, false] {
      let (data, probe) = { ($0, shown($0)) }(Data(20))
      let place = Point(x: 50, y: 10 + 44 * 1.5)
      probe.harness.touch(.began, at: place)
      // Still withheld from the row, or delivered.
      probe.harness.advance(by: .milliseconds(waits ? 200 : 30))
      let row = probe.row("Row 1")
      #expect(row?.isTracking == waits)
      row?.addAction(for: .touchCancel) { [log = probe.log, list = probe.list] _ in
        log.add("let go of \(list.rowCount)")
      }
      remove(0..<3, data, probe)
      #expect(row?.isTracking == false && probe.log.take() == (waits ? ["let go of 17"] : []))
      probe.harness.touch(.ended, at: place)
      probe.harness.settle()
      #expect(probe.log.take().isEmpty && probe.list.selection == nil)
    }
  }

  @Test func `a tap on a row that fades out reaches the row that belongs there, or none`() {
    let (data, probe) = { ($0, shown($0)) }(Data(3))
    remove(2..<3, data, probe)
    probe.harness.frame()
    probe.harness.tap(Point(x: 50, y: 10 + 44 * 2.5))
    #expect(probe.log.take().isEmpty && probe.list.selection == nil)
  }

  @Test func `the focus inside a row stays with it, and goes with it`() {
    let data = Data(20)
    var buttons: [String: Button] = [:]
    let probe = shown(data) { list in
      list.showRow = { row, index in
        row.text = data.rows[index]
        let button = row.subviews.first as? Button ?? Button(frame: Rect(x: 120, y: 0, width: 60, height: 44))
        if button.superview == nil { row.addSubview(button) }
        buttons[data.rows[index]] = button
      }
    }
    let button = buttons["Row 2"]
    button?.becomeFirstResponder()
    insert(["a"], at: 0, data, probe)
    probe.harness.settle()
    #expect(button?.isFirstResponder == true && buttons["Row 2"] === button)
    remove(3..<4, data, probe)
    #expect(button?.isFirstResponder == false)
    probe.harness.settle()
    #expect(probe.harness.root.firstResponder == nil, "no other row gets it")
  }

  @Test func `a view that showed a row before shows what that number has now`() {
    let (data, probe) = { ($0, shown($0)) }(Data(40))
    probe.scroll(to: 880)
    insert(["new"], at: 0, data, probe)
    probe.scroll(to: 0)
    probe.harness.settle()
    #expect(probe.texts == Array(data.rows.prefix(5)))
    remove(1..<3, data, probe)
    probe.harness.settle()
    probe.scroll(to: 100)
    #expect(probe.texts == Array(data.rows[2..<8]))
    data.rows[4] = "other"
    probe.list.reloadRows(4..<5)
    probe.harness.frame()
    #expect(probe.texts == Array(data.rows[2..<8]))
  }

  // MARK: Bad input, and order

  @Test func `rows are asked for with the next frame, never inside a change`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    probe.scroll(to: 660)
    var asked: [Int] = []
    probe.list.showRow = { row, index in
      asked.append(index)
      row.text = data.rows[index]
    }
    probe.harness.frame()
    asked = []
    // The list first, the data then.
    probe.list.removeRows(0..<18)
    probe.list.insertRows(1..<3)
    probe.list.removeRows(0..<1)
    #expect(asked.isEmpty)
    data.rows = ["a", "b", "Row 19"]
    probe.harness.frame()
    #expect(probe.texts == data.rows && asked.allSatisfy { $0 < 3 })
  }

  @Test func `numbers that no row has are no trap`() {
    let list = shown(Data(0)).list
    list.showRow = nil
    list.insertRows(-3..<2)
    #expect(list.rowCount == 2)
    list.insertRows(-9 ..< -4)
    list.insertRows(7..<7)
    list.insertRows(100..<102)
    #expect(list.rowCount == 4)
    list.removeRows(-5..<1)
    list.removeRows(2..<99)
    list.removeRows(50..<60)
    list.reloadRows(-4..<90)
    #expect(list.rowCount == 2)
    list.insertRows(0..<1, inSection: 4)
    list.removeRows(0..<9, inSection: -1)
    list.reloadRows(0..<1, inSection: 7)
    #expect(list.rowCount == 2)
    list.insertRows(0..<(.max))
    list.insertRows(5..<9)
    #expect(list.rowCount == .max)
    list.removeRows(0..<(.max))
    #expect(list.rowCount == 0 && list.sections.isEmpty)
  }

  @Test func `a handler and showRow may change the list again`() {
    let (data, probe) = { ($0, shown($0)) }(Data(20))
    var isFirst = true
    probe.list.showRow = { [unowned list = probe.list] row, index in
      row.text = data.rows[index]
      guard isFirst else { return }
      isFirst = false
      data.rows.removeLast(18)
      list.removeRows(2..<20)
    }
    probe.harness.settle()
    #expect(probe.texts == data.rows)
    let token = probe.list.observe(\ListView.selectedIndex) { [unowned list = probe.list] _ in
      if list.rowCount == 1 { list.insertRows(0..<1) }
    }
    probe.list.selection = 1
    data.rows = ["new", "Row 0"]
    probe.list.removeRows(1..<2)
    probe.harness.settle()
    #expect(probe.list.rowCount == 2 && probe.texts == data.rows)
    token.remove()
  }

  @Test func `texts come and go with their rows`() {
    let list = shown(Data(0)).list
    list.showRow = nil
    list.texts = ["a", "b|c", "d"]
    list.insertRows(1..<3, texts: ["x"])
    #expect(list.texts == ["a", "x", "", "b|c", "d"] && list.choices == "a|x||b\\|c|d")
    list.removeRows(0..<3)
    #expect(list.texts == ["b|c", "d"] && list.rowCount == 2)
    list.rowCount = 4
    list.insertRows(4..<5, texts: ["e"])
    #expect(list.texts == ["b|c", "d", "", "", "e"] && list.rowCount == 5)
    list.insertRows(0..<1, texts: ["one", "too many"])
    #expect(list.texts.first == "one" && list.rowCount == 6)
  }

  @Test(arguments: 0..<12) func `any changes, scrolled and half moved, show what the program has`(seed: Int) {
    var random = Random(seed)
    let data = Data(30)
    let probe = shown(data) {
      if seed % 2 == 1 {
        $0.sections = [ListSection("A", rowCount: 9), ListSection("", rowCount: 5), ListSection("B", rowCount: 16)]
      }
    }
    probe.harness.checksDamage = seed < 4
    var selected: String?
    for step in 0..<120 {
      for _ in 0...random.below(3) {
        switch random.below(6) {
        case 0, 1:
          let (index, count) = (random.below(data.rows.count + 1), 1 + random.below(9))
          data.rows.insert(contentsOf: (0..<count).map { "\(step).\($0).\(data.rows.count)" }, at: index)
          probe.list.insertRows(index..<index + count)
        case 2, 3:
          let start = random.below(data.rows.count + 1)
          let rows = start..<min(start + 1 + random.below(9), data.rows.count)
          if let text = selected, data.rows[rows].contains(text) { selected = nil }
          probe.list.removeRows(rows)
          data.rows.removeSubrange(rows)
        case 4:
          probe.list.selection = data.rows.isEmpty ? nil : random.below(data.rows.count)
          selected = probe.list.selection.map { data.rows[$0] }
        default: probe.scroll?.contentOffset = Point(x: 0, y: random.number(0, 1500))
        }
        #expect(probe.list.selection.map { data.rows[$0] } == selected && probe.list.rowCount == data.rows.count)
      }
      probe.harness.frame()
      #expect(probe.rows.allSatisfy { $0.text == data.rows[$0.index] })
      if random.below(2) == 0 { probe.harness.advance(by: .milliseconds(random.below(300))) }
    }
    probe.harness.settle()
    let top = probe.scroll?.contentOffset.y ?? 0
    #expect(probe.rows.map(\.index) == Array(probe.list.geometry.rows(from: top, height: 220)))
    #expect(probe.rows.allSatisfy { $0.frame.minY == probe.list.geometry.top(ofRow: $0.index) && $0.alpha == 1 })
    #expect(probe.list.leaving.isEmpty && probe.list.rowViewCount <= probe.rows.count + 4)
    #expect(ListSection.total(probe.list.sections) == (seed % 2 == 1 ? data.rows.count : 0))
  }
}
