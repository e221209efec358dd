import Testing
import UICore

@testable import Controls

/// The rules of an open menu for keys.
struct MenuModelTests {
  private static let titles = ["Apple", "Banana", "Blackberry", "Blueberry", "cherry", "Élan"]

  private func press(_ model: inout MenuModel, _ key: Key, _ text: String = "", at time: Double = 0) -> MenuModel
    .Outcome?
  {
    model.press(key, text: text, at: MonotonicTime(nanoseconds: 1_000_000_000_000 + Int64(time * 1e9)))
  }

  @Test func `arrows, Home and End go to a row, and stop at the ends`() {
    let rows: [(chosen: Int, key: Key, lit: Int?)] = [
      (0, .down, 1), (5, .down, 5), (0, .up, 0), (3, .up, 2), (3, .home, 0), (3, .end, 5), (3, .pageUp, 0),
      (3, .pageDown, 5), (-1, .down, 0), (-1, .up, 5), (99, .down, 0),
    ]
    for row in rows {
      var model = MenuModel(Self.titles, chosen: row.chosen)
      #expect(press(&model, row.key) == .stay && model.lit == row.lit, "\(row)")
    }
  }

  @Test func `Enter and Space pick the lit row; Escape closes`() {
    for key in [Key.enter, .space] {
      var model = MenuModel(Self.titles, chosen: 2)
      #expect(press(&model, key) == .pick(2))
      var none = MenuModel(Self.titles, chosen: -1)
      #expect(press(&none, key) == .close)
    }
    var model = MenuModel(Self.titles, chosen: 2)
    #expect(press(&model, .escape) == .close)
    for key in [Key.left, .tab, .f11, .delete] { #expect(press(&model, key) == nil && model.lit == 2) }
    #expect(press(&model, .tab, "\t") == nil && press(&model, .delete, "\u{7f}") == nil)
  }

  @Test func `letters go to the next row that begins with them`() {
    func type(_ letters: [(String, Double)], from chosen: Int = 0) -> Int? {
      var model = MenuModel(Self.titles, chosen: chosen)
      for (letter, time) in letters { #expect(press(&model, Key(rawValue: 0x61), letter, at: time) == .stay) }
      return model.lit
    }
    #expect(type([("b", 0)]) == 1)
    // The same letter goes on, round and round.
    #expect(type([("b", 0), ("b", 0.2), ("B", 0.4)]) == 3)
    #expect(type([("b", 0), ("b", 0.2), ("b", 0.4), ("b", 0.6)]) == 1)
    // Several letters are a word.
    #expect(type([("b", 0), ("l", 0.2)]) == 2)
    #expect(type([("b", 0), ("l", 0.2), ("u", 0.4)]) == 3)
    // After a second another word begins.
    #expect(type([("b", 0), ("l", 1.3)]) == 1)
    #expect(type([("C", 0)]) == 4 && type([("é", 0)]) == 5)
    // What no row begins with changes nothing.
    #expect(type([("x", 0)], from: 2) == 2 && type([("a", 0)], from: -1) == 0)
  }

  @Test func `a blank is a letter within a word`() {
    var model = MenuModel(["To", "To go", "Two"], chosen: 0)
    for (letter, time) in [("t", 0.0), ("o", 0.1)] {
      #expect(press(&model, .character("t"), letter, at: time) == .stay)
    }
    #expect(press(&model, .space, " ", at: 0.2) == .stay && model.lit == 1)
    #expect(press(&model, .space, " ", at: 2) == .pick(1))
  }

  @Test func `a menu without rows closes`() {
    var model = MenuModel([], chosen: 0)
    for key in [Key.down, .up, .home, .end] { #expect(press(&model, key) == .stay && model.lit == nil) }
    #expect(press(&model, .character("a"), "a") == .stay && model.lit == nil)
    #expect(press(&model, .enter) == .close)
  }
}
