// Characters that take several keys: dead keys and the Compose key, by the person's own table.

import CXkbcommon

/// Follows one keyboard's key presses and says which of them only begin a character.
///
/// The table (XCOMPOSEFILE, ~/.XCompose, or the locale's) is read when the first dead or Compose key is pressed: most
/// keyboards never need it, and it takes milliseconds.
@MainActor final class Composer {
  /// What a key press comes to.
  enum Result: Equatable {
    /// The key types what it types.
    case unchanged
    /// The key is a part of a character that is not complete.
    case pending
    /// The character is complete; empty when the keys make none.
    case text(String)
  }

  private var state: OpaquePointer?
  private var wasLoaded = false

  isolated deinit {
    xkb_compose_state_unref(state)
  }

  /// A key was pressed that gives `symbol`.
  func press(_ symbol: xkb_keysym_t) -> Result {
    if !wasLoaded, Composer.begins(symbol) { load() }
    guard let state, xkb_compose_state_feed(state, symbol) == XKB_COMPOSE_FEED_ACCEPTED else { return .unchanged }
    switch xkb_compose_state_get_status(state) {
    case XKB_COMPOSE_COMPOSING: return .pending
    case XKB_COMPOSE_COMPOSED: return .text(text(of: state))
    case XKB_COMPOSE_CANCELLED:
      xkb_compose_state_reset(state)
      return .text("")
    default: return .unchanged
    }
  }

  /// The focus went: what was begun is forgotten.
  func reset() {
    if let state { xkb_compose_state_reset(state) }
  }

  /// True for the dead keys and the Compose key (xkbcommon-keysyms: dead_grave up to the last dead key, Multi_key).
  private static func begins(_ symbol: xkb_keysym_t) -> Bool {
    (0xfe50...0xfe93).contains(symbol) || symbol == 0xff20
  }

  private func load() {
    wasLoaded = true
    guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { return }
    defer { xkb_context_unref(context) }
    let locale =
      Environment.localeOfAll.value ?? Environment.localeOfCharacters.value ?? Environment.locale.value ?? "C"
    guard let table = xkb_compose_table_new_from_locale(context, locale, XKB_COMPOSE_COMPILE_NO_FLAGS) else {
      Log.write(.input, .info, "no table of composed characters for the locale \(locale)")
      return
    }
    state = xkb_compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS)
    xkb_compose_table_unref(table)
  }

  private func text(of state: OpaquePointer) -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    let length = xkb_compose_state_get_utf8(state, &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return "" }
    return String(decoding: buffer[0..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
