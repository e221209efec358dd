import Gamepad

extension DeviceDescription {
  /// A pad as xpad has it.
  package static let pad = DeviceDescription(
    name: "Microsoft X-Box 360 pad",
    keys: [0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x13a, 0x13b, 0x13c, 0x13d, 0x13e],
    axes: [
      0: Axis(-32768, 32767, fuzz: 16, flat: 128), 1: Axis(-32768, 32767, fuzz: 16, flat: 128), 2: Axis(0, 255),
      3: Axis(-32768, 32767, fuzz: 16, flat: 128), 4: Axis(-32768, 32767, fuzz: 16, flat: 128), 5: Axis(0, 255),
      0x10: Axis(-1, 1), 0x11: Axis(-1, 1),
    ], effects: [InputCode.rumble])

  /// A wheel with three pedals, which rest at their greatest values.
  package static let wheel = DeviceDescription(
    name: "G29 Driving Force Racing Wheel", keys: Set(0x120...0x12f),
    axes: [0: Axis(0, 65535), 1: Axis(0, 255), 2: Axis(0, 255), 5: Axis(0, 255), 0x10: Axis(-1, 1)],
    effects: [InputCode.constantForce, InputCode.autocenter])

  /// A handbrake with two buttons.
  package static let handbrake = DeviceDescription(
    name: "ODDOR-handbrake", keys: [0x120, 0x121], axes: [InputCode.throttle: Axis(0, 4095)])
}
