import Linux
import UICore
import Wayland

/// Input through zwlr_virtual_pointer_v1 and zwp_virtual_keyboard_v1.
/// wlroots offers no virtual touchscreen.
final class VirtualDevices: InputDevice {
  /// The parts of a point that places are counted in, since they are whole numbers.
  private static let fineness = 64.0

  private let pointer: ZwlrVirtualPointerV1
  private let keyboard: ZwpVirtualKeyboardV1
  private let keymap: Keymap
  private let desktop: (width: Int, height: Int)

  /// Adds a mouse and a keyboard to the seat.
  init(
    pointers: ZwlrVirtualPointerManagerV1, keyboards: ZwpVirtualKeyboardManagerV1, seat: WlSeat,
    desktop: (width: Int, height: Int)
  ) throws(InputError) {
    self.desktop = desktop
    keymap = try Keymap()
    pointer = pointers.createVirtualPointer(seat: seat)
    keyboard = keyboards.createVirtualKeyboard(seat: seat)
    try keymap.send(by: keyboard)
  }

  /// Performs the command, unless it is a touch.
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
      keyboard.key(time: now, key: code, state: isPressed ? .pressed : .released)
      // The client must send the modifiers that a key changes; the compositor does not compute them.
      if let held = keymap.modifiers(after: code, isPressed: isPressed) {
        keyboard.modifiers(
          modsDepressed: held.depressed, modsLatched: held.latched, modsLocked: held.locked, group: held.group)
      }
    case .touchDown, .touchMotion, .touchUp, .touchFrame, .touchCancel:
      throw .unsupported("touch")
    case .outputScale, .output:
      throw .unsupported("outputs")
    }
  }

  /// Takes all hands away.
  func release() {
    keyboard.end()
    pointer.end()
  }

  private func place(_ points: Double, _ side: Int) -> UInt32 {
    UInt32((min(max(points, 0), Double(side)) * Self.fineness).rounded())
  }

  /// Milliseconds, as input events count them.
  private var now: UInt32 { UInt32(truncatingIfNeeded: MonotonicTime.system.nanoseconds / 1_000_000) }
}
