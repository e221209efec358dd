import ControlHarness
import Testing

@testable import ControlTools
@testable import Controls

/// Tests of the sections of a list: headers, numbers of rows, keys, fingers, assistive technology, files.
@MainActor @Suite(.serialized) struct ListSectionTests {
  /// Three sections of four rows of 44 points under headers of 32: `Drive`, `Camera` and `Radio`.
  private func shown(_ set: (ListView) -> Void = { _ in }) -> ListProbe {
    ListProbe { list in
      list.sections = ["Drive", "Camera", "Radio"].map { ListSection($0, rowCount: 4) }
      list.showRow = { row, index in row.text = "Row \(index)" }
      set(list)
    }
  }

  @Test func `each section has its header before its rows`() {
    let probe = shown()
    #expect(probe.list.rowCount == 12 && probe.headers == ["Drive 0", "Camera 208"])
    #expect(probe.texts == ["Row 0", "Row 1", "Row 2", "Row 3"] && probe.top("Row 0") == 32)
    #expect(probe.list.sizeThatFits(.zero) == Size(width: 240, height: 3 * 32 + 12 * 44))
  }

  @Test func `a header stays at the top while its rows are in sight, and the next one pushes it out`() {
    let probe = shown()
    probe.scroll(to: 100)
    #expect(probe.headers == ["Drive 0", "Camera 108"])
    probe.scroll(to: 190)
    #expect(probe.headers == ["Drive -14", "Camera 18"])
    probe.scroll(to: 208)
    #expect(probe.headers == ["Camera 0", "Radio 208"])
  }

  @Test func `what is pulled beyond the top takes the header along`() {
    let probe = shown()
    probe.harness.drag(from: Point(x: 100, y: 60), to: Point(x: 100, y: 160), steps: 6, holds: true)
    #expect(probe.top("Row 0").map { $0 > 40 } == true)
    #expect(probe.headers.first == probe.top("Row 0").map { "Drive \(Int($0 - 32))" })
    probe.harness.touch(.ended, at: Point(x: 100, y: 160))
    probe.harness.settle()
    #expect(probe.headers.first == "Drive 0")
  }

  @Test func `headers are views for those in sight alone, and used again`() {
    let probe = ListProbe { list in
      list.sections = (0..<10_000).map { ListSection("Section \($0)", rowCount: 10) }
      list.showRow = { row, index in row.text = "Row \(index)" }
    }
    for offset in stride(from: 0.0, through: 4_720_000, by: 47_211) {
      probe.scroll(to: offset)
      #expect(probe.list.rowViewCount <= 7 && probe.list.headerViewCount <= 3)
    }
    probe.scroll(to: 1e9)
    #expect(probe.texts.last == "Row 99999" && probe.headers == ["Section 9999 0"])
  }

  @Test func `which views a list has follows from what it shows now, not from what it showed before`() {
    func views(_ probe: ListProbe) -> [String] {
      (probe.scroll?.contentView.subviews ?? []).map { $0 is ListHeader ? "header" : "row" }
    }
    let ends: [(String, (ListView) -> Void)] = [
      ("no sections", { $0.sections = [] }), ("no titles", { $0.sections = [ListSection("", rowCount: 12)] }),
      ("flat headers", { $0.headerHeight = 0 }), ("one row", { ($0.rowCount, $0.sections) = (1, []) }),
      ("nothing", { ($0.sections, $0.rowCount) = ([], 0) }),
      ("a section that fits", { $0.sections = [ListSection("One", rowCount: 2)] }),
    ]
    for (name, end) in ends {
      let old = shown()
      // More headers and rows than ever again.
      old.list.sections = (0..<7).map { ListSection("\($0)", rowCount: 0) } + [ListSection("Rows", rowCount: 40)]
      old.harness.frame()
      old.scroll(to: 400)
      old.list.insertRows(12..<16)
      old.harness.frame()
      end(old.list)
      old.scroll(to: 0)
      old.harness.settle()
      let new = shown(end)
      #expect(views(old).filter { $0 == "header" } == views(new).filter { $0 == "header" }, "\(name)")
      let spare = old.list.rowViewCount - old.rows.count
      #expect(spare <= min(max(old.list.rowCount - old.rows.count, 0), 3), "\(name)")
    }
  }

  @Test func `rows have one number through all sections, and a place in their own`() {
    let list = shown().list
    #expect(list.row(0, inSection: 1) == 4 && list.row(3, inSection: 2) == 11 && list.section(ofRow: 7) == 1)
    #expect(list.row(4, inSection: 1) == nil && list.row(-1, inSection: 0) == nil && list.row(0, inSection: 3) == nil)
    #expect(list.section(ofRow: 12) == nil && list.section(ofRow: -1) == nil)
  }

  @Test func `arrows skip headers, and the selection is shown beside the one that stays at the top`() {
    let probe = shown()
    probe.harness.press(.tab)
    for _ in 0..<5 { probe.harness.press(.down) }
    #expect(probe.log.take() == ["0", "1", "2", "3", "4"])
    probe.harness.press(.end)
    probe.harness.frame()
    #expect(probe.log.take() == ["11"] && probe.top("Row 11") == 220 - 44)
    for _ in 0..<6 { probe.harness.press(.up) }
    probe.harness.frame()
    #expect(probe.list.selection == 5 && probe.top("Row 5") == 32, "under the header, not behind it")
    probe.harness.press(.pageUp)
    #expect(probe.list.selection == 1, "a page is as many rows as fit beside a header")
    probe.harness.press(.home)
    probe.harness.frame()
    #expect(probe.list.selection == 0 && probe.headers.first == "Drive 0" && probe.top("Row 0") == 32)
  }

  @Test func `a finger on a header selects nothing, and drags the list`() {
    let probe = shown()
    probe.scroll(to: 100)
    probe.harness.tap(Point(x: 60, y: 20))
    #expect(probe.log.take().isEmpty && probe.list.selection == nil)
    probe.harness.drag(from: Point(x: 60, y: 200), to: Point(x: 60, y: 150), steps: 6)
    probe.harness.settle()
    #expect((probe.scroll?.contentOffset.y ?? 0) > 120)
    let offset = probe.scroll?.contentOffset.y ?? 0
    probe.harness.drag(from: Point(x: 60, y: 20), to: Point(x: 60, y: 70), steps: 6)
    probe.harness.settle()
    #expect((probe.scroll?.contentOffset.y ?? 0) < offset - 20 && probe.log.take().isEmpty)
  }

  @Test func `assistive technology reads each heading before its rows, wherever the list is scrolled`() {
    let probe = shown()
    for offset in [0.0, 100, 300, 90, 0] {
      probe.scroll(to: offset)
      let elements = probe.list.accessibilityElements
      let places = elements.map { element in
        (element as? ListRow).map { Double($0.index) + 0.5 }
          ?? Double(["Drive", "Camera", "Radio"].firstIndex(of: element.accessibilityLabel ?? "") ?? -9) * 4
      }
      #expect(places == places.sorted() && places.first.map { $0 >= 0 } == true, "at \(offset): \(places)")
      let headings = elements.filter { $0.accessibilityRole == .heading }.compactMap(\.accessibilityLabel)
      #expect(headings == probe.headers.map { String($0.prefix { $0 != " " }) })
    }
    probe.scroll(to: 100)
    #expect(probe.list.accessibilityHitTest(Point(x: 50, y: 10))?.accessibilityRole == .heading, "it lies over a row")
  }

  @Test func `a view inside a row that gets the focus is scrolled out from under the header`() {
    var buttons: [Int: Button] = [:]
    let probe = shown { list in
      list.showRow = { row, index in
        let button = row.subviews.first as? Button ?? Button()
        button.frame = Rect(x: 120, y: 0, width: 60, height: 44)
        if button.superview == nil { row.addSubview(button) }
        buttons[index] = button
      }
    }
    probe.scroll(to: 150)
    buttons[3]?.becomeFirstResponder()
    probe.harness.settle()
    #expect(buttons[3].map { $0.windowFrame.minY - 10 >= 32 } == true)
  }

  @Test func `a file names the sections, in whatever order it sets them`() throws {
    for text in [
      "\"choices\": \"a|b|c|d\", \"headings\": \"One: 1|Two\"",
      "\"headings\": \"One: 1|Two\", \"choices\": \"a|b|c|d\"",
    ] {
      let view = LayoutView(registry: .controls)
      try view.load(LayoutFile(text: "{\"type\": \"ListView\", \(text)}", name: "test.json"))
      let list = try #require(view.scene as? ListView)
      #expect(list.sections == [ListSection("One", rowCount: 1), ListSection("Two", rowCount: 3)])
      #expect(list.rowCount == 4)
    }
  }

  @Test func `sections without rows, without a title and without a list are no trap`() {
    let probe = shown()
    probe.list.sections = [ListSection("Empty", rowCount: 0), ListSection("", rowCount: 1)]
    probe.harness.frame()
    #expect(probe.texts == ["Row 0"] && probe.top("Row 0") == 32 && probe.headers.first == "Empty 0")
    probe.list.rowCount = 0
    probe.harness.frame()
    #expect(probe.texts.isEmpty)
    probe.list.headerHeight = 0
    probe.list.rowCount = 3
    probe.harness.frame()
    #expect(probe.top("Row 0") == 0)
    probe.list.sections = []
    probe.harness.frame()
    #expect(probe.list.rowCount == 3 && probe.headers.isEmpty && probe.list.headings.isEmpty)
  }
}
