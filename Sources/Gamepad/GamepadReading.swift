import UICore

/// What a gamepad sends at the moment, and what the cockpit makes of it: for drivers who look why a control does nothing.
public struct GamepadReading: Hashable, Sendable {
  /// What a control commands.
  public enum Role: Hashable, Sendable {
    case steering, throttle, brake, clutch, handbrake
    /// A channel of a vehicle's file, if that names this part.
    case channel
    /// A button's meaning.
    case button(GamepadState.Buttons)
  }

  /// An axis, in the device's own numbers.
  public struct Axis: Hashable, Sendable {
    /// The kernel's code, and its name.
    public var code: UInt16, name: String
    /// What it commands; nil for nothing.
    public var role: Role?
    /// The ends of its way.
    public var minimum: Int32, maximum: Int32
    /// Where it is.
    public var value: Int32
    /// The values that command nothing; nil while they are not known, and for an axis without a role.
    public var deadZone: ClosedRange<Double>?
    /// The values between which it was seen at rest; nil if it never was.
    public var rest: ClosedRange<Double>?
    /// True if it must be let go before it counts.
    public var isBlocked = false
  }

  /// What one button of a device says now, and what it commands.
  public struct Button: Hashable, Sendable {
    /// The kernel's code, and its name.
    public var code: UInt16, name: String
    /// What it commands; nil for nothing.
    public var role: Role?
    /// True while it is down.
    public var isDown: Bool
    /// True if it must be let go before it counts.
    public var isBlocked = false
  }

  /// The device's name, and what it is taken for.
  public var name: String, kind: GamepadLayout.Kind
  /// Its axes and buttons by their codes.
  public var axes: [Axis], buttons: [Button]
  /// What it asks for.
  public var state: GamepadState
  /// False if the pedals of a wheel have not been seen at rest yet: they command nothing until then.
  public var knowsRests: Bool
}

/// What a device's controls are at the moment, those without a meaning too.
package struct GamepadValues: Hashable, Sendable {
  package var axes: [UInt16: Int32]
  package var isDown: Set<UInt16>

  package init(_ device: DeviceDescription) { (axes, isDown) = (device.axes.mapValues(\.value), device.pressed) }

  /// An event of the device.
  package mutating func note(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    switch type {
    case InputCode.absolute: axes[code] = value
    case InputCode.key: if value == 0 { isDown.remove(code) } else { isDown.insert(code) }
    default: break
    }
  }
}

extension GamepadModel {
  /// How the device's controls, which are at `values`, are understood.
  func reading(_ device: DeviceDescription, _ values: GamepadValues) -> GamepadReading {
    let axes = device.axes.sorted { $0.key < $1.key }.map { code, info in
      var axis = GamepadReading.Axis(
        code: code, name: InputCode.axisName(code), role: role(.axis(code)), minimum: info.minimum,
        maximum: info.maximum, value: values.axes[code] ?? info.value, isBlocked: blocked.contains(code))
      if code == layout.steering, let steering {
        (axis.deadZone, axis.rest) = (steering.deadZone, steering.seenRest)
      } else if let pedal = pedals[code] {
        (axis.deadZone, axis.rest) = (pedal.deadZone, pedal.seenRest)
      }
      return axis
    }
    let buttons = device.keys.sorted().map { code in
      GamepadReading.Button(
        code: code, name: InputCode.buttonName(code), role: role(.button(code)), isDown: values.isDown.contains(code),
        isBlocked: blocked.contains(code))
    }
    return GamepadReading(
      name: device.name, kind: layout.kind, axes: axes, buttons: buttons, state: state, knowsRests: knowsRests)
  }

  private func role(_ control: GamepadLayout.Pedal) -> GamepadReading.Role? {
    if control == layout.throttle { return .throttle }
    if control == layout.brake { return .brake }
    if control == layout.clutch { return .clutch }
    switch control {
    case .axis(let code) where code == layout.steering: return .steering
    case .axis(let code) where code == layout.handbrake: return .handbrake
    case .axis(let code): return tellsExtras && layout.extraAxes.contains(code) ? .channel : nil
    case .button(let code):
      return layout.buttons[code].map { .button($0) } ?? (tellsExtras && layout.extras[code] != nil ? .channel : nil)
    }
  }
}

extension InputCode {
  private static let axisNames: [UInt16: String] = [
    0: "X", 1: "Y", 2: "Z", 3: "RX", 4: "RY", 5: "RZ", 6: "THROTTLE", 7: "RUDDER", 8: "WHEEL", 9: "GAS", 10: "BRAKE",
    0x18: "PRESSURE", 0x19: "DISTANCE", 0x1a: "TILT_X", 0x1b: "TILT_Y", 0x20: "VOLUME", 0x21: "PROFILE", 0x28: "MISC",
  ]

  private static let buttonNames: [UInt16: String] = [
    0x120: "TRIGGER", 0x121: "THUMB", 0x122: "THUMB2", 0x123: "TOP", 0x124: "TOP2", 0x125: "PINKIE", 0x126: "BASE",
    0x127: "BASE2", 0x128: "BASE3", 0x129: "BASE4", 0x12a: "BASE5", 0x12b: "BASE6", 0x12f: "DEAD", 0x130: "SOUTH",
    0x131: "EAST", 0x132: "C", 0x133: "NORTH", 0x134: "WEST", 0x135: "Z", 0x136: "TL", 0x137: "TR", 0x138: "TL2",
    0x139: "TR2", 0x13a: "SELECT", 0x13b: "START", 0x13c: "MODE", 0x13d: "THUMBL", 0x13e: "THUMBR",
    0x150: "GEAR_DOWN", 0x151: "GEAR_UP", 0x220: "DPAD_UP", 0x221: "DPAD_DOWN", 0x222: "DPAD_LEFT",
    0x223: "DPAD_RIGHT",
  ]

  /// The kernel's name of an axis, such as ABS_X.
  package static func axisName(_ code: UInt16) -> String {
    if hats.contains(code) { return "ABS_HAT\((code - hats.lowerBound) / 2)\(code % 2 == 0 ? "X" : "Y")" }
    return "ABS_" + (axisNames[code] ?? hexadecimal(code))
  }

  /// The kernel's name of a button, such as BTN_SOUTH.
  package static func buttonName(_ code: UInt16) -> String {
    if 0x2c0...0x2e7 ~= code { return "BTN_TRIGGER_HAPPY\(code - 0x2bf)" }
    if 0x100...0x109 ~= code { return "BTN_\(code - 0x100)" }
    return buttonNames[code].map { "BTN_" + $0 } ?? "KEY_" + hexadecimal(code)
  }

  private static func hexadecimal(_ code: UInt16) -> String { "0x" + String(code, radix: 16) }
}
