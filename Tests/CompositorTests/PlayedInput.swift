import CLinux
import CompositorLab
import Foundation
import Glibc
import TestSupport
import Testing

/// Input devices that a test plays for a cockpit in a process of its own, by the library `played-input`: they come, report, and go.
final class PlayedInput {
  /// The directory that stands for /dev/input.
  let folder: String

  init(_ compositor: Compositor) throws {
    folder = compositor.path(of: "input")
    try #require(mkdir(folder, 0o755) == 0)
  }

  /// The variables that the cockpit is started with.
  var environment: [String: String] {
    get throws {
      let library = try Product.cockpit.path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
      return ["LD_PRELOAD": "\(library)/libplayed-input.so", "COCKPIT_INPUT_FOLDER": folder]
    }
  }

  /// A device that comes: `text` says what it is (Tests/CInputDevices/devices.c).
  func add(_ number: Int, _ text: String = PlayedInput.pad) throws -> PlayedDevice {
    let path = "\(folder)/event\(number)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path).txt"))
    return try PlayedDevice(path: path)
  }

  /// A pad as xpad has it.
  static let pad = """
    name Microsoft X-Box 360 pad
    id 3 1118 654 276
    key 304 305 307 308 310 311 314 315 316 317 318
    abs 0 -32768 32767 16 128 0
    abs 1 -32768 32767 16 128 0
    abs 2 0 255 0 0 0
    abs 3 -32768 32767 16 128 0
    abs 4 -32768 32767 16 128 0
    abs 5 0 255 0 0 0
    abs 16 -1 1 0 0 0
    abs 17 -1 1 0 0 0
    ff 80 81 88 89 90 96

    """
}

/// One such device.
final class PlayedDevice {
  private let path: String
  private let listener: Int32
  private var stream: Int32 = -1

  init(path: String) throws {
    self.path = path
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = DriveWitness.with(path) { bind(listener, $0, $1) }
    // The cockpit may look before it can connect: the change of the mode, as by udev, is the second look.
    try #require(bound == 0 && listen(listener, 4) == 0 && chmod(path, 0o777) == 0)
  }

  deinit { unplug() }

  /// Waits until the cockpit has opened it.
  func awaitOpening() throws {
    var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 10_000) == 1, "nobody opened \(path)")
    stream = cockpit_accept(listener)
    try #require(stream >= 0)
  }

  /// True if the cockpit opens it within so many milliseconds.
  func isOpened(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 1
  }

  /// Sends events that are `age` old, and the end of their report.
  func report(_ events: [(type: UInt16, code: UInt16, value: Int32)], age: Duration = .zero) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now =
      Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000 - age.components.attoseconds / 1_000_000_000_000
      - age.components.seconds * 1_000_000
    var bytes: [UInt8] = []
    for event in events + [(0, 0, 0)] {
      for number in [now / 1_000_000, now % 1_000_000] { withUnsafeBytes(of: number) { bytes += $0 } }
      withUnsafeBytes(of: event.type) { bytes += $0 }
      withUnsafeBytes(of: event.code) { bytes += $0 }
      withUnsafeBytes(of: event.value) { bytes += $0 }
    }
    _ = bytes.withUnsafeBytes { send(stream, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  func axis(_ code: UInt16, _ value: Int32, age: Duration = .zero) { report([(3, code, value)], age: age) }

  func key(_ code: UInt16, _ isDown: Bool, age: Duration = .zero) { report([(1, code, isDown ? 1 : 0)], age: age) }

  func press(_ code: UInt16, age: Duration = .zero) {
    key(code, true, age: age)
    key(code, false, age: age)
  }

  /// The kernel drops events, and has these values since.
  func drop(_ text: String, then events: [(type: UInt16, code: UInt16, value: Int32)] = []) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path).txt"))
    report([(0, 3, 0)])
    if !events.isEmpty { report(events) }
  }

  /// The type, code and value of the next event that the cockpit sends, such as rumble.
  func answer(within milliseconds: Int32 = 5000) throws -> (type: UInt16, code: UInt16, value: Int32) {
    var entry = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, milliseconds) == 1)
    var bytes = [UInt8](repeating: 0, count: 24)
    try #require(recv(stream, &bytes, 24, 0) == 24)
    return bytes.withUnsafeBytes {
      (
        $0.load(fromByteOffset: 16, as: UInt16.self), $0.load(fromByteOffset: 18, as: UInt16.self),
        $0.load(fromByteOffset: 20, as: Int32.self)
      )
    }
  }

  func unplug() {
    if stream >= 0 { close(stream) }
    stream = -1
    if unlink(path) == 0 { close(listener) }
  }
}
