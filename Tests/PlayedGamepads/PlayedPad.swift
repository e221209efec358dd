import CLinux
import Gamepad
import Glibc
import UICore

/// A gamepad that a test plays: its readings come by a pipe's descriptor, as those of the kernel's file do.
package final class PlayedPad: GamepadSource {
  package let path: String
  package let description: DeviceDescription
  package let descriptor: Int32
  private let writing: Int32
  /// True while somebody looks at all of its controls.
  package private(set) var isAskedForAll = false
  /// What its controls are.
  private lazy var values = GamepadValues(description)
  private var readings: [EvdevDevice.Reading] = []
  package private(set) var rumbles = 0

  package init(_ description: DeviceDescription, path: String = "a stage") {
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
  package func report(_ axes: [UInt16: Int32] = [:], keys: [UInt16: Bool] = [:], at time: MonotonicTime) {
    for (code, value) in axes.sorted(by: { $0.key < $1.key }) {
      values.note(InputCode.absolute, code, value)
      add(.event(type: InputCode.absolute, code: code, value: value, at: time))
    }
    for (code, isDown) in keys.sorted(by: { $0.key < $1.key }) {
      values.note(InputCode.key, code, isDown ? 1 : 0)
      add(.event(type: InputCode.key, code: code, value: isDown ? 1 : 0, at: time))
    }
    add(.event(type: InputCode.synchronization, code: InputCode.report, value: 0, at: time))
  }

  /// The kernel drops events; what follows says how everything is.
  package func drop() { add(.dropped) }

  package func unplug() { add(.gone) }

  package func read(_ body: (EvdevDevice.Reading) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 64)
    for _ in readings.indices.map({ $0 }) where readings.first != nil {
      _ = Glibc.read(descriptor, &bytes, 1)
      body(readings.removeFirst())
    }
  }

  package func rumble() { rumbles += 1 }

  package func tell(all: Bool, of layout: GamepadLayout, keepsExtras: Bool) -> GamepadValues {
    isAskedForAll = all
    return values
  }
}
