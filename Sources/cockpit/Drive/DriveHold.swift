import CockpitControls
import Controls
import UICore

/// The holds on the driving controls, and the total number of holds so far. Only hands hold.
struct DriveHold {
  /// The events that count as made by hand.
  enum Source {
    /// Events that carry the proof of a device, a `Hand`.
    case devices
    /// All events of a record, whose session took them from devices. Only for an output that sends nothing.
    case record
  }

  private struct Held: Hashable {
    var seat: SeatID
    var key: Key
  }

  private struct Holder: Hashable {
    var device: InputLoss.Device
    var seat: SeatID
  }

  /// The number of touches and presses that have begun.
  private(set) var count: UInt64 = 0
  private let source: Source
  private var keys: [Held] = []
  /// The gamepads that hold, with the controls that they have.
  private var pads: [SeatID: IgnoredControls] = [:]
  /// The fingers and buttons that took lever or wheel, and those that the latest event lifts.
  private var touches: [TouchID] = []
  private var lifted: [TouchID] = []
  /// True if the latest event cancels one that took lever or wheel. Its number may be that of a new one in the same event.
  private var hasCancelled = false
  /// The last holder of the lever, of the wheel, and of either.
  private var last: (lever: Holder?, wheel: Holder?, any: Holder?)
  /// The holds that a loss of input has ended; each is ignored until it is released.
  private var ignoredTouches: [(id: TouchID, control: IgnoredControls)] = []
  private var ignoredKeys: [Held] = []
  private var ignoredPads: [SeatID: IgnoredControls] = [:]

  init(_ source: Source) { self.source = source }

  private func holder(of touch: Touch) -> Holder? {
    if let hand = touch.hand { return Holder(device: hand.device, seat: hand.seat) }
    return source == .record ? Holder(device: touch.id.device, seat: touch.id.seat) : nil
  }

  /// True for a finger or button of a hand.
  func isHand(_ touch: Touch) -> Bool { holder(of: touch) != nil }

  /// True for a value that a hand set, also one that a sensor moves, or that nobody has changed yet.
  func isHand(_ origin: ValueOrigin) -> Bool {
    switch origin {
    case .rest, .sensor: true
    case .input(let hand): hand != nil || source == .record
    case .code: false
    }
  }

  /// True for a key that a hand presses.
  func isHand(_ event: KeyEvent) -> Bool { event.hand != nil || source == .record }

  /// True for what a hand does with a gamepad.
  func isHand(_ event: GamepadEvent) -> Bool { source == .record || event.hand != nil }

  /// True for an event of a touchscreen, a mouse, a pen, a keyboard or a gamepad that a hand makes.
  func isHand(_ event: InputEvent) -> Bool {
    switch event {
    case .touches(let points): source == .record || points.contains { $0.hand != nil }
    case .key(let key): isHand(key)
    case .gamepad(let pad): isHand(pad)
    default: false
    }
  }

  /// Records that a finger or button took the control `part`; it is a hold if made by hand.
  mutating func noteHold(on part: IgnoredControls, by touch: Touch) {
    guard let holder = holder(of: touch) else { return }
    touches.append(touch.id)
    noteHold(on: part, by: holder)
  }

  private mutating func noteHold(on part: IgnoredControls, by holder: Holder) {
    count += 1
    last.any = holder
    if part == .lever { last.lever = holder } else { last.wheel = holder }
  }

  /// Records an event of a key that lever or wheel handled. Returns true if it cancelled a held key.
  mutating func noteKey(_ event: KeyEvent) -> Bool {
    let held = Held(seat: event.seat, key: event.key)
    switch event.phase {
    case .down:
      guard isHand(event), event.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return false }
      if !keys.contains(held) { keys.append(held) }
      noteHold(on: event.key.part, by: Holder(device: .keyboard, seat: event.seat))
    case .repeated: break
    case .up, .cancelled:
      let was = keys.contains(held)
      keys.removeAll { $0 == held }
      return was && event.phase == .cancelled
    }
    return false
  }

  /// Records the controls that a gamepad has after an event; none if it holds nothing.
  mutating func notePad(_ event: GamepadEvent, has parts: IgnoredControls) {
    guard !parts.isEmpty else {
      pads[event.seat] = nil
      return
    }
    guard isHand(event), pads[event.seat] == nil else { return }
    pads[event.seat] = parts
    let holder = Holder(device: .gamepad, seat: event.seat)
    for part in [IgnoredControls.lever, .wheel] where parts.contains(part) { noteHold(on: part, by: holder) }
  }

  /// Ignores all present holds until they are released.
  mutating func ignoreAll(in scene: CockpitScene) {
    ignoredTouches += scene.gearbox.trackedTouches.map { ($0.id, .lever) }
    ignoredTouches += scene.wheel.trackedTouches.map { ($0.id, .wheel) }
    ignoredKeys += keys
    keys.removeAll()
    ignoredPads.merge(pads) { $0.union($1) }
    pads.removeAll()
    touches.removeAll()
    hasCancelled = false
  }

  /// Records which holds an event lifts, and forgets ignored ones that it releases or cancels.
  mutating func noteEnds(in event: InputEvent) {
    lifted.removeAll(keepingCapacity: true)
    hasCancelled = false
    switch event {
    case .touches(let points):
      for point in points where point.phase == .ended { lifted.append(point.id) }
      hasCancelled = points.contains { $0.phase == .cancelled && touches.contains($0.id) }
      guard !ignoredTouches.isEmpty else { break }
      for point in points where point.phase != .moved { ignoredTouches.removeAll { $0.id == point.id } }
    case .key(let key) where !ignoredKeys.isEmpty && key.phase != .repeated:
      ignoredKeys.removeAll { $0.seat == key.seat && $0.key == key.key }
    case .gamepad(let event) where event.phase == .cancelled || !event.state.isHeld: ignoredPads[event.seat] = nil
    default: break
    }
  }

  /// Returns true if a finger or button that took lever or wheel holds it no more although no event lifted it: its touch was cancelled, by the
  /// compositor, or because the control can take no input any more.
  mutating func noteCancelled(in scene: CockpitScene) -> Bool {
    func isGone(_ id: TouchID) -> Bool {
      !scene.gearbox.trackedTouches.contains { $0.id == id } && !scene.wheel.trackedTouches.contains { $0.id == id }
    }
    // After each event of a drag, so without memory of its own.
    guard hasCancelled || touches.contains(where: isGone) else { return false }
    let isLost = hasCancelled || touches.contains { isGone($0) && !lifted.contains($0) }
    hasCancelled = false
    touches.removeAll(where: isGone)
    return isLost
  }

  /// The controls that are held and not obeyed.
  var ignored: IgnoredControls {
    var ignored: IgnoredControls = []
    for touch in ignoredTouches { ignored.formUnion(touch.control) }
    for held in ignoredKeys { ignored.formUnion(held.key.part) }
    for parts in ignoredPads.values { ignored.formUnion(parts) }
    return ignored
  }

  /// The kind of device that held last; nil if none did.
  var lastDevice: InputLoss.Device? { last.any?.device }

  /// True while a key holds the control `part`.
  func isHeldByKeys(_ part: IgnoredControls) -> Bool { keys.contains { $0.key.part == part } }

  private func isHeldByPads(_ part: IgnoredControls) -> Bool { pads.values.contains { $0.contains(part) } }

  func isLeverHeld(in scene: CockpitScene) -> Bool {
    scene.gearbox.trackedTouches.contains(where: isHand) || isHeldByKeys(.lever) || isHeldByPads(.lever)
  }

  func isWheelHeld(in scene: CockpitScene) -> Bool {
    scene.wheel.trackedTouches.contains(where: isHand) || isHeldByKeys(.wheel) || isHeldByPads(.wheel)
  }

  func isHeld(in scene: CockpitScene) -> Bool { isLeverHeld(in: scene) || isWheelHeld(in: scene) }

  /// True if `event` comes from a finger, button, key or gamepad that holds lever or wheel. A key's repeats are generated here and do
  /// not count.
  func isSign(_ event: InputEvent, in scene: CockpitScene) -> Bool {
    switch event {
    case .touches(let points):
      let held = scene.gearbox.trackedTouches + scene.wheel.trackedTouches
      return points.contains { point in held.contains { $0.id == point.id } }
    case .key(let key): return key.phase == .down && keys.contains(Held(seat: key.seat, key: key.key))
    case .gamepad(let pad): return pad.phase == .changed && pads[pad.seat] != nil
    default: return false
    }
  }

  /// True while this device of `seat` (nil: any) holds lever or wheel.
  func isHeld(in scene: CockpitScene, by device: InputLoss.Device, seat: SeatID?) -> Bool {
    if device == .keyboard { return keys.contains { seat == nil || $0.seat == seat } }
    if device == .gamepad { return pads.keys.contains { seat == nil || $0 == seat } }
    return (scene.gearbox.trackedTouches + scene.wheel.trackedTouches).compactMap(holder).contains {
      $0.device == device && (seat == nil || $0.seat == seat)
    }
  }

  /// True when this device of `seat` (nil: any) was the last that held the lever, or the last that held the wheel.
  func wasLast(_ device: InputLoss.Device, seat: SeatID?) -> Bool {
    [last.lever, last.wheel].compactMap(\.self).contains { $0.device == device && (seat == nil || $0.seat == seat) }
  }
}

extension Key {
  fileprivate nonisolated var part: IgnoredControls { self == .up || self == .down ? .lever : .wheel }
}

extension TouchID {
  fileprivate var device: InputLoss.Device {
    switch contact {
    case .finger: .touch
    case .pointer: .pointer
    case .pen: .pen
    }
  }
}
