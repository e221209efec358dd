import UICore
import Wayland

/// A person's set of input devices. Capabilities come and go at any time; what is lost is released and its input
/// cancelled, what comes back is made anew (behaviours 8 to 12).
final class Seat {
  let id: SeatID
  /// The global's number, by which its removal is announced.
  let globalName: UInt32
  private let proxy: WlSeat
  private var name = ""
  private unowned let router: any InputRouter
  private let globals: Globals
  private var pointer: PointerDevice?
  private var touch: TouchDevice?
  private var keyboard: KeyboardDevice?
  private var tablets: TabletSeat?
  private var clipboard: Clipboard?

  init(proxy: WlSeat, globalName: UInt32, globals: Globals, router: any InputRouter) {
    self.proxy = proxy
    self.globalName = globalName
    self.globals = globals
    self.router = router
    id = SeatID(globalName)
    proxy.onEvent = { [unowned self] in
      switch $0 {
      case .capabilities(let capabilities): update(capabilities)
      case .name(let name): self.name = name
      }
    }
    tablets = globals.tablets.map {
      TabletSeat(proxy: $0.getTabletSeat(seat: proxy), seat: id, globals: globals, router: router)
    }
  }

  /// The seat in a few words.
  var summary: String {
    let devices = [touch.map { _ in "touch" }, pointer.map { _ in "pointer" }, keyboard.map { _ in "keyboard" }]
      .compactMap { $0 }
    return (name.isEmpty ? "seat \(id.value)" : name) + ": "
      + (devices.isEmpty ? "no devices" : devices.joined(separator: ", "))
  }

  /// A batch of messages ended.
  func endBatch() {
    touch?.endBatch()
    pointer?.endBatch()
    tablets?.endBatch()
  }

  /// Hands a contact on `window` over to the compositor, to move or resize the window by it: the serial of its beginning, and
  /// the seat. Nil when it is not down there.
  func handOver(_ contact: TouchID.Contact, on window: Window) -> (seat: WlSeat, serial: UInt32)? {
    let serial =
      switch contact {
      case .finger(let id): touch?.handOver(id, on: window)
      case .pointer: pointer?.handOver(on: window)
      case .pen: tablets?.handOver(contact, on: window)
      }
    return serial.map { (proxy, $0) }
  }

  /// Cancels what this seat does on `window`.
  func cancel(on window: Window) {
    touch?.cancel(on: window)
    pointer?.cancel(on: window)
    keyboard?.cancel(on: window)
    tablets?.cancel(on: window)
  }

  /// Chooses the pointer's picture over `window`.
  func setCursor(_ shape: CursorShape, over window: Window) {
    pointer?.setCursor(shape, over: window)
    tablets?.setCursor(shape, over: window)
  }

  /// The window has another scale: the pointer's picture with it.
  func rescaleCursor(over window: Window) {
    pointer?.rescaleCursor(over: window)
    tablets?.rescaleCursor(over: window)
  }

  /// Offers `text` for pasting, asked for by the press with `serial`; false where the compositor has no clipboard.
  func copy(_ text: String, serial: UInt32) -> Bool {
    // Before version 2 a data device can't be let go of.
    guard let manager = globals.dataDevices, manager.version >= 2 else { return false }
    let clipboard = self.clipboard ?? Clipboard(manager: manager, seat: proxy, router: router)
    self.clipboard = clipboard
    clipboard.copy(text, serial: serial)
    return true
  }

  /// The seat went, or the application ends.
  func end() {
    update([])
    clipboard?.end()
    clipboard = nil
    tablets?.end()
    tablets = nil
    proxy.end()
  }

  private func update(_ capabilities: WlSeat.Capability) {
    Log.write(.input, .info, "seat \(id.value) capabilities \(capabilities.rawValue)")
    if capabilities.contains(.touch) {
      if touch == nil { touch = TouchDevice(proxy: proxy.getTouch(), seat: id, router: router) }
    } else if let lost = touch {
      router.tellLoss(InputLoss(.deviceLost(.touch), seat: id))
      lost.end()
      touch = nil
    }
    if capabilities.contains(.pointer) {
      if pointer == nil {
        let made = proxy.getPointer()
        let cursor = PointerCursor(.pointer(made), globals: globals)
        pointer = PointerDevice(proxy: made, seat: id, router: router, cursor: cursor)
      }
    } else if let lost = pointer {
      router.tellLoss(InputLoss(.deviceLost(.pointer), seat: id))
      lost.end()
      pointer = nil
    }
    if capabilities.contains(.keyboard) {
      if keyboard == nil { keyboard = KeyboardDevice(proxy: proxy.getKeyboard(), seat: id, router: router) }
    } else if let lost = keyboard {
      router.tellLoss(InputLoss(.deviceLost(.keyboard), seat: id))
      lost.end()
      keyboard = nil
    }
  }
}
