import Wayland

/// A device of a seat: the touch screen, the pointer, the keyboard, a stylus, or all tablets together.
protocol InputDevice: AnyObject {
  /// Ends a batch of messages. Changes that no frame closed apply now.
  func endBatch()
  /// Cancels the contacts and keys held on `window` when it closes or is hidden. If `onlyPlaces`, cancels only the contacts whose
  /// positions depend on the output's transform, because that has changed.
  func cancel(on window: Window, onlyPlaces: Bool)
  /// The serial of a contact's press on `window`; nil if it is not down there. If `handsOver`, the contact is passed to the
  /// compositor, and the content receives its cancellation at the end of the batch.
  func press(of contact: TouchID.Contact, on window: Window, handsOver: Bool) -> UInt32?
  /// Shows `shape` while the device is over `window`; nil redraws the same shape for another scale.
  func setCursor(_ shape: CursorShape?, over window: Window)
  /// Ends the device: cancels everything held and ends the objects.
  func end()
}

extension InputDevice {
  func endBatch() {}
  func cancel(on window: Window, onlyPlaces: Bool) {}
  func press(of contact: TouchID.Contact, on window: Window, handsOver: Bool) -> UInt32? { nil }
  func setCursor(_ shape: CursorShape?, over window: Window) {}
}

/// A window that input goes to, which may be gone. Each window has one such object. Devices keep it in every finger and every
/// change, because copying a strong reference costs much less than copying a weak one.
nonisolated final class InputTarget: Hashable {
  private(set) weak var window: Window?

  init(_ window: Window) { self.window = window }

  static func == (a: InputTarget, b: InputTarget) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The common part of a seat's devices: its identity, and their way to the rest of the application.
final class SeatContext {
  let id: SeatID
  let globals: Globals
  let loop: EventLoop
  let outbox: Outbox
  private(set) weak var application: Application?
  fileprivate(set) weak var seat: Seat?

  init(_ id: SeatID, globals: Globals, application: Application) {
    (self.id, self.globals, self.application) = (id, globals, application)
    (loop, outbox) = (application.loop, application.outbox)
  }

  var now: MonotonicTime { loop.clock.now }

  func window(of surface: WlSurface?) -> Window? { application?.window(of: surface) }

  /// Records a press or touch; the next copy uses its serial.
  func pressed(_ serial: UInt32) { application?.server?.pressed(serial, on: id) }
}

/// A user's set of input devices. Capabilities come and go at any time. A device that goes is released and its input cancelled;
/// if it returns it is created again.
final class Seat {
  var id: SeatID { context.id }
  /// The global's number, by which its removal is announced.
  let globalName: UInt32
  private let proxy: WlSeat
  private var name = ""
  private let context: SeatContext
  /// A device that is present. (A tuple's type is looked up at run time wherever an array of them is read unoptimised.)
  private struct Present {
    /// Nil for tablets and text inputs, which hold nothing that could be lost.
    let kind: InputLoss.Device?
    let device: any InputDevice
  }

  private var devices: [Present] = []
  private var textInput: TextInput?
  private var clipboard: Clipboard?
  private var primary: PrimarySelection?

  init(proxy: WlSeat, globalName: UInt32, globals: Globals, application: Application) {
    self.proxy = proxy
    self.globalName = globalName
    context = SeatContext(SeatID(globalName), globals: globals, application: application)
    context.seat = self
    proxy.onEvent = { [unowned self] in
      switch $0 {
      case .capabilities(let capabilities): update(capabilities)
      case .name(let name): self.name = name
      }
    }
    if let proxy = globals[ZwpTabletManagerV2.self]?.getTabletSeat(seat: proxy) {
      add(TabletSeat(proxy: proxy, seat: context))
    }
    // Before version 2 a data device can't be released.
    if let manager = globals[WlDataDeviceManager.self], manager.version >= 2 {
      clipboard = Clipboard(manager: manager, proxy: proxy, seat: context)
    }
    if let manager = globals[ZwpPrimarySelectionDeviceManagerV1.self] {
      primary = PrimarySelection(manager: manager, proxy: proxy, seat: context)
    }
    if let proxy = globals[ZwpTextInputManagerV3.self]?.getTextInput(seat: proxy) {
      let made = TextInput(proxy: proxy, seat: context)
      textInput = made
      add(made)
    }
  }

  /// Adds a device that is no capability.
  func add(_ device: any InputDevice, _ kind: InputLoss.Device? = nil) {
    devices.append(Present(kind: kind, device: device))
  }

  /// Destroys a removed device. This is a loss if its kind can hold input.
  func remove(_ device: any InputDevice) {
    guard let known = devices.first(where: { $0.device === device }) else { return }
    if let kind = known.kind { context.application?.notifyLoss(InputLoss(.deviceLost(kind), seat: id)) }
    devices.removeAll { $0.device === device }
    device.end()
  }

  /// The seat in a few words.
  var summary: String {
    let kinds = ([.touch, .pointer, .keyboard] as [InputLoss.Device]).filter { kind in
      devices.contains { $0.kind == kind }
    }
    return (name.isEmpty ? "seat \(id.value)" : name) + ": "
      + (kinds.isEmpty ? "no devices" : kinds.map { "\($0)" }.joined(separator: ", "))
  }

  /// Ends a batch of messages.
  func endBatch() {
    for present in devices { present.device.endBatch() }
  }

  /// The seat, and the serial of a contact's press on `window`; nil if it is not down there. If `handsOver`, the contact is passed
  /// to the compositor, to move or resize the window by it.
  func press(
    of contact: TouchID.Contact, on window: Window, handsOver: Bool
  ) -> (seat: WlSeat, serial: UInt32)? {
    for present in devices {
      if let serial = present.device.press(of: contact, on: window, handsOver: handsOver) { return (proxy, serial) }
    }
    return nil
  }

  /// See `InputDevice.cancel`.
  func cancel(on window: Window, onlyPlaces: Bool) {
    for present in devices { present.device.cancel(on: window, onlyPlaces: onlyPlaces) }
  }

  /// Another text has the keys that go to `window`, or none has.
  func textInputChanged(on window: Window) {
    textInput?.changed(on: window)
  }

  /// Sets the cursor's image over `window`; nil redraws the same shape for another scale.
  func setCursor(_ shape: CursorShape?, over window: Window) {
    for present in devices { present.device.setCursor(shape, over: window) }
  }

  /// Offers `text` for pasting, on behalf of the press with `serial`. Returns false if the compositor has no clipboard.
  func copy(_ text: String, serial: UInt32) -> Bool {
    clipboard?.copy(text, serial: serial)
    return clipboard != nil
  }

  /// Makes `text` the primary selection, on behalf of the press with `serial`. Returns false if the compositor has none.
  func select(_ text: String, serial: UInt32) -> Bool {
    primary?.select(text, serial: serial)
    return primary != nil
  }

  /// Has the primary selection sent to the window's content, for `place`.
  func pasteSelection(into window: Window, at place: Point) { primary?.paste(into: window, at: place) }

  /// True while there is a text to paste.
  var canPaste: Bool { clipboard?.canPaste ?? false }

  /// Has the text that can be pasted sent to the window's content.
  func paste(into window: Window) { clipboard?.paste(into: window) }

  /// Destroys the seat, because it was removed or the application ends.
  func end() {
    update([])
    clipboard?.end()
    clipboard = nil
    primary?.end()
    primary = nil
    while let last = devices.last { remove(last.device) }
    proxy.end()
  }

  private func update(_ capabilities: WlSeat.Capability) {
    Log.write(.input, .info, "seat \(id.value) capabilities \(capabilities.rawValue)")
    update(.touch, isThere: capabilities.contains(.touch)) { TouchDevice(proxy: proxy.getTouch(), seat: context) }
    update(.pointer, isThere: capabilities.contains(.pointer)) {
      PointerDevice(proxy: proxy.getPointer(), seat: context)
    }
    update(.keyboard, isThere: capabilities.contains(.keyboard)) {
      KeyboardDevice(proxy: proxy.getKeyboard(), seat: context)
    }
  }

  private func update(_ kind: InputLoss.Device, isThere: Bool, _ make: () -> any InputDevice) {
    let known = devices.first { $0.kind == kind }?.device
    if isThere, known == nil { devices.append(Present(kind: kind, device: make())) }
    if !isThere, let known { remove(known) }
  }
}
