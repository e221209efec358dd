import ControlHarness
import Testing

@testable import Controls

/// Tests of what fingers on the keys type, and of the files that say which keys there are.
@MainActor @Suite struct KeyboardModelTests {
  private static let file = """
    {"language": "xx", "pages": {
      "letters": ["q w e", "shift a backspace", "symbols space return hide"],
      "symbols": ["1 2 3", "letters backspace"], "password": ["7 8 q", "shift symbols"]},
      "alternatives": {"a": "ä à"}}
    """

  private typealias Place = KeyboardModel.Place
  private typealias Output = KeyboardModel.Output

  /// A model that expectations may change.
  @dynamicMemberLookup @MainActor private final class Board {
    private var model: KeyboardModel

    init() throws {
      model = KeyboardModel(try KeyboardLayout(text: KeyboardModelTests.file, name: "test"))
      model.begin(.normal)
    }

    subscript<Value>(dynamicMember path: KeyPath<KeyboardModel, Value>) -> Value { model[keyPath: path] }

    func begin(_ purpose: TextInputState.Purpose) { model.begin(purpose) }
    func press(_ finger: TouchID, on place: Place, at time: MonotonicTime = .zero) -> [Output] {
      model.press(finger, on: place, at: time)
    }
    func slide(_ finger: TouchID, to place: Place?, alternative: Int? = nil) {
      model.slide(finger, to: place, alternative: alternative)
    }
    func rest(_ finger: TouchID) -> Bool { model.rest(finger) }
    func lift(_ finger: TouchID) -> [Output] { model.lift(finger) }
    func cancel(_ finger: TouchID) { model.cancel(finger) }
    func tap(_ place: Place, at milliseconds: Int64 = 0) -> [Output] {
      let finger = ControlHarness.touchID(0)
      return press(finger, on: place, at: MonotonicTime(nanoseconds: milliseconds * 1_000_000)) + lift(finger)
    }
  }

  private let q = Place(row: 0, key: 0)
  private let w = Place(row: 0, key: 1)
  private let shift = Place(row: 1, key: 0)
  private let a = Place(row: 1, key: 1)
  private let backspace = Place(row: 1, key: 2)
  private let first = ControlHarness.touchID(0)
  private let second = ControlHarness.touchID(1)

  @Test func `thumbs that overlap type in the order in which they pressed`() throws {
    let board = try Board()
    #expect(board.press(first, on: q).isEmpty)
    #expect(board.press(second, on: w) == [.text("q")])
    #expect(board.lift(first).isEmpty && board.lift(second) == [.text("w")])
  }

  @Test func `a finger that slides types the key on which it is lifted, and nothing beside the letters`() throws {
    let board = try Board()
    _ = board.press(first, on: q)
    board.slide(first, to: w)
    #expect(board.pressed == [w] && board.lift(first) == [.text("w")])
    for place in [backspace, nil] {
      _ = board.press(first, on: q)
      board.slide(first, to: place)
      #expect(board.pressed.isEmpty && board.lift(first).isEmpty)
    }
    _ = board.press(first, on: q)
    board.cancel(first)
    #expect(board.pressed.isEmpty)
  }

  @Test func `Shift is for one letter, and two quick taps lock it`() throws {
    let board = try Board()
    _ = board.tap(shift)
    #expect(board.shift == .once && board.tap(q) == [.text("Q")] && board.shift == .off)
    _ = board.tap(shift, at: 1000)
    _ = board.tap(shift, at: 1250)
    #expect(board.shift == .locked && board.tap(q) == [.text("Q")] && board.tap(w) == [.text("W")])
    _ = board.tap(shift, at: 2000)
    #expect(board.shift == .off)
    _ = board.tap(shift, at: 3000)
    _ = board.tap(shift, at: 3400)
    #expect(board.shift == .off, "two slow taps")
  }

  @Test func `a thumb that holds Shift makes upper case of all that the other types meanwhile`() throws {
    let board = try Board()
    _ = board.press(first, on: shift)
    for place in [q, w] {
      _ = board.press(second, on: place)
      #expect(board.lift(second) == [.text(place == q ? "Q" : "W")])
    }
    _ = board.lift(first)
    #expect(board.shift == .off)
  }

  @Test func `a rest on a key offers its other letters, in upper case too, and not for a password`() throws {
    let board = try Board()
    _ = board.press(first, on: a)
    #expect(board.rest(first) && board.offered?.characters == ["ä", "à"])
    board.slide(first, to: q, alternative: 1)
    #expect(board.lift(first) == [.text("à")])
    _ = board.tap(shift, at: 0)
    _ = board.press(first, on: a)
    #expect(board.rest(first) && board.lift(first) == [.text("Ä")])
    _ = board.press(first, on: a)
    #expect(board.rest(first))
    board.slide(first, to: nil)
    #expect(board.lift(first).isEmpty, "the finger left what is offered")
    _ = board.press(first, on: q)
    #expect(!board.rest(first), "q has no others")
    _ = board.lift(first)
    board.begin(.password)
    _ = board.press(first, on: q)
    #expect(!board.rest(first))
  }

  @Test func `pages follow the text, and the key for letters leads back to its page`() throws {
    let board = try Board()
    board.begin(.password)
    #expect(board.rows.first?.first?.action == .type("7"))
    _ = board.tap(Place(row: 1, key: 1))
    #expect(board.page == .symbols)
    _ = board.tap(Place(row: 1, key: 0))
    #expect(board.page == .password)
    board.begin(.number)
    #expect(board.page == .letters, "the file has no page of its own for numbers")
  }

  @Test(arguments: [
    ("[]", "test:1:1: needs an object, not a list"),
    (#"{"language": "de"}"#, "test:1:1: needs an object, not null"),
    (#"{"language": "", "pages": {}}"#, "test:1:14: \"language\" needs a tag such as \"de\""),
    (#"{"language": "de", "keys": 1, "pages": {}}"#, "there is no \"keys\" in a keyboard's layout"),
    (#"{"language": "de", "pages": {"leters": []}}"#, "there is no page \"leters\""),
    (#"{"language": "de", "pages": {"symbols": ["a"]}}"#, "needs the page \"letters\""),
    (#"{"language": "de", "pages": {"letters": []}}"#, "a page needs a list of 1 to 6 rows"),
    (#"{"language": "de", "pages": {"letters": [""]}}"#, "a row needs 1 to 14 keys"),
    (#"{"language": "de", "pages": {"letters": [1]}}"#, "a row needs a text of keys"),
    (#"{"language": "de", "pages": {"letters": ["a shfit"]}}"#, "test:1:42: there is no key \"shfit\""),
    (#"{"language": "de", "pages": {"letters": ["space:99"]}}"#, "the width of \"space:99\""),
    (#"{"language": "de", "pages": {"letters": ["a symbols"]}}"#, "leads to the page \"symbols\", which is missing"),
    (#"{"language": "de", "pages": {"letters": ["a"]}, "alternatives": {"a": "ab"}}"#, "\"a\" needs one character"),
    ("{\"language\": \"de\",\n \"pages\" 1}", "test:2:"),
  ])
  func `a file that is no layout gets one error with its place`(text: String, reason: String) {
    let error = #expect(throws: KeyboardLayoutError.self) { try KeyboardLayout(text: text, name: "test") }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(arguments: KeyboardLanguage.allCases)
  func `each page of a language removes, ends and hides, and leads back to the letters`(language: KeyboardLanguage) {
    let layout = KeyboardLayout.of(language)
    #expect(Set(layout.pages.keys) == Set(KeyboardLayout.Page.allCases))
    for (page, rows) in layout.pages {
      let actions = Set(rows.joined().map(\.action))
      #expect(actions.isSuperset(of: [.backspace, .enter, .hide]), "\(page)")
      let isOther = page == .symbols || page == .more
      if page != .number { #expect(actions.contains(isOther ? .page(.letters) : .page(.symbols)), "\(page)") }
    }
    let letters = Set((layout.pages[.letters] ?? []).joined().map(\.action))
    let all = "abcdefghijklmnopqrstuvwxyz" + (language == .german ? "äöüß" : "")
    for letter in all { #expect(letters.contains(.type(letter)), "\(letter)") }
  }

  @Test func `no finger falls between the keys of a row`() {
    let rows = KeyboardLayout.of(.english).rows(.letters)
    let geometry = KeyboardGeometry(rows, in: Size(width: 300, height: 200))
    for y in stride(from: 4.0, to: 196, by: 7) {
      for x in stride(from: 0.0, to: 300, by: 5) { #expect(geometry.key(at: Point(x: x, y: y)) != nil) }
    }
    #expect(geometry.key(at: Point(x: 150, y: -20)) == nil)
    #expect(geometry.key(at: Point(x: 2, y: 70)) == KeyboardModel.Place(row: 1, key: 0), "beside a shorter row")
  }
}
