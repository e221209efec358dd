/// What an input device says of itself: the bits, ranges and values that the kernel gives of it.
public struct DeviceDescription: Hashable, Sendable {
  /// An absolute axis.
  public struct Axis: Hashable, Sendable {
    /// The least and the greatest value. A device may count backwards.
    public var minimum: Int32, maximum: Int32
    /// The noise that the kernel filters out already, and the width of the rest around the middle, by the driver.
    public var fuzz: Int32, flat: Int32
    /// The value when the device was opened: 0 for many devices that have not reported anything yet.
    public var value: Int32

    /// An axis with all its numbers.
    public init(_ minimum: Int32, _ maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, value: Int32 = 0) {
      (self.minimum, self.maximum, self.fuzz, self.flat, self.value) = (minimum, maximum, fuzz, flat, value)
    }
  }

  /// The device's name.
  public var name: String
  /// The codes of its buttons and keys, and those that are down.
  public var keys: Set<UInt16>, pressed: Set<UInt16>
  /// Its axes by their codes.
  public var axes: [UInt16: Axis]
  /// Its properties, such as that of accelerometers.
  public var properties: Set<UInt16>
  /// The effects of force feedback that it can play.
  public var effects: Set<UInt16>

  /// A description with all its parts.
  public init(
    name: String, keys: Set<UInt16> = [], pressed: Set<UInt16> = [], axes: [UInt16: Axis] = [:],
    properties: Set<UInt16> = [], effects: Set<UInt16> = []
  ) {
    (self.name, self.keys, self.pressed) = (name, keys, pressed)
    (self.axes, self.properties, self.effects) = (axes, properties, effects)
  }
}

/// The codes of the kernel's input-event-codes.h that gamepads and wheels have. A type beside the header, whose macros Swift sees as numbers of other
/// types.
public enum InputCode {
  /// The kinds of events: a report's end, a button, an axis.
  public static let (synchronization, key, absolute): (UInt16, UInt16, UInt16) = (0, 1, 3)
  /// SYN_REPORT and SYN_DROPPED.
  public static let (report, dropped): (UInt16, UInt16) = (0, 3)

  /// BTN_SOUTH to BTN_NORTH by their places on the pad; `c` and `z` are places that no pad with those names has.
  public static let (south, east, c, north, west, z): (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16) = (
    0x130, 0x131, 0x132, 0x133, 0x134, 0x135
  )
  /// The shoulder buttons, and the triggers as buttons.
  public static let (leftShoulder, rightShoulder, leftTrigger, rightTrigger): (UInt16, UInt16, UInt16, UInt16) = (
    0x136, 0x137, 0x138, 0x139
  )
  /// BTN_SELECT, BTN_START, BTN_THUMBL and BTN_THUMBR.
  public static let (select, start, leftStick, rightStick): (UInt16, UInt16, UInt16, UInt16) = (
    0x13a, 0x13b, 0x13d, 0x13e
  )
  /// BTN_DPAD_UP to BTN_DPAD_RIGHT.
  public static let (padUp, padDown, padLeft, padRight): (UInt16, UInt16, UInt16, UInt16) = (
    0x220, 0x221, 0x222, 0x223
  )
  /// BTN_TRIGGER, the first of the buttons of joysticks, which have no places, and the last of them.
  public static let firstJoystick: UInt16 = 0x120, lastJoystick: UInt16 = 0x12f
  /// BTN_GEAR_DOWN, which is BTN_WHEEL too, and BTN_GEAR_UP.
  public static let (gearDown, gearUp): (UInt16, UInt16) = (0x150, 0x151)
  /// BTN_TOUCH and BTN_TOOL_FINGER, by which touchpads are known.
  public static let (touch, toolFinger): (UInt16, UInt16) = (0x14a, 0x145)

  /// ABS_X to ABS_RZ.
  public static let (x, y, axisZ, rx, ry, rz): (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16) = (0, 1, 2, 3, 4, 5)
  /// ABS_THROTTLE to ABS_BRAKE.
  public static let (throttle, rudder, wheel, gas, brake): (UInt16, UInt16, UInt16, UInt16, UInt16) = (6, 7, 8, 9, 10)
  /// The cross of directions where it is no buttons.
  public static let (hat0X, hat0Y): (UInt16, UInt16) = (0x10, 0x11)
  /// The lower triggers by the kernel's gamepad specification.
  public static let (hat2X, hat2Y): (UInt16, UInt16) = (0x14, 0x15)
  /// ABS_HAT0X to ABS_HAT3Y: crosses of directions, and triggers.
  public static let hats: ClosedRange<UInt16> = 0x10...0x17

  /// INPUT_PROP_POINTER, _DIRECT, _BUTTONPAD and _ACCELEROMETER: a part of another kind.
  public static let otherProperties: Set<UInt16> = [0, 1, 2, 6]
  /// FF_RUMBLE, FF_CONSTANT and FF_AUTOCENTER.
  public static let (rumble, constantForce, autocenter): (UInt16, UInt16, UInt16) = (0x50, 0x52, 0x61)
}
