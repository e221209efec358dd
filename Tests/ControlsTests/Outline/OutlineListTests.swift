import ControlHarness
import ControlTools
import Controls
import Testing

/// Tests of the outline in use: taps, keys, scrolling, and what a large tree costs.
@MainActor @Suite(.serialized) struct OutlineListTests {
  let list = OutlineList()
  let harness: ControlHarness
  private let heard = Heard()

  @MainActor private final class Heard {
    var selections: [Int?] = []
    func take() -> [Int?] {
      defer { selections = [] }
      return selections
    }
  }

  init() {
    harness = ControlHarness(size: Size(width: 320, height: 400))
    list.frame = Rect(x: 0, y: 0, width: 300, height: 220)
    list.items = [
      OutlineItem(
        id: 1, title: "body",
        children: [
          OutlineItem(
            id: 2, title: "doors", children: [OutlineItem(id: 3, title: "left"), OutlineItem(id: 4, title: "right")]),
          OutlineItem(id: 5, title: "roof"),
        ]), OutlineItem(id: 6, title: "engine", detail: "“main”", isDimmed: true),
    ]
    list.open(levels: 1)
    harness.root.addSubview(list)
    let heard = heard
    list.addAction(for: .valueChanged) { heard.selections.append($0.selection) }
    harness.frame()
  }

  private var ids: [Int] { list.rows.map(\.item.id) }

  /// The middle of row `index`, or of its triangle.
  private func point(_ index: Int, triangle depth: Int? = nil) -> Point {
    Point(x: depth.map { 20 + 16 * Double($0) } ?? 200, y: 22 + 44 * Double(index))
  }

  @Test func `a tap on a row selects it, on its triangle opens and closes it`() {
    harness.tap(point(3))
    #expect(list.selection == 6 && heard.take() == [6])
    harness.tap(point(1, triangle: 1))
    #expect(ids == [1, 2, 3, 4, 5, 6] && list.selection == 6 && heard.take() == [])
    harness.tap(point(3))
    #expect(list.selection == 4 && heard.take() == [4])
    harness.tap(point(0, triangle: 0))
    #expect(ids == [1, 6] && list.selection == 1, "what was selected is closed away")
    #expect(heard.take() == [1])
    harness.tap(point(1, triangle: 0))
    #expect(list.selection == 6, "without anything inside there is no triangle")
  }

  @Test func `rows are at least 44 points high`() {
    list.rowHeight = 10
    #expect(list.rowHeight == 44)
    list.rowHeight = 60
    harness.settle()
    harness.tap(Point(x: 200, y: 70))
    #expect(list.selection == 2)
  }

  @Test func `a tap brings the keys, arrows move, open and close, a finger elsewhere sends keys elsewhere`() {
    harness.press(.down)
    #expect(list.selection == nil, "keys go elsewhere")
    harness.tap(point(0))
    #expect(list.isFirstResponder && heard.take() == [1])
    harness.press(.down)
    harness.press(.right)
    #expect(list.selection == 2 && ids == [1, 2, 3, 4, 5, 6] && heard.take() == [2])
    harness.press(.left)
    harness.press(.left)
    #expect(list.selection == 1 && ids == [1, 2, 5, 6] && heard.take() == [1])
    harness.press(.end)
    #expect(list.selection == 6)
    harness.tap(Point(x: 310, y: 380))
    #expect(!list.isFirstResponder)
    harness.press(.up)
    #expect(list.selection == 6)
  }

  @Test func `from right to left the triangle is at the right, and Left opens`() {
    harness.root.layoutDirection = .rightToLeft
    harness.settle()
    harness.tap(Point(x: 300 - 36, y: 66))
    #expect(ids == [1, 2, 3, 4, 5, 6])
    list.setOpen(false, 2)
    list.selection = 2
    harness.tap(point(1))
    harness.press(.left)
    #expect(ids == [1, 2, 3, 4, 5, 6])
  }

  @Test func `code's selection opens what it is in, brings it into sight, and says nothing`() {
    list.items = [
      OutlineItem(id: 0, title: "all", children: (1...100).map { OutlineItem(id: $0, title: "thing \($0)") })
    ]
    harness.settle()
    list.selection = 70
    harness.settle()
    #expect(ids.count == 101 && heard.take() == [])
    #expect(shown.contains("thing 70"))
    list.selection = 999
    #expect(list.selection == 70)
    #expect(list.inspection.values["selected"] == .string("thing 70"))
    list.selection = nil
    #expect(list.selection == nil)
  }

  /// The titles of the rows that exist as views and are seen.
  private var shown: [String] {
    func rows(_ view: View) -> [String] {
      if view.isHidden || !view.windowFrame.intersects(list.windowFrame) { return [] }
      if case .string(let title)? = view.inspection.values["title"] { return [title] }
      return view.subviews.flatMap(rows)
    }
    return rows(list)
  }

  @Test func `a drag scrolls and selects nothing`() {
    list.items = (1...50).map { OutlineItem(id: $0, title: "thing \($0)") }
    harness.settle()
    #expect(shown.first == "thing 1" && shown.count == 5)
    harness.drag(from: point(4), to: point(0), steps: 6)
    harness.settle()
    #expect(list.selection == nil && !shown.contains("thing 1"))
    harness.root.handle(.scroll(ControlHarness.seat, at: Point(x: 100, y: 100), dx: 0, dy: 9999))
    harness.settle()
    #expect(shown.contains("thing 50"))
  }

  @Test func `of ten thousand things only those in sight are views, and scrolling costs the same`() {
    func views(_ view: View) -> Int { view.subviews.reduce(1) { $0 + views($1) } }
    list.items = [OutlineItem(id: 0, title: "all", children: (1...10_000).map { OutlineItem(id: $0, title: "\($0)") })]
    list.open(levels: .max)
    harness.settle()
    #expect(list.rows.count == 10_001)
    for _ in 0..<40 {
      harness.root.handle(.scroll(ControlHarness.seat, at: Point(x: 100, y: 100), dx: 0, dy: 10_000))
      harness.settle()
    }
    #expect(views(list) < 30)
    #expect(shown.contains("10000") || shown.contains { (Int($0) ?? 0) > 9000 })
    harness.checksDamage = false
    let clock = ContinuousClock()
    let time = (0..<20).map { _ in
      clock.measure {
        harness.root.handle(.scroll(ControlHarness.seat, at: Point(x: 100, y: 100), dx: 0, dy: -44))
        harness.frame()
      }
    }
    #expect(time.min() ?? .zero < .milliseconds(5))
  }

  @Test func `idle, nothing is drawn or woken`() {
    harness.tap(point(0))
    harness.advance(by: .seconds(3))
    let (frames, wakes) = (harness.frameCount, harness.wakeCount)
    harness.advance(by: .seconds(10))
    #expect(harness.frameCount == frames && harness.wakeCount == wakes)
  }
}
