import CLinux
import Gamepad
import Glibc
import Linux
import UICore

/// A gamepad that a test plays: its readings come by a pipe's descriptor, as those of the kernel's file do.
final class PlayedPad: GamepadSource {
  let path: String
  let description: DeviceDescription
  let descriptor: Int32
  private let writing: Int32
  private var readings: [EvdevDevice.Reading] = []
  private(set) var rumbles = 0

  init(_ description: DeviceDescription, path: String = "a stage") {
    (self.path, self.description) = (path, description)
    var ends: [Int32] = [-1, -1]
    _ = cockpit_pipe(&ends)
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  private func add(_ reading: EvdevDevice.Reading) {
    readings.append(reading)
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Buttons and axes change, and the device reports it.
  func report(_ axes: [UInt16: Int32] = [:], keys: [UInt16: Bool] = [:], at time: MonotonicTime) {
    for (code, value) in axes.sorted(by: { $0.key < $1.key }) {
      add(.event(type: InputCode.absolute, code: code, value: value, at: time))
    }
    for (code, isDown) in keys.sorted(by: { $0.key < $1.key }) {
      add(.event(type: InputCode.key, code: code, value: isDown ? 1 : 0, at: time))
    }
    add(.event(type: InputCode.synchronization, code: InputCode.report, value: 0, at: time))
  }

  /// The kernel drops events; what follows says how everything is.
  func drop() { add(.dropped) }

  func unplug() { add(.gone) }

  func read(_ body: (EvdevDevice.Reading) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 64)
    for _ in readings.indices.map({ $0 }) where readings.first != nil {
      _ = Glibc.read(descriptor, &bytes, 1)
      body(readings.removeFirst())
    }
  }

  func rumble() { rumbles += 1 }
}

extension DeviceDescription {
  /// A pad as xpad has it.
  static let pad = DeviceDescription(
    name: "Microsoft X-Box 360 pad",
    keys: [0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x13a, 0x13b, 0x13c, 0x13d, 0x13e],
    axes: [
      0: Axis(-32768, 32767, fuzz: 16, flat: 128), 1: Axis(-32768, 32767, fuzz: 16, flat: 128), 2: Axis(0, 255),
      3: Axis(-32768, 32767, fuzz: 16, flat: 128), 4: Axis(-32768, 32767, fuzz: 16, flat: 128), 5: Axis(0, 255),
      0x10: Axis(-1, 1), 0x11: Axis(-1, 1),
    ], effects: [InputCode.rumble])

  static let handbrake = DeviceDescription(
    name: "ODDOR-handbrake", keys: [0x120, 0x121], axes: [InputCode.throttle: Axis(0, 4095)])
}
