import CLinux
import Glibc
import Linux
public import WaylandServer

/// A keymap to send to keyboards, with optional flaws.
public struct StageKeymap: Sendable {
  /// How a keymap's text is to be read (wl_keyboard.keymap_format). Without a keymap, clients get bare evdev codes.
  public typealias Format = WlKeyboardResource.KeymapFormat

  /// The text that clients parse.
  public var text: String
  /// False to send the text without the final NUL, which some compositors omit.
  public var endsInNUL = true
  /// True to seal the file against changes. Clients must then map it with MAP_PRIVATE: older kernels refuse MAP_SHARED.
  public var isSealed = true
  /// The size in bytes that is sent; nil for the true size.
  public var claimedSize: UInt32?
  /// How clients are to read the text.
  public var format = Format.xkbV1

  /// A keymap of any text, valid or not.
  public init(text: String) {
    self.text = text
  }

  /// Sends the keymap as a file.
  func send(to keyboard: WlKeyboardResource) {
    let bytes = Array(text.utf8) + (endsInNUL ? [0] : [])
    guard let file = MemoryFile.make(),
      unsafe bytes.withUnsafeBytes({ unsafe write(file.number, $0.baseAddress, $0.count) }) == bytes.count
    else { return }
    if isSealed { _ = fcntl(file.number, 1033, 0x000f) }  // F_ADD_SEALS: seal, shrink, grow, write
    keyboard.sendKeymap(format: format, fd: file.number, size: claimedSize ?? UInt32(bytes.count))
  }

  /// A few keys of a Latin keyboard: Q, W, E, A, S, D, 1 to 3, Space, Enter, Tab, Escape, F11, F12, the arrows, Shift, Control,
  /// Alt.
  public static let simple = StageKeymap(text: text(named: "stage", letters: latin))

  /// Like `simple`, with a Cyrillic layout as the second one, and with a dead acute accent and a Compose key.
  public static let bilingual = StageKeymap(
    text: text(
      named: "bilingual", letters: latinAndCyrillic + "key <DEAD> { [ dead_acute ] }; key <COMP> { [ Multi_key ] };"))

  /// Bytes that xkbcommon cannot parse as a keymap.
  public static let nonsense = StageKeymap(text: "xkb_keymap { this is none")

  /// The evdev codes of `simple`'s keys.
  public enum Code {
    /// Letters.
    public static let a: UInt32 = 30, s: UInt32 = 31, e: UInt32 = 18
    /// Keys without characters, and Space.
    public static let escape: UInt32 = 1, tab: UInt32 = 15, enter: UInt32 = 28, space: UInt32 = 57
    /// Modifiers, on the left side of the keyboard.
    public static let control: UInt32 = 29, shift: UInt32 = 42, alt: UInt32 = 56
    /// Function keys.
    public static let f11: UInt32 = 87, f12: UInt32 = 88
    /// Arrows.
    public static let up: UInt32 = 103, left: UInt32 = 105, right: UInt32 = 106, down: UInt32 = 108
    /// The dead acute accent of `bilingual`.
    public static let deadAcute: UInt32 = 40
    /// The Compose key of `bilingual`.
    public static let compose: UInt32 = 127
  }

  private static let latin = """
    key <AD01> { [ q, Q ] }; key <AD02> { [ w, W ] }; key <AD03> { [ e, E ] };
    key <AC01> { [ a, A ] }; key <AC02> { [ s, S ] }; key <AC03> { [ d, D ] };

    """

  private static let latinAndCyrillic = """
    name[group2] = "Cyrillic";
    key <AD01> { [ q, Q ], [ Cyrillic_shorti, Cyrillic_SHORTI ] };
    key <AD02> { [ w, W ], [ Cyrillic_tse, Cyrillic_TSE ] };
    key <AD03> { [ e, E ], [ Cyrillic_u, Cyrillic_U ] };
    key <AC01> { [ a, A ], [ Cyrillic_ef, Cyrillic_EF ] };
    key <AC02> { [ s, S ], [ Cyrillic_yeru, Cyrillic_YERU ] };
    key <AC03> { [ d, D ], [ Cyrillic_ve, Cyrillic_VE ] };

    """

  /// Returns a whole keymap whose letter keys are `letters` (lines of xkb_symbols).
  private static func text(named name: String, letters: String) -> String {
    StageKeymap(named: name, codes: commonCodes, symbols: letters + commonSymbols).text
  }

  /// A keymap complete in itself, of statements of xkb_keycodes and of xkb_symbols.
  package init(named name: String, codes: String, symbols: String) {
    self.init(
      text: """
        xkb_keymap {
          xkb_keycodes "stage" { minimum = 8; maximum = 255; \(codes) };
          xkb_types "stage" {
            type "ONE_LEVEL" { modifiers = none; level_name[Level1] = "Any"; };
            type "TWO_LEVEL" {
              modifiers = Shift; map[Shift] = Level2; level_name[Level1] = "Base"; level_name[Level2] = "Shift";
            };
            type "ALPHABETIC" {
              modifiers = Shift + Lock; map[Shift] = Level2; map[Lock] = Level2;
              level_name[Level1] = "Base"; level_name[Level2] = "Caps";
            };
          };
          xkb_compatibility "stage" {
            interpret Shift_L { action = SetMods(modifiers = Shift); };
            interpret Shift_R { action = SetMods(modifiers = Shift); };
            interpret Control_L { action = SetMods(modifiers = Control); };
            interpret Control_R { action = SetMods(modifiers = Control); };
            interpret Alt_L { action = SetMods(modifiers = Mod1); };
            interpret Alt_R { action = SetMods(modifiers = Mod1); };
            interpret Super_L { action = SetMods(modifiers = Mod4); };
          };
          xkb_symbols "\(name)" { name[group1] = "\(name)";
            \(symbols)
          };
        };
        """)
  }

  private static let commonCodes = """
    <ESC> = 9; <AE01> = 10; <AE02> = 11; <AE03> = 12; <TAB> = 23; <AD01> = 24; <AD02> = 25; <AD03> = 26;
    <RTRN> = 36; <LCTL> = 37; <AC01> = 38; <AC02> = 39; <AC03> = 40; <LFSH> = 50; <LALT> = 64; <SPCE> = 65;
    <DEAD> = 48; <FK11> = 95; <FK12> = 96; <UP> = 111; <LEFT> = 113; <RGHT> = 114; <DOWN> = 116; <COMP> = 135;
    """

  private static let commonSymbols = """
    key <ESC> { [ Escape ] }; key <RTRN> { [ Return ] }; key <SPCE> { [ space ] }; key <FK11> { [ F11 ] };
    key <TAB> { [ Tab, ISO_Left_Tab ] }; key <FK12> { [ F12 ] };
    key <AE01> { [ 1, exclam ] }; key <AE02> { [ 2, at ] }; key <AE03> { [ 3, numbersign ] };
    key <UP> { [ Up ] }; key <DOWN> { [ Down ] }; key <LEFT> { [ Left ] }; key <RGHT> { [ Right ] };
    key <LFSH> { [ Shift_L ] }; key <LCTL> { [ Control_L ] }; key <LALT> { [ Alt_L ] };
    modifier_map Shift { <LFSH> }; modifier_map Control { <LCTL> }; modifier_map Mod1 { <LALT> };
    """
}
