import ControlHarness
import Testing

@testable import Controls

/// Tests of a text of a megabyte beside a short one: a frame costs what is in sight.
@MainActor @Suite(.serialized) struct LongTextViewTests {
  private static let line = "A line of words like those that people write, and a little more.\n"
  private static let lines = String(repeating: line, count: 1_000_000 / line.utf8.count)
  /// One line of a megabyte, without and with blanks.
  private static let word = String(repeating: "x", count: 1_000_000)
  private static let oneLine = lines.replacing("\n", with: " ")

  private func milliseconds(_ body: () -> Void) -> Double { ProcessorTime.milliseconds(body) }

  /// The least of several: what the work itself takes.
  private func least(_ count: Int = 5, _ body: () -> Void) -> Double {
    (0..<count).map { _ in milliseconds(body) }.min() ?? 0
  }

  nonisolated static let kinds = ["lines", "one line", "one word"]

  private func text(_ kind: String) -> String {
    kind == "lines" ? Self.lines : kind == "one line" ? Self.oneLine : Self.word
  }

  @Test(arguments: kinds)
  func `a key in a megabyte lays out the paragraphs that it changes, and no other`(kind: String) {
    let probe = TextViewProbe()
    probe.harness.checksDamage = false
    probe.view.text = text(kind)
    probe.harness.frame()
    #expect(probe.view.layouts.madeCount < 20, "what is in sight, and the letter by which all are guessed")
    probe.edit()
    func layouts(_ change: () -> Void) -> Int {
      let before = probe.view.layouts.madeCount
      change()
      probe.harness.frameIfNeeded()
      return probe.view.layouts.madeCount - before
    }
    for place in [0, 500_000, probe.view.model.count] {
      let jump = layouts { probe.view.edit { $0.move(to: place) } }
      #expect(jump < 30, "what came in sight at \(place)")
      // The first letter in a full piece of a long line parts it.
      let first = layouts { probe.harness.type("x") }
      #expect(first <= 3, "\(place)")
      for _ in 0..<3 {
        let letter = layouts { probe.harness.type("y") }
        #expect(letter == 1, "\(place)")
      }
      let (enter, join) = (layouts { probe.harness.press(.enter) }, layouts { probe.harness.press(.backspace) })
      #expect(enter <= 3 && join <= 3, "\(place)")
      let undo = layouts { probe.harness.press(.character("z"), .control) }
      #expect(undo <= 3, "\(place)")
    }
  }

  @Test(arguments: kinds) func `figures of a megabyte`(kind: String) {
    let probe = TextViewProbe()
    probe.harness.checksDamage = false
    probe.view.text = text(kind)
    var figures = ["first frame \(milliseconds { probe.harness.frame() })"]
    probe.edit()
    for place in [0, 500_000, probe.view.model.count] {
      let jump = milliseconds {
        probe.view.edit { $0.move(to: place) }
        probe.harness.frameIfNeeded()
      }
      figures.append("jump to \(place) \(jump)")
      for (name, press) in [
        ("letter", { probe.harness.type("x") }), ("Enter", { probe.harness.press(.enter) }),
        ("Backspace", { probe.harness.press(.backspace) }), ("Up", { probe.harness.press(.up) }),
      ] as [(String, () -> Void)] {
        let time = least {
          press()
          probe.harness.frameIfNeeded()
        }
        figures.append("\(name) there \(time)")
      }
    }
    let scroll = least(9) {
      probe.scroll.contentOffset.y -= 3
      probe.harness.frameIfNeeded()
    }
    let page = least(9) {
      probe.scroll.contentOffset.y -= 1000
      probe.harness.frameIfNeeded()
    }
    let commit = milliseconds { probe.harness.press(.tab) }
    figures += ["frame of scrolling \(scroll)", "a frame with all new lines \(page)", "commit \(commit)"]
    print("\(kind), milliseconds: \(figures.joined(separator: ", "))")
    #expect(probe.view.text.utf8.count > 1_000_000 - 100)
  }

  @Test func `a million empty lines are a text like any other`() {
    let probe = TextViewProbe(String(repeating: "\n", count: 1_000_000))
    probe.harness.checksDamage = false
    probe.edit()
    probe.harness.press(.end, .control)
    probe.harness.frameIfNeeded()
    #expect(probe.caret == 1_000_000 && probe.view.caretArea.maxY <= 120)
    let time = least {
      probe.harness.type("x")
      probe.harness.frameIfNeeded()
    }
    print("a million empty lines, milliseconds: a letter at the end \(time)")
    #expect(probe.view.draft.hasSuffix("\n\nxxxxx"))
  }

  @Test func `views are those in sight, and what is in sight stays where it is as heights become known`() {
    let probe = TextViewProbe(Self.lines)
    probe.harness.checksDamage = false
    #expect(probe.view.scrollView.contentView.subviews.first.map { $0.subviews.count < 20 } == true)
    probe.scroll.contentOffset = Point(x: 0, y: 300_000)
    probe.harness.frame()
    func top(of text: String) -> Double? {
      probe.view.scrollView.contentView.subviews.first?.subviews.compactMap { $0 as? TextBlock }
        .first { !$0.isHidden && $0.place.index == Int(text) }?.windowFrame.minY
    }
    for _ in 0..<60 {
      let block = probe.view.scrollView.contentView.subviews.first?.subviews.compactMap { $0 as? TextBlock }
        .filter { !$0.isHidden }.min { $0.place.index < $1.place.index }
      let (number, place) = (block?.place.index ?? -1, block?.windowFrame.minY ?? 0)
      probe.harness.root.handle(.scroll(ControlHarness.seat, at: Point(x: 100, y: 60), dx: 0, dy: -30))
      probe.harness.frameIfNeeded()
      if let now = top(of: "\(number)") { #expect(abs(now - place - 30) < 0.6, "block \(number)") }
    }
  }

  @Test func `what is put in all at once costs no more than its cleaning`() {
    let probe = TextViewProbe()
    probe.harness.checksDamage = false
    probe.edit()
    let windows = Self.lines.replacing("\n", with: "\r\n")
    let edit = TextEdit(seat: ControlHarness.seat, inserted: windows)
    let paste = milliseconds {
      probe.harness.compose(edit)
      probe.harness.frameIfNeeded()
    }
    #expect(probe.view.draft == Self.lines)
    let undo = milliseconds { probe.harness.press(.character("z"), .control) }
    print("a megabyte with CR LF, milliseconds: pasted \(paste), undone \(undo)")
    #expect(probe.view.draft.isEmpty && paste < 400)
  }
}
