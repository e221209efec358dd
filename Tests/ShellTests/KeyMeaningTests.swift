import CXkbcommon
import Foundation
import Glibc
import Linux
import Stage
import Testing
import UICore

@testable import Shell

/// The meaning of a key: without a usable keymap, in layouts of every script, and on the keypad.
@MainActor @Suite(.serialized) struct KeyMeaningTests {
  fileprivate typealias Code = StageKeymap.Code

  /// The kernel's codes of the keys that drive and stop.
  nonisolated static let driving: [(code: UInt32, key: Key)] = [
    (57, .space), (119, Key(rawValue: 0xff13)), (103, .up), (108, .down), (105, .left), (106, .right), (1, .escape),
    (28, .enter), (87, .f11),
  ]

  @Test func `behaviour 15: without a usable keymap, the keys that drive and stop count by the kernel's codes`() throws
  {
    try play { show in
      show.seat.keymap = .nonsense
      show.seat.keyboardEnter()
      for (code, _) in Self.driving {
        show.seat.key(code, true)
        show.seat.key(code, false)
      }
      show.settle()
      let expected = Self.driving.flatMap { [$0.key, $0.key] }
      let heard = show.content.events.compactMap { event -> KeyEvent? in
        if case .key(let key) = event { key } else { nil }
      }
      #expect(heard.map(\.key) == expected)
      #expect(heard.allSatisfy { $0.text.isEmpty && $0.modifiers.isEmpty })
    }
  }

  @Test func `behaviour 15: without a usable keymap, the held keys are the modifiers, and they do not repeat`() throws {
    try play { show in
      show.calm()
      show.seat.keymap.format = .noKeymap
      show.seat.keyboardEnter()
      show.seat.key(Code.control, true)
      show.settle()
      show.pass(.seconds(2))
      // No keymap says what this mask is.
      show.seat.modifiers(1)
      show.seat.key(Code.space, true)
      show.settle()
      show.seat.key(Code.control, false)
      show.seat.key(Code.s, true)
      show.settle()
      let heard = show.content.events.compactMap { event -> KeyEvent? in
        if case .key(let key) = event { key } else { nil }
      }
      #expect(heard.map(\.phase) == [.down, .down, .up, .down])
      #expect(heard.map(\.modifiers) == [.control, .control, [], []])
    }
  }

  @Test func `a keyboard whose data is not installed works by the compositor's keymap`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      // As in an image without xkb-data; the library reads it when a context is made.
      setenv("XKB_CONFIG_ROOT", "/nonexistent", 1)
      let keymap = try #require(try ShellTests.keymap(of: StageKeymap.simple.text))
      let isRight = keymap.text(code: StageKeymap.Code.a) == "a" && keymap.key(code: StageKeymap.Code.up) == .up
      if !isRight { exit(3) }
    }
  }

  @Test(arguments: [
    ("de_DE.UTF-8", "de_DE.UTF-8"), ("de_DE.UTF8", "de_DE.UTF-8"), ("de_DE.utf8", "de_DE.UTF-8"),
    ("de_DE", "de_DE.UTF-8"),
    ("de_DE@euro", "de_DE.UTF-8"), ("de_DE.ISO-8859-15@euro", "de_DE.UTF-8"), ("en_US.UTF8", "en_US.UTF-8"),
    ("C", "C"), ("C.UTF8", "C"), ("POSIX", "C"), ("en_150.UTF-8", "en_150.UTF-8"),
  ])
  func `dead keys do not depend on the spelling of the locale`(locale: String, first: String) {
    let names = Composer.spellings(of: locale)
    #expect(names.first == first && names.last == "en_US.UTF-8")
  }

  @Test(arguments: ["de_DE.UTF8", "de_DE@euro", "en_DE.UTF-8", "C.UTF8", "nowhere", "de_DE.ISO-8859-1"])
  func `a dead key composes in a locale that has no table of its own`(locale: String) throws {
    let composer = Composer(locale: locale)
    #expect(composer.press(0xfe52) == .pending)
    #expect(composer.press(0x65) == .text("ê"))
  }

  @Test func `a key that is there twice is pressed once and released with the last of the two`() throws {
    try play { show in
      show.seat.keymap = .keypad
      show.seat.keyboardEnter()
      show.seat.key(Code.left, true)
      show.seat.key(75, true)
      show.seat.key(Code.left, false)
      show.settle()
      let left = Key.left.rawValue
      #expect(show.content.keys == ["\(left) down", "\(left) repeated"])
      show.seat.key(75, false)
      show.seat.key(75, true)
      show.seat.key(Code.left, true)
      show.seat.keyboardLeave()
      show.settle()
      #expect(
        show.content.keys.dropFirst(2)
          == ["\(left) up", "\(left) down", "\(left) repeated", "\(left) cancelled"])
    }
  }

  /// The keypad's codes, with their keys without and with NumLock.
  nonisolated static let keypad: [(code: UInt32, plain: Key, locked: Key)] = [
    (71, .home, .character("7")), (72, .up, .character("8")), (73, .pageUp, .character("9")),
    (75, .left, .character("4")), (77, .right, .character("6")), (79, .end, .character("1")),
    (80, .down, .character("2")), (81, .pageDown, .character("3")), (82, .insert, .character("0")),
    (83, .delete, .character(".")), (96, .enter, .enter), (55, .character("*"), .character("*")),
    (74, .character("-"), .character("-")), (78, .character("+"), .character("+")),
    (98, .character("/"), .character("/")),
  ]

  @Test(arguments: [false, true]) func `the keypad's keys are those of the same meaning`(hasKeymap: Bool) throws {
    try play { show in
      show.seat.keymap = hasKeymap ? .keypad : .nonsense
      show.seat.keyboardEnter()
      for isLocked in hasKeymap ? [false, true] : [false] {
        // NumLock is the second of the real modifiers after Mod1.
        show.seat.modifiers(isLocked ? 16 : 0)
        for (code, plain, locked) in Self.keypad {
          show.seat.key(code, true)
          show.seat.key(code, false)
          show.settle()
          guard case .key(let event) = try #require(show.content.events.last) else { return #expect(Bool(false)) }
          #expect(event.key == (isLocked ? locked : plain), "code \(code)")
        }
      }
    }
  }

  /// Every layout and variant that the installed keyboard data has, each as the only one: `gr`, `de(neo)`.
  nonisolated static let layouts: [String] = {
    guard let list = try? String(contentsOfFile: "/usr/share/X11/xkb/rules/evdev.lst", encoding: .utf8) else {
      return []
    }
    var (section, found) = ("", [String]())
    for line in list.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == ":" })
      if line.hasPrefix("!") {
        section = String(words[1])
      } else if section == "layout" {
        found.append(String(words[0]))
      } else if section == "variant" {
        found.append("\(words[1])(\(words[0]))")
      }
    }
    return found
  }()

  @Test(.enabled(if: !layouts.isEmpty, "needs the data of xkb"))
  func `every layout of the installed data alone has the keys that drive and stop, and the letters of shortcuts`()
    throws
  {
    let context = try #require(xkb_context_new(XKB_CONTEXT_NO_FLAGS))
    defer { xkb_context_unref(context) }
    var judged = 0
    for layout in Self.layouts {
      let names = layout.split(whereSeparator: { "()".contains($0) }).map { strdup(String($0)) }
      defer { names.forEach { free($0) } }
      var rules = xkb_rule_names()
      (rules.layout, rules.variant) = (UnsafePointer(names[0]), names.count > 1 ? UnsafePointer(names[1]) : nil)
      // The list names a few that older libraries cannot compile.
      guard let compiled = xkb_keymap_new_from_names(context, &rules, XKB_KEYMAP_COMPILE_NO_FLAGS) else { continue }
      defer { xkb_keymap_unref(compiled) }
      let text = try #require(xkb_keymap_get_as_string(compiled, XKB_KEYMAP_FORMAT_TEXT_V1))
      defer { free(text) }
      let keymap = try #require(try ShellTests.keymap(of: String(cString: text)))
      for (code, key) in Self.driving { #expect(keymap.key(code: code) == key, "\(layout), code \(code)") }
      let keys = Set((1...100).map { keymap.key(code: $0) })
      for letter in "acghqvxyz".unicodeScalars where !keys.contains(.character(letter)) {
        Issue.record("\(layout) has no \(letter)")
      }
      judged += 1
    }
    #expect(judged > 100, "\(judged) of \(Self.layouts.count)")
  }

  @Test(arguments: [
    ("greek", "semicolon, colon", "Greek_eta, Greek_ETA"), ("hebrew", "slash, Q", "hebrew_yod, H"),
    ("cyrillic", "Cyrillic_shorti, Cyrillic_SHORTI", "Cyrillic_er, Cyrillic_ER"),
  ])
  func `a layout without Latin letters has the shortcuts of its places`(name: String, q: String, h: String) throws {
    try play { show in
      show.seat.keymap = StageKeymap(
        named: name, codes: "<Q> = 24; <A> = 38; <H> = 43; <COMM> = 59;",
        symbols: "key <Q> { [ \(q) ] }; key <A> { [ Greek_alpha ] }; key <H> { [ \(h) ] }; key <COMM> { [ comma ] };")
      show.seat.keyboardEnter()
      for code in [16, 35, 51] as [UInt32] {
        show.seat.key(code, true)
        show.seat.key(code, false)
      }
      show.settle()
      #expect(show.content.keys == ["q down", "q up", "h down", "h up", ", down", ", up"])
      let texts = show.content.events.compactMap { event -> String? in
        if case .key(let key) = event, key.phase == .down { key.text } else { nil }
      }
      #expect(texts[0] != "q" && texts[1] != "h" && texts[2] == ",")
    }
  }
}

extension StageKeymap {
  /// The arrows, and the keypad with NumLock.
  @MainActor fileprivate static let keypad: StageKeymap = {
    let keys: [(UInt32, String)] = [
      (71, "KP_Home, KP_7"), (72, "KP_Up, KP_8"), (73, "KP_Prior, KP_9"), (75, "KP_Left, KP_4"), (77, "KP_Right, KP_6"),
      (79, "KP_End, KP_1"), (80, "KP_Down, KP_2"), (81, "KP_Next, KP_3"), (82, "KP_Insert, KP_0"),
      (83, "KP_Delete, KP_Decimal"), (96, "KP_Enter"), (55, "KP_Multiply"), (74, "KP_Subtract"), (78, "KP_Add"),
      (98, "KP_Divide"), (103, "Up"), (105, "Left"), (106, "Right"), (108, "Down"),
    ]
    var keymap = StageKeymap(
      named: "keypad", codes: keys.map { "<k\($0.0)> = \($0.0 + 8);" }.joined(),
      symbols: keys.map { "key <k\($0.0)> { type = \"\($0.1.contains(",") ? "KEYPAD" : "ONE_LEVEL")\", [ \($0.1) ] };" }
        .joined())
    keymap.text.replace(
      "xkb_types \"stage\" {",
      with: """
        xkb_types "stage" {
          type "KEYPAD" { modifiers = Mod2; map[Mod2] = Level2; level_name[Level1] = "Base"; level_name[Level2] = "Number"; };
        """)
    return keymap
  }()
}

/// The keymap of a text, as a compositor sends it.
@MainActor private func keymap(of text: String) throws -> Keymap? {
  let bytes = Array(text.utf8) + [0]
  guard let file = MemoryFile.make(), Descriptor.write(bytes, to: file.number) else { return nil }
  return Keymap(descriptor: file.number, size: bytes.count)
}
