// Owns who holds the lever and the wheel: fingers, buttons, keys.
// Must not know what they command.

import Controls
import Interface

/// The holds on the driving controls, and how many there ever were.
struct DriveHold {
  private struct Held: Hashable {
    var seat: SeatID
    var key: Key
  }

  /// How many touches and presses have begun.
  private(set) var grips: UInt64 = 0
  /// The driving keys that are down.
  private var keys: [Held] = []
  /// Who began the last one.
  private var last: (device: InputLoss.Device, seat: SeatID)?

  /// A finger or button took a control.
  mutating func noteGrip(by touch: TouchID?) {
    grips += 1
    if let touch { last = (touch.device, touch.seat) }
  }

  /// A key changed; true when a driving key was taken away.
  mutating func noteKey(_ event: KeyEvent) -> Bool {
    guard [.up, .down, .left, .right].contains(event.key) else { return false }
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

  /// The keys were taken away.
  mutating func forgetKeys() { keys.removeAll() }

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
  /// What makes the contact.
  fileprivate var device: InputLoss.Device { contact == .pointer ? .pointer : .touch }
}
