import CLinux
import Dispatch  // links the library whose main queue the loop drains

/// Waits for descriptors and timers and runs their handlers, sequentially, on the main thread.
public final class EventLoop {
  /// The events that a descriptor is watched for.
  package struct Interest: OptionSet, Sendable {
    /// The bits that poll knows.
    package let rawValue: Int16

    /// Any bits that poll knows.
    package init(rawValue: Int16) {
      self.rawValue = rawValue
    }

    /// Data can be read, or the other end hung up.
    package static let readable = Interest(rawValue: Int16(POLLIN))
    /// Data can be written.
    package static let writable = Interest(rawValue: Int16(POLLOUT))
  }

  /// A watched descriptor. The watcher decides before each wait which events to wait for.
  package final class Watch {
    let descriptor: Int32
    /// Called before each wait; returns the events to wait for.
    let prepare: () -> Interest
    /// Called after each wait with the events, also without any.
    let handle: (Interest) -> Void
    fileprivate(set) var isActive = true

    package init(descriptor: Int32, prepare: @escaping () -> Interest, handle: @escaping (Interest) -> Void) {
      self.descriptor = descriptor
      self.prepare = prepare
      self.handle = handle
    }
  }

  /// A tuple would wrap the handler in another closure, which each setting of a timer would allocate.
  private struct Timer {
    let id: TimerID
    let time: MonotonicTime
    let handler: () -> Void
  }

  /// The clock that timers are measured by.
  public let clock: any MonotonicClock
  /// Pending timers by due time; equal times keep insertion order.
  private var timers: [Timer] = []
  private var lastTimer: UInt64 = 0
  /// The watches in the order in which they were added. A removed one stays until the iteration ends, because its index is its
  /// position in `polled`: a new file may have the same descriptor number by then.
  private var watches: [Watch] = []
  private var polled: [pollfd] = []
  /// True if a watch was removed since the last iteration began.
  private var hasRemoved = false
  private var isTurning = false
  private var isStopping = false

  /// A loop on `clock`.
  public init(clock: any MonotonicClock = SystemClock()) {
    self.clock = clock
    // After dispatch_main(), as in a process of swift test, other threads serve the main queue, and libdispatch closes this descriptor.
    let queue = cockpit_is_main_thread() ? _dispatch_get_main_queue_handle_4CF() : -1
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
    lastTimer += 1
    let id = TimerID(value: lastTimer)
    timers.insert(Timer(id: id, time: time, handler: handler), at: timers.firstIndex { $0.time > time } ?? timers.count)
    return id
  }

  /// Cancels a timer; nil and timers that ran are ignored.
  public func cancel(_ timer: TimerID?) {
    if let timer { timers.removeAll { $0.id == timer } }
  }

  /// Calls `handler` whenever `descriptor` is readable, until `unwatch`.
  public func watchReadable(_ descriptor: Int32, _ handler: @escaping () -> Void) {
    watch(Watch(descriptor: descriptor, prepare: { .readable }) { if $0.contains(.readable) { handler() } })
  }

  /// Watches for the events that `watch` requests before each wait, and passes it those that occurred after each, until
  /// `unwatch`.
  package func watch(_ watch: Watch) {
    unwatch(watch.descriptor)
    watches.append(watch)
  }

  /// Stops watching `descriptor`.
  public func unwatch(_ descriptor: Int32) {
    for watch in watches where watch.descriptor == descriptor { remove(watch) }
  }

  private func remove(_ watch: Watch) {
    watch.isActive = false
    hasRemoved = true
  }

  /// Ends `run` after the current iteration.
  public func stop() {
    isStopping = true
  }

  /// Turns until `stop`.
  public func run() {
    isStopping = false
    while !isStopping { turn(waits: true) }
  }

  /// Runs one iteration: prepare, wait (if `waits` and nothing is due), handle, run the timers that were due after the wait. Does
  /// nothing within an iteration.
  ///
  /// A timer that becomes due while a handler works waits for the next iteration, which first handles what has arrived meanwhile.
  /// So a key that went up does not repeat, and a compositor that answered does not count as frozen, however slow a content is.
  public func turn(waits: Bool) {
    guard !isTurning else { return }
    isTurning = true
    defer { isTurning = false }
    if hasRemoved {
      hasRemoved = false
      watches.removeAll { !$0.isActive }
    }
    let result = wait(waits)
    let now = clock.now
    for index in polled.indices where watches[index].isActive {
      let (watch, revents) = (watches[index], result > 0 ? polled[index].revents : 0)
      if revents & Int16(POLLNVAL) != 0 {
        // Its owner closed it, which poll would report again and again without waiting.
        Log.write(.app, .error, "descriptor \(watch.descriptor) was closed while it was watched")
        remove(watch)
      }
      var happened = Interest(rawValue: revents)
      // Errors and hang-ups count as readable; reading shows which it is.
      if revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { happened.insert(.readable) }
      watch.handle(happened)
    }
    runTimers(now: now)
  }

  /// Runs the timers that are due. Timers set by a handler wait for the next iteration, so that none can starve the loop.
  private func runTimers(now: MonotonicTime) {
    let newest = lastTimer
    while let index = timers.firstIndex(where: { $0.time > now || $0.id.value <= newest }) {
      guard timers[index].time <= now else { return }
      timers.remove(at: index).handler()
    }
  }

  /// Asks the watches for their events, and waits. Returns the result of poll.
  private func wait(_ waits: Bool) -> Int32 {
    polled.removeAll(keepingCapacity: true)
    var index = 0
    // `prepare` may add watches, so the count is read again each time.
    while index < watches.count {
      let watch = watches[index]
      let events = watch.isActive ? watch.prepare() : []
      polled.append(pollfd(fd: watch.descriptor, events: events.rawValue, revents: 0))
      index += 1
    }
    // poll ignores negative numbers.
    if hasRemoved {
      for index in polled.indices where !watches[index].isActive { polled[index].fd = -1 }
    }
    // A watcher may have stopped the loop while it prepared.
    let timeout = waits && !isStopping ? timers.first.map { max(0, ($0.time - clock.now).inNanoseconds) } ?? -1 : 0
    let count = polled.count
    return unsafe polled.withUnsafeMutableBufferPointer { unsafe cockpit_poll($0.baseAddress, UInt(count), timeout) }
  }
}

/// A timer's identity, to cancel it.
public struct TimerID: Hashable, Sendable {
  let value: UInt64
}

/// A timer that is set repeatedly, such as with every frame or line; setting it does not allocate.
///
/// It holds the loop, and the loop does not hold it, so it ends with its owner.
@MainActor public final class LoopTimer {
  private let loop: EventLoop
  private let handler: () -> Void
  private var id: TimerID?
  private lazy var fire: () -> Void = { [weak self] in self?.fired() }

  /// The time of the next call of the handler; nil for none. A past time counts as now.
  public var time: MonotonicTime? {
    didSet {
      guard time != oldValue else { return }
      loop.cancel(id)
      id = time.map { loop.schedule(at: $0, fire) }
    }
  }

  /// A timer that is not set.
  public init(loop: EventLoop, handler: @escaping () -> Void) {
    self.loop = loop
    self.handler = handler
  }

  isolated deinit { loop.cancel(id) }

  private func fired() {
    id = nil
    time = nil
    handler()
  }
}
