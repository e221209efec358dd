import CockpitControls
import Controls
import UICore

/// Moves lever, wheel, horn and stop by gamepads.
///
/// A gamepad holds lever and wheel together while its throttle, its brake or its dead-man's button is pressed. The first hand keeps what it has: a
/// second gamepad, a finger or a key gets nothing of it, and must let go once before it can take it. Stopping and braking need no hold.
final class GamepadCommands {
  /// How far a brake must be pressed, 0 to 1, to put the lever in N. Below that it takes throttle away in proportion.
  nonisolated static let brakePoint = 0.5

  private let scene: CockpitScene
  private var states: [SeatID: GamepadState] = [:]
  /// The gamepad that holds, and what it has.
  private var owner: (seat: SeatID, parts: IgnoredControls)?
  /// The gamepads that must be let go before they can hold.
  private var waiting: Set<SeatID> = []

  init(scene: CockpitScene) {
    self.scene = scene
    scene.gamepad = self
    scene.gamepadHandler = { [unowned self] in handle($0) }
  }

  /// True while this gamepad holds lever or wheel.
  func isOwner(_ seat: SeatID) -> Bool { owner?.seat == seat }

  /// Ends all holds because input was lost; each gamepad must be let go first.
  func cancel() {
    if let owner { end(owner.parts, isLost: true) }
    owner = nil
    waiting.formUnion(states.filter(\.value.isHeld).keys)
  }

  private func handle(_ event: GamepadEvent) {
    let old = states[event.seat] ?? GamepadState()
    let isGone = event.phase == .cancelled
    let state = isGone ? GamepadState() : event.state
    states[event.seat] = isGone ? nil : state
    let pressed = state.buttons.subtracting(old.buttons)
    if pressed.contains(.stop) { stop() }
    soundHorn(state.buttons.contains(.horn), before: old.buttons.contains(.horn))
    scene.channels?.note(event, before: old)
    if state.isBraking, !old.isBraking { scene.gearbox.brake() }
    if !state.isHeld {
      release(event.seat, isLost: isGone)
    } else if owner == nil, !waiting.contains(event.seat) {
      take(event)
    } else if !isOwner(event.seat) {
      waiting.insert(event.seat)
    }
    scene.driveOutput?.noteHold(of: event, on: isOwner(event.seat) ? owner?.parts ?? [] : [])
    if let owner, isOwner(event.seat) { act(event, pressed, on: owner.parts) }
  }

  /// Stops what is driven; in a scene that drives nothing it brakes.
  private func stop() {
    scene.stop?.press()
    scene.gearbox.brake()
  }

  private func soundHorn(_ isHeld: Bool, before wasHeld: Bool) {
    guard isHeld != wasHeld, !isHeld || scene.takesInput(scene.horn) else { return }
    scene.horn.hold(isHeld)
  }

  // MARK: Holds

  /// A hand begins to hold the gamepad: it gets what no other hand has.
  private func take(_ event: GamepadEvent) {
    let output = scene.driveOutput
    // Behind a dialog nothing is driven.
    guard scene.viewInFront == nil, output?.takes(event) ?? true else {
      waiting.insert(event.seat)
      return
    }
    let origin = ValueOrigin.input(event.hand)
    var parts: IgnoredControls = []
    if scene.takesInput(scene.gearbox), output?.isHeldByKeys(.lever) != true, scene.gearbox.press(0, by: origin) {
      parts.insert(.lever)
    }
    if scene.takesInput(scene.wheel), scene.wheel.turn(to: event.state.steering, by: origin) { parts.insert(.wheel) }
    if parts.isEmpty { waiting.insert(event.seat) } else { owner = (event.seat, parts) }
  }

  private func release(_ seat: SeatID, isLost: Bool) {
    waiting.remove(seat)
    guard let owner, owner.seat == seat else { return }
    self.owner = nil
    end(owner.parts, isLost: isLost)
  }

  private func end(_ parts: IgnoredControls, isLost: Bool) {
    if parts.contains(.lever) {
      if isLost { scene.gearbox.cancelPress() } else { scene.gearbox.press(nil, by: .code) }
    }
    if parts.contains(.wheel) { scene.wheel.turn(to: nil, by: .code) }
  }

  // MARK: Lever and wheel

  /// The strongest brake of all gamepads, because anybody may brake.
  private var brake: Double { states.values.map { max($0.brake, $0.handbrake) }.max() ?? 0 }

  private func act(_ event: GamepadEvent, _ pressed: GamepadState.Buttons, on parts: IgnoredControls) {
    let (state, origin) = (event.state, ValueOrigin.input(event.hand))
    if parts.contains(.lever) {
      let brake = brake
      let shifts = pressed.intersection([.shiftUp, .shiftDown])
      if brake < Self.brakePoint {
        if shifts == .shiftUp { scene.gearbox.shiftUp(by: origin) }
        if shifts == .shiftDown { scene.gearbox.shiftDown(by: origin) }
      }
      scene.gearbox.press(state.throttle * (1 - brake), by: origin)
    }
    if parts.contains(.wheel) { scene.wheel.turn(to: state.steering, by: origin) }
  }
}

extension GamepadState {
  /// True for a brake that puts the lever in N.
  fileprivate nonisolated var isBraking: Bool { max(brake, handbrake) >= GamepadCommands.brakePoint }
}
