import Stage

/// The keys of a keyboard with the US layout, by names, and the keymap made from them.
enum KeyTable {
  struct Key {
    let name: String
    /// The evdev code.
    let code: UInt32
    /// The keysyms: alone, and with Shift if that differs.
    let symbols: [String]

    /// The bit that the key sets in the modifiers while it is held; 0 for other keys.
    var modifier: UInt32 {
      switch name {
      case "shift", "right-shift": 1
      case "control", "right-control": 4
      case "alt", "right-alt": 8
      case "super": 64
      default: 0
      }
    }
  }

  static let all = special + rows

  /// The key with this name; nil if no key has it.
  static func named(_ name: String) -> Key? { all.first { $0.name == name } }

  // Its type is written down: the compiler needs 13 s to find it.
  private static let words: [(name: String, code: UInt32, symbols: String)] = [
    ("escape", 1, "Escape"), ("backspace", 14, "BackSpace"), ("tab", 15, "Tab ISO_Left_Tab"), ("enter", 28, "Return"),
    ("control", 29, "Control_L"), ("shift", 42, "Shift_L"), ("right-shift", 54, "Shift_R"), ("alt", 56, "Alt_L"),
    ("space", 57, "space"), ("right-control", 97, "Control_R"), ("right-alt", 100, "Alt_R"), ("home", 102, "Home"),
    ("up", 103, "Up"), ("page-up", 104, "Prior"), ("left", 105, "Left"), ("right", 106, "Right"), ("end", 107, "End"),
    ("down", 108, "Down"), ("page-down", 109, "Next"), ("insert", 110, "Insert"), ("delete", 111, "Delete"),
    ("super", 125, "Super_L"), ("menu", 127, "Menu"), ("f1", 59, "F1"), ("f2", 60, "F2"), ("f3", 61, "F3"),
    ("f4", 62, "F4"), ("f5", 63, "F5"), ("f6", 64, "F6"), ("f7", 65, "F7"), ("f8", 66, "F8"), ("f9", 67, "F9"),
    ("f10", 68, "F10"), ("f11", 87, "F11"), ("f12", 88, "F12"),
  ]
  private static let special = words.map { word in
    Key(name: word.name, code: word.code, symbols: word.symbols.split(separator: " ").map(String.init))
  }

  /// The rows of characters. A key's name is its character without Shift.
  private static let rows: [Key] = [
    row(
      from: 2, "1234567890-=",
      "exclam at numbersign dollar percent asciicircum ampersand asterisk parenleft parenright underscore plus"),
    row(from: 16, "qwertyuiop[]", "Q W E R T Y U I O P braceleft braceright"),
    row(from: 30, "asdfghjkl;'`", "A S D F G H J K L colon quotedbl asciitilde"),
    row(from: 43, "\\zxcvbnm,./", "bar Z X C V B N M less greater question"),
  ].flatMap(\.self)

  private static let names: [Character: String] = [
    "-": "minus", "=": "equal", "[": "bracketleft", "]": "bracketright", ";": "semicolon", "'": "apostrophe",
    "`": "grave",
    "\\": "backslash", ",": "comma", ".": "period", "/": "slash",
  ]

  private static func row(from code: UInt32, _ characters: String, _ shifted: String) -> [Key] {
    zip(characters, shifted.split(separator: " ")).enumerated().map { index, pair in
      Key(
        name: String(pair.0), code: code + UInt32(index),
        symbols: [names[pair.0] ?? String(pair.0), String(pair.1)])
    }
  }

  /// The keymap of these keys, complete in itself.
  static let keymap: StageKeymap = {
    let codes = all.map { "<k\($0.code)> = \($0.code + 8);" }.joined(separator: " ")
    let symbols = all.map { "key <k\($0.code)> { [ \($0.symbols.joined(separator: ", ")) ] };" }.joined(separator: " ")
    return StageKeymap(
      named: "stage", codes: codes,
      symbols: symbols + """

        modifier_map Shift { <k42>, <k54> }; modifier_map Control { <k29>, <k97> };
        modifier_map Mod1 { <k56>, <k100> }; modifier_map Mod4 { <k125> };
        """)
  }()
}
