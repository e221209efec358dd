import ControlHarness
import Controls
import Testing
import UICore

/// Tests of long texts in fields: what is pasted, typed, composed, loaded or set by assistive technology never holds the program up.
@MainActor @Suite(.serialized) struct LongTextTests {
  private let harness = ControlHarness(size: Size(width: 300, height: 160))
  private let field = TextField(frame: Rect(x: 20, y: 20, width: 200, height: 36))
  private let button = Button(frame: Rect(x: 20, y: 80, width: 100, height: 44))

  /// 1 MiB of each kind that is slow in its own way: letters, what is removed, blanks made of line ends, one endless character,
  /// flags and emoji.
  nonisolated static let kinds = [
    "x", "\u{1}", "\r\n", "e\u{301}", "\u{301}", "🇩🇪", "👩‍👩‍👧‍👦", "ก\u{e33}", "אב", "\u{200d}",
  ]

  nonisolated private static func text(of kind: String, bytes: Int = 1 << 20) -> String {
    String(repeating: kind, count: bytes / kind.utf8.count)
  }

  init() {
    harness.root.addSubview(field)
    harness.root.addSubview(button)
    // The checks of the harness draw each frame three times.
    harness.checksDamage = false
    harness.frame()
  }

  /// The limit in milliseconds. A build without optimisation takes about four times as long.
  #if DEBUG
    private static let limit = 200.0
  #else
    private static let limit = 50.0
  #endif

  private func milliseconds(_ body: () -> Void) -> Double { ProcessorTime.milliseconds(body) }

  @Test(arguments: kinds) func `after 1 MiB was pasted, a click is answered within 50 ms`(kind: String) {
    let text = Self.text(of: kind)
    var clicks = 0
    button.addAction(for: .touchUpInside) { _ in clicks += 1 }
    harness.tap(field)
    let edit = TextEdit(seat: ControlHarness.seat, source: .clipboard, inserted: text)
    // The first text of a script loads its fonts.
    harness.compose(TextEdit(seat: ControlHarness.seat, source: .inputMethod, inserted: String(text.prefix(1))))
    harness.press(.backspace)
    harness.press(.character("v"), .control)
    let time = milliseconds {
      harness.compose(edit)
      harness.tap(button)
    }
    #expect(clicks == 1 && time < Self.limit, "\(time) ms")
    #expect(field.text.count <= 1000)
  }

  @Test(arguments: kinds) func `a long text costs no more than its beginning, whatever brings it`(kind: String) {
    let text = Self.text(of: kind)
    let (short, long) = (String(text.prefix(10)), text)
    for (what, change) in [
      ("text", { $0.text = $1 }), ("assistance", { try? $0.setAccessibilityText($1) }),
    ] as [(String, (TextField, String) -> Void)] {
      change(field, short)
      let time = milliseconds { change(field, long) }
      #expect(time < Self.limit, "\(what): \(time) ms")
    }
    var model = TextEditModel("abc")
    let composed = TextEdit(
      seat: ControlHarness.seat, source: .inputMethod, preedit: text, preeditSelection: 5..<text.utf8.count)
    let time = milliseconds { model.apply(composed) }
    #expect(time < Self.limit, "composition: \(time) ms")
  }

  @Test func `a pasted text is cut to 1,000 letters, with the flags and accents of its end whole`() {
    var model = TextEditModel("", maximumLength: 1000)
    model.insert(String(repeating: "x", count: 5000))
    #expect(model.count == 1000)
    model.replaceAll(with: "")
    model.insert(String(repeating: "👩‍👩‍👧‍👦", count: 5000))
    #expect(model.count == 1000 && Set(model.text) == ["👩‍👩‍👧‍👦"])
    model.replaceAll(with: "")
    model.insert("a" + String(repeating: "\u{301}", count: 100_000))
    #expect(model.count == 1 && model.text.unicodeScalars.count <= TextEditModel.longest)
  }

  @Test func `what follows the longest text that can be drawn is cut off, so that its end is shown`() {
    field.text = String(repeating: "x", count: 400_000)
    #expect(field.text.count == TextEditModel.longest)
    harness.tap(field)
    harness.press(.end)
    let ink = harness.shown
    harness.press(.home)
    field.text = ""
    harness.frame()
    #expect(harness.shown != ink)
  }

  @Test(arguments: [
    ("a\r\nb", "a b"), ("a\rb\nc", "a b c"), ("\n\r", "  "), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"), ("a\tb", "a b"),
    ("a\u{0}b\u{7f}", "ab"), ("e\u{301}\u{1}x", "e\u{301}x"), ("", ""), ("\r\r\n\n", "   "),
  ]) func `a text on one line`(text: String, line: String) { #expect(TextEditModel.line(text) == line) }
}
