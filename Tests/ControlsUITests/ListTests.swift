import ControlHarness
import Controls
import ControlsUI
import Testing

/// Tests of lists: views for the rows in sight, which stay with their elements.
@MainActor @Suite(.serialized) struct DescribedListTests {
  private let evaluations = Evaluations()

  private func shownList(_ items: Items) -> ControlHarness {
    shown(ItemList(items: items, evaluations: evaluations), in: Size(width: 400, height: 440))
  }

  private func listView(in view: Controls.View) -> ListView? {
    view as? ListView ?? view.subviews.lazy.compactMap { listView(in: $0) }.first
  }

  @Test func `a hundred thousand rows need views for those in sight alone`() throws {
    let items = Items(count: 100_000)
    let harness = shownList(items)
    let list = try #require(listView(in: harness.root))
    #expect(list.rowCount == 100_000 && list.rowViewCount == 10)
    let start = Point(x: 60, y: 400)
    harness.drag(from: start, to: Point(x: 60, y: 100), steps: 20)
    harness.settle()
    #expect(list.rowViewCount <= 12)
  }

  @Test func `a change that no row read evaluates none, and that of a binding none either`() {
    let items = Items(count: 1000)
    let harness = shownList(items)
    evaluations.reset()
    items.level = 0.7
    harness.frame()
    #expect(evaluations.counts.isEmpty)
    #expect(harness.view("level 3", Controls.Slider.self)?.value == 0.7)
  }

  @Test func `a row keeps its finger, view and state while rows come above it`() throws {
    let items = Items(count: 1000)
    let harness = shownList(items)
    let counter = try #require(harness.view("count 2", Controls.Button.self))
    harness.tap(counter)
    harness.settle()
    let slider = try #require(harness.view("level 2", Controls.Slider.self))
    let start = slider.windowFrame.center
    harness.drag(from: start, to: start + Point(x: 20, y: 0), steps: 3, holds: true)
    #expect(slider.isTracking)
    items.items.insert(Item(id: 5000, title: "new"), at: 0)
    harness.frame()
    #expect(slider.isTracking && harness.view("level 2") === slider)
    #expect(abs(slider.windowFrame.midY - start.y - 44) < 1)
    #expect(harness.view("count 2") === counter && counter.title == "count 2 1")
    harness.touch(.ended, at: start + Point(x: 20, y: 0))
  }

  @Test func `a row of another element has states of its own`() throws {
    let items = Items(count: 100)
    let harness = shownList(items)
    let list = try #require(listView(in: harness.root))
    harness.view("count 0", Controls.Button.self).map { harness.tap($0) }
    #expect(harness.view("count 0", Controls.Button.self)?.title == "count 0 1")
    list.selection = 99
    harness.settle()
    #expect(harness.view("count 0") == nil && harness.view("count 99", Controls.Button.self)?.title == "count 99 0")
    list.selection = 0
    harness.settle()
    #expect(harness.view("count 0", Controls.Button.self)?.title == "count 0 0")
  }

  @Test func `a tap selects the element, which stays selected where it moves`() throws {
    let items = Items(count: 100)
    let harness = shownList(items)
    let list = try #require(listView(in: harness.root))
    harness.tap(Point(x: 4, y: 3 * 44 + 20))
    harness.settle()
    #expect(items.selection == 3 && list.selection == 3)
    items.items.removeFirst()
    harness.settle()
    #expect(items.selection == 3 && list.selection == 2)
    items.selection = nil
    harness.settle()
    #expect(list.selection == nil)
    items.selection = 77
    harness.settle()
    #expect(list.selection == 76 && harness.view("count 77") != nil, "it scrolls there")
  }

  @Test func `a screen reader reads a row by its texts`() throws {
    let items = Items(count: 3)
    let harness = shownList(items)
    let list = try #require(listView(in: harness.root))
    let labels = list.accessibilityElements.compactMap { ($0 as? ListRow)?.accessibilityLabel }
    #expect(labels == ["item 0", "item 1", "item 2"])
    items.items[1].title = "second"
    harness.frame()
    #expect(list.accessibilityElements.contains { $0.accessibilityLabel == "second" })
  }

  // MARK: Sections

  @Test func `sections have headers, and their rows the identities of their elements`() throws {
    let items = Items(count: 35)
    let harness = shown(SectionList(items: items, evaluations: evaluations), in: Size(width: 400, height: 440))
    let list = try #require(listView(in: harness.root))
    #expect(list.rowCount == 35 && list.sections.map(\.rowCount) == [10, 10, 10, 5])
    #expect(list.sections.map(\.title) == ["tens 0", "tens 1", "tens 2", "tens 3"])
    items.selection = 23
    harness.settle()
    #expect(list.selection == 23 && harness.view("count 23") != nil, "it scrolls there")
    let elements = list.accessibilityElements
    #expect(elements.first?.accessibilityRole == .heading && elements.first?.accessibilityLabel == "tens 1")
    harness.view("count 22").map { harness.tap(Point(x: 4, y: $0.windowFrame.midY)) }
    harness.settle()
    #expect(items.selection == 22)
  }

  @Test func `a row keeps its view and state where its section grows, moves or gets another title`() throws {
    let items = Items(count: 35)
    let harness = shown(SectionList(items: items, evaluations: evaluations), in: Size(width: 400, height: 440))
    let list = try #require(listView(in: harness.root))
    let counter = try #require(harness.view("count 8", Controls.Button.self))
    harness.tap(counter)
    harness.settle()
    items.items.removeFirst(3)
    harness.settle()
    #expect(list.sections.map(\.rowCount) == [10, 10, 10, 2])
    #expect(harness.view("count 8") === counter && counter.title == "count 8 1")
    items.items.removeAll()
    harness.settle()
    #expect(list.rowCount == 0 && list.rowViewCount <= 4, "views that nobody needs are gone")
    items.items = (0..<15).map { Item(id: $0, title: "") }
    harness.settle()
    #expect(
      list.sections.map(\.rowCount) == [10, 5] && harness.view("count 8", Controls.Button.self)?.title == "count 8 0")
  }

  @Test func `a list of one ForEach has no header`() throws {
    let harness = shownList(Items(count: 3))
    #expect(listView(in: harness.root)?.headings == "" && listView(in: harness.root)?.sections == [])
  }
}
