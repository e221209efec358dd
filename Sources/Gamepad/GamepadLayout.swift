import UICore

/// Which control of a device commands what, by the kernel's codes alone: there is no table of products.
///
/// A device whose codes leave open what its controls are gets only what is certain, and what remains stops: a wrong guess must not drive.
public struct GamepadLayout: Hashable, Sendable {
  /// The kinds of devices.
  public enum Kind: String, Hashable, Sendable {
    /// A pad whose buttons have places, by the kernel's gamepad specification.
    case pad
    /// A pad whose buttons have numbers only.
    case numberedPad
    /// A wheel with pedals.
    case wheel
    /// A handbrake.
    case handbrake
  }

  /// A throttle, a brake or a clutch.
  public enum Pedal: Hashable, Sendable {
    /// An axis. Those of pads rest at their least value; those of wheels at either end, which must be learnt.
    case axis(UInt16)
    /// A button, pressed or not.
    case button(UInt16)
  }

  /// What the device is.
  public let kind: Kind
  /// The axis that steers; nil for a handbrake.
  public private(set) var steering: UInt16?
  /// The throttle, the brake and the clutch, as far as there are any.
  public private(set) var throttle: Pedal?, brake: Pedal?, clutch: Pedal?
  /// The handbrake's axis.
  public private(set) var handbrake: UInt16?
  /// The meanings of buttons.
  public private(set) var buttons: [UInt16: GamepadState.Buttons] = [:]
  /// The further buttons of a pad whose buttons have places.
  public private(set) var extras: [UInt16: GamepadState.Extras] = [:]
  /// The axes of its right stick, and of its cross where that is no buttons.
  public private(set) var rightX: UInt16?, rightY: UInt16?, crossX: UInt16?, crossY: UInt16?

  /// The layout of a device; nil if it is no gamepad, wheel or handbrake whose controls can be told.
  public init?(_ device: DeviceDescription) {
    // Touchpads and accelerometers of pads are devices of their own.
    guard device.properties.isDisjoint(with: InputCode.otherProperties),
      device.keys.isDisjoint(with: [InputCode.touch, InputCode.toolFinger])
    else { return nil }
    let sticks = Set(device.axes.keys).subtracting(InputCode.hats)
    if GamepadLayout.isHandbrake(device, sticks) {
      kind = .handbrake
      handbrake = sticks.first
    } else if GamepadLayout.isWheel(device) {
      kind = .wheel
      guard arrangeWheel(device) else { return nil }
    } else if device.keys.contains(InputCode.south), device.axes[InputCode.x] != nil {
      // A pad whose buttons no driver names has all letters, in sequence. One that names its triggers has the letters of Android's pads.
      let hasSequence = device.keys.isSuperset(of: [InputCode.c, InputCode.z])
      let namesTriggers = device.axes[InputCode.gas] != nil && device.axes[InputCode.brake] != nil
      kind = hasSequence && !namesTriggers ? .numberedPad : .pad
      steering = InputCode.x
      if kind == .pad { arrangePad(device) } else { arrangeNumbers(device, from: InputCode.south) }
    } else if device.keys.isSuperset(of: InputCode.firstJoystick...InputCode.firstJoystick + 7),
      !device.effects.contains(InputCode.constantForce), GamepadLayout.isPadOfNumbers(device)
    {
      kind = .numberedPad
      steering = InputCode.x
      arrangeNumbers(device, from: InputCode.firstJoystick)
    } else {
      return nil
    }
  }

  // MARK: Kinds

  /// True for a device with one axis, or two that is called a handbrake.
  private static func isHandbrake(_ device: DeviceDescription, _ axes: Set<UInt16>) -> Bool {
    let name = device.name.lowercased()
    let isCalled = name.contains("handbrake") || name.contains("hand brake")
    return axes.count == 1 && (isCalled || device.keys.count <= 2 && axes.first == InputCode.throttle)
  }

  private static func isWheel(_ device: DeviceDescription) -> Bool {
    // Some pads have gears too, for buttons on their backs.
    guard !device.keys.contains(InputCode.south) else { return false }
    if device.axes[InputCode.wheel] != nil || device.keys.contains(InputCode.gearDown) { return true }
    guard device.axes[InputCode.x] != nil else { return false }
    let name = device.name.lowercased()
    let isCalled = ["wheel", "driving force", "racing"].contains { name.contains($0) }
    return isCalled || device.effects.contains(InputCode.autocenter)
  }

  /// A joystick's X and Y have the same range as a pad's sticks, but a joystick has a throttle or fewer than two sticks.
  private static func isPadOfNumbers(_ device: DeviceDescription) -> Bool {
    let axes = device.axes
    guard axes[InputCode.throttle] == nil, axes[InputCode.rudder] == nil, let x = axes[InputCode.x],
      let y = axes[InputCode.y]
    else { return false }
    return (x.minimum, x.maximum) == (y.minimum, y.maximum) && abs(Int(x.maximum) - Int(x.minimum)) <= 255
  }

  // MARK: Arrangements

  private mutating func arrangePad(_ device: DeviceDescription) {
    func axis(_ code: UInt16) -> Pedal? { device.axes[code] != nil ? .axis(code) : nil }
    func button(_ code: UInt16) -> Pedal? { device.keys.contains(code) ? .button(code) : nil }
    // Z and RZ are triggers where the right stick is RX and RY; else they may be that stick.
    let hasRightStick = device.axes[InputCode.rx] != nil && device.axes[InputCode.ry] != nil
    throttle = axis(InputCode.gas) ?? axis(InputCode.hat2X) ?? (hasRightStick ? axis(InputCode.rz) : nil)
    brake = axis(InputCode.brake) ?? axis(InputCode.hat2Y) ?? (hasRightStick ? axis(InputCode.axisZ) : nil)
    // Z and RZ are the right stick where nothing else is, and the triggers are elsewhere.
    let used = [throttle, brake]
    let stick = hasRightStick ? (InputCode.rx, InputCode.ry) : (InputCode.axisZ, InputCode.rz)
    if device.axes[stick.0] != nil, device.axes[stick.1] != nil, !used.contains(.axis(stick.0)),
      !used.contains(.axis(stick.1))
    {
      (rightX, rightY) = stick
    }
    for (code, extra) in Self.places where device.keys.contains(code) { extras[code] = extra }
    if !device.keys.contains(InputCode.padUp), device.axes[InputCode.hat0X] != nil, device.axes[InputCode.hat0Y] != nil
    {
      (crossX, crossY) = (InputCode.hat0X, InputCode.hat0Y)
    }
    throttle = throttle ?? button(InputCode.rightTrigger)
    brake = brake ?? button(InputCode.leftTrigger)
    give(
      device,
      [
        InputCode.south: .grip, InputCode.east: .stop, InputCode.north: .horn, InputCode.rightShoulder: .shiftUp,
        InputCode.leftShoulder: .shiftDown,
      ])
  }

  private static let places: [UInt16: GamepadState.Extras] = [
    InputCode.west: .west, InputCode.select: .select, InputCode.start: .start, InputCode.leftStick: .leftStick,
    InputCode.rightStick: .rightStick, InputCode.padUp: .padUp, InputCode.padDown: .padDown,
    InputCode.padLeft: .padLeft,
    InputCode.padRight: .padRight,
  ]

  /// On such pads the fifth and sixth button are the shoulders and, with twelve buttons or more, the seventh and eighth the triggers. What the first
  /// four are differs from pad to pad, so they stop.
  private mutating func arrangeNumbers(_ device: DeviceDescription, from first: UInt16) {
    if device.keys.isSuperset(of: first...first + 11) {
      (throttle, brake) = (.button(first + 7), .button(first + 6))
    }
    give(
      device,
      [
        first: .stop, first + 1: .stop, first + 2: .stop, first + 3: .stop, first + 4: .shiftDown, first + 5: .shiftUp,
      ])
  }

  private mutating func arrangeWheel(_ device: DeviceDescription) -> Bool {
    let axes = device.axes
    steering = axes[InputCode.wheel] != nil ? InputCode.wheel : InputCode.x
    guard axes[steering ?? 0] != nil else { return false }
    func has(_ code: UInt16) -> Bool { axes[code] != nil && code != steering }
    // By the descriptors of the kernel's drivers: with three pedals Y is the clutch, with two the throttle.
    if has(InputCode.gas), has(InputCode.brake) {
      (throttle, brake) = (.axis(InputCode.gas), .axis(InputCode.brake))
    } else if has(InputCode.axisZ), has(InputCode.rz) {
      (throttle, brake) = (.axis(InputCode.axisZ), .axis(InputCode.rz))
      clutch = has(InputCode.y) ? .axis(InputCode.y) : nil
    } else if has(InputCode.y), has(InputCode.rz) || has(InputCode.axisZ) {
      (throttle, brake) = (.axis(InputCode.y), .axis(has(InputCode.rz) ? InputCode.rz : InputCode.axisZ))
    } else {
      return false
    }
    if device.keys.contains(InputCode.gearUp) {
      give(device, [InputCode.gearUp: .shiftUp, InputCode.gearDown: .shiftDown])
      give(device, [InputCode.south: .grip, InputCode.east: .stop, InputCode.north: .horn])
    } else {
      // Logitech's paddles are the fifth and sixth button: right and left. What the others are nobody says, so they stop.
      let first = InputCode.firstJoystick
      for code in first...first + 3 { give(device, [code: .stop]) }
      give(device, [first + 4: .shiftUp, first + 5: .shiftDown])
    }
    return true
  }

  private mutating func give(_ device: DeviceDescription, _ meanings: [UInt16: GamepadState.Buttons]) {
    for (code, meaning) in meanings where device.keys.contains(code) { buttons[code] = meaning }
  }

  // MARK: Axes

  /// The axes that have a meaning.
  public var axes: Set<UInt16> {
    var codes = Set([steering, handbrake].compactMap(\.self))
    for pedal in [throttle, brake, clutch] { if case .axis(let code) = pedal { codes.insert(code) } }
    return codes
  }

  /// The axes of the right stick and the cross.
  public var extraAxes: Set<UInt16> { Set([rightX, rightY, crossX, crossY].compactMap(\.self)) }
}
