import Glibc
import Shell
import Stage
import Testing
import UICore

/// Copying: what others can paste, by whose press, and what becomes of it.
@MainActor @Suite(.serialized) struct ClipboardTests {
  /// All of `copy` as `type` that can be read while the client has its turns.
  private func read(_ copy: StageCopy, _ type: String, _ show: Show) -> String? {
    guard let file = copy.paste(as: type) else { return nil }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 10_000)
    for _ in 0..<200 {
      show.settle()
      let count = Glibc.read(file.number, &part, part.count)
      if count == 0 { break }
      if count > 0 { bytes += part[..<count] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `behaviour 26: a text is copied with the serial of the last press, and pasted as often as anybody likes`()
    throws
  {
    try play { show in
      #expect(show.window?.setClipboard("early") == false, "nobody pressed anything yet")
      let serial = show.seat.touchDown(1, 10, 10)
      show.seat.touchFrame()
      show.seat.touchMotion(1, 12, 10)
      show.seat.touchUp(1)
      show.seat.touchFrame()
      show.settle()
      #expect(show.window?.setClipboard("Grüße, 世界") == true)
      show.settle()
      let copy = try #require(show.stage.clipboard)
      #expect(copy.serial == serial && copy.types.first == "text/plain;charset=utf-8")
      for type in copy.types { #expect(read(copy, type, show) == "Grüße, 世界") }
      show.quit()
      #expect(!copy.isAlive)
    }
  }

  @Test func `a newer text takes the place of the older; one copied elsewhere ends it`() throws {
    try play { show in
      show.seat.keyboardEnter()
      show.seat.key(StageKeymap.Code.a, true)
      show.seat.key(StageKeymap.Code.a, false)
      show.settle()
      #expect(show.window?.setClipboard("one") == true)
      show.settle()
      let first = try #require(show.stage.clipboard)
      #expect(show.window?.setClipboard("two") == true)
      show.settle()
      let second = try #require(show.stage.clipboard)
      #expect(first !== second && !first.isAlive)
      #expect(read(second, "text/plain", show) == "two")
      show.stage.copyElsewhere()
      show.settle()
      #expect(!second.isAlive)
    }
  }

  @Test func `one who reads slowly gets all, one who goes away before ends nothing`() throws {
    try play { show in
      show.seat.touchDown(1, 10, 10)
      show.seat.touchFrame()
      show.settle()
      let text = String(repeating: "0123456789", count: 50_000)
      #expect(show.window?.setClipboard(text) == true)
      show.settle()
      let copy = try #require(show.stage.clipboard)
      do {
        let gone = copy.paste(as: "text/plain")
        show.settle()
        if gone == nil { Issue.record("nothing to read from") }
      }
      show.settle()
      #expect(read(copy, "text/plain", show) == text)
      let late = copy.paste(as: "text/plain")
      show.settle()
      show.quit()
      if late == nil { Issue.record("nothing to read from") }
    }
  }

  @Test func `without a clipboard nothing is copied`() throws {
    var globals = StageGlobals.everything
    globals.dataDevices = nil
    try play(globals) { show in
      show.seat.touchDown(1, 10, 10)
      show.seat.touchFrame()
      show.settle()
      #expect(show.window?.setClipboard("text") == false)
    }
  }
}
