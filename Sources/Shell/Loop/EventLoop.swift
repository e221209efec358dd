// The one place where the process waits: descriptors, timers, libdispatch's main queue. Knows nothing of Wayland.

import CLinux
import Dispatch  // links the library whose main queue the loop drains
import Interface

/// Waits for descriptors and timers and runs their handlers, one after the other, on the main thread.
public final class EventLoop {
  /// What a descriptor is watched for.
  public struct Interest: OptionSet, Sendable {
    /// The bits that poll knows.
    public let rawValue: Int16

    /// Any bits that poll knows.
    public init(rawValue: Int16) {
      self.rawValue = rawValue
    }

    /// Data can be read, or the other side hung up.
    public static let readable = Interest(rawValue: Int16(POLLIN))
    /// Data can be written.
    public static let writable = Interest(rawValue: Int16(POLLOUT))
  }

  /// A watched descriptor. The watcher decides before each wait what it waits for.
  struct Watch {
    let descriptor: Int32
    /// Called before each wait; the answer is what to wait for.
    let prepare: () -> Interest
    /// Called after each wait with what happened, also with nothing.
    let handle: (Interest) -> Void
  }

  /// The clock that timers are measured by.
  public let clock: any Clock
  private let timers = TimerQueue()
  private var watches: [Int32: Watch] = [:]
  private var order: [Int32] = []
  private var polled: [pollfd] = []
  private var isStopping = false

  /// A loop on `clock`.
  public init(clock: any Clock = SystemClock()) {
    self.clock = clock
    let queue = _dispatch_get_main_queue_handle_4CF()
    if queue >= 0 {
      // Without this a `Task { @MainActor in }` would never run (libdispatch expects its host's loop to drain it).
      watch(
        Watch(descriptor: queue, prepare: { .readable }) { happened in
          if happened.contains(.readable) { _dispatch_main_queue_callback_4CF(nil) }
        })
    }
  }

  /// Runs `handler` at `time`, once.
  @discardableResult
  public func schedule(at time: MonotonicTime, _ handler: @escaping () -> Void) -> TimerID {
    timers.add(at: time, handler)
  }

  /// Forgets a timer.
  public func cancel(_ timer: TimerID?) {
    if let timer { timers.cancel(timer) }
  }

  /// Calls `handler` whenever `descriptor` is readable, until `unwatch`.
  public func watchReadable(_ descriptor: Int32, _ handler: @escaping () -> Void) {
    watch(Watch(descriptor: descriptor, prepare: { .readable }) { if $0.contains(.readable) { handler() } })
  }

  func watch(_ watch: Watch) {
    if watches.updateValue(watch, forKey: watch.descriptor) == nil { order.append(watch.descriptor) }
  }

  /// Stops watching `descriptor`.
  public func unwatch(_ descriptor: Int32) {
    watches[descriptor] = nil
    order.removeAll { $0 == descriptor }
  }

  /// Ends `run` after the current turn.
  public func stop() {
    isStopping = true
  }

  /// Turns until `stop`.
  public func run() {
    isStopping = false
    while !isStopping { turn(waits: true) }
  }

  /// One turn: prepare, wait (when `waits` and nothing is due), handle, run timers.
  public func turn(waits: Bool) {
    polled.removeAll(keepingCapacity: true)
    for descriptor in order {
      guard let watch = watches[descriptor] else { continue }
      polled.append(pollfd(fd: descriptor, events: watch.prepare().rawValue, revents: 0))
    }
    // A watcher may have stopped the loop while it prepared.
    let timeout = waits && !isStopping ? nanosecondsToNextTimer() : 0
    let count = polled.count
    let result = polled.withUnsafeMutableBufferPointer { cockpit_poll($0.baseAddress, UInt(count), timeout) }
    for entry in polled {
      // Errors and hang-ups count as readable: reading tells which.
      let failed = entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
      var happened = result > 0 ? Interest(rawValue: entry.revents) : []
      if failed, result > 0 { happened.insert(.readable) }
      watches[entry.fd]?.handle(happened)
    }
    timers.run(now: clock.now)
  }

  private func nanosecondsToNextTimer() -> Int64 {
    guard let next = timers.nextTime else { return -1 }
    return max(0, (next - clock.now).inNanoseconds)
  }
}
