import Foundation
import Glibc
import Testing
import UICore

@testable import Tilt

/// Tests of reading accelerometers, from trees like the kernel's.
@Suite struct AccelerometerTests {
  @Test func `G6: a value is (raw + offset) times scale, shared or per axis`() throws {
    let fake = try FakeSensor()
    try fake.raw(-256, 512, 1024)
    #expect(try fake.sensor.read() == Acceleration(x: -256, y: 512, z: 1024))
    try fake.set("in_accel_scale", "0.5")
    try fake.set("in_accel_offset", "10")
    #expect(try fake.sensor.read() == Acceleration(x: -123, y: 261, z: 517))
    try fake.set("in_accel_x_scale", "2")
    try fake.set("in_accel_z_offset", "-24")
    #expect(try fake.sensor.read() == Acceleration(x: -492, y: 261, z: 500))
  }

  @Test func `G6: the mount matrix turns it, udev's before the kernel's`() throws {
    let fake = try FakeSensor()
    try fake.raw(1, 2, 3)
    try fake.set("in_mount_matrix", "0, 1, 0; -1, 0, 0; 0, 0, 1")
    #expect(try fake.sensor.read() == Acceleration(x: 2, y: -1, z: 3))
    try fake.set("in_accel_mount_matrix", "1, 0, 0; 0, -1, 0; 0, 0, -1")
    #expect(try fake.sensor.read() == Acceleration(x: 1, y: -2, z: -3))
    try "I:12\nE:ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, 1, 0; 0, 0, 1\n".write(
      toFile: "\(fake.udev)/+iio:iio:device0", atomically: true, encoding: .utf8)
    #expect(try fake.sensor.read() == Acceleration(x: -1, y: 2, z: 3))
    try fake.set("dev", "242:0")
    try "E:ACCEL_MOUNT_MATRIX=1,0,0;0,1,0;0,0,-1\n".write(
      toFile: "\(fake.udev)/c242:0", atomically: true, encoding: .utf8)
    #expect(try fake.sensor.read() == Acceleration(x: 1, y: 2, z: -3))
  }

  @Test(arguments: [
    "", "1, 0, 0", "1, 0, 0; 0, 1, 0", "1, 0, 0; 0, 1, 0; 0, 0", "1, 0, 0; 0, 1, 0; 0, 0, x",
    "0, 0, 0; 0, 1, 0; 0, 0, 1",
    "nan, 0, 0; 0, 1, 0; 0, 0, 1", "1, 0, 0; 0, 1, 0; 0, 0, 1; 0, 0, 0", "1, 1, 0; 1, 1, 0; 0, 0, 1",
  ])
  func `a matrix that turns nothing into directions is refused`(text: String) throws {
    #expect(MountMatrix(text) == nil)
    let fake = try FakeSensor()
    try fake.raw(0, 0, 1)
    try fake.set("in_mount_matrix", text)
    #expect(throws: TiltError.badFile(path: "\(fake.device)/in_mount_matrix", text: text)) { try fake.sensor }
  }

  @Test func `the one that moves with the screen is found; a keyboard's base only without another`() throws {
    let fake = try FakeSensor("iio:device0")
    #expect(throws: TiltError.noSensor(folder: fake.folder)) { try Accelerometer.find(in: fake.folder) }
    #expect(throws: TiltError.noSensor(folder: "/nowhere")) { try Accelerometer.find(in: "/nowhere") }
    #expect(throws: TiltError.notASensor(path: fake.device)) { try fake.sensor }
    func add(_ name: String, label: String?) throws {
      let path = "\(fake.folder)/\(name)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for axis in ["x", "y", "z"] {
        try "1\n".write(toFile: "\(path)/in_accel_\(axis)_raw", atomically: true, encoding: .utf8)
      }
      try label?.write(toFile: "\(path)/label", atomically: true, encoding: .utf8)
    }
    func found() throws -> String { try Accelerometer.find(in: fake.folder, udevFolder: fake.udev).path }
    try add("iio:device1", label: "accel-base\n")
    #expect(try found() == "\(fake.folder)/iio:device1")
    try add("iio:device2", label: nil)
    #expect(try found() == "\(fake.folder)/iio:device2")
    try add("iio:device3", label: "accel-display\n")
    #expect(try found() == "\(fake.folder)/iio:device3")
    try add("trigger0", label: "accel-display\n")
    #expect(try found() == "\(fake.folder)/iio:device3")
  }

  @Test func `kernels before labels tell the place by location`() throws {
    let fake = try FakeSensor("iio:device0")
    func add(_ name: String, _ attributes: [String: String]) throws {
      let path = "\(fake.folder)/\(name)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (name, text) in attributes.merging(
        ["x", "y", "z"].map { ("in_accel_\($0)_raw", "1") }, uniquingKeysWith: { a, _ in a })
      {
        try "\(text)\n".write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
      }
    }
    func found() throws -> String {
      try Accelerometer.find(in: fake.folder, udevFolder: fake.udev).path.split(separator: "/").last.map(String.init)
        ?? ""
    }
    try add("iio:device1", ["location": "base"])
    #expect(try found() == "iio:device1")
    try add("iio:device2", [:])
    #expect(try found() == "iio:device2")
    try add("iio:device3", ["location": "lid"])
    #expect(try found() == "iio:device3")
    // A label decides first.
    try add("iio:device3", ["location": "lid", "label": "accel-base"])
    #expect(try found() == "iio:device2")
  }

  @Test(arguments: ["", "ten", "nan", "inf", "1 2", "0x"])
  func `a file that holds no number is one clear error`(text: String) throws {
    let fake = try FakeSensor()
    try fake.raw(0, 0, 1)
    try fake.set("in_accel_y_raw", text)
    let error = #expect(throws: TiltError.self) { try fake.sensor }
    #expect(error?.description == "\(fake.device)/in_accel_y_raw holds \"\(text)\", which can't be used")
  }

  @Test func `a thread reads it at a steady rate, and says when it is gone`() throws {
    let fake = try FakeSensor()
    try fake.raw(3, 4, 5)
    let sensor = try fake.sensor
    let reader = try AccelerometerReader(interval: .milliseconds(2)) { sensor }
    var samples: [(value: Acceleration, time: MonotonicTime)] = []
    for _ in 0..<1000 where samples.count < 5 {
      for event in wait(reader) {
        if case .sample(let value, let time) = event { samples.append((value, time)) }
      }
    }
    #expect(samples.count >= 5 && samples.allSatisfy { $0.value == Acceleration(x: 3, y: 4, z: 5) })
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $1.time - $0.time >= .milliseconds(1) })
    try fake.set("in_accel_y_raw", nil)
    var last: AccelerometerReader.Event?
    for _ in 0..<1000 where last != .lost { last = wait(reader).last ?? last }
    #expect(last == .lost)
    #expect(wait(reader) == [.lost], "no sample follows")
  }

  @Test func `a reader that was full of samples still gets the loss`() throws {
    let (reader, write) = try AccelerometerReader.played()
    for _ in 0..<2000 { write(.sample(Acceleration(x: 0, y: 0, z: 9.81), at: .zero)) }
    write(.lost)
    let events = reader.take()
    #expect(events.count < 2000)
    #expect(events.last == .lost)
  }

  @Test func `its thread ends when nobody wants it`() throws {
    let fake = try FakeSensor()
    try fake.raw(3, 4, 5)
    let (before, sensor) = (threads(), try fake.sensor)
    for _ in 0..<20 { _ = try AccelerometerReader(interval: .milliseconds(1)) { sensor } }
    // Other tests of the process start and end threads too; leaks of this test would be 20.
    for _ in 0..<5000 where threads() >= before + 10 { usleep(1000) }
    #expect(threads() < before + 10)
  }

  private func threads() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0 }

  private func wait(_ reader: AccelerometerReader) -> [AccelerometerReader.Event] {
    var entry = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&entry, 1, 5000)
    return reader.take()
  }
}
