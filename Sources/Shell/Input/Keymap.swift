import CLinux
import CXkbcommon
import Glibc

/// Owns a compiled keymap and the state of its modifiers.
@safe @MainActor final class Keymap {
  private let context: OpaquePointer
  private let keymap: OpaquePointer
  private let state: OpaquePointer
  private lazy var scripts = unsafe (0..<xkb_keymap_num_layouts(keymap)).map { script(of: $0) }

  /// The characters that a layout writes without modifiers.
  private struct Script {
    /// False if most of the letters' keys write letters of another script. Turkish, Icelandic and others have a few that are not A to
    /// Z, and Cyrillic layouts may have an i.
    var isLatin = true
    /// The letters A to Z that it has, by the codes of their keys.
    var letters: [UInt32: xkb_keysym_t] = [:] { didSet { missed = Script.missed(letters) } }
    /// The letters A to Z that it has on no key, each by the code of the key that stands for it in shortcuts.
    private(set) var missed: [UInt32: xkb_keysym_t] = [:]

    /// A letter that the layout has nowhere is on the key of its place, as Q in Turkmen. Where that key writes another letter, it is at the
    /// place of that letter, and so on: a Croatian Z is at the place of Y, and the place of Z has no letter of A to Z.
    private static func missed(_ letters: [UInt32: xkb_keysym_t]) -> [UInt32: xkb_keysym_t] {
      var missed: [UInt32: xkb_keysym_t] = [:]
      let present = Set(letters.values)
      for letter in Keymap.letters where !present.contains(letter) {
        var code = KernelKeys.code(ofLetter: letter)
        for _ in Keymap.letters { code = code.flatMap { letters[$0] }.map(KernelKeys.code(ofLetter:)) ?? code }
        if let code, letters[code] == nil { missed[code] = letter }
      }
      return missed
    }
  }

  /// Compiles the keymap text in the file `descriptor`, which the caller keeps. Nil if it is not a keymap.
  ///
  /// Only `size` bytes are read.
  init?(descriptor: Int32, size: Int) {
    guard let text = KeymapText(descriptor: descriptor, size: size), let context = unsafe Keymap.context()
    else { return nil }
    let compiled = unsafe text.bytes.withUnsafeBytes {
      unsafe xkb_keymap_new_from_buffer(
        context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, XKB_KEYMAP_FORMAT_TEXT_V1,
        XKB_KEYMAP_COMPILE_NO_FLAGS)
    }
    guard let compiled = unsafe compiled, let state = unsafe xkb_state_new(compiled) else {
      unsafe xkb_keymap_unref(compiled)
      unsafe xkb_context_unref(context)
      return nil
    }
    unsafe self.context = context
    unsafe keymap = compiled
    unsafe self.state = state
  }

  isolated deinit {
    unsafe xkb_state_unref(state)
    unsafe xkb_keymap_unref(keymap)
    unsafe xkb_context_unref(context)
  }

  /// wl_keyboard.modifiers.
  func updateModifiers(depressed: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
    unsafe xkb_state_update_mask(state, depressed, latched, locked, 0, 0, group)
  }

  var modifiers: KeyModifiers {
    var held: KeyModifiers = []
    let names: [(String, KeyModifiers)] = [
      (XKB_MOD_NAME_SHIFT, .shift), (XKB_MOD_NAME_CTRL, .control), (XKB_MOD_NAME_ALT, .alt),
      (XKB_MOD_NAME_LOGO, .logo),
    ]
    for (name, modifier) in names where unsafe xkb_state_mod_name_is_active(state, name, XKB_STATE_MODS_EFFECTIVE) > 0 {
      held.insert(modifier)
    }
    return held
  }

  /// A context for texts that are complete in themselves, as keymaps from compositors are. With the folders of keyboard data
  /// that it looks for by default, there would be no context where the data is not installed.
  static func context() -> OpaquePointer? { unsafe xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES) }

  /// The key of a kernel key code.
  ///
  /// Shortcuts are Latin letters, so they have to work under every layout. A key that gives no Latin character now has the one
  /// of its first layout that does, or else its place on a US keyboard. Layouts of other scripts have Latin punctuation on some
  /// of the letters' keys (Greek ; on Q, Hebrew / on Q), which does not count there. The keypad's keys are those of the same
  /// meaning.
  func key(code: UInt32) -> Key {
    let xkbCode = code &+ 8
    guard unsafe xkb_keymap_num_layouts_for_key(keymap, xkbCode) > 0 else {
      return KernelKeys.key(code) ?? Key(rawValue: 0)
    }
    let symbol = unsafe xkb_keysym_to_lower(xkb_state_key_get_one_sym(state, xkbCode))
    if (0xff00...0xffff).contains(symbol) && !Keymap.brailleDots.contains(symbol) || symbol == Key.backTab.rawValue {
      return Key(rawValue: symbol).withoutKeypad
    }
    let place = KernelKeys.key(code)
    let isLetter = KernelKeys.isLetter(code)
    let own = script(ofLayout: unsafe xkb_state_key_get_layout(state, xkbCode))
    let missed = own.isLatin ? own.missed[code].map(Key.init(rawValue:)) : place
    // Whether the key stands for a letter that the layout has nowhere.
    let isMissed = isLetter && missed.map { key in !own.letters.values.contains(key.rawValue) } ?? false
    func counts(_ symbol: xkb_keysym_t) -> Bool { symbol <= 0x7f && (!isMissed || Keymap.letters.contains(symbol)) }
    if counts(symbol), own.isLatin || !isLetter { return Key(rawValue: symbol) }
    for layout in unsafe 0..<xkb_keymap_num_layouts_for_key(keymap, xkbCode)
    where !isLetter || script(ofLayout: layout).isLatin {
      let first = xkb_keysym_to_lower(plainSymbol(xkbCode, layout))
      if first > 0, counts(first) { return Key(rawValue: first) }
    }
    return missed ?? Key(rawValue: symbol)
  }

  /// A to Z.
  private static let letters: ClosedRange<xkb_keysym_t> = 0x61...0x7a
  /// XKB_KEY_braille_dot_1 to 10, among the keys without characters.
  private static let brailleDots: ClosedRange<xkb_keysym_t> = 0xfff1...0xfffa

  private func script(ofLayout layout: UInt32) -> Script {
    Int(layout) < scripts.count ? scripts[Int(layout)] : Script()
  }

  private func script(of layout: UInt32) -> Script {
    var script = Script()
    var letters: [UInt32: xkb_keysym_t] = [:]
    var balance = 0
    for code in UInt32(2)...58 {
      let symbol = xkb_keysym_to_lower(plainSymbol(code + 8, layout))
      let isLetter = Keymap.letters.contains(symbol)
      if isLetter { letters[code] = symbol }
      guard KernelKeys.isLetter(code) else { continue }
      if isLetter { balance += 1 }
      // Beyond the blocks of Latin letters.
      if xkb_keysym_to_utf32(symbol) > 0x24f { balance -= 1 }
    }
    script.isLatin = balance >= 0
    script.letters = letters
    return script
  }

  /// The symbol of a key in a layout without modifiers; 0 if it has none or several.
  private func plainSymbol(_ xkbCode: UInt32, _ layout: UInt32) -> xkb_keysym_t {
    var symbols: UnsafePointer<xkb_keysym_t>?
    let count = unsafe xkb_keymap_key_get_syms_by_level(keymap, xkbCode, layout, 0, &symbols)
    return count == 1 ? unsafe symbols?.pointee ?? 0 : 0
  }

  /// The symbol that the key gives now, with all that is held.
  func symbol(code: UInt32) -> xkb_keysym_t { unsafe xkb_state_key_get_one_sym(state, code &+ 8) }

  func text(code: UInt32) -> String { unsafe writtenText { unsafe xkb_state_key_get_utf8(state, code &+ 8, $0, $1) } }

  /// True if the key repeats while held; modifiers never do.
  func repeats(code: UInt32) -> Bool { unsafe xkb_keymap_key_repeats(keymap, code &+ 8) != 0 }
}

/// The text of a keymap, as a compositor sent it.
nonisolated struct KeymapText {
  /// Keymaps past this size are not believed.
  static let maximumSize = 4 << 20

  /// The text without its NUL.
  let bytes: [UInt8]

  /// Reads `size` bytes of the file `descriptor`, which the caller keeps. Nil if it is shorter, or if its text must not be
  /// passed to a compiler.
  ///
  /// The file is read, not mapped: one that is truncated meanwhile gives fewer bytes, while a mapping would raise SIGBUS. The
  /// protocol's rule (wl_keyboard.keymap, version 7: map it privately) is about not writing to it.
  init?(descriptor: Int32, size: Int) {
    guard size > 1, size <= KeymapText.maximumSize else { return nil }
    var count = 0
    var bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      while let start = buffer.baseAddress, count < size {
        let got = unsafe pread(descriptor, start + count, size - count, off_t(count))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        count += got
      }
      initialized = count
    }
    guard count == size else { return nil }
    // The text ends in NUL within the size, or at the size.
    if let end = bytes.firstIndex(of: 0) { bytes.removeSubrange(end...) }
    guard !KeymapText.hasListWithoutFirst(bytes) else { return nil }
    self.bytes = bytes
  }

  /// True if a list in braces begins with a comma. libxkbcommon up to 1.7 writes to address 0 when it reads the symbols of a
  /// key that begin so; no real keymap does.
  private static func hasListWithoutFirst(_ text: [UInt8]) -> Bool {
    var (isQuoted, isComment, isOpened) = (false, false, false)
    for (index, byte) in text.enumerated() {
      if isComment {
        isComment = byte != UInt8(ascii: "\n")
        continue
      }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted else {
        isOpened = false
        continue
      }
      switch byte {
      case UInt8(ascii: "{"): isOpened = true
      case UInt8(ascii: ","): if isOpened { return true }
      case UInt8(ascii: "#"): isComment = true
      case UInt8(ascii: "/"):
        isComment = index + 1 < text.count && text[index + 1] == byte
        isOpened = isOpened && isComment
      case UInt8(ascii: " "), 9...13: break
      default: isOpened = false
      }
    }
    return false
  }
}

/// Follows one keyboard's key presses and reports which of them only begin a character.
///
/// The table (XCOMPOSEFILE, ~/.XCompose, or the locale's) is read when the first dead or Compose key is pressed, because most
/// keyboards never need it and it takes milliseconds.
@safe @MainActor final class Composer {
  /// The result of a key press for the text.
  enum Result: Equatable {
    /// The key types its own text.
    case unchanged
    /// The key is a part of a character that is not complete.
    case pending
    /// The character is complete; empty if the keys do not form one.
    case text(String)
  }

  private var state: OpaquePointer?
  private var wasLoaded = false
  private let locale: String

  /// Composes as in `locale`, by default that of the environment.
  init(
    locale: String = Environment.localeOfAll.value ?? Environment.localeOfCharacters.value ?? Environment.locale.value
      ?? "C"
  ) {
    self.locale = locale
  }

  isolated deinit {
    unsafe xkb_compose_state_unref(state)
  }

  /// A key was pressed that gives `symbol`.
  func press(_ symbol: xkb_keysym_t) -> Result {
    if !wasLoaded, Composer.begins(symbol) { load() }
    guard let state = unsafe state, unsafe xkb_compose_state_feed(state, symbol) == XKB_COMPOSE_FEED_ACCEPTED else {
      return .unchanged
    }
    switch unsafe xkb_compose_state_get_status(state) {
    case XKB_COMPOSE_COMPOSING: return .pending
    case XKB_COMPOSE_COMPOSED: return unsafe .text(writtenText { unsafe xkb_compose_state_get_utf8(state, $0, $1) })
    case XKB_COMPOSE_CANCELLED:
      unsafe xkb_compose_state_reset(state)
      return .text("")
    default: return .unchanged
    }
  }

  /// Discards an unfinished character after the focus is lost.
  func reset() {
    if let state = unsafe state { unsafe xkb_compose_state_reset(state) }
  }

  /// True for the dead keys and the Compose key (xkbcommon-keysyms: dead_grave up to the last dead key, Multi_key).
  private static func begins(_ symbol: xkb_keysym_t) -> Bool {
    (0xfe50...0xfe93).contains(symbol) || symbol == 0xff20
  }

  private func load() {
    wasLoaded = true
    guard let context = unsafe Keymap.context() else { return }
    // A table that is not there is no error here.
    unsafe xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
    defer { unsafe xkb_context_unref(context) }
    for name in Composer.spellings(of: locale) {
      if let table = unsafe xkb_compose_table_new_from_locale(context, name, XKB_COMPOSE_COMPILE_NO_FLAGS) {
        unsafe state = xkb_compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS)
        return unsafe xkb_compose_table_unref(table)
      }
    }
    Log.write(.input, .info, "no table of composed characters for the locale \(locale)")
  }

  /// The names under which a table may be for a locale, as the user spells it, in the order in which they are tried.
  ///
  /// The C library takes UTF8 for UTF-8, a locale without an encoding, with a modifier (@euro) or of a territory that has no
  /// table of its own; X11's list of tables does not. Tables of other encodings cannot be read as UTF-8, and all text here is.
  /// Nearly all tables for UTF-8 are that of en_US.
  static func spellings(of locale: String) -> [String] {
    let territory = String(locale.prefix { $0 != "." && $0 != "@" })
    let name = ["C", "POSIX"].contains(territory) ? "C" : territory + ".UTF-8"
    return name == "en_US.UTF-8" ? [name] : [name, "en_US.UTF-8"]
  }
}

/// The text that a function of xkbcommon writes into a buffer and returns the length of; empty if it is longer than 63 bytes.
private func writtenText(_ write: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
    guard let start = buffer.baseAddress else { return "" }
    let length = unsafe write(start, buffer.count)
    guard length > 0, length < buffer.count else { return "" }
    return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: Int(length)), as: UTF8.self)
  }
}
