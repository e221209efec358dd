import Testing

@testable import Controls

/// Tests of the values behind rows that come and go: their numbers, the selection, and how they move.
@MainActor @Suite struct ListChangeTests {
  @Test func `rows keep their order, and get the numbers that are left`() {
    let insertion = ListChange.insertion(2..<5)
    #expect((0..<4).map(insertion.number(of:)) == [0, 1, 5, 6] && insertion.difference == 3)
    let removal = ListChange.removal(1..<3)
    #expect((0..<5).map(removal.number(of:)) == [0, nil, nil, 1, 2] && removal.difference == -2)
    #expect((0..<5).map(removal.place(of:)) == [0, 1, 1, 1, 2])
  }

  @Test(
    arguments: [
      (3, .insertion(0..<2), 5), (3, .insertion(3..<4), 4), (3, .insertion(4..<9), 3), (3, .removal(0..<2), 1),
      (3, .removal(4..<6), 3), (3, .removal(3..<4), nil), (3, .removal(0..<10), nil), (nil, .insertion(0..<2), nil),
    ] as [(Int?, ListChange, Int?)])
  func `the selection stays with its row, and goes with it`(from: Int?, change: ListChange, to: Int?) {
    var model = ListModel()
    model.count = 10
    model.select(from)
    model.apply(change)
    #expect(model.selection == to && model.count == 10 + change.difference && model.index == to ?? -1)
  }

  @Test func `a number that was chosen before there is such a row waits for it`() {
    var model = ListModel()
    model.index = 4
    model.apply(.insertion(0..<3))
    #expect(model.selection == nil && model.index == 4)
    model.apply(.insertion(3..<6))
    #expect(model.selection == 4)
  }

  @Test(
    arguments: [(.down, 3), (.up, 2), (.pageDown, 8), (.pageUp, 0), (.home, 0), (.end, 8)] as [(Key, Int)])
  func `keys go on from where the selection was that went with its row`(key: Key, to: Int) {
    var model = ListModel()
    model.count = 10
    model.select(3)
    model.apply(.removal(3..<4))
    let taken = model.handle(key, page: 5)
    #expect(taken && model.selection == to)
  }

  @Test func `the place where the selection was moves with the rows, and is forgotten with another selection`() {
    var model = ListModel()
    model.count = 10
    model.select(3)
    model.apply(.removal(2..<5))
    model.apply(.insertion(0..<4))
    var other = model
    _ = model.handle(.down, page: 5)
    #expect(model.selection == 6)
    other.select(nil)
    _ = other.handle(.down, page: 5)
    #expect(other.selection == 0)
    model.select(10)
    model.apply(.removal(0..<11))
    let taken = model.handle(.down, page: 5)
    #expect(taken && model.selection == nil && model.count == 0)
  }

  // MARK: Motion

  @Test func `distances shrink to nothing, above and below a change`() {
    var motion = ListMotion()
    motion.begin(row: 5, section: 1, above: 10, below: -44, inserted: 4..<5)
    #expect(motion.shift(ofRow: 4) == 10 && motion.shift(ofRow: 5) == -44 && motion.reach == 44)
    #expect(motion.shift(ofSection: 0) == 10 && motion.shift(ofSection: 1) == -44)
    var last = -44.0
    for _ in 0..<14 {
      motion.advance(by: 0.0166667)
      #expect(motion.shift(ofRow: 9) >= last && motion.shift(ofRow: 9) <= 0)
      last = motion.shift(ofRow: 9)
    }
    motion.advance(by: 0.0166667)
    #expect(motion.isOver && motion.shift(ofRow: 9) == 0 && motion.opacity(ofRow: 4) == 1)
  }

  @Test func `rows that came fade in and never count as hidden`() {
    var motion = ListMotion()
    motion.begin(row: 2, section: 1, above: 0, below: -44, inserted: 1..<2)
    #expect(motion.opacity(ofRow: 1) > 0 && motion.opacity(ofRow: 1) < 0.1 && motion.opacity(ofRow: 2) == 1)
    motion.advance(by: 0.2)
    #expect(motion.opacity(ofRow: 1) > 0.5 && ListMotion.departure(at: 0) == 1 && ListMotion.departure(at: 0.16) == 0)
  }

  @Test func `a change gives what still moves its new numbers`() {
    var motion = ListMotion()
    motion.begin(row: 5, section: 1, above: 0, below: -44, inserted: 4..<5)
    motion.apply(.insertion(0..<10))
    #expect(motion.shift(ofRow: 14) == 0 && motion.shift(ofRow: 15) == -44 && motion.opacity(ofRow: 14) < 1)
    motion.apply(.removal(12..<20))
    #expect(motion.shift(ofRow: 11) == 0 && motion.shift(ofRow: 12) == -44 && motion.opacity(ofRow: 12) == 1)
  }

  @Test func `changes that overlap add up, and of very many the oldest are at their end`() {
    var motion = ListMotion()
    for _ in 0..<100 { motion.begin(row: 1, section: 1, above: 0, below: -44, inserted: 0..<1) }
    #expect(motion.shift(ofRow: 1) == -44 * Double(ListMotion.mostSlides))
    motion.stop()
    #expect(motion.isOver && motion.reach == 0)
  }
}
