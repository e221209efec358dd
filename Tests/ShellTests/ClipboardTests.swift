import Glibc
import Stage
import Testing
import UICore

@testable import Shell

/// Copying: what others can paste, by whose press, and what becomes of it.
@MainActor @Suite(.serialized) struct ClipboardTests {
  /// All of `copy` as `type` that can be read while the client has its turns.
  private func read(_ copy: StageCopy, _ type: String, _ show: Show) -> String? {
    guard let paste = copy.paste(as: type) else { return nil }
    var bytes: [UInt8] = []
    for _ in 0..<200 where !paste.isComplete {
      show.settle()
      bytes += paste.read(atMost: 10_000)
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
      #expect(copy.serial == serial && copy.types == TextType.offered)
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

  /// Copies 500,000 characters.
  private func copyMuch(_ show: Show) throws -> (copy: StageCopy, text: String) {
    show.seat.touchDown(1, 10, 10)
    show.seat.touchFrame()
    show.settle()
    let text = String(repeating: "0123456789", count: 50_000)
    #expect(show.window?.setClipboard(text) == true)
    show.settle()
    return (try #require(show.stage.clipboard), text)
  }

  @Test func `one who reads slowly gets all, one who goes away before ends nothing`() throws {
    try play { show in
      let (copy, text) = try copyMuch(show)
      do {
        let gone = try #require(copy.paste(as: "text/plain"))
        show.settle()
        withExtendedLifetime(gone) {}
      }
      show.settle()
      #expect(read(copy, "text/plain", show) == text)
      let late = try #require(copy.paste(as: "text/plain"))
      show.settle()
      show.quit()
      withExtendedLifetime(late) {}
    }
  }

  @Test func `of many who paste and read nothing the newest are kept, so that no descriptors run out`() throws {
    try play { show in
      let (copy, text) = try copyMuch(show)
      var pastes: [StagePaste] = []
      for _ in 0..<20 {
        if let paste = copy.paste(as: "text/plain") { pastes.append(paste) }
        show.settle()
      }
      // How much of the text each of them can still read.
      var counts = Array(repeating: 0, count: pastes.count)
      for _ in 0..<50 {
        for (index, paste) in pastes.enumerated() { counts[index] += paste.read(atMost: 100_000).count }
        show.settle()
      }
      let whole = counts.map { $0 == text.utf8.count }
      #expect(whole == Array(repeating: false, count: 12) + Array(repeating: true, count: 8))
    }
  }

  @Test func `a drop without an action is taken, and not finished, which the protocol forbids`() throws {
    try play { show in
      show.stage.givesDragActions = false
      var dropped: [[String]] = []
      show.window?.onFilesDropped = { dropped.append($0) }
      let drag = try #require(show.stage.dragElsewhere("file:///tmp/a.json", as: "text/uri-list"))
      show.settle()
      drag.drop()
      for _ in 0..<3 { show.settle() }
      #expect(dropped == [["/tmp/a.json"]] && !drag.isFinished && !drag.isAlive && show.failure == nil)
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

  // MARK: Pasting

  private func pasted(_ show: Show) -> [TextEdit] {
    show.content.events.compactMap { if case .text(let edit) = $0 { edit } else { nil } }
  }

  @Test func `a text that another program copied is pasted`() throws {
    try play { show in
      show.window?.requestPaste(for: SeatID(0))
      show.settle()
      #expect(pasted(show).isEmpty, "nothing to paste")
      show.stage.copyElsewhere("Grüße, 世界", as: "text/plain;charset=utf-8")
      show.seat.pointerEnter(1, 1)
      show.settle()
      let seat = try #require(show.pointerSeat)
      #expect(show.window?.canPaste(for: seat) == true)
      for _ in 0..<2 { show.window?.requestPaste(for: seat); show.settle() }
      #expect(pasted(show).map(\.inserted) == ["Grüße, 世界", "Grüße, 世界"])
      #expect(pasted(show).allSatisfy { $0.source == .clipboard && $0.seat == seat })
      show.stage.copyElsewhere("pixels", as: "image/png")
      show.settle()
      show.window?.requestPaste(for: seat)
      show.settle()
      #expect(pasted(show).count == 2, "no text")
      #expect(show.window?.canPaste(for: seat) == false)
    }
  }

  @Test func `a text of one's own is pasted too`() throws {
    try play { show in
      show.seat.touchDown(1, 10, 10)
      show.seat.touchFrame()
      show.seat.pointerEnter(1, 1)
      show.settle()
      let seat = try #require(show.pointerSeat)
      #expect(show.window?.setClipboard("own") == true)
      show.settle()
      show.window?.requestPaste(for: seat)
      for _ in 0..<3 { show.settle() }
      #expect(pasted(show).map(\.inserted) == ["own"])
    }
  }

  @Test func `on a seat without keys a text of one's own is pasted until somebody else copies`() throws {
    try play { show in
      show.stage.sendsClipboard = false
      show.seat.pointerEnter(1, 1)
      show.seat.touchDown(1, 10, 10)
      show.seat.touchFrame()
      show.settle()
      let seat = try #require(show.pointerSeat)
      #expect(show.window?.canPaste(for: seat) == false)
      #expect(show.window?.setClipboard("own") == true && show.window?.canPaste(for: seat) == true)
      show.settle()
      show.window?.requestPaste(for: seat)
      show.settle()
      #expect(pasted(show).map(\.inserted) == ["own"])
      show.stage.clipboard?.takeAway()
      show.settle()
      #expect(show.window?.canPaste(for: seat) == false)
    }
  }

  /// A paste into the window, with the other program's end of its pipe.
  private func startPaste(_ show: Show) throws -> StagePasteRequest {
    var request: StagePasteRequest?
    show.seat.pointerEnter(1, 1)
    show.stage.copyElsewhere { request = $0 }
    show.settle()
    show.window?.requestPaste(for: try #require(show.pointerSeat))
    show.settle()
    // Only the caller keeps the pipe open.
    defer { request = nil }
    return try #require(request)
  }

  // The last letter of a beginning may be cut, and is left out.
  @Test(arguments: [
    (60_000, 60_000), (1 << 20, 1 << 20), (1 << 20 + 1, (1 << 20) - 1), (10_000_000, (1 << 20) - 1),
  ])
  func `of a text of more than 1 MiB the beginning is pasted`(count: Int, length: Int) throws {
    try play { show in
      var request: StagePasteRequest? = try startPaste(show)
      var rest = count
      while rest > 0, request?.isOpen == true {
        rest -= request?.write([UInt8](repeating: UInt8(ascii: "a"), count: rest)) ?? 0
        show.settle()
      }
      request = nil
      show.settle()
      #expect(pasted(show).map(\.inserted.utf8.count) == [length])
    }
  }

  @Test func `of a program that ends while it writes, what it has written is pasted, without a cut letter`() throws {
    try play { show in
      var request: StagePasteRequest? = try startPaste(show)
      let half = Array("half a wörd, 世".utf8).dropLast()
      #expect(request?.write(Array(half)) == half.count)
      show.settle()
      #expect(pasted(show).isEmpty)
      request = nil
      show.settle()
      #expect(pasted(show).map(\.inserted) == ["half a wörd, "])
    }
  }

  @Test(arguments: ["text/plain;charset=utf-8", "text/plain"], [true, false])
  func `a cut letter of UTF-8 is left out, wherever it is cut, and the text is not taken for Latin-1`(
    name: String, isWhole: Bool
  ) throws {
    let type = try #require(TextType(name))
    for letter in ["ß", "世", "😀"] {
      let (before, bytes) = (Array("Grüße ".utf8), Array(letter.utf8))
      for count in 1..<bytes.count {
        let text = type.text(of: before + bytes.prefix(count), isWhole: isWhole)
        #expect(text == (isWhole ? "Grüße " : "Grüße"), "\(count) bytes of \(letter)")
      }
      #expect(type.text(of: before + bytes) == "Grüße " + letter)
    }
    #expect(type.text(of: [], isWhole: isWhole).isEmpty && type.text(of: [0x80, 0x80]).count == 2)
  }

  @Test func `a last letter of Latin-1 is no cut letter of UTF-8`() throws {
    let type = try #require(TextType("STRING"))
    #expect(type.text(of: Array("caf".utf8) + [0xe9]) == "café")
    #expect(type.text(of: [0xe9, 0x74, 0xe9]) == "été")
  }

  @Test func `a program that writes nothing delays only its own paste, and the next paste closes its pipe`() throws {
    try play { show in
      let silent = try startPaste(show)
      show.seat.keyboardEnter()
      show.seat.key(StageKeymap.Code.a, true)
      show.pass(.seconds(60))
      #expect(show.content.keys.first == "a down" && silent.isOpen && pasted(show).isEmpty)
      show.stage.copyElsewhere("next")
      show.settle()
      show.window?.requestPaste(for: try #require(show.pointerSeat))
      for _ in 0..<3 { show.settle() }
      #expect(pasted(show).map(\.inserted) == ["next"] && !silent.isOpen)
    }
  }

  @Test func `a seat that goes amid a paste and a touch ends both`() throws {
    try play { show in
      let silent = try startPaste(show)
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      show.stage.remove(show.seat)
      show.settle()
      #expect(show.content.touches.last == "0 cancelled" && !silent.isOpen && pasted(show).isEmpty)
    }
  }

  @Test func `a seat that goes ends its clipboard: a paste on its way brings no text, and nothing more can be pasted`()
    throws
  {
    try play { show in
      show.stage.copyElsewhere("late")
      show.seat.pointerEnter(1, 1)
      show.settle()
      let seat = try #require(show.pointerSeat)
      #expect(show.window?.canPaste(for: seat) == true)
      show.window?.requestPaste(for: seat)
      show.stage.remove(show.seat)
      for _ in 0..<3 { show.settle() }
      #expect(pasted(show).isEmpty)
      #expect(show.window?.canPaste(for: seat) == false)
    }
  }

  // MARK: Files that are dropped

  @Test func `files that are dropped are told by their paths, once the window wants any`() throws {
    try play { show in
      let list = "# a comment\r\nfile:///tmp/a%20b.json\r\nhttp://example.org/c\r\n"
      let unwanted = try #require(show.stage.dragElsewhere(list, as: "text/uri-list"))
      show.settle()
      #expect(unwanted.accepted == nil)
      unwanted.leave()
      show.settle()
      #expect(!unwanted.isAlive)
      var dropped: [[String]] = []
      show.window?.onFilesDropped = { dropped.append($0) }
      let drag = try #require(show.stage.dragElsewhere(list, as: "text/uri-list"))
      show.settle()
      #expect(drag.accepted == "text/uri-list")
      drag.drop()
      for _ in 0..<3 { show.settle() }
      #expect(dropped == [["/tmp/a b.json"]] && drag.isFinished && !drag.isAlive)
      let text = try #require(show.stage.dragElsewhere("words", as: "text/plain"))
      show.settle()
      #expect(text.accepted == nil)
      text.drop()
      show.settle()
      #expect(dropped.count == 1 && !text.isAlive)
      let away = try #require(show.stage.dragElsewhere(list, as: "text/uri-list"))
      show.settle()
      away.leave()
      show.settle()
      #expect(dropped.count == 1 && !away.isAlive)
    }
  }

  @Test(arguments: [
    "text/plain;charset=UTF-8", "TEXT/PLAIN; Charset=\"utf-8\"", "Text/Plain", "utf8_string", "STRING", "TEXT",
    "text/plain;charset=us-ascii", "text/plain;format=flowed;charset=utf-8",
  ])
  func `a text is pasted whatever the spelling of its type`(type: String) throws {
    try play { show in
      show.stage.copyElsewhere("Grüße", as: type)
      show.seat.pointerEnter(1, 1)
      show.settle()
      let seat = try #require(show.pointerSeat)
      #expect(show.window?.canPaste(for: seat) == true)
      show.window?.requestPaste(for: seat)
      show.settle()
      #expect(pasted(show).map(\.inserted) == ["Grüße"])
    }
  }

  @Test func `the best of many types is asked for, as it is spelt`() {
    func best(_ names: String...) -> String? { TextType.best(of: names)?.name }
    #expect(
      best("TEXT", "STRING", "text/plain", "UTF8_STRING", "TEXT/plain;CHARSET=UTF-8") == "TEXT/plain;CHARSET=UTF-8")
    #expect(best("TEXT", "STRING") == "STRING" && best("image/png", "text/plain;charset=koi8-r", "text/html") == nil)
    #expect(best("text/plain;charset=utf-16", "text/plain") == "text/plain")
    #expect(best("", ";", "text/plain;charset") == "text/plain;charset")
  }

  @Test(
    arguments: [
      ("text/plain", [0xef, 0xbb, 0xbf, 0x31, 0x32], "12"), ("text/plain;charset=utf-8", [0xef, 0xbb, 0xbf], ""),
      ("STRING", [0x47, 0xfc], "Gü"), ("text/plain;charset=iso-8859-1", [0xc3, 0xbc], "Ã¼"),
      ("STRING", [0xc3, 0xbc], "ü"), ("text/plain;charset=utf-16", [0xff, 0xfe, 0x31, 0, 0xfc, 0], "1ü"),
      ("text/plain;charset=utf-16", [0xfe, 0xff, 0, 0x31], "1"), ("text/plain;charset=UTF-16", [0, 0x31, 0], "1"),
      ("text/plain;charset=utf-16le", [0x31, 0], "1"), ("text/plain;charset=utf-16be", [0xfe, 0xff, 0, 0x31], "1"),
      ("UTF8_STRING", [0x41, 0xff], "A\u{fffd}"),
    ] as [(String, [UInt8], String)])
  func `bytes become a text without a byte order mark`(type: String, bytes: [UInt8], text: String) throws {
    #expect(try #require(TextType(type)).text(of: bytes) == text)
  }

  @Test func `a beginning has no half letters`() throws {
    let type = try #require(TextType("UTF8_STRING"))
    let bytes = Array("ab世".utf8)
    for count in 2...5 { #expect("ab世".hasPrefix(type.text(of: Array(bytes.prefix(count)), isWhole: false))) }
  }

  @Test(arguments: [
    ("sftp://server/a.json", "sftp://server/a.json is not a file of this machine: copy it here first"),
    ("file:///%E4.json", "the name of file:///%E4.json is not UTF-8: rename the file"),
    ("", "nothing was dropped: the list of files is empty"),
  ])
  func `what is dropped and is no file of this machine is told`(list: String, line: String) throws {
    try play { show in
      var (dropped, problems): ([[String]], [DropProblem]) = ([], [])
      show.window?.onFilesDropped = { dropped.append($0) }
      show.window?.onDropRefused = { problems.append($0) }
      let drag = try #require(show.stage.dragElsewhere(list, as: "TEXT/URI-list"))
      show.settle()
      drag.drop()
      for _ in 0..<3 { show.settle() }
      #expect(dropped.isEmpty && problems.map(\.description) == [line])
    }
  }

  @Test func `more names than a list can hold are told`() throws {
    try play { show in
      var problems: [DropProblem] = []
      show.window?.onFilesDropped = { _ in Issue.record("a part of the files") }
      show.window?.onDropRefused = { problems.append($0) }
      var request: StagePasteRequest?
      let drag = try #require(show.stage.dragElsewhere(as: "text/uri-list") { request = $0 })
      show.settle()
      drag.drop()
      for _ in 0..<3 { show.settle() }
      let names = Array(String(repeating: "file:///tmp/a\n", count: 1000).utf8)
      for _ in 0..<200 where request?.isOpen == true {
        _ = request?.write(names)
        show.settle()
      }
      #expect(problems == [.unreadable] && request?.isOpen == false && !drag.isFinished)
    }
  }

  @Test(arguments: [
    ("file:///a", ["/a"]), ("file:/a\nfile:///b\r\n", ["/a", "/b"]), ("file://localhost/a", ["/a"]),
    ("file://elsewhere/a", []), ("FILE:///%E7%95%8C", ["/界"]), ("file:///a%2", []), ("file:///a%zz", []),
    ("file:///a%00b", []), ("file:a", []), ("#file:///a", []), ("/a", []), ("", []), ("file:///%ff", []),
    ("file://Box/a", ["/a"]), ("file://box.example.org/a", ["/a"]), ("file://LOCALHOST/a", ["/a"]),
    ("file://boxer/a", []), ("file://box.", []), ("file://b/a", []),
  ])
  func `paths in a list of addresses`(text: String, paths: [String]) {
    #expect(DroppedFiles(Array(text.utf8), host: "box").paths == paths)
    #expect(DroppedFiles(Array(text.utf8), host: "").paths == (text.lowercased().contains("box") ? [] : paths))
  }

  @Test func `a host's own name may have a domain, and bytes need no escapes`() {
    #expect(DroppedFiles(Array("file://box/a\rfile://BOX.local/b".utf8), host: "box.local").paths == ["/a", "/b"])
    let raw = DroppedFiles(Array("file:///gr".utf8) + [0xfc, 0x6e] + Array("\nfile:///grün".utf8))
    #expect(raw.paths == ["/grün"] && raw.problems == [.name(address: "file:///gr\u{fffd}n")])
    #expect(!DroppedFiles.thisHost.isEmpty)
  }
}

extension Show {
  /// The seat of the pointer that came last.
  fileprivate var pointerSeat: SeatID? {
    content.events.compactMap { if case .hover(let seat, _) = $0 { seat } else { nil } }.last
  }
}
