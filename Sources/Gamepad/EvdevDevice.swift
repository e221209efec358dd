import CEvdev
import Glibc
import Linux
import UICore

/// An open gamepad. Watch `descriptor`, and call `read` when it is readable.
///
/// Opening and reading never block. Events are dated by the monotonic clock, which the program's own time is on.
@safe public final class EvdevDevice: GamepadSource {
  /// What the device's file gives.
  public enum Reading: Hashable, Sendable {
    /// A button, an axis or the end of a report, as the kernel says it, and when it happened.
    case event(type: UInt16, code: UInt16, value: Int32, at: MonotonicTime)
    /// The kernel dropped events. What has changed since follows, up to the end of a report.
    case dropped
    /// The device is gone: nothing follows.
    case gone
  }

  /// The most events of one call of `read`, so that a device that floods holds up nothing else.
  private static let mostEvents = 4096

  /// The device's file.
  public let path: String
  /// What it says of itself.
  public let description: DeviceDescription
  /// The descriptor to watch: it is readable when there are events, and when the device is gone.
  public var descriptor: Int32 { file.number }
  private let file: Descriptor
  private let library: EvdevLibrary
  private let device: OpaquePointer
  private let canWrite: Bool
  /// The number of the effect of `rumble`; nil if it was not uploaded.
  private var effect: Int32?

  /// Looks whether devices can be read at all.
  ///
  /// - Throws: `GamepadError.noLibrary` if libevdev is missing.
  public static func prepare() throws(GamepadError) { _ = try EvdevLibrary.load() }

  /// Opens the device at `path`.
  ///
  /// - Throws: `GamepadError` if it cannot be opened, read or dated.
  public init(path: String) throws(GamepadError) {
    self.path = path
    library = try EvdevLibrary.load()
    let flags = O_NONBLOCK | O_CLOEXEC
    // For rumbling, if that is allowed.
    let writable = unsafe open(path, O_RDWR | flags)
    canWrite = writable >= 0
    guard let file = Descriptor(canWrite ? writable : unsafe open(path, O_RDONLY | flags)) else {
      switch errno {
      case EACCES, EPERM: throw .forbidden(path: path)
      // Its driver is gone, and the file soon will be.
      case ENOENT, ENXIO, ENODEV: throw .missing(path: path)
      default: throw .unreadable(path: path, errno: errno)
      }
    }
    self.file = file
    var device: OpaquePointer?
    let failure = unsafe library.new_from_fd(self.file.number, &device)
    guard failure == 0, let device = unsafe device else { throw .unreadable(path: path, errno: -failure) }
    unsafe self.device = device
    guard unsafe library.set_clock_id(device, CLOCK_MONOTONIC) == 0 else {
      unsafe library.free(device)
      throw .noClock(path: path)
    }
    description = unsafe EvdevDevice.describe(device, library)
  }

  deinit { unsafe library.free(device) }

  private static func describe(_ device: OpaquePointer, _ library: EvdevLibrary) -> DeviceDescription {
    var found = DeviceDescription(name: unsafe library.get_name(device).map { unsafe String(cString: $0) } ?? "")
    func has(_ type: Int32, _ code: Int32) -> Bool {
      unsafe library.has_event_code(device, UInt32(type), UInt32(code)) != 0
    }
    for code in 0x100..<KEY_CNT where has(EV_KEY, code) {
      found.keys.insert(UInt16(code))
      if unsafe library.get_event_value(device, UInt32(EV_KEY), UInt32(code)) != 0 {
        found.pressed.insert(UInt16(code))
      }
    }
    for code in 0..<ABS_CNT where has(EV_ABS, code) {
      guard let info = unsafe library.get_abs_info(device, UInt32(code))?.pointee else { continue }
      found.axes[UInt16(code)] = DeviceDescription.Axis(
        info.minimum, info.maximum, fuzz: info.fuzz, flat: info.flat, value: info.value)
    }
    for code in 0..<FF_CNT where has(EV_FF, code) { found.effects.insert(UInt16(code)) }
    for property in 0..<INPUT_PROP_CNT where unsafe library.has_property(device, UInt32(property)) != 0 {
      found.properties.insert(UInt16(property))
    }
    return found
  }

  package func tell(all: Bool, of layout: GamepadLayout, keepsExtras: Bool) -> GamepadValues {
    if all {
      for (type, count) in [(EV_KEY, KEY_CNT), (EV_ABS, ABS_CNT)] {
        var bits = [UInt8](repeating: 0xff, count: (Int(count) + 7) / 8)
        _ = unsafe evdev_mask(descriptor, UInt32(type), &bits, UInt32(bits.count))
      }
    } else {
      leaveOut(allBut: layout, keepsExtras: keepsExtras)
    }
    var values = GamepadValues(description)
    // The library has not heard of what was left out.
    for code in description.axes.keys {
      var value: Int32 = 0
      if unsafe evdev_axis(descriptor, UInt32(code), &value) == 0 { values.axes[code] = value }
    }
    var bits = [UInt8](repeating: 0, count: (Int(KEY_CNT) + 7) / 8)
    if unsafe evdev_keys(descriptor, &bits, UInt32(bits.count)) == 0 {
      values.isDown = description.keys.filter { bits[Int($0) / 8] & 1 << ($0 % 8) != 0 }
    }
    return values
  }

  /// Has the kernel leave out what has no meaning in `layout`; its further buttons and the right stick too, unless it `keepsExtras`. An old
  /// kernel does not, and that costs nothing but wake-ups.
  public func leaveOut(allBut layout: GamepadLayout, keepsExtras: Bool = false) {
    var keys = Set(layout.buttons.keys)
    if keepsExtras { keys.formUnion(layout.extras.keys) }
    let axes = keepsExtras ? layout.axes.union(layout.extraAxes) : layout.axes
    for pedal in [layout.throttle, layout.brake, layout.clutch] {
      if case .button(let code) = pedal { keys.insert(code) }
    }
    let kinds: [(Int32, Int32, Set<UInt16>)] = [
      (EV_KEY, KEY_CNT, keys), (EV_ABS, ABS_CNT, axes), (EV_MSC, MSC_CNT, []),
    ]
    for (type, count, codes) in kinds {
      var bits = [UInt8](repeating: 0, count: (Int(count) + 7) / 8)
      for code in codes { bits[Int(code) / 8] |= 1 << (code % 8) }
      _ = unsafe evdev_mask(descriptor, UInt32(type), &bits, UInt32(bits.count))
    }
  }

  /// Passes on what has arrived, oldest first.
  public func read(_ body: (Reading) -> Void) {
    var mode = UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue)
    for _ in 0..<EvdevDevice.mostEvents {
      var event = input_event()
      let result = unsafe library.next_event(device, mode, &event)
      switch result {
      case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue) where mode == UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue):
        mode = UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue)
        body(.dropped)
      case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue), Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
        let time = unsafe MonotonicTime(nanoseconds: evdev_nanoseconds(&event))
        body(.event(type: event.type, code: event.code, value: event.value, at: time))
      case -EAGAIN where mode == UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue):
        // All differences are told; what came after them follows.
        mode = UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue)
      case -EAGAIN, -EINTR: return
      default: return body(.gone)
      }
    }
  }

  /// Shakes the hand that holds the device, if it can, without waiting.
  public func rumble() {
    guard canWrite, description.effects.contains(InputCode.rumble) else { return }
    if effect == nil {
      let number = evdev_upload_rumble(descriptor, 0xc000, 300)
      if number >= 0 { effect = number }
    }
    if let effect { _ = evdev_play(descriptor, effect) }
  }
}
