import Shell
import Stage
import Testing
import UICore

/// Keys: focus, repeat, keymaps, keyboards that come and go.
@MainActor @Suite(.serialized) struct KeyboardTests {
  private typealias Code = StageKeymap.Code

  @Test func `behaviours 2 and 13: leaving cancels held keys and ends the repeat`() throws {
    try play { show in
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.seat.key(Code.s, true)
      show.settle()
      show.seat.keyboardLeave()
      show.settle()
      show.pass(.seconds(3))
      #expect(show.content.keys == ["a down", "s down", "a cancelled", "s cancelled"])
      let focus = show.content.events.compactMap { event -> Bool? in
        if case .keyboardFocus(_, let has) = event { has } else { nil }
      }
      #expect(focus == [true, false])
    }
  }

  @Test func `a window that closes under a held key cancels it, and no repeat follows, though no leave comes`() throws {
    try play { show in
      // Keeps the program running.
      let other = TestContent()
      show.application?.openWindow(
        content: other, options: WindowOptions(title: "2", applicationID: "x", size: Size(width: 30, height: 20)))
      show.settle()
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.settle()
      show.window?.close()
      show.settle()
      show.pass(.seconds(3))
      #expect(show.content.keys == ["a down", "a cancelled"] && other.keys.isEmpty)
    }
  }

  @Test func `behaviour 13: held keys repeat at the compositor's rate, modifiers never`() throws {
    try play { show in
      show.calm()
      show.seat.repeatInfo = (rate: 10, delay: 300)
      show.seat.keyboardEnter()
      show.seat.key(Code.shift, true)
      show.seat.modifiers(1)
      show.settle()
      show.pass(.seconds(2))
      #expect(show.content.keys.count == 1)
      show.seat.key(Code.a, true)
      show.settle()
      show.pass(.milliseconds(299))
      #expect(show.content.keys.count == 2)
      show.pass(.milliseconds(1))
      #expect(show.content.keys.last == "a repeated")
      show.pass(.milliseconds(100))
      #expect(show.content.keys.filter { $0 == "a repeated" }.count == 2)
      let texts = show.content.events.compactMap { event -> String? in
        if case .key(let key) = event, key.phase != .up { key.text } else { nil }
      }
      #expect(texts.suffix(2) == ["A", "A"])
    }
  }

  @Test(arguments: [1_000, 1_000_000, 1_000_000_001, Int(Int32.max)])
  func `behaviour 13: no rate repeats a key more than two hundred times a second`(rate: Int) throws {
    try play { show in
      show.seat.repeatInfo = (rate: rate, delay: 1)
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.settle()
      for _ in 0..<1000 {
        show.stage.clock.advance(by: .milliseconds(1))
        show.turn()
      }
      #expect((190...201).contains(show.content.keys.count - 1), "\(show.content.keys.count - 1)")
    }
  }

  @Test func `behaviour 13: a key that went up while content was still busy with its press does not repeat`() throws {
    try play { show in
      show.calm()
      show.seat.repeatInfo = (rate: 10, delay: 300)
      show.seat.keyboardEnter()
      show.settle()
      show.content.onInput = { [stage = show.stage, seat = show.seat] event in
        guard case .key(let key) = event, key.phase == .down else { return }
        stage.clock.advance(by: .milliseconds(400))
        seat.key(StageKeymap.Code.a, false)
        stage.flush()
      }
      show.seat.key(StageKeymap.Code.a, true)
      show.settle()
      show.pass(.milliseconds(500))
      #expect(show.content.keys == ["a down", "a up"])
    }
  }

  @Test func `behaviour 13: a rate of none means no repeat`() throws {
    try play { show in
      show.calm()
      show.seat.repeatInfo = (rate: 0, delay: 0)
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.settle()
      show.pass(.seconds(2))
      #expect(show.content.keys == ["a down"])
    }
  }

  @Test func `behaviour 14: another key's release does not stop the repeat, its own does`() throws {
    try play { show in
      show.seat.repeatInfo = (rate: 10, delay: 100)
      show.seat.keyboardEnter()
      show.seat.key(Code.s, true)
      show.seat.key(Code.a, true)
      show.settle()
      show.seat.key(Code.s, false)
      show.settle()
      show.pass(.milliseconds(100))
      #expect(show.content.keys.last == "a repeated")
      show.seat.key(Code.a, false)
      show.settle()
      let count = show.content.keys.count
      show.pass(.seconds(1))
      #expect(show.content.keys.count == count && show.content.keys.last == "a up")
    }
  }

  @Test(arguments: 0..<9)
  func `behaviour 15: keymaps of every kind are borne, and unusable ones type nothing`(kind: Int) throws {
    try play { show in
      var keymap = StageKeymap.simple
      var works = true
      switch kind {
      case 0: keymap.endsInNUL = false
      case 1: keymap.isSealed = false
      case 2: (keymap, works) = (.nonsense, false)
      case 3: (keymap.claimedSize, works) = (1 << 30, false)
      case 4: (keymap.claimedSize, works) = (0, false)
      case 5: (keymap.claimedSize, works) = (UInt32(keymap.text.utf8.count) + 3 * 4096, false)
      case 6: (keymap.format, works) = (.noKeymap, false)
      // The compiler of libxkbcommon 1.5 writes to address 0 here.
      case 7:
        (keymap.text, works) = (keymap.text.replacing("{ [", with: "{ // a comment\n , [", maxReplacements: 1), false)
        #expect(keymap.text != StageKeymap.simple.text)
      default: keymap.text = keymap.text.replacing("xkb_symbols \"", with: "// {,\nxkb_symbols \"{,")
      }
      show.seat.keymap = keymap
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.seat.key(Code.a, false)
      show.settle()
      #expect(show.content.keys == ["a down", "a up"])
      guard case .key(let key) = try #require(show.content.events.dropLast().last) else { return #expect(Bool(false)) }
      #expect(key.text == (works ? "a" : ""))
      show.seat.keymap = .simple
      show.seat.key(Code.s, true)
      show.settle()
      #expect(show.content.keys.last == "s down")
    }
  }

  @Test func `behaviour 15: a keymap that can't be used is told in one line, which says what keys do now`() async throws
  {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { @MainActor in
      try play { show in
        show.seat.keymap = .nonsense
        show.seat.keyboardEnter()
        show.seat.key(Code.a, true)
        show.settle()
      }
    }
    let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
    let told = lines.filter { $0.contains("input: the keymap of the compositor") }
    #expect(told.count == 1, "\(lines)")
    #expect(told.first?.contains("is unusable: keys count by their places on a US keyboard, and type no text") == true)
  }

  @Test
  func `behaviour 15: a keymap that can't be used comes while a key is held: the repeat stops, the release counts`()
    throws
  {
    try play { show in
      show.calm()
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.settle()
      show.pass(.milliseconds(700))
      #expect(show.content.keys.last == "a repeated")
      show.seat.keymap = .nonsense
      show.settle()
      let count = show.content.keys.count
      show.pass(.seconds(2))
      #expect(show.content.keys.count == count)
      show.seat.key(Code.a, false)
      show.seat.key(Code.s, true)
      show.settle()
      #expect(show.content.keys.dropFirst(count) == ["a up", "s down"])
      show.seat.keymap = .simple
      show.seat.key(Code.a, true)
      show.settle()
      #expect(show.content.keys.last == "a down")
    }
  }

  @Test func `behaviour 9: a keyboard that comes back is asked for anew, and the old one is released`() throws {
    try play { show in
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.settle()
      show.seat.capabilities = .touch
      show.settle()
      #expect(show.content.keys.last == "a cancelled")
      #expect(show.seat.inertCount == 0 && show.seat.keyboardCount == 0)
      show.seat.capabilities = [.touch, .keyboard]
      show.settle()
      #expect(show.seat.keyboardCount == 1)
      show.seat.keyboardEnter()
      show.seat.key(Code.s, true)
      show.settle()
      #expect(show.content.keys.last == "s down")
    }
  }

  @Test(arguments: [true, false])
  func `behaviour 10: unplugging the only seat amid everything is nothing special`(notifiesDevices: Bool) throws {
    try play { show in
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.seat.pointerEnter(3, 3)
      show.seat.pointerButton(true)
      show.settle()
      let objects = try #require(show.application?.liveObjectCount)
      // Some compositors take the global away without saying before that its devices go.
      show.stage.remove(show.seat, notifiesDevices: notifiesDevices)
      show.settle()
      #expect(show.content.keys.last == "a cancelled")
      #expect(show.content.touches.contains("0 cancelled") && show.content.touches.contains("pointer cancelled"))
      // The seat, its three devices with their times, the pointer's cursor, the tablets, the clipboard, the primary selection, the
      // input methods.
      #expect(show.application?.liveObjectCount == objects - 12)
      show.stage.addSeat(capabilities: [.keyboard, .touch])
      show.settle()
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches.last == "0 began 1.0,1.0")
    }
  }

  @Test func `a modifier that was held when the focus left is not held when it comes back`() throws {
    try play { show in
      show.seat.keyboardEnter()
      show.seat.key(Code.shift, true)
      show.seat.modifiers(1)
      show.settle()
      show.seat.keyboardLeave()
      show.settle()
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.settle()
      guard case .key(let key) = try #require(show.content.events.last) else { return #expect(Bool(false)) }
      #expect(key.modifiers.isEmpty && key.text == "a")
    }
  }

  @Test func `what an enter says is down is down: a compositor that lost a release has said so`() throws {
    try play { show in
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.seat.key(Code.s, true)
      show.settle()
      show.seat.keyboardEnter([Code.a, Code.s])
      show.settle()
      #expect(show.content.keys == ["a down", "s down"])
      show.seat.keyboardEnter([Code.s])
      show.settle()
      #expect(show.content.keys == ["a down", "s down", "a cancelled", "s cancelled"])
      show.seat.pointerEnter(1, 1)
      show.seat.pointerButton(true)
      show.settle()
      show.seat.pointerEnter(5, 5)
      show.settle()
      #expect(show.content.touches == ["pointer began 1.0,1.0", "pointer cancelled"])
    }
  }

  @Test func `a key that was down before the focus came does nothing`() throws {
    try play { show in
      show.seat.keyboardEnter([Code.a])
      show.settle()
      show.seat.key(Code.a, false)
      show.settle()
      show.pass(.seconds(1))
      #expect(show.content.keys.isEmpty)
    }
  }

  @Test func `behaviour 2: hiding the window cancels its keys, and their release is not heard of`() throws {
    try play { show in
      show.seat.keyboardEnter()
      show.seat.key(Code.a, true)
      show.settle()
      show.toplevel.suspend()
      show.settle()
      #expect(show.content.keys.last == "a cancelled")
      show.seat.key(Code.a, false)
      show.settle()
      show.pass(.seconds(1))
      #expect(show.content.keys.last == "a cancelled")
    }
  }

  @Test func `behaviour 12: each seat has its own focus and its own keys`() throws {
    try play { show in
      let other = show.stage.addSeat(capabilities: .keyboard)
      show.settle()
      show.seat.keyboardEnter()
      other.keyboardEnter()
      show.seat.key(Code.a, true)
      other.key(Code.a, true)
      show.settle()
      show.seat.keyboardLeave()
      show.settle()
      #expect(show.content.keys == ["a down", "a down", "a cancelled"])
      other.key(Code.a, false)
      show.settle()
      #expect(show.content.keys.last == "a up")
    }
  }
}
