import Stage
import Testing
import UICore

@testable import Shell

/// Tables of the state that an input method gets, and when.
@Suite struct TextInputModelTests {
  private typealias Request = TextInputModel.Request

  private static func state(
    _ text: String, session: Int = 1, byInputMethod: Bool = false, area: Rect = .zero
  ) -> TextInputState {
    TextInputState(
      session: session, text: text, caret: text.utf8.count, anchor: text.utf8.count, caretArea: area,
      isByInputMethod: byInputMethod)
  }

  private static func all(_ state: TextInputState) -> [Request] {
    [.enable, .surrounding(SurroundingText(state)), .purpose(.normal), .caretArea(state.caretArea), .commit]
  }

  @Test func `a password is neither told nor called empty`() {
    var model = TextInputModel()
    var state = TextInputState(session: 1, text: "", caret: 0, anchor: 0, caretArea: .zero, purpose: .password)
    #expect(model.enter(state) == [.enable, .purpose(.password), .caretArea(.zero), .commit])
    state.isByInputMethod = true
    #expect(model.want(state).isEmpty)
  }

  @Test func `a text is told with all that belongs to it, then what changed`() {
    var model = TextInputModel()
    #expect(model.want(Self.state("a")) == [], "nobody listens yet")
    #expect(model.enter(Self.state("a")) == Self.all(Self.state("a")))
    #expect(model.want(Self.state("a")) == [])
    let ab = Self.state("ab")
    #expect(model.want(ab) == [.surrounding(SurroundingText(ab)), .cause(isInputMethod: false), .commit])
    let moved = Self.state("ab", area: Rect(x: 1, y: 2, width: 3, height: 4))
    #expect(model.want(moved) == [.caretArea(moved.caretArea), .commit])
    let other = Self.state("x", session: 2)
    #expect(model.want(other) == Self.all(other), "another text is enabled anew")
    #expect(model.want(nil) == [.disable, .commit])
    #expect(model.want(nil) == [])
    model.leave()
    #expect(model.want(other) == [])
    #expect(model.enter(nil) == [])
  }

  @Test func `behaviour 39: the state after a late change waits for one that knew the newest state`() {
    var model = TextInputModel()
    _ = model.enter(Self.state(""))
    #expect(model.done(serial: 1) == [])
    let a = Self.state("a", byInputMethod: true)
    #expect(model.want(a) == [.surrounding(SurroundingText(a)), .cause(isInputMethod: true), .commit])
    // Two commits; the input method knew one.
    #expect(model.done(serial: 1) == [])
    let ab = Self.state("ab", byInputMethod: true)
    #expect(model.want(ab) == [])
    #expect(model.done(serial: 2) == [.surrounding(SurroundingText(ab)), .cause(isInputMethod: true), .commit])
    #expect(model.done(serial: 2) == [])
    #expect(model.want(Self.state("abc", byInputMethod: true)) == [])
    // The user's own change is sent at once.
    let own = Self.state("abcd")
    #expect(model.want(own) == [.surrounding(SurroundingText(own)), .cause(isInputMethod: false), .commit])
    #expect(model.done(serial: 4) == [])
  }

  @Test(arguments: [
    (0, 0, 0, 0), (9_000, 9_000, 4000, 4000), (4_500, 4_500, 2000, 2000), (5_000, 4_000, 2_500, 1_500),
    (100, 100, 100, 100), (9_000, 0, 4000, 0),
  ])
  func `a long text is told around its caret`(caret: Int, anchor: Int, part: Int, partAnchor: Int) {
    let text = String(repeating: "abcdefghij", count: 900)
    let state = TextInputState(session: 1, text: text, caret: caret, anchor: anchor, caretArea: .zero)
    let told = SurroundingText(state)
    #expect(told.text.utf8.count == 4000 && told.caret == part && told.anchor == partAnchor)
  }

  @Test func `letters are never cut in two`() {
    let text = String(repeating: "界", count: 3000)
    for caret in stride(from: 0, through: 9000, by: 999) {
      let told = SurroundingText(TextInputState(session: 1, text: text, caret: caret, anchor: caret, caretArea: .zero))
      #expect(told.text.utf8.count <= 4000 && told.text.allSatisfy { $0 == "界" } && told.caret % 3 == 0)
    }
  }
}

/// Input methods and on-screen keyboards, played by the stage.
@MainActor @Suite(.serialized) struct TextInputTests {
  private static let state = TextInputState(
    session: 1, text: "throttle", caret: 8, anchor: 8, caretArea: Rect(x: 10, y: 20, width: 2, height: 18))

  private func beginEditing(_ show: Show) throws -> StageTextInput {
    let input = try #require(show.seat.textInputs.first)
    show.window?.setTextInput(Self.state)
    input.enter()
    return input
  }

  private func texts(_ show: Show) -> [TextEdit] {
    show.content.events.compactMap { if case .text(let edit) = $0 { edit } else { nil } }
  }

  @Test func `a text that gets the keys is told, and one that loses them`() throws {
    try play { show in
      let input = try #require(show.seat.textInputs.first)
      input.enter()
      show.settle()
      #expect(input.state == nil && input.commits == 0, "nothing is edited")
      show.window?.setTextInput(Self.state)
      show.settle()
      #expect(input.state?.text == "throttle" && input.state?.caret == 8 && input.enables == 1)
      #expect(input.state?.caretArea == PixelRect(x: 10, y: 20, width: 2, height: 18))
      var next = Self.state
      (next.text, next.caret, next.anchor) = ("gear", 2, 4)
      show.window?.setTextInput(next)
      show.settle()
      #expect(input.state?.text == "gear" && input.state?.anchor == 4 && input.state?.isByOther == true)
      #expect(input.enables == 1 && input.commits == 2)
      show.window?.setTextInput(nil)
      show.settle()
      #expect(input.state == nil && input.commits == 3)
    }
  }

  @Test func `what is composed and entered comes as one change`() throws {
    try play { show in
      let input = try beginEditing(show)
      show.settle()
      input.preedit("ni", caret: 2..<2)
      show.settle()
      #expect(texts(show) == [], "not done yet")
      input.done()
      input.delete(before: 3, after: 1)
      input.commit("你")
      input.done()
      input.preedit("hao")
      input.done()
      show.settle()
      let seat = try #require(texts(show).first?.seat)
      #expect(
        texts(show) == [
          TextEdit(seat: seat, preedit: "ni", preeditSelection: 2..<2),
          TextEdit(seat: seat, deletedBefore: 3, deletedAfter: 1, inserted: "你"), TextEdit(seat: seat, preedit: "hao"),
        ])
    }
  }

  @Test func `behaviour 40: with the focus goes what was composed`() throws {
    try play { show in
      let input = try beginEditing(show)
      input.preedit("ni")
      input.done()
      show.settle()
      input.leave()
      show.settle()
      #expect(texts(show).map(\.preedit) == ["ni", ""])
      input.enter()
      show.settle()
      #expect(input.state?.text == "throttle" && input.enables == 2, "told anew")
      input.preedit("hao")
      input.done()
      show.settle()
      show.stage.remove(show.seat)
      show.settle()
      #expect(texts(show).map(\.preedit) == ["ni", "", "hao", ""])
      #expect(texts(show).allSatisfy { $0.inserted.isEmpty })
    }
  }

  @Test func `a seat of touches only has input methods too`() throws {
    let stage = Stage(capabilities: .touch)
    try play(stage: stage) { show in
      let input = try beginEditing(show)
      input.commit("g")
      input.done()
      show.settle()
      #expect(texts(show).map(\.inserted) == ["g"])
    }
  }

  @Test func `without input methods nothing is told`() throws {
    var globals = StageGlobals.everything
    globals.textInput = nil
    try play(globals) { show in
      show.window?.setTextInput(Self.state)
      show.settle()
      #expect(show.seat.textInputs.isEmpty)
    }
  }
}
