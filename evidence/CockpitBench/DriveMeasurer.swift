import CLinux
import Foundation
import Glibc
import Stage
import UICore

/// A cockpit with `--drive`, a finger on its wheel, and the consumer of its lines.
final class DriveMeasurer {
  private let client: ClientSpecification
  private let size: PixelSize
  private let place: WheelPlace
  private let touches: Int
  private let compositor: MeasuringCompositor
  private let path = NSTemporaryDirectory() + "cockpit-bench-drive-\(getpid())"

  init(_ client: ClientSpecification, size: PixelSize, place: WheelPlace, touches: Int) throws(BenchError) {
    (self.client, self.size, self.place, self.touches) = (client, size, place, touches)
    compositor = try MeasuringCompositor(size: size)
  }

  /// The most nanoseconds to wait for a touch's line.
  private static let patience: Int64 = 100_000_000

  /// The milliseconds from sending each touch to reading its line. A touch without a line within 100 ms counts as 100 ms.
  func run() throws(BenchError) -> [Double] {
    try drive { stream throws(BenchError) in touchLatencies(stream) }
  }

  /// Records how late messages and answers to touches are beside so many loops that use a processor each. This process, which reads
  /// them, runs in real time if it may.
  func recordLateness(beside loops: Int, seconds: Double, in figures: inout Figures) throws(BenchError) {
    Progress.show("\(client.name), messages beside \(loops) busy loops")
    let busy = try (0..<loops).map { _ throws(BenchError) in
      try Child(["/bin/sh", "-c", "while :; do :; done"], environment: [:])
    }
    defer { busy.forEach { $0.end() } }
    let (late, touched) = try drive(["--drive-rate", "100"]) { stream throws(BenchError) in
      // The client does not inherit it.
      Machine.setRealTime(true)
      defer { Machine.setRealTime(false) }
      return (messageLateness(stream, seconds: seconds), touchLatencies(stream))
    }
    for (name, times) in [("message late", late), ("touch to message", touched)] {
      let name = "\(name) beside \(loops) busy loops"
      figures.record(Statistics.median(times), "\(name), p50", "ms", scene: size.text)
      figures.record(Statistics.percentile(0.99, times), "\(name), p99", "ms", scene: size.text)
      figures.record(times.max(), "\(name), most", "ms", scene: size.text)
    }
  }

  /// Starts the client with a finger on its wheel, and calls `body` with the stream of its lines.
  private func drive<Result>(
    _ arguments: [String] = [], _ body: (Int32) throws(BenchError) -> Result
  ) throws(BenchError) -> Result {
    let listener = try BenchConsumer.listen(at: path)
    defer {
      close(listener)
      unlink(path)
    }
    let child = try compositor.start(client, ["--drive", "unix:\(path)"] + arguments)
    defer { child.end() }
    compositor.run(milliseconds: 1000)
    let stream = cockpit_accept(listener)
    defer { close(stream) }
    guard stream >= 0, !child.hasEnded else { throw .client(name: client.name, "does not drive") }
    let start = place.rim(0)
    compositor.stage.seat.touchDown(1, start.x, start.y)
    compositor.stage.seat.touchFrame()
    compositor.run(milliseconds: 200)
    return try body(stream)
  }

  /// The milliseconds from the time in each line to its arrival here, while the wheel is held still.
  private func messageLateness(_ stream: Int32, seconds: Double) -> [Double] {
    var times: [Double] = []
    // Those of the start have waited here.
    while let lines = arrivedLines(stream, wait: 0), !lines.isEmpty {}
    let end = Time.now + Int64(seconds * 1e9)
    while Time.now < end {
      for line in arrivedLines(stream, wait: 5) ?? [] {
        if let time = field("t", of: line).flatMap({ Double($0) }) { times.append(Double(Time.now) / 1e6 - time * 1e3) }
      }
      // The compositor answers the cockpit's questions.
      compositor.run(milliseconds: 0.1)
    }
    return times
  }

  private func touchLatencies(_ stream: Int32) -> [Double] {
    let seat = compositor.stage.seat
    var last = newestSteering(stream, wait: 0)
    var times: [Double] = []
    for number in 0..<touches {
      // Varies the delay, so that touches come at any time within a refresh, during painting too.
      compositor.run(milliseconds: 9 + Double(number % 17) * 0.9)
      _ = newestSteering(stream, wait: 0).map { last = $0 }
      let point = place.rim(number % 2 == 0 ? 20 + Double(number % 7) : -20 - Double(number % 7))
      let sent = Time.now
      seat.touchMotion(1, point.x, point.y)
      seat.touchFrame()
      compositor.stage.flush()
      var duration = Self.patience
      while Time.now - sent < Self.patience {
        guard let steering = newestSteering(stream, wait: 20), steering != last else { continue }
        last = steering
        duration = Time.now - sent
        break
      }
      times.append(Double(duration) / 1e6)
    }
    return times
  }

  /// The steering value of the newest line; nil if no line arrives within `wait` milliseconds.
  private func newestSteering(_ stream: Int32, wait: Int32) -> Substring? {
    arrivedLines(stream, wait: wait)?.last.flatMap { field("steering", of: $0) }
  }
}

/// The lines that have arrived on `stream`, waiting at most `wait` milliseconds for the first; nil at the stream's end or after
/// an error.
nonisolated private func arrivedLines(_ stream: Int32, wait: Int32) -> [Substring]? {
  var entry = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
  guard poll(&entry, 1, wait) > 0 else { return [] }
  var bytes = [UInt8](repeating: 0, count: 8192)
  let count = recv(stream, &bytes, bytes.count, Int32(MSG_DONTWAIT))
  return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") : nil
}

/// The value of the field `name` in a line, as written there.
nonisolated func field(_ name: String, of line: Substring) -> Substring? {
  line.range(of: "\"\(name)\":").map { line[$0.upperBound...].prefix { $0 != "," } }
}
