import Gamepad
import PlayedGamepads
import Shell
import UICore

@testable import cockpit

/// Two gamepads of the adversary, and what hands truly do with them.
@MainActor final class Pads {
  private let part: GamepadPart
  private let commands: GamepadCommands
  private let judge: Judge
  private let clock: ManualClock
  private var pads: [Int: PlayedPad] = [:]
  private var values: [Int: [Step.PadPart: Int]] = [:]
  private var buttons: [Int: Set<Step.PadButton>] = [:]

  /// Gamepads for the cockpit behind `relay`, whose drive is `output`.
  init(_ relay: ContentRelay, _ output: DriveOutput, _ application: Application, judge: Judge, clock: ManualClock) {
    commands = GamepadCommands(scene: relay.scene)
    part = GamepadPart(
      commands, relay: relay, output: output, loop: application.loop,
      isFrozen: { [unowned application] in application.isCompositorFrozen })
    (self.judge, self.clock) = (judge, clock)
    relay.parts.append(part)
    for number in 0..<2 { plug(number) }
  }

  private func plug(_ number: Int) {
    guard pads[number] == nil else { return }
    let pad = PlayedPad(.pad)
    guard let reader = GamepadReader(playing: pad, seat: part.nextSeat) else { return }
    pads[number] = pad
    (values[number], buttons[number], judge.padThrottles[number]) = ([:], [], 0)
    judge.padNumbers[reader.seat] = number
    part.add(reader)
  }

  /// What holds a gamepad.
  private enum Grip { case throttle, brake, button }

  private func grips(_ number: Int) -> Set<Grip> {
    var grips: Set<Grip> = []
    if (values[number]?[.throttle] ?? 0) > 0 { grips.insert(.throttle) }
    if (values[number]?[.brake] ?? 0) > 0 { grips.insert(.brake) }
    if buttons[number]?.contains(.grip) == true { grips.insert(.button) }
    return grips
  }

  /// What a hand does with the gamepad, and whether it holds it since. Each part that it presses anew is a new hold: what was down at a loss
  /// counts for nothing then.
  private func act(_ number: Int, _ change: () -> Void) {
    let old = grips(number)
    change()
    let new = grips(number)
    // Far beyond the point at which a brake puts the lever in N, whatever its dead zone.
    let isBraked = (values[number]?[.brake] ?? 0) >= 70
    judge.padThrottles[number] = isBraked ? 0 : Double(values[number]?[.throttle] ?? 0) / 100
    guard !old.isEmpty || !new.isEmpty else { return }
    let kind: Hands.Act.Kind = new.isEmpty ? .ended : new.isSubset(of: old) ? .moved : .began
    for control in [Hands.Control.lever, .wheel] {
      judge.hands.note(kind, .pad(number, control), step: judge.step)
    }
  }

  private static func code(_ button: Step.PadButton) -> UInt16 {
    switch button {
    case .grip: InputCode.south
    case .up: InputCode.rightShoulder
    case .down: InputCode.leftShoulder
    case .stop: InputCode.east
    case .lights: InputCode.west
    case .winch: InputCode.select
    }
  }

  private static func event(_ part: Step.PadPart, _ hundredths: Int) -> [UInt16: Int32] {
    switch part {
    case .throttle: [InputCode.rz: Int32(hundredths * 255 / 100)]
    case .brake: [InputCode.axisZ: Int32(hundredths * 255 / 100)]
    case .stick: [InputCode.x: Int32(hundredths * 32767 / 100)]
    case .rightStick: [InputCode.rx: Int32(hundredths * 32767 / 100)]
    }
  }

  func perform(_ step: Step) {
    switch step {
    case .pad(let number, let part, let hundredths):
      guard let pad = pads[number] else { return }
      act(number) { values[number, default: [:]][part] = hundredths }
      pad.report(Self.event(part, hundredths), at: clock.now)
    case .padButton(let number, let button, let isDown):
      guard let pad = pads[number], buttons[number]?.contains(button) != isDown else { return }
      act(number) {
        if isDown { buttons[number, default: []].insert(button) } else { buttons[number]?.remove(button) }
      }
      if button == .stop, isDown { judge.isStopPressed = true }
      pad.report(keys: [Self.code(button): isDown], at: clock.now)
    case .padNoise(let number):
      guard pads[number] != nil else { return }
      // Under a hold a hand trembles.
      act(number) {}
      for tremble: Int32 in [300, -200, 150] {
        let stick = Int32((values[number]?[.stick] ?? 0) * 32767 / 100)
        pads[number]?.report([InputCode.x: stick + tremble.signum() * -stick.signum() * abs(tremble)], at: clock.now)
      }
    case .padUnplug(let number):
      guard let pad = pads[number] else { return }
      act(number) { (values[number], buttons[number]) = ([:], []) }
      pad.unplug()
      pads[number] = nil
    case .padPlug(let number): plug(number)
    case .padDrop(let number, let throttle):
      guard let pad = pads[number] else { return }
      // Let go, and perhaps pressed again: the kernel tells the end of it only.
      act(number) { values[number] = [:] }
      act(number) { values[number] = [.throttle: throttle] }
      pad.drop()
      pad.report(
        Self.event(.throttle, throttle).merging(Self.event(.stick, 0)) { $1 }.merging(Self.event(.brake, 0)) { $1 },
        at: clock.now)
    default: break
    }
  }

  /// All hands leave the gamepads.
  func letGo() {
    for number in pads.keys.sorted() {
      for part in [Step.PadPart.throttle, .brake, .stick, .rightStick] { perform(.pad(number, part, 0)) }
      for button in buttons[number] ?? [] { perform(.padButton(number, button, false)) }
    }
  }
}
