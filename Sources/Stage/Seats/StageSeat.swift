import UICore
import WaylandServer

/// A wl_seat with its pointer, keyboard and touch screen.
public final class StageSeat {
  /// The seat's name.
  public let name: String
  /// The keymap that keyboards are told.
  public var keymap = StageKeymap.simple { didSet { keyboards.forEach(sendKeymap) } }
  /// The key repeat that keyboards are told: keys in a second (0: none), and the delay in milliseconds.
  public var repeatInfo = (rate: 25, delay: 600) { didSet { keyboards.forEach(sendRepeatInfo) } }
  /// The devices it has; a change is told to clients, and objects of a lost device never hear of anything again.
  public var capabilities: WlSeatResource.Capability { didSet { capabilitiesChanged(from: oldValue) } }
  /// The pointer's picture that the client chose; nil before, and again after every enter.
  public internal(set) var cursor: StageCursor?

  /// The pointers that clients hold and that still work.
  public internal(set) var pointers: [WlPointerResource] = []
  /// The keyboards that clients hold and that still work.
  public internal(set) var keyboards: [WlKeyboardResource] = []
  /// The touch screens that clients hold and that still work.
  public internal(set) var touches: [WlTouchResource] = []
  /// The objects of devices that went away and that clients have not released.
  public internal(set) var inert: [Resource] = []

  /// False: scrolls come without the frames that end them.
  public var sendsPointerFrames = true
  /// The pens that the seat's tablets have.
  public internal(set) var pens: [StagePen] = []

  var tabletSeats: [ZwpTabletSeatV2Resource] = []
  var pointerFocus: StageSurface?
  var keyboardFocus: StageSurface?
  var touchPoints: [Int32: (surface: StageSurface, serial: UInt32)] = [:]
  var enterSerial: UInt32 = 0
  var enterSerials: Set<UInt32> = []
  var presses: [UInt32: UInt32] = [:]
  unowned let stage: Stage
  private(set) var resources: [WlSeatResource] = []
  private var global: Global<WlSeatResource>?
  private var everHad: WlSeatResource.Capability

  init(name: String, capabilities: WlSeatResource.Capability, stage: Stage) {
    self.name = name
    self.capabilities = capabilities
    self.stage = stage
    everHad = capabilities
    guard let version = stage.globals.seat else { return }
    global = Global(stage.display, WlSeatResource.self, version: version) { [weak self] bound in self?.serve(bound) }
  }

  /// True when `serial` is that of a button or a finger that is down.
  public func isPress(_ serial: UInt32) -> Bool {
    presses.values.contains(serial) || touchPoints.values.contains { $0.serial == serial }
      || pens.contains { $0.downSerial == serial }
  }

  /// Tells clients that the seat is gone; those that bind it before they know are still served.
  func withdraw(tellsDevices: Bool) {
    if tellsDevices { capabilities = [] }
    global?.withdraw()
  }

  /// Removes the global.
  func remove() { global?.remove() }

  /// Forgets a surface that has ended.
  func forget(_ surface: StageSurface) {
    if pointerFocus === surface { pointerFocus = nil }
    if keyboardFocus === surface { keyboardFocus = nil }
    touchPoints = touchPoints.filter { $0.value.surface !== surface }
    for pen in pens { pen.forget(surface) }
  }

  private func serve(_ bound: WlSeatResource) {
    resources.append(bound)
    stage.own(self, for: bound) { [weak self, weak bound] in self?.resources.removeAll { $0 === bound } }
    bound.onRequest = { [weak self, weak bound] request in
      guard let self, let bound else { return }
      self.handle(request, of: bound)
    }
    bound.sendCapabilities(capabilities: capabilities)
    if bound.version >= 2 { bound.sendName(name: name) }
  }

  private func handle(_ request: WlSeatResource.Request, of bound: WlSeatResource) {
    switch request {
    case .release: break
    case .getPointer(let pointer):
      check(.pointer, "get_pointer", of: bound)
      if capabilities.contains(.pointer) { pointers.append(pointer) } else { inert.append(pointer) }
      stage.own(self, for: pointer) { [weak self, weak pointer] in
        self?.pointers.removeAll { $0 === pointer }
        self?.inert.removeAll { $0 === pointer }
      }
      pointer.onRequest = { [weak self] in self?.handle($0) }
    case .getKeyboard(let keyboard):
      check(.keyboard, "get_keyboard", of: bound)
      if capabilities.contains(.keyboard) { keyboards.append(keyboard) } else { inert.append(keyboard) }
      keyboard.onDestroy = { [weak self, weak keyboard] in
        self?.keyboards.removeAll { $0 === keyboard }
        self?.inert.removeAll { $0 === keyboard }
      }
      sendKeymap(keyboard)
      sendRepeatInfo(keyboard)
    case .getTouch(let touch):
      check(.touch, "get_touch", of: bound)
      if capabilities.contains(.touch) { touches.append(touch) } else { inert.append(touch) }
      touch.onDestroy = { [weak self, weak touch] in
        self?.touches.removeAll { $0 === touch }
        self?.inert.removeAll { $0 === touch }
      }
    }
  }

  private func check(_ capability: WlSeatResource.Capability, _ request: String, of bound: WlSeatResource) {
    guard !everHad.contains(capability) else { return }
    stage.forbid(
      .missingCapability, "\(request) of the seat \(name), which never had one", on: bound,
      code: WlSeatResource.ErrorCode.missingCapability)
  }

  private func capabilitiesChanged(from old: WlSeatResource.Capability) {
    guard old != capabilities else { return }
    everHad.formUnion(capabilities)
    if !capabilities.contains(.pointer) {
      inert += pointers as [Resource]
      pointers.removeAll()
      pointerFocus = nil
      presses.removeAll()
    }
    if !capabilities.contains(.keyboard) {
      inert += keyboards as [Resource]
      keyboards.removeAll()
      keyboardFocus = nil
    }
    if !capabilities.contains(.touch) {
      inert += touches as [Resource]
      touches.removeAll()
      touchPoints.removeAll()
    }
    resources.forEach { $0.sendCapabilities(capabilities: capabilities) }
  }
}
