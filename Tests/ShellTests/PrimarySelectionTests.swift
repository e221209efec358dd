import Stage
import Testing
import UICore

@testable import Shell

/// The primary selection: the middle button pastes what was selected last.
@MainActor @Suite(.serialized) struct PrimarySelectionTests {
  private static let middleButton: UInt32 = 0x112

  private func pressMiddle(_ show: Show, _ x: Double, _ y: Double) {
    show.seat.pointerEnter(x, y)
    show.seat.pointerButton(true, button: Self.middleButton)
    show.seat.pointerButton(false, button: Self.middleButton)
    for _ in 0..<3 { show.settle() }
  }

  private func pasted(_ show: Show) -> [TextEdit] {
    show.content.events.compactMap { if case .text(let edit) = $0 { edit } else { nil } }
  }

  @Test func `the middle button pastes what another program selected, at its place, and presses nothing`() throws {
    try play { show in
      pressMiddle(show, 5, 6)
      #expect(pasted(show).isEmpty)
      show.stage.selectElsewhere("Grüße", as: "TEXT")
      pressMiddle(show, 7, 8)
      #expect(pasted(show).map(\.inserted) == ["Grüße"] && pasted(show)[0].source == .primarySelection)
      #expect(pasted(show)[0].place == Point(x: 7, y: 8) && show.content.touches.isEmpty)
      show.stage.selectElsewhere("pixels", as: "image/png")
      pressMiddle(show, 7, 8)
      #expect(pasted(show).count == 1)
    }
  }

  @Test func `what is selected here others can paste, until they select something`() throws {
    try play { show in
      #expect(show.window?.setPrimarySelection("early") == false, "nobody pressed anything yet")
      show.seat.touchDown(1, 10, 10)
      show.seat.touchFrame()
      show.settle()
      for text in ["one", "two", "two"] {
        #expect(show.window?.setPrimarySelection(text) == true)
        show.settle()
      }
      #expect(show.stage.primary?.types == TextType.offered)
      let paste = try #require(show.stage.pasteSelection(as: "STRING"))
      show.settle()
      #expect(String(decoding: paste.read(), as: UTF8.self) == "two")
      pressMiddle(show, 1, 2)
      #expect(pasted(show).map(\.inserted) == ["two"])
      show.stage.selectElsewhere("three")
      pressMiddle(show, 1, 2)
      #expect(pasted(show).map(\.inserted) == ["two", "three"] && show.stage.primary == nil)
    }
  }

  @Test func `a seat that goes ends its selection, with a paste on its way`() throws {
    try play { show in
      show.stage.selectElsewhere("late")
      show.seat.pointerEnter(1, 1)
      show.settle()
      show.seat.pointerButton(true, button: Self.middleButton)
      show.stage.remove(show.seat)
      for _ in 0..<3 { show.settle() }
      #expect(pasted(show).isEmpty && show.failure == nil)
    }
  }

  @Test func `a compositor without it has no selection`() throws {
    var globals = StageGlobals.everything
    globals.primarySelection = nil
    try play(globals) { show in
      show.seat.touchDown(1, 10, 10)
      show.seat.touchFrame()
      pressMiddle(show, 1, 1)
      #expect(show.window?.setPrimarySelection("text") == false && pasted(show).isEmpty)
    }
  }
}
