import Glibc
import Tilt
import UICore

/// An accelerometer that a test plays: its samples come through the socket that the sensor's thread would write to.
final class PlayedSensor {
  /// Degrees by which the device is tilted to the right.
  var degrees = 0.0
  var fails = false
  private var write: ((AccelerometerReader.Event) -> Void)?
  private var lastTime = MonotonicTime.zero

  /// A reader of its samples.
  func open() throws(TiltError) -> AccelerometerReader {
    guard !fails else { throw .noSensor(folder: "a stage") }
    let (reader, write) = try AccelerometerReader.played()
    self.write = write
    return reader
  }

  /// The work of the sensor's thread every 20 ms.
  func feed(at time: MonotonicTime) {
    guard let write, time - lastTime >= .milliseconds(20) else { return }
    lastTime = time
    guard !fails else {
      write(.lost)
      return self.write = nil
    }
    let angle = degrees * .pi / 180
    write(
      .sample(
        Acceleration(x: -Acceleration.gravity * sin(angle), y: Acceleration.gravity * cos(angle), z: 0), at: time))
  }
}
