import CLinux
import CXkbcommon
import Glibc
import Linux
import UICore
import Wayland

/// Input through zwlr_virtual_pointer_v1 and zwp_virtual_keyboard_v1; wlroots offers no virtual touchscreen.
final class VirtualDevices: InputDevice {
  /// Units in a point: the protocol takes positions as whole numbers.
  private static let fineness = 64.0

  private let pointer: ZwlrVirtualPointerV1
  private let keyboard: VirtualKeyboard
  private let desktop: (width: Int, height: Int)

  /// Takes ownership of a virtual pointer and a virtual keyboard of the seat.
  init(
    pointer: ZwlrVirtualPointerV1, keyboard: ZwpVirtualKeyboardV1, desktop: (width: Int, height: Int)
  ) throws(InputError) {
    self.pointer = pointer
    self.keyboard = try VirtualKeyboard(keyboard)
    self.desktop = desktop
  }

  /// Performs the command; throws if it is about touches or outputs.
  func perform(_ command: Command) throws(InputError) {
    switch command {
    case .pointerMotion(let x, let y):
      pointer.motionAbsolute(
        time: now, x: place(x, desktop.width), y: place(y, desktop.height), xExtent: place(.infinity, desktop.width),
        yExtent: place(.infinity, desktop.height))
      pointer.frame()
    case .pointerButton(let isPressed):
      pointer.button(time: now, button: primaryButton, state: isPressed ? .pressed : .released)
      pointer.frame()
    case .key(let code, let isPressed):
      keyboard.send(code, isPressed, time: now)
    case .touchDown, .touchMotion, .touchUp, .touchFrame, .touchCancel:
      throw .unsupported("touch")
    case .outputScale, .output:
      throw .unsupported("outputs")
    }
  }

  /// Destroys the devices.
  func release() {
    keyboard.end()
    pointer.end()
  }

  private func place(_ points: Double, _ side: Int) -> UInt32 {
    UInt32((min(max(points, 0), Double(side)) * Self.fineness).rounded())
  }

  /// The time in milliseconds, as in input events.
  private var now: UInt32 { MonotonicTime.system.milliseconds }
}

/// A keyboard with the layout `us`, which xkbcommon compiles from that name.
private final class VirtualKeyboard {
  /// XKB key codes are the kernel's plus 8.
  private static let keyOffset: UInt32 = 8
  private let keyboard: ZwpVirtualKeyboardV1
  private let state: OpaquePointer

  /// Sends the keymap to the compositor, for `keyboard`.
  init(_ keyboard: ZwpVirtualKeyboardV1) throws(InputError) {
    let lack = InputError("xkbcommon has no keymap for the layout us")
    guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { throw lack }
    defer { xkb_context_unref(context) }
    let keymap = "us".withCString { layout in
      var names = xkb_rule_names()
      names.layout = layout
      return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
    }
    // The state holds a reference to the keymap.
    defer { xkb_keymap_unref(keymap) }
    guard let keymap, let text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1),
      let state = xkb_state_new(keymap)
    else { throw lack }
    defer { free(text) }
    self.keyboard = keyboard
    self.state = state
    let size = strlen(text) + 1
    guard let file = Descriptor(cockpit_memfd("keymap")), write(file.number, text, size) == size else {
      throw .system("writing the keymap")
    }
    keyboard.keymap(format: .xkbV1, fd: file.number, size: UInt32(size))
  }

  isolated deinit { xkb_state_unref(state) }

  /// Sends a key, then the modifiers if it changed them, because the compositor does not compute them.
  func send(_ code: UInt32, _ isPressed: Bool, time: UInt32) {
    keyboard.key(time: time, key: code, state: isPressed ? .pressed : .released)
    let changed = xkb_state_update_key(state, code + Self.keyOffset, isPressed ? XKB_KEY_DOWN : XKB_KEY_UP)
    guard changed.rawValue != 0 else { return }
    keyboard.modifiers(
      modsDepressed: xkb_state_serialize_mods(state, XKB_STATE_MODS_DEPRESSED),
      modsLatched: xkb_state_serialize_mods(state, XKB_STATE_MODS_LATCHED),
      modsLocked: xkb_state_serialize_mods(state, XKB_STATE_MODS_LOCKED),
      group: xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_EFFECTIVE))
  }

  func end() { keyboard.end() }
}
