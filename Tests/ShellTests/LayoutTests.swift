import Glibc
import Shell
import Stage
import Testing
import UICore

/// Tests of the meanings of keys: layouts, dead keys, composed characters, a keymap for each seat.
@MainActor @Suite(.serialized) struct LayoutTests {
  private typealias Code = StageKeymap.Code

  /// The texts of the keys that were pressed.
  private func texts(_ show: Show) -> [String] {
    show.content.events.compactMap { event in
      if case .key(let key) = event, key.phase == .down { key.text } else { nil }
    }
  }

  private func tap(_ codes: UInt32..., on seat: StageSeat) {
    for code in codes {
      seat.key(code, true)
      seat.key(code, false)
    }
  }

  /// Plays with a keyboard of two layouts and a table of composed characters of the test's own.
  private func playComposing(_ script: (Show) throws -> Void) throws {
    let path = "/tmp/cockpit-compose-\(getpid())"
    let table = """
      <dead_acute> <e> : "é" eacute
      <dead_acute> <Cyrillic_u> : "у́"
      <Multi_key> <a> <e> : "æ" ae
      <Multi_key> <s> <s> : "ß" ssharp

      """
    let file = try #require(fopen(path, "w"))
    fputs(table, file)
    fclose(file)
    setenv("XCOMPOSEFILE", path, 1)
    defer {
      unsetenv("XCOMPOSEFILE")
      unlink(path)
    }
    try play { show in
      show.seat.keymap = .bilingual
      show.seat.keyboardEnter()
      show.settle()
      try script(show)
    }
  }

  @Test func `a dead key and the Compose key make one character of several keys`() throws {
    try playComposing { show in
      tap(Code.deadAcute, Code.e, Code.a, on: show.seat)
      tap(Code.compose, Code.s, Code.s, Code.s, on: show.seat)
      show.settle()
      #expect(texts(show) == ["", "é", "a", "", "", "ß", "s"])
      #expect(show.content.keys.count == 14, "every key still goes down and up")
    }
  }

  @Test func `keys that make no character type nothing, and the next one is itself again`() throws {
    try playComposing { show in
      tap(Code.deadAcute, Code.s, Code.e, on: show.seat)
      show.settle()
      #expect(texts(show) == ["", "", "e"])
    }
  }

  @Test func `what was begun is forgotten with the focus`() throws {
    try playComposing { show in
      tap(Code.deadAcute, on: show.seat)
      show.seat.keyboardLeave()
      show.seat.keyboardEnter()
      tap(Code.e, on: show.seat)
      show.settle()
      #expect(texts(show) == ["", "e"])
    }
  }

  @Test func `modifiers and repeats do not disturb a character that was begun`() throws {
    try playComposing { show in
      show.seat.repeatInfo = (rate: 50, delay: 100)
      show.seat.key(Code.deadAcute, true)
      show.settle()
      show.pass(.milliseconds(300))
      show.seat.key(Code.deadAcute, false)
      show.seat.key(Code.shift, true)
      show.seat.modifiers(1)
      show.seat.key(Code.shift, false)
      show.seat.modifiers(0)
      tap(Code.e, on: show.seat)
      show.settle()
      #expect(texts(show) == ["", "", "é"])
    }
  }

  @Test func `each layout types its own characters, and keys keep their Latin names`() throws {
    try playComposing { show in
      show.seat.modifiers(0, group: 1)
      tap(Code.a, on: show.seat)
      show.seat.modifiers(1, group: 1)
      tap(Code.s, on: show.seat)
      show.seat.modifiers(0, group: 1)
      tap(Code.deadAcute, Code.e, on: show.seat)
      show.seat.modifiers(0, group: 0)
      tap(Code.a, on: show.seat)
      show.settle()
      #expect(texts(show) == ["ф", "Ы", "", "у́", "a"])
      #expect(
        show.content.keys.filter { $0.hasSuffix("down") } == ["a down", "s down", "65105 down", "e down", "a down"])
    }
  }

  @Test func `behaviour 12: two seats' keyboards have two keymaps, layouts and characters that were begun`() throws {
    try playComposing { show in
      let other = show.stage.addSeat(capabilities: .keyboard)
      show.settle()
      other.keyboardEnter()
      show.seat.modifiers(0, group: 1)
      tap(Code.deadAcute, on: show.seat)
      tap(Code.e, on: other)
      tap(Code.e, on: show.seat)
      show.settle()
      #expect(texts(show) == ["", "e", "у́"])
    }
  }

  @Test func `a compositor that repeats keys itself is heard, and nothing else repeats`() throws {
    try play { show in
      show.calm()
      show.seat.repeatInfo = (rate: 0, delay: 0)
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.seat.repeatKey(Code.a)
      show.seat.repeatKey(Code.s)
      show.settle()
      show.pass(.seconds(2))
      show.seat.key(Code.a, false)
      show.settle()
      #expect(show.content.keys == ["a down", "a repeated", "a up"])
    }
  }
}
