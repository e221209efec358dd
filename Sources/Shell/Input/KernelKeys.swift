import UICore

/// The keys by the kernel's codes (linux/input-event-codes.h), with the meanings that a US keyboard gives them without
/// modifiers and without NumLock.
///
/// Codes belong to places on the keyboard, so they are what is left when symbols do not help: without a usable keymap, and
/// for the letters of shortcuts in a layout without Latin ones.
nonisolated enum KernelKeys {
  /// The key of `code`; nil for one that has no use here.
  static func key(_ code: UInt32) -> Key? { Key.byCode[code] }

  /// The modifier that the key of `code` holds; nothing for any other key.
  static func modifier(_ code: UInt32) -> KeyModifiers {
    switch code {
    case 42, 54: .shift
    case 29, 97: .control
    case 56, 100: .alt
    case 125, 126: .logo
    default: []
    }
  }

  /// The code of the key that writes `letter`, the value of `a` to `z`; nil for anything else.
  static func code(ofLetter letter: UInt32) -> UInt32? { Key.letterCodes[letter] }

  /// True for the keys with the letters A to Z.
  static func isLetter(_ code: UInt32) -> Bool { key(code).map { (0x61...0x7a).contains($0.rawValue) } ?? false }
}

nonisolated extension Key {
  /// The key that does the same as the keypad's key of this symbol (XKB_KEY_KP_Space to KP_Equal), or the key itself.
  var withoutKeypad: Key {
    switch rawValue {
    case 0xffaa...0xffb9, 0xffbd: Key(rawValue: rawValue - 0xff80)
    default: Key.twins[rawValue] ?? self
    }
  }

  private static let twins: [UInt32: Key] = [
    0xff80: .space, 0xff89: .tab, 0xff8d: .enter, 0xff95: .home, 0xff96: .left, 0xff97: .up, 0xff98: .right,
    0xff99: .down,
    0xff9a: .pageUp, 0xff9b: .pageDown, 0xff9c: .end, 0xff9e: .insert, 0xff9f: .delete,
  ]

  fileprivate static let letterCodes = [UInt32: UInt32](
    uniqueKeysWithValues: byCode.filter { (0x61...0x7a).contains($0.value.rawValue) }.map {
      ($0.value.rawValue, $0.key)
    })

  fileprivate static let byCode: [UInt32: Key] = {
    var keys: [UInt32: Key] = [
      1: .escape, 14: .backspace, 15: .tab, 28: .enter, 57: .space, 96: .enter, 102: .home, 103: .up, 104: .pageUp,
      105: .left, 106: .right, 107: .end, 108: .down, 109: .pageDown, 110: .insert, 111: .delete, 87: .f11, 88: .f12,
      // Pause, and Break, which some keyboards have of its own.
      119: Key(rawValue: 0xff13), 411: Key(rawValue: 0xff6b),
      // The keypad.
      71: .home, 72: .up, 73: .pageUp, 75: .left, 77: .right, 79: .end, 80: .down, 81: .pageDown, 82: .insert,
      83: .delete,
      // Shift, Control, Alt and the logo key, left and right.
      42: Key(rawValue: 0xffe1), 54: Key(rawValue: 0xffe2), 29: Key(rawValue: 0xffe3), 97: Key(rawValue: 0xffe4),
      56: Key(rawValue: 0xffe9), 100: Key(rawValue: 0xffea), 125: Key(rawValue: 0xffeb), 126: Key(rawValue: 0xffec),
    ]
    for (first, row) in [(2, "1234567890-="), (16, "qwertyuiop[]"), (30, "asdfghjkl;'`"), (43, "\\zxcvbnm,./")] {
      for (code, character) in zip(UInt32(first)..., row.unicodeScalars) { keys[code] = .character(character) }
    }
    for (code, character) in zip([55, 74, 78, 98] as [UInt32], "*-+/".unicodeScalars) {
      keys[code] = .character(character)
    }
    // F1 to F10.
    for code in UInt32(59)...68 { keys[code] = Key(rawValue: 0xffbe + code - 59) }
    return keys
  }()
}
