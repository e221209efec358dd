import Controls
import UICore

/// The holds on the driving controls, and how many there ever were.
struct DriveHold {
  private struct Held: Hashable {
    var seat: SeatID
    var key: Key
  }

  /// The number of touches and presses that have begun.
  private(set) var grips: UInt64 = 0
  /// The driving keys that are down.
  private var keys: [Held] = []
  /// The source of the last one.
  private var last: (device: InputLoss.Device, seat: SeatID)?
  /// The holds that a loss of input has ended: each is ignored until it is released.
  private var ignoredTouches: [(id: TouchID, control: IgnoredControls)] = []
  private var ignoredKeys: [Held] = []

  /// A finger or button took a control.
  mutating func noteGrip(by touch: TouchID?) {
    grips += 1
    if let touch { last = (touch.device, touch.seat) }
  }

  /// Notes a change of a key that lever or wheel took; true when the key is ignored.
  mutating func noteKey(_ event: KeyEvent) -> Bool {
    let held = Held(seat: event.seat, key: event.key)
    switch event.phase {
    case .down:
      guard event.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return false }
      if !keys.contains(held) { keys.append(held) }
      grips += 1
      last = (.keyboard, event.seat)
    case .repeated: break
    case .up, .cancelled:
      let was = keys.contains(held)
      keys.removeAll { $0 == held }
      return was && event.phase == .cancelled
    }
    return false
  }

  /// Ignores all present holds until they are released.
  mutating func ignoreAll(in scene: CockpitScene) {
    ignoredTouches += scene.gearbox.trackedTouches.map { ($0.id, .lever) }
    ignoredTouches += scene.wheel.trackedTouches.map { ($0.id, .wheel) }
    ignoredKeys += keys
    keys.removeAll()
  }

  /// Stops ignoring fingers, buttons and keys that were released or cancelled.
  mutating func noteEnds(in event: InputEvent) {
    switch event {
    case .touches(let points) where !ignoredTouches.isEmpty:
      for point in points where point.phase != .moved { ignoredTouches.removeAll { $0.id == point.id } }
    case .key(let key) where !ignoredKeys.isEmpty && key.phase != .repeated:
      ignoredKeys.removeAll { $0.seat == key.seat && $0.key == key.key }
    default: break
    }
  }

  /// The controls that somebody holds and that do not obey.
  var ignored: IgnoredControls {
    var ignored: IgnoredControls = []
    for touch in ignoredTouches { ignored.formUnion(touch.control) }
    for held in ignoredKeys { ignored.formUnion(held.key == .up || held.key == .down ? .lever : .wheel) }
    return ignored
  }

  /// True when the last hold was a key.
  var isByKeys: Bool { last?.device == .keyboard }

  /// True while somebody holds the lever.
  func isLeverHeld(in scene: CockpitScene) -> Bool {
    scene.gearbox.isTracking || keys.contains { $0.key == .up || $0.key == .down }
  }

  /// True while somebody holds the wheel.
  func isWheelHeld(in scene: CockpitScene) -> Bool {
    scene.wheel.isTracking || keys.contains { $0.key == .left || $0.key == .right }
  }

  /// True while this device of `seat` (nil: any) holds lever or wheel.
  func isHeld(in scene: CockpitScene, by device: InputLoss.Device, seat: SeatID?) -> Bool {
    if device == .keyboard { return keys.contains { seat == nil || $0.seat == seat } }
    return (scene.gearbox.trackedTouches + scene.wheel.trackedTouches).contains {
      $0.id.device == device && (seat == nil || $0.id.seat == seat)
    }
  }

  /// True when the last touch or press was made with this device of `seat` (nil: any).
  func wasLast(_ device: InputLoss.Device, seat: SeatID?) -> Bool {
    guard let last else { return false }
    return last.device == device && (seat == nil || last.seat == seat)
  }
}

extension TouchID {
  /// The device that makes the contact.
  fileprivate var device: InputLoss.Device {
    switch contact {
    case .finger: .touch
    case .pointer: .pointer
    case .pen: .pen
    }
  }
}
