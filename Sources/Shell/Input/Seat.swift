import Wayland

/// A device of a seat: the touch screen, the pointer, the keyboard, a stylus, or all tablets together.
protocol InputDevice: AnyObject {
  /// Ends a batch of messages. Changes that no frame closed apply now.
  func endBatch()
  /// Cancels everything held on `window`, which is closing or hidden.
  func cancel(on window: Window)
  /// Cancels the contacts on `window` whose positions depend on the output's transform, which has changed.
  func cancelPlaces(on window: Window)
  /// Passes a contact on `window` to the compositor and returns its serial; nil if it is not down there. The content receives
  /// its cancellation at the end of the batch.
  func handOver(_ contact: TouchID.Contact, on window: Window) -> UInt32?
  /// The serial of a contact's press on `window`; nil if it is not down there.
  func pressSerial(of contact: TouchID.Contact, on window: Window) -> UInt32?
  /// Another text has the keys that go to `window`, or none has.
  func textInputChanged(on window: Window)
  /// Shows `shape` while the device is over `window`; nil redraws the same shape for another scale.
  func setCursor(_ shape: CursorShape?, over window: Window)
  /// Ends the device: cancels everything held and ends the objects.
  func end()
}

extension InputDevice {
  func endBatch() {}
  func cancel(on window: Window) {}
  func cancelPlaces(on window: Window) {}
  func handOver(_ contact: TouchID.Contact, on window: Window) -> UInt32? { nil }
  func pressSerial(of contact: TouchID.Contact, on window: Window) -> UInt32? { nil }
  func textInputChanged(on window: Window) {}
  func setCursor(_ shape: CursorShape?, over window: Window) {}
}

/// A user's set of input devices. Capabilities come and go at any time. A device that goes is released and its input cancelled;
/// if it returns it is created again.
final class Seat {
  let id: SeatID
  /// The global's number, by which its removal is announced.
  let globalName: UInt32
  private let proxy: WlSeat
  private var name = ""
  unowned let application: Application
  let globals: Globals
  /// The present devices. The kind is nil for tablets and text inputs, which hold nothing that could be lost.
  private var devices: [(kind: InputLoss.Device?, device: any InputDevice)] = []
  private var clipboard: Clipboard?

  init(proxy: WlSeat, globalName: UInt32, globals: Globals, application: Application) {
    self.proxy = proxy
    self.globalName = globalName
    self.globals = globals
    self.application = application
    id = SeatID(globalName)
    proxy.onEvent = { [unowned self] in
      switch $0 {
      case .capabilities(let capabilities): update(capabilities)
      case .name(let name): self.name = name
      }
    }
    if let proxy = globals.tablets?.getTabletSeat(seat: proxy) {
      add(TabletSeat(proxy: proxy, seat: self))
    }
    // Before version 2 a data device can't be released.
    if let manager = globals.dataDevices, manager.version >= 2 {
      clipboard = Clipboard(manager: manager, proxy: proxy, seat: id, application: application)
    }
    if let proxy = globals.textInputs?.getTextInput(seat: proxy) {
      add(TextInput(proxy: proxy, seat: self))
    }
  }

  /// Adds a device that is no capability.
  func add(_ device: any InputDevice, _ kind: InputLoss.Device? = nil) { devices.append((kind, device)) }

  /// Destroys a removed device. This is a loss if its kind can hold input.
  func remove(_ device: any InputDevice) {
    guard let known = devices.first(where: { $0.device === device }) else { return }
    if let kind = known.kind { application.notifyLoss(InputLoss(.deviceLost(kind), seat: id)) }
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
    for (_, device) in devices { device.endBatch() }
  }

  /// Passes a contact on `window` to the compositor, to move or resize the window by it. Returns the serial of its beginning
  /// and the seat; nil if it is not down there.
  func handOver(_ contact: TouchID.Contact, on window: Window) -> (seat: WlSeat, serial: UInt32)? {
    for (_, device) in devices {
      if let serial = device.handOver(contact, on: window) { return (proxy, serial) }
    }
    return nil
  }

  /// The press of a contact that is down on `window`: its serial, and the seat. Nil when it is not down there.
  func press(_ contact: TouchID.Contact, on window: Window) -> (seat: WlSeat, serial: UInt32)? {
    for (_, device) in devices {
      if let serial = device.pressSerial(of: contact, on: window) { return (proxy, serial) }
    }
    return nil
  }

  /// Cancels this seat's input on `window`.
  func cancel(on window: Window) {
    for (_, device) in devices { device.cancel(on: window) }
  }

  /// Cancels this seat's fingers and pens on `window`.
  func cancelPlaces(on window: Window) {
    for (_, device) in devices { device.cancelPlaces(on: window) }
  }

  /// Another text has the keys that go to `window`, or none has.
  func textInputChanged(on window: Window) {
    for (_, device) in devices { device.textInputChanged(on: window) }
  }

  /// Sets the cursor's image over `window`; nil redraws the same shape for another scale.
  func setCursor(_ shape: CursorShape?, over window: Window) {
    for (_, device) in devices { device.setCursor(shape, over: window) }
  }

  /// Offers `text` for pasting, on behalf of the press with `serial`. Returns false if the compositor has no clipboard.
  func copy(_ text: String, serial: UInt32) -> Bool {
    clipboard?.copy(text, serial: serial)
    return clipboard != nil
  }

  /// True while there is a text to paste.
  var canPaste: Bool { clipboard?.canPaste ?? false }

  /// Has the text that can be pasted sent to the window's content.
  func paste(into window: Window) { clipboard?.paste(into: window) }

  /// Destroys the seat, because it was removed or the application ends.
  func end() {
    update([])
    clipboard?.end()
    clipboard = nil
    while let last = devices.last { remove(last.device) }
    proxy.end()
  }

  private func update(_ capabilities: WlSeat.Capability) {
    Log.write(.input, .info, "seat \(id.value) capabilities \(capabilities.rawValue)")
    update(.touch, isThere: capabilities.contains(.touch)) { TouchDevice(proxy: proxy.getTouch(), seat: self) }
    update(.pointer, isThere: capabilities.contains(.pointer)) { PointerDevice(proxy: proxy.getPointer(), seat: self) }
    update(.keyboard, isThere: capabilities.contains(.keyboard)) {
      KeyboardDevice(proxy: proxy.getKeyboard(), seat: self)
    }
  }

  private func update(_ kind: InputLoss.Device, isThere: Bool, _ make: () -> any InputDevice) {
    let known = devices.first { $0.kind == kind }?.device
    if isThere, known == nil { devices.append((kind, make())) }
    if !isThere, let known { remove(known) }
  }
}
