import ControlTools
import Controls
import Testing

/// Tables of trees as lists: what is open, what is selected, what keys do.
@Suite struct OutlineModelTests {
  /// A car: 1 (2 (3, 4), 5), 6.
  private var car: OutlineModel {
    var model = OutlineModel()
    model.items = [
      OutlineItem(
        id: 1, title: "body",
        children: [
          OutlineItem(
            id: 2, title: "doors",
            children: [OutlineItem(id: 3, title: "left"), OutlineItem(id: 4, title: "right")]),
          OutlineItem(id: 5, title: "roof"),
        ]), OutlineItem(id: 6, title: "engine"),
    ]
    return model
  }

  private func ids(_ model: OutlineModel) -> [Int] { model.rows.map(\.item.id) }

  @Test(arguments: [(0, [1, 6]), (1, [1, 2, 5, 6]), (2, [1, 2, 3, 4, 5, 6]), (.max, [1, 2, 3, 4, 5, 6])])
  func `levels open`(levels: Int, rows: [Int]) {
    var model = car
    model.open(levels: levels)
    #expect(ids(model) == rows)
  }

  @Test func `rows say how deep they are and whether they hold anything`() {
    var model = car
    model.open(levels: 1)
    #expect(model.rows.map(\.depth) == [0, 1, 1, 0])
    #expect(model.rows.map(\.hasChildren) == [true, true, false, false])
    #expect(model.rows.map(\.isOpen) == [true, false, false, false])
    #expect(model.rows.allSatisfy { $0.item.children.isEmpty })
  }

  @Test func `selecting opens what it is in`() {
    var model = car
    model.select(4)
    #expect(ids(model) == [1, 2, 3, 4, 5, 6] && model.selectedRow == 3)
    model.select(99)
    #expect(model.selection == 4, "there is no 99")
    model.select(nil)
    #expect(model.selection == nil && model.selectedRow == nil)
  }

  @Test func `closing takes the selection out of what is closed`() {
    var model = car
    model.select(4)
    model.setOpen(false, 1)
    #expect(ids(model) == [1, 6] && model.selection == 1)
    model.select(6)
    model.setOpen(true, 1)
    #expect(model.selection == 6)
    #expect(ids(model) == [1, 2, 3, 4, 5, 6], "what was open inside still is")
  }

  @Test(
    arguments: [
      (nil, Key.down, 1), (nil, .up, 6), (1, .down, 2), (1, .up, 1), (6, .down, 6), (4, .up, 3), (3, .left, 2),
      (6, .left, 6), (6, .right, 6), (2, .right, 3), (1, .end, 6), (6, .home, 1), (1, .pageDown, 3), (6, .pageUp, 4),
      (5, .pageDown, 6), (nil, .left, nil),
    ] as [(Int?, Key, Int?)]) func `keys move`(from: Int?, key: Key, to: Int?)
  {
    var model = car
    model.open(levels: .max)
    model.select(from)
    let handled = model.handle(key, page: 2)
    #expect(handled && model.selection == to)
  }

  @Test func `left closes and right opens`() {
    var model = car
    model.select(2)
    var handled = model.handle(.right)
    #expect(handled && ids(model) == [1, 2, 3, 4, 5, 6] && model.selection == 2)
    handled = model.handle(.left)
    #expect(handled && ids(model) == [1, 2, 5, 6] && model.selection == 2)
    handled = model.handle(.space)
    #expect(!handled)
  }

  @Test func `other things keep what was open and selected, as far as they are there`() {
    var model = car
    model.select(4)
    var items = model.items
    items[0].children[0].children.removeFirst()
    model.items = items
    #expect(ids(model) == [1, 2, 4, 5, 6] && model.selection == 4)
    items[0].children.removeFirst()
    model.items = items
    #expect(ids(model) == [1, 5, 6] && model.selection == nil)
    model.items = []
    let handled = model.handle(.down)
    #expect(ids(model) == [] && !handled)
  }
}
