import CLinux
import UICore
import WaylandServer

extension StageSeat {
  /// `surface` (else the first window's) gets the keyboard's focus, with the evdev codes of `keys` held.
  public func keyboardEnter(_ keys: [UInt32] = [], on surface: StageSurface? = nil) {
    guard let surface = surface ?? stage.frontSurface else { return }
    keyboardFocus = surface
    for keyboard in focusedKeyboards {
      keyboard.sendEnter(
        serial: stage.display.nextSerial(), surface: surface.resource, keys: keys.withUnsafeBytes { Array($0) })
    }
    modifiers()
  }

  /// The key with the evdev code `code` goes down or up.
  public func key(_ code: UInt32, _ isPressed: Bool) {
    for keyboard in focusedKeyboards {
      keyboard.sendKey(
        serial: stage.display.nextSerial(), time: stage.clock.milliseconds, key: code,
        state: isPressed ? .pressed : .released)
    }
  }

  /// The compositor itself repeats a held key (version 10).
  public func repeatKey(_ code: UInt32) {
    for keyboard in focusedKeyboards where keyboard.version >= 10 {
      keyboard.sendKey(
        serial: stage.display.nextSerial(), time: stage.clock.milliseconds, key: code, state: .repeated)
    }
  }

  /// The modifiers held, latched and locked, as the keymap's bits, and the layout.
  public func modifiers(_ depressed: UInt32 = 0, latched: UInt32 = 0, locked: UInt32 = 0, group: UInt32 = 0) {
    for keyboard in focusedKeyboards {
      keyboard.sendModifiers(
        serial: stage.display.nextSerial(), modsDepressed: depressed, modsLatched: latched, modsLocked: locked,
        group: group)
    }
  }

  /// The keyboard's focus goes.
  public func keyboardLeave() {
    guard let surface = keyboardFocus else { return }
    for keyboard in focusedKeyboards {
      keyboard.sendLeave(serial: stage.display.nextSerial(), surface: surface.resource)
    }
    keyboardFocus = nil
  }

  private var focusedKeyboards: [WlKeyboardResource] {
    guard let surface = keyboardFocus, surface.resource.isAlive else { return [] }
    return keyboards.filter { $0.client == surface.resource.client }
  }

  /// Sends the keymap, which libwayland passes on as a copy of the descriptor.
  func sendKeymap(_ keyboard: WlKeyboardResource) {
    guard let file = keymap.makeFile() else { return }
    keyboard.sendKeymap(format: keymap.format, fd: file.descriptor, size: file.size)
    close(file.descriptor)
  }

  /// Sends the repeat rate to keyboards that are new enough.
  func sendRepeatInfo(_ keyboard: WlKeyboardResource) {
    guard keyboard.version >= 4 else { return }
    keyboard.sendRepeatInfo(rate: Int32(repeatInfo.rate), delay: Int32(repeatInfo.delay))
  }
}
