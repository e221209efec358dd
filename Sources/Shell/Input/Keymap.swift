// What keys mean: an xkb keymap and its state.

import CLinux
import CXkbcommon
import Glibc
import Interface

/// Owns a compiled keymap and the state of its modifiers.
@MainActor final class Keymap {
  private let context: OpaquePointer
  private let keymap: OpaquePointer
  private let state: OpaquePointer

  /// Compiles the keymap text in the file `descriptor`, which stays the caller's. Nil when it is none: a keyboard without
  /// meaning is silent, not a fault.
  ///
  /// Read up to `size` only (behaviour 15).
  init?(descriptor: Int32, size: Int) {
    guard let text = KeymapText(descriptor: descriptor, size: size), let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS)
    else { return nil }
    let compiled = text.bytes.withUnsafeBytes {
      xkb_keymap_new_from_buffer(
        context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, XKB_KEYMAP_FORMAT_TEXT_V1,
        XKB_KEYMAP_COMPILE_NO_FLAGS)
    }
    guard let compiled, let state = xkb_state_new(compiled) else {
      xkb_keymap_unref(compiled)
      xkb_context_unref(context)
      return nil
    }
    self.context = context
    keymap = compiled
    self.state = state
  }

  isolated deinit {
    xkb_state_unref(state)
    xkb_keymap_unref(keymap)
    xkb_context_unref(context)
  }

  /// wl_keyboard.modifiers.
  func updateModifiers(depressed: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
    xkb_state_update_mask(state, depressed, latched, locked, 0, 0, group)
  }

  /// The modifiers that are in force.
  var modifiers: KeyModifiers {
    var held: KeyModifiers = []
    let names: [(String, KeyModifiers)] = [
      (XKB_MOD_NAME_SHIFT, .shift), (XKB_MOD_NAME_CTRL, .control), (XKB_MOD_NAME_ALT, .alt),
      (XKB_MOD_NAME_LOGO, .logo),
    ]
    for (name, modifier) in names where xkb_state_mod_name_is_active(state, name, XKB_STATE_MODS_EFFECTIVE) > 0 {
      held.insert(modifier)
    }
    return held
  }

  /// The key of a kernel key code. Where the layout in force is not a Latin one, the first layout that gives the key a
  /// Latin letter decides, so that Ctrl+Q works under every layout.
  func key(code: UInt32) -> Key {
    let xkbCode = code &+ 8
    let symbol = xkb_keysym_to_lower(xkb_state_key_get_one_sym(state, xkbCode))
    guard symbol > 0x7f, symbol < 0xff00 || symbol > 0xffff else { return Key(rawValue: symbol) }
    if symbol == Key.backTab.rawValue { return .backTab }
    for layout in 0..<xkb_keymap_num_layouts_for_key(keymap, xkbCode) {
      var symbols: UnsafePointer<xkb_keysym_t>?
      let count = xkb_keymap_key_get_syms_by_level(keymap, xkbCode, layout, 0, &symbols)
      if count > 0, let first = symbols?.pointee, first <= 0x7f { return Key(rawValue: xkb_keysym_to_lower(first)) }
    }
    return Key(rawValue: symbol)
  }

  /// The symbol that the key gives now, with all that is held.
  func symbol(code: UInt32) -> xkb_keysym_t { xkb_state_key_get_one_sym(state, code &+ 8) }

  /// The text that the key types now.
  func text(code: UInt32) -> String {
    var buffer = [CChar](repeating: 0, count: 16)
    let length = xkb_state_key_get_utf8(state, code &+ 8, &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return "" }
    return String(decoding: buffer[0..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// True when holding the key sends it again; modifiers never do.
  func repeats(code: UInt32) -> Bool { xkb_keymap_key_repeats(keymap, code &+ 8) != 0 }
}
