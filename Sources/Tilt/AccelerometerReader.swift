import Glibc
import Linux
import UICore

/// Reads an accelerometer at a steady rate on a dedicated thread and transfers the samples through a socket pair.
///
/// Watch `descriptor`, and call `take()` when it is readable. The thread ends soon after this object, or after a failure. If
/// samples are not taken in time, newer ones are dropped; a failure is the end of the connection and cannot be dropped.
public final class AccelerometerReader {
  /// An event from the thread.
  public enum Event: Hashable, Sendable {
    case sample(Acceleration, at: MonotonicTime)
    /// The sensor failed: no samples follow, and `take()` returns this again at each call.
    case lost
  }

  /// The content of one packet of the socket pair. A packet arrives whole or not at all.
  private struct Record {
    var value = Acceleration(x: 0, y: 0, z: 0)
    var nanoseconds: Int64 = 0
  }

  /// The descriptor to watch: it is readable when there are events, and after the thread has ended.
  public var descriptor: Int32 { input.number }
  private let input: Descriptor

  /// Starts reading the sensor that `open` returns, every `interval` (20 ms by default). `open` is called on the reader's
  /// thread, so a sensor that hangs delays no other work; if it throws, the first event is `lost`.
  ///
  /// - Throws: `TiltError.noReader` if the system has no socket or thread for it.
  public init(
    interval: Duration = .milliseconds(20), opening open: @escaping @Sendable () throws(TiltError) -> Accelerometer
  ) throws(TiltError) {
    let ends = try AccelerometerReader.socketPair()
    guard let input = Descriptor(ends[0]) else { throw .noReader(errno: errno) }
    let output = ends[1]
    let failure = startThread("tilt") {
      AccelerometerReader.run(open, interval, Descriptor(output))
    }
    guard failure == 0 else {
      close(output)
      throw .noReader(errno: failure)
    }
    self.input = input
  }

  /// The numbers of two connected sockets, each of which the caller must close.
  private static func socketPair() throws(TiltError) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw .noReader(errno: errno) }
    return ends
  }

  private init(reading input: consuming Descriptor) { self.input = input }

  /// Makes a reader without a thread. Its events are those passed to `write`, for sensors in the same process.
  ///
  /// - Throws: `TiltError.noReader` if the system has no socket for it.
  package static func played() throws(TiltError) -> (reader: AccelerometerReader, write: (Event) -> Void) {
    let ends = try AccelerometerReader.socketPair()
    guard let input = Descriptor(ends[0]) else { throw .noReader(errno: errno) }
    let output = PlayedEnd(ends[1])
    return (AccelerometerReader(reading: input), { write($0, to: output.number) })
  }

  /// The writing end of the socket pair, closed with the last reference to this object.
  private final class PlayedEnd {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { close(number) }
  }

  /// Returns false if that fails, for the reason in `errno`.
  @discardableResult private static func write(_ event: Event, to output: Int32) -> Bool {
    guard case .sample(let value, let time) = event else { return shutdown(output, Int32(SHUT_WR)) == 0 }
    var record = Record(value: value, nanoseconds: time.nanoseconds)
    return unsafe send(output, &record, MemoryLayout<Record>.size, Int32(MSG_NOSIGNAL)) >= 0
  }

  /// The events since the last call, oldest first.
  public func take() -> [Event] {
    var events: [Event] = []
    var record = Record()
    while true {
      switch unsafe Glibc.read(descriptor, &record, MemoryLayout<Record>.size) {
      case MemoryLayout<Record>.size:
        events.append(.sample(record.value, at: MonotonicTime(nanoseconds: record.nanoseconds)))
      case 0: return events + [.lost]
      default: return events
      }
    }
  }

  private static func run(
    _ open: () throws(TiltError) -> Accelerometer, _ interval: Duration, _ output: consuming Descriptor?
  ) {
    // Returning closes the output, which the reader takes as `lost`.
    guard let output, let sensor = try? open() else { return }
    while true {
      let time = MonotonicTime.system
      guard let value = try? sensor.read() else { return }
      // These two errors mean that the reader object no longer exists and has closed its end.
      if !write(.sample(value, at: time), to: output.number), errno == EPIPE || errno == ECONNRESET { return }
      // The interval counts from this sample, so that a delay is not followed by several samples at once.
      (time + interval).sleepUntil()
    }
  }
}
