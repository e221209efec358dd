// Owns the thread that reads an accelerometer: a sensor on a slow bus must not hold up a frame.
// Must not know what the samples are for.

import Glibc
import Interface

/// Reads an accelerometer at a steady rate on a thread of its own and hands the samples over through a pair of sockets.
///
/// Watch `descriptor`, and `take()` when it is readable. The thread ends soon after this object goes, or after a failure, which
/// is the last that it hands over. What nobody takes is dropped, newest first.
public final class AccelerometerReader {
  /// What the thread hands over.
  public enum Event: Hashable, Sendable {
    case sample(Acceleration, at: MonotonicTime)
    /// The sensor failed; nothing follows.
    case lost
  }

  /// One packet: it arrives whole or not at all.
  private struct Record {
    var x = 0.0
    var y = 0.0
    var z = 0.0
    var nanoseconds: Int64 = 0
    var isLost = false
  }

  /// What the thread owns.
  private struct Work: Sendable {
    let sensor: Accelerometer
    let output: Int32
    let interval: Duration
  }

  private final class Box<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  /// The end to watch.
  public let descriptor: Int32

  /// Starts reading `sensor` every `interval` (20 ms unless told).
  ///
  /// - Throws: `TiltError.noReader` when the system has no socket or thread for it.
  public convenience init(_ sensor: Accelerometer, interval: Duration = .milliseconds(20)) throws(TiltError) {
    self.init(reading: try Self.start(sensor, interval))
  }

  private init(reading descriptor: Int32) { self.descriptor = descriptor }

  /// Starts the thread; the end of the sockets that it doesn't write to.
  private static func start(_ sensor: Accelerometer, _ interval: Duration) throws(TiltError) -> Int32 {
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
    defer { ends.deallocate() }
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, ends) == 0 else { throw .noReader(errno: errno) }
    let (input, output) = (ends[0], ends[1])
    let result = startThread(Work(sensor: sensor, output: output, interval: interval))
    guard result == 0 else {
      close(input)
      close(output)
      throw .noReader(errno: result)
    }
    return input
  }

  /// 0, or why there is no thread.
  private static func startThread(_ work: Work) -> Int32 {
    let box = Unmanaged.passRetained(Box(work))
    var thread = pthread_t()
    // Signals are the main thread's.
    var (all, old) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &old)
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { AccelerometerReader.run(Unmanaged<Box<Work>>.fromOpaque(argument).takeRetainedValue().value) }
        return nil
      }, box.toOpaque())
    pthread_sigmask(SIG_SETMASK, &old, nil)
    if result == 0 { pthread_detach(thread) } else { box.release() }
    return result
  }

  deinit { close(descriptor) }

  /// What came since the last call, oldest first.
  public func take() -> [Event] {
    var events: [Event] = []
    var record = Record()
    while Glibc.read(descriptor, &record, MemoryLayout<Record>.size) == MemoryLayout<Record>.size {
      let value = Acceleration(x: record.x, y: record.y, z: record.z)
      events.append(record.isLost ? .lost : .sample(value, at: MonotonicTime(nanoseconds: record.nanoseconds)))
    }
    return events
  }

  private static func run(_ work: Work) {
    defer { close(work.output) }
    let step = work.interval.inNanoseconds
    while true {
      var record = Record(nanoseconds: now())
      do throws(TiltError) {
        let value = try work.sensor.read()
        (record.x, record.y, record.z) = (value.x, value.y, value.z)
      } catch {
        record.isLost = true
      }
      // Closed at the other end: nobody wants it any more.
      let sent = send(work.output, &record, MemoryLayout<Record>.size, Int32(MSG_NOSIGNAL))
      if sent < 0, errno == EPIPE || errno == ECONNRESET { return }
      if record.isLost { return }
      // From this sample on: one that came late brings no two at once.
      let next = record.nanoseconds + step
      var until = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nil)
    }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
