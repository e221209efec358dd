public import WaylandServer

/// A wl_seat with its pointer, keyboard and touch screen.
public final class StageSeat {
  /// The kinds of devices of a seat (wl_seat.capability). Correct clients ignore bits that they do not know.
  public typealias Capabilities = WlSeatResource.Capability

  /// The button code of a mouse's left button.
  public static let leftButton: UInt32 = 0x110
  /// The button code of a mouse's right button.
  public static let rightButton: UInt32 = 0x111

  /// The name that clients see (since version 2 of wl_seat).
  public let name: String
  /// The keymap sent to keyboards.
  public var keymap = StageKeymap.simple { didSet { keyboards.forEach(keymap.send) } }
  /// The key repeat sent to keyboards: keys per second (0: none), and the delay in milliseconds.
  public var repeatInfo = (rate: 25, delay: 600) { didSet { keyboards.forEach(sendRepeatInfo) } }
  /// The devices of the seat. A change is sent to clients; the objects of a removed device move to `inert` and get no more
  /// events, even if the device returns.
  public var capabilities: Capabilities { didSet { capabilitiesChanged(from: oldValue) } }
  /// The cursor that the client chose for the last enter; nil if it has not chosen one yet.
  public private(set) var cursor: StageCursor?

  /// The number of the clients' pointers, without inert ones.
  public var pointerCount: Int { pointers.count }
  /// The number of the clients' keyboards, without inert ones.
  public var keyboardCount: Int { keyboards.count }
  /// The number of the clients' touchscreens, without inert ones.
  public var touchCount: Int { touches.count }
  /// The number of objects of devices that are removed, or were missing when the client requested them, which the client has not
  /// released.
  public var inertCount: Int { inert.count }
  /// The number of subscriptions to timestamps in nanoseconds.
  public var timestampCount: Int { timestamps.count }
  /// The number of subscriptions for a kind of device that the seat has, such as the touchscreens.
  public func timestampCount(for kind: Capabilities) -> Int {
    let devices: [Resource] =
      (kind.contains(.pointer) ? pointers : []) + (kind.contains(.keyboard) ? keyboards : [])
      + (kind.contains(.touch) ? touches : [])
    return timestamps.count { subscription in devices.contains { $0 === subscription.device } }
  }

  /// The clients' pointers, without inert ones.
  package private(set) var pointers: [WlPointerResource] = []
  /// The clients' keyboards, without inert ones.
  package private(set) var keyboards: [WlKeyboardResource] = []
  /// The clients' touch screens, without inert ones.
  package private(set) var touches: [WlTouchResource] = []
  /// The objects of devices that are removed, or were missing when the client asked for them, until the client releases them.
  private var inert: [Resource] = []

  /// The subscriptions to timestamps in nanoseconds. One whose `device` is destroyed gets nothing; the client should destroy it.
  private var timestamps: [(resource: ZwpInputTimestampsV1Resource, device: Resource)] = []

  /// False to send scroll events without the frame event that ends them.
  public var sendsPointerFrames = true
  /// The styluses, each with a tablet of its own.
  public internal(set) var pens: [StagePen] = []

  /// The text inputs that clients have not destroyed.
  public internal(set) var textInputs: [StageTextInput] = []

  var tabletSeats: [ZwpTabletSeatV2Resource] = []
  var relativePointers: [ZwpRelativePointerV1Resource] = []
  var gestureObjects: [GestureObject] = []
  /// The surface that a gesture began on; nil without one.
  weak var gestureSurface: StageSurface?
  /// The surfaces for which clients want every key.
  var inhibitors: [StageShortcutsInhibitor] = []
  /// The clients that are input methods.
  var inputMethods: [StageInputMethod] = []
  /// The surface under the pointer; nil if it is over none.
  public private(set) var pointerFocus: StageSurface?
  /// The pointer's position on `pointerFocus`, in its logical points, as it was last sent.
  private(set) var pointerPlace = Point.zero
  /// The surface that gets the keys; nil if none does.
  public private(set) var keyboardFocus: StageSurface?
  /// The fingers that are down: the surface, the serial and the last position in the surface's logical points.
  package private(set) var touchPoints: [Int32: (surface: StageSurface, serial: UInt32, place: Point)] = [:]
  private var enterSerial: UInt32 = 0
  private var enterSerials: Set<UInt32> = []
  private var presses: [UInt32: UInt32] = [:]
  private(set) weak var stage: Stage?
  private(set) var resources: [WlSeatResource] = []
  private var global: Global?
  private var everHad: Capabilities

  init(name: String, capabilities: Capabilities, stage: Stage) {
    self.name = name
    self.capabilities = capabilities
    self.stage = stage
    everHad = capabilities
    global = stage.offer(WlSeatResource.self, stage.globals.seat) { [weak self] in self?.serve($0) }
  }

  /// True if `serial` is that of a button, a finger or a stylus tip that is down.
  public func isPress(_ serial: UInt32) -> Bool {
    presses.values.contains(serial) || touchPoints.values.contains { $0.serial == serial }
      || pens.contains { $0.downSerial == serial }
  }

  /// True if `serial` permits the grab of a popup: that of a press held now or, if the stage accepts that, of any recent action.
  func permitsGrab(_ serial: UInt32) -> Bool {
    isPress(serial)
      || (stage?.desktop != nil || stage?.acceptsRecentActions == true) && recentActions.contains(serial)
  }

  /// The serials of the latest buttons, keys and touches, pressed or released.
  private var recentActions: [UInt32] = []

  private func noteAction(_ serial: UInt32) -> UInt32 {
    recentActions = recentActions.suffix(15) + [serial]
    return serial
  }

  /// Withdraws the global; clients that bind it before they know are still served. `notifiesDevices` removes the devices first.
  func withdraw(notifiesDevices: Bool) {
    if notifiesDevices { capabilities = [] }
    stage?.withdraw(global)
  }

  /// Forgets a destroyed surface.
  func forget(_ surface: StageSurface) {
    if pointerFocus === surface { pointerFocus = nil }
    if keyboardFocus === surface { keyboardFocus = nil }
    touchPoints = touchPoints.filter { $0.value.surface !== surface }
    for pen in pens { pen.forget(surface) }
  }

  /// Returns a new serial for an event.
  func nextSerial() -> UInt32 { stage?.display.nextSerial() ?? 0 }

  /// The current time of input events, in milliseconds.
  var time: UInt32 { now.milliseconds }

  /// The time of events in nanoseconds.
  var now: MonotonicTime { stage?.clock.now ?? .zero }

  /// Returns the current time for an event of `device`, and sends it to subscribers in nanoseconds first.
  private func time(for device: Resource) -> UInt32 {
    let (seconds, nanoseconds) = now.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    for subscription in timestamps where subscription.device === device {
      subscription.resource.sendTimestamp(
        tvSecHi: UInt32(truncatingIfNeeded: seconds >> 32), tvSecLo: UInt32(truncatingIfNeeded: seconds),
        tvNsec: UInt32(nanoseconds))
    }
    return time
  }

  /// Adds a subscription to the timestamps of `device`.
  func subscribe(_ made: ZwpInputTimestampsV1Resource, to device: Resource) {
    timestamps.append((made, device))
    made.whenDestroyed { [weak self, weak made] in self?.timestamps.removeAll { $0.resource === made } }
  }

  // MARK: Objects

  private func serve(_ bound: WlSeatResource) {
    stage?.own(self, for: bound)
    stage?.list(bound, in: \.resources, of: self)
    bound.onRequest = { [unowned self, unowned bound] in handle($0, of: bound) }
    bound.sendCapabilities(capabilities: capabilities)
    if bound.version >= 2 { bound.sendName(name: name) }
  }

  private func handle(_ request: WlSeatResource.Request, of bound: WlSeatResource) {
    switch request {
    case .release: break
    case .getPointer(let pointer):
      add(pointer, .pointer, \.pointers, of: bound)
      pointer.onRequest = { [unowned self, unowned pointer] in handle($0, of: pointer) }
      // As with keyboards below.
      if let surface = pointerFocus, focusedPointers.contains(where: { $0 === pointer }) {
        pointer.sendEnter(
          serial: enterSerial, surface: surface.resource, surfaceX: pointerPlace.x, surfaceY: pointerPlace.y)
        if pointer.version >= 5 { pointer.sendFrame() }
      }
    case .getKeyboard(let keyboard):
      add(keyboard, .keyboard, \.keyboards, of: bound)
      keymap.send(to: keyboard)
      sendRepeatInfo(keyboard)
      // Like wlroots and weston, if a client requests a keyboard while it has the focus already.
      if let surface = keyboardFocus, focusedKeyboards.contains(where: { $0 === keyboard }) {
        giveFocus(to: keyboard, [], on: surface)
      }
    case .getTouch(let touch):
      add(touch, .touch, \.touches, of: bound)
    }
  }

  /// Adds a device's new object to the list `working`, or to `inert` if the seat lacks the device now.
  private func add<T: Resource>(
    _ made: T, _ capability: Capabilities, _ working: ReferenceWritableKeyPath<StageSeat, [T]>,
    of bound: WlSeatResource
  ) {
    if !everHad.contains(capability) {
      stage?.forbid(.missingCapability, "a device of the seat \(name), which never had one", on: bound)
    }
    stage?.own(self, for: made)
    stage?.list(made, in: working, of: self)
    if !capabilities.contains(capability) { disable(working) }
    made.whenDestroyed { [weak self, weak made] in self?.inert.removeAll { $0 === made } }
  }

  private func capabilitiesChanged(from old: Capabilities) {
    guard old != capabilities else { return }
    everHad.formUnion(capabilities)
    if !capabilities.contains(.pointer) {
      disable(\.pointers)
      pointerFocus = nil
      presses.removeAll()
    }
    if !capabilities.contains(.keyboard) {
      disable(\.keyboards)
      keyboardFocus = nil
    }
    if !capabilities.contains(.touch) {
      disable(\.touches)
      touchPoints.removeAll()
    }
    resources.forEach { $0.sendCapabilities(capabilities: capabilities) }
  }

  private func disable<T: Resource>(_ working: ReferenceWritableKeyPath<StageSeat, [T]>) {
    inert += self[keyPath: working] as [Resource]
    self[keyPath: working].removeAll()
  }

  /// Returns those of `objects` that belong to the client of `surface`; an empty array if that is nil or destroyed.
  private func objects<T: Resource>(_ objects: [T], of surface: StageSurface?) -> [T] {
    guard let surface, surface.resource.isAlive else { return [] }
    return objects.filter { $0.hasClient(of: surface.resource) }
  }
}

// MARK: Pointer

extension StageSeat {
  /// Moves the pointer onto `surface` (by default the first window's), at a position in its logical points. Send `pointerLeave()`
  /// first if it is on another surface.
  public func pointerEnter(_ x: Double, _ y: Double, on surface: StageSurface? = nil) {
    guard let surface = surface ?? stage?.frontSurface else { return }
    noteActivity()
    pointerFocus = surface
    pointerPlace = Point(x: x, y: y)
    cursor = nil
    enterSerial = nextSerial()
    enterSerials.insert(enterSerial)
    for pointer in focusedPointers {
      pointer.sendEnter(serial: enterSerial, surface: surface.resource, surfaceX: x, surfaceY: y)
    }
    pointerFrame()
  }

  /// Moves the pointer on its surface to a position in logical points. If it is on no surface, the first window's client still gets
  /// the event, as one that was sent before a surface ended.
  public func pointerMotion(_ x: Double, _ y: Double) {
    noteActivity()
    pointerPlace = Point(x: x, y: y)
    for pointer in objects(pointers, of: pointerFocus ?? stage?.frontSurface) {
      pointer.sendMotion(time: time(for: pointer), surfaceX: x, surfaceY: y)
      if pointer.version >= 5 { pointer.sendFrame() }
    }
  }

  /// Presses or releases a button; returns the serial of the event.
  @discardableResult
  public func pointerButton(_ isPressed: Bool, button: UInt32 = leftButton) -> UInt32 {
    noteActivity()
    let serial = noteAction(nextSerial())
    presses[button] = isPressed ? serial : nil
    for pointer in focusedPointers {
      pointer.sendButton(
        serial: serial, time: time(for: pointer), button: button, state: isPressed ? .pressed : .released)
    }
    pointerFrame()
    return serial
  }

  /// Scrolls by `dx`, `dy` logical points: with `clicks` by a mouse wheel (`clicks` of its steps on each axis; fractions need
  /// version 8), otherwise by a finger on a touchpad.
  public func pointerAxis(dx: Double = 0, dy: Double = 0, clicks: Double? = nil, isInverted: Bool = false) {
    sendSource(clicks == nil ? .finger : .wheel)
    if dx != 0 { scroll(.horizontalScroll, by: dx, clicks: clicks, isInverted: isInverted) }
    if dy != 0 { scroll(.verticalScroll, by: dy, clicks: clicks, isInverted: isInverted) }
    if sendsPointerFrames { pointerFrame() }
  }

  /// Scrolls on one axis without ending the frame; `clicks` is the number of a wheel's steps, nil for a device without.
  func scroll(_ axis: WlPointerResource.Axis, by value: Double, clicks: Double?, isInverted: Bool = false) {
    noteActivity()
    for pointer in focusedPointers {
      if pointer.version >= 9 {
        pointer.sendAxisRelativeDirection(axis: axis, direction: isInverted ? .inverted : .identical)
      }
      if let clicks, pointer.version >= 8 {
        pointer.sendAxisValue120(axis: axis, value120: Int32((clicks * 120).rounded()))
      } else if let clicks, pointer.version >= 5 {
        pointer.sendAxisDiscrete(axis: axis, discrete: Int32(clicks))
      }
      pointer.sendAxis(time: time(for: pointer), axis: axis, value: value)
    }
  }

  /// Ends a scroll on one axis without ending the frame.
  func stopScroll(_ axis: WlPointerResource.Axis) {
    for pointer in focusedPointers where pointer.version >= 5 {
      pointer.sendAxisStop(time: time(for: pointer), axis: axis)
    }
  }

  /// Sends the kind of device that scrolls, as part of the coming frame.
  func sendSource(_ source: WlPointerResource.AxisSource) {
    for pointer in focusedPointers where pointer.version >= 5 { pointer.sendAxisSource(axisSource: source) }
  }

  /// Ends a touchpad scroll in the given directions.
  public func pointerAxisStop(horizontal: Bool = true, vertical: Bool = true) {
    sendSource(.finger)
    if horizontal { stopScroll(.horizontalScroll) }
    if vertical { stopScroll(.verticalScroll) }
    if sendsPointerFrames { pointerFrame() }
  }

  /// Moves the pointer off its surface and forgets held buttons.
  public func pointerLeave() {
    guard let surface = pointerFocus else { return }
    for pointer in focusedPointers { pointer.sendLeave(serial: nextSerial(), surface: surface.resource) }
    pointerFrame()
    pointerFocus = nil
    presses.removeAll()
  }

  /// Ends the frame of the pointer's events.
  func pointerFrame() {
    for pointer in focusedPointers where pointer.version >= 5 { pointer.sendFrame() }
  }

  private var focusedPointers: [WlPointerResource] { objects(pointers, of: pointerFocus) }

  private func handle(_ request: WlPointerResource.Request, of pointer: WlPointerResource) {
    guard case .setCursor(let serial, let target, let x, let y) = request, let stage else { return }
    choose(stage.cursor(target, x, y, or: .cursorRole, on: pointer), serial: serial)
  }

  /// Records the client's cursor if `serial` is that of the last enter; a serial that never was an enter's is a violation.
  func choose(_ cursor: StageCursor, serial: UInt32) {
    if !enterSerials.contains(serial) {
      stage?.report(.wrongSerial, "a cursor for the seat \(name) with \(serial), which is no pointer's enter")
    }
    if serial == enterSerial { self.cursor = cursor }
  }
}

/// The cursor of a pointer or a stylus.
public enum StageCursor {
  /// A shape by the name that wp_cursor_shape_device_v1 gives it, such as "nw_resize".
  case shape(String)
  /// A surface of the client, with the hotspot in its logical points.
  case surface(StageSurface, hotspot: Point)
  /// No cursor is shown.
  case hidden
}

extension Stage {
  /// Returns the cursor of a set_cursor request to `device`, and gives its surface the cursor role; `rule` is broken if it has a
  /// different one. (`x`, `y`) is the hotspot.
  func cursor(
    _ target: WlSurfaceResource?, _ x: Int32, _ y: Int32, or rule: Violation.Rule, on device: Resource
  ) -> StageCursor {
    guard let surface: StageSurface = model(target) else { return .hidden }
    if !surface.take(.cursor) { forbid(rule, "wl_surface@\(surface.resource.id)", on: device) }
    return .surface(surface, hotspot: Point(x: Double(x), y: Double(y)))
  }

  func handle(_ request: WpCursorShapeManagerV1Resource.Request) {
    switch request {
    case .destroy: break
    case .getPointer(let device, let pointer):
      let seat: StageSeat? = model(pointer)
      serve(device) { [weak seat] in seat?.choose($0, serial: $1) }
    case .getTabletToolV2(let device, let tool):
      let pen: StagePen? = model(tool)
      serve(device) { [weak pen] in pen?.choose($0, serial: $1) }
    }
  }

  private func serve(_ device: WpCursorShapeDeviceV1Resource, choose: @escaping (StageCursor, UInt32) -> Void) {
    device.onRequest = { [unowned self, unowned device] request in
      guard case .setShape(let serial, let shape) = request else { return }
      guard (1...UInt32(cursorNames.count)).contains(shape.rawValue) else {
        return forbid(.invalidShape, "the shape \(shape.rawValue)", on: device)
      }
      choose(.shape(cursorNames[Int(shape.rawValue) - 1]), serial)
    }
  }
}

/// The names of wp_cursor_shape_device_v1.shape, from 1.
private let cursorNames = [
  "default", "context_menu", "help", "pointer", "progress", "wait", "cell", "crosshair", "text", "vertical_text",
  "alias",
  "copy", "move", "no_drop", "not_allowed", "grab", "grabbing", "e_resize", "n_resize", "ne_resize", "nw_resize",
  "s_resize", "se_resize", "sw_resize", "w_resize", "ew_resize", "ns_resize", "nesw_resize", "nwse_resize",
  "col_resize", "row_resize", "all_scroll", "zoom_in", "zoom_out",
]

// MARK: Keyboard

extension StageSeat {
  /// Gives `surface` (by default the first window's) the keyboard focus while `keys` (evdev codes) are held.
  public func keyboardEnter(_ keys: [UInt32] = [], on surface: StageSurface? = nil) {
    guard let surface = surface ?? stage?.frontSurface else { return }
    keyboardFocus = surface
    followKeyboardFocus()
    for keyboard in focusedKeyboards { giveFocus(to: keyboard, keys, on: surface) }
  }

  private func giveFocus(to keyboard: WlKeyboardResource, _ keys: [UInt32], on surface: StageSurface) {
    keyboard.sendEnter(serial: nextSerial(), surface: surface.resource, keys: wireArray(keys))
    keyboard.sendModifiers(serial: nextSerial(), modsDepressed: 0, modsLatched: 0, modsLocked: 0, group: 0)
  }

  /// Presses or releases the key with the evdev code `code`.
  public func key(_ code: UInt32, _ isPressed: Bool) {
    noteActivity()
    for keyboard in focusedKeyboards { send(code, isPressed ? .pressed : .released, to: keyboard) }
  }

  /// Sends a repeat of a held key, as compositors do that repeat keys themselves (since version 10).
  public func repeatKey(_ code: UInt32) {
    for keyboard in focusedKeyboards where keyboard.version >= 10 { send(code, .repeated, to: keyboard) }
  }

  private func send(_ code: UInt32, _ state: WlKeyboardResource.KeyState, to keyboard: WlKeyboardResource) {
    keyboard.sendKey(serial: noteAction(nextSerial()), time: time(for: keyboard), key: code, state: state)
  }

  /// Sends the held, latched and locked modifiers as bit masks of the keymap, and the index of the layout (`group`).
  public func modifiers(_ depressed: UInt32 = 0, latched: UInt32 = 0, locked: UInt32 = 0, group: UInt32 = 0) {
    for keyboard in focusedKeyboards {
      keyboard.sendModifiers(
        serial: nextSerial(), modsDepressed: depressed, modsLatched: latched, modsLocked: locked, group: group)
    }
  }

  /// Removes the keyboard focus.
  public func keyboardLeave() {
    guard let surface = keyboardFocus else { return }
    for keyboard in focusedKeyboards { keyboard.sendLeave(serial: nextSerial(), surface: surface.resource) }
    keyboardFocus = nil
    followKeyboardFocus()
  }

  private var focusedKeyboards: [WlKeyboardResource] { objects(keyboards, of: keyboardFocus) }

  private func sendRepeatInfo(_ keyboard: WlKeyboardResource) {
    guard keyboard.version >= 4 else { return }
    keyboard.sendRepeatInfo(rate: Int32(repeatInfo.rate), delay: Int32(repeatInfo.delay))
  }
}

// MARK: Touch screen

extension StageSeat {
  /// Puts a finger down on `surface` (by default the first window's) at a position in its logical points; returns the event's
  /// serial.
  @discardableResult
  public func touchDown(_ id: Int32, _ x: Double, _ y: Double, on surface: StageSurface? = nil) -> UInt32 {
    guard let surface = surface ?? stage?.frontSurface else { return 0 }
    noteActivity()
    let serial = noteAction(nextSerial())
    touchPoints[id] = (surface, serial, Point(x: x, y: y))
    for touch in touches(under: id) {
      touch.sendDown(serial: serial, time: time(for: touch), surface: surface.resource, id: id, x: x, y: y)
    }
    return serial
  }

  /// Moves a finger. If it is not down, the first window's client still gets the event, as from some compositors.
  public func touchMotion(_ id: Int32, _ x: Double, _ y: Double) {
    noteActivity()
    touchPoints[id]?.place = Point(x: x, y: y)
    for touch in touches(under: id) { touch.sendMotion(time: time(for: touch), id: id, x: x, y: y) }
  }

  /// Lifts a finger. If it is not down, the first window's client still gets the event.
  public func touchUp(_ id: Int32) {
    noteActivity()
    for touch in touches(under: id) { touch.sendUp(serial: nextSerial(), time: time(for: touch), id: id) }
    touchPoints[id] = nil
  }

  /// Ends the frame of touch events since the last one, for all clients.
  public func touchFrame() {
    for touch in touches { touch.sendFrame() }
  }

  /// Cancels all touches, as a compositor does that recognises a gesture of its own.
  public func touchCancel() {
    touchPoints.removeAll()
    for touch in touches { touch.sendCancel() }
  }

  private func touches(under id: Int32) -> [WlTouchResource] {
    objects(touches, of: touchPoints[id]?.surface ?? stage?.frontSurface)
  }
}
