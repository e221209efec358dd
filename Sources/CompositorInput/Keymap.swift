import CLinux
import CXkbcommon
import Glibc
import Linux
import Wayland

/// The layout us, made by xkbcommon from its name.
final class Keymap {
  /// Modifiers and group as a keyboard reports them.
  typealias Modifiers = (depressed: UInt32, latched: UInt32, locked: UInt32, group: UInt32)

  /// Keymaps count keys from eight higher than the kernel does.
  private static let keyOffset: UInt32 = 8
  private let keymap: OpaquePointer
  private let state: OpaquePointer

  /// Makes it.
  init() throws(InputError) {
    guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { throw .noKeymap }
    defer { xkb_context_unref(context) }
    let made = "us".withCString { layout in
      var names = xkb_rule_names()
      names.layout = layout
      return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
    }
    guard let made, let state = xkb_state_new(made) else { throw .noKeymap }
    keymap = made
    self.state = state
  }

  isolated deinit {
    xkb_state_unref(state)
    xkb_keymap_unref(keymap)
  }

  /// Sends the keymap to the compositor as that of `keyboard`.
  func send(by keyboard: ZwpVirtualKeyboardV1) throws(InputError) {
    guard let text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1) else { throw .noKeymap }
    defer { free(text) }
    let size = strlen(text) + 1
    guard let file = Descriptor(cockpit_memfd("keymap")), write(file.number, text, size) == size else {
      throw .system(operation: "writing the keymap", errno: errno)
    }
    keyboard.keymap(format: .xkbV1, fd: file.number, size: UInt32(size))
  }

  /// The modifiers after a key changed them; nil if it didn't.
  func modifiers(after code: UInt32, isPressed: Bool) -> Modifiers? {
    let changed = xkb_state_update_key(state, code + Self.keyOffset, isPressed ? XKB_KEY_DOWN : XKB_KEY_UP)
    guard changed.rawValue != 0 else { return nil }
    return (
      xkb_state_serialize_mods(state, XKB_STATE_MODS_DEPRESSED),
      xkb_state_serialize_mods(state, XKB_STATE_MODS_LATCHED),
      xkb_state_serialize_mods(state, XKB_STATE_MODS_LOCKED),
      xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_EFFECTIVE)
    )
  }
}
