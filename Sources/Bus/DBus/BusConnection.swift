import CSystemd
import MainLoop

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// A connection to a message bus, by sd-bus. It never blocks: messages are sent and received through the event loop.
@safe @MainActor package final class BusConnection {
  /// The maximum number of messages handled in one event-loop iteration, so that input never waits for more.
  package static let maxMessagesPerIteration = 16

  /// Called once when the bus closes the connection; not after `close`.
  package var onDisconnect: (() -> Void)?
  /// The delays of messages while something else has priority; nil if they are not delayed.
  package var pace: () -> Pace? = { nil }
  /// Whether a frame is due, which no message may delay.
  package var isFrameDue: () -> Bool = { false }

  /// The minimum times between messages if many arrive.
  package struct Pace: Hashable, Sendable {
    /// In iterations that the loop runs for something else while no frame is due.
    package let awake: Duration
    /// If the loop has to wake for the message.
    package let waking: Duration
    /// How much unused allowance is saved up for a burst.
    package static let burst = Duration.seconds(1)

    package init(awake: Duration, waking: Duration) { (self.awake, self.waking) = (awake, waking) }
  }

  private let loop: EventLoop
  private let library: BusLibrary
  private var bus: OpaquePointer?
  private(set) var descriptor: Int32 = -1
  private var isProcessing = false
  /// When the next message may be handled in an iteration, and when the loop wakes for it.
  private var (nextTime, wakeTime) = (MonotonicTime.zero, MonotonicTime.zero)
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in process() }
  /// Callbacks for answers, signals and served calls, by number.
  private var listeners: [Int: Listener] = [:]
  private var lastListener = 0

  /// A callback that the library gets as a pointer.
  @safe fileprivate final class Listener {
    weak var connection: BusConnection?
    let number: Int
    let isOneAnswer: Bool
    let body: (OpaquePointer) -> Bool

    init(_ connection: BusConnection, _ number: Int, isOneAnswer: Bool, _ body: @escaping (OpaquePointer) -> Bool) {
      unsafe (self.connection, self.number, self.isOneAnswer, self.body) = (connection, number, isOneAnswer, body)
    }
  }

  /// Whether an address names only sockets of this machine. The library also knows addresses that start a program (unixexec), enter
  /// another machine's or container's space (x-machine-unix), or look up a host (tcp), which blocks. Those that it does not know
  /// (launchd, autolaunch) are refused as well.
  package static func isLocal(_ address: String) -> Bool {
    let parts = address.split(separator: ";")
    return !parts.isEmpty && parts.allSatisfy { $0.hasPrefix("unix:") }
  }

  /// The address of the session's bus: that of its variable, otherwise its usual socket in the runtime folder; nil without both.
  package static var sessionAddress: String? {
    Environment.sessionBus.value ?? Environment.runtimeFolder.value.map { address(ofSocket: $0 + "/bus") }
  }

  private static let plainBytes = Set("-_/.*0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  /// The address of the socket at `path`, in which all bytes but these are written by their numbers.
  static func address(ofSocket path: String) -> String {
    let letters = path.utf8.map { byte in
      plainBytes.contains(byte)
        ? String(Unicode.Scalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return "unix:path=" + letters.joined()
  }

  /// Connects to the bus at `address`, nil for the session's. Returns nil without the library or the bus, and for an address
  /// that is not `isLocal`, whoever named it: the environment, or another program. Loads the library, which takes some milliseconds.
  package init?(to address: String? = nil, loop: EventLoop) {
    guard let place = address ?? Self.sessionAddress else { return nil }
    guard Self.isLocal(place) else {
      let name = address == nil ? "the session bus (\(Environment.sessionBus.rawValue))" : "a message bus"
      Log.write(.app, .error, "the address of \(name) is refused: only sockets of this machine (unix:) are used")
      return nil
    }
    guard let library = BusLibrary.load() else { return nil }
    (self.loop, self.library) = (loop, library)
    var created: OpaquePointer?
    guard unsafe library.new(&created) >= 0, let bus = unsafe created else { return nil }
    guard unsafe library.set_address(bus, place) >= 0, unsafe library.set_bus_client(bus, 1) >= 0,
      unsafe library.start(bus) >= 0
    else {
      _ = unsafe library.close_unref(bus)
      return nil
    }
    unsafe self.bus = bus
    descriptor = unsafe library.get_fd(bus)
    loop.watch(
      .init(
        descriptor: descriptor, prepare: { [unowned self] in interest },
        handle: { [unowned self] in if !$0.isEmpty || mayProcessEarly { process(isAwake: mayProcessEarly) } }))
  }

  isolated deinit { close() }

  /// Whether the connection is neither closed nor lost.
  package var isOpen: Bool { unsafe bus != nil }

  /// Closes the connection; no callback is called after that.
  package func close() {
    guard let bus = unsafe bus else { return }
    unsafe self.bus = nil
    loop.unwatch(descriptor)
    // While it handles a message the library may still pass it to other listeners.
    if !isProcessing { listeners.removeAll() }
    _ = unsafe library.close_unref(bus)
  }

  // MARK: Messages out

  /// Calls a method; `answer` receives the reply. A service that does not run is started only if `startsService`.
  package func call<each Value: BusType>(
    _ service: String, _ path: String, _ interface: String, _ member: String, _ arguments: repeat each Value,
    startsService: Bool = true, answer: @escaping (Result<BusReader, BusError>) -> Void
  ) {
    guard let bus = unsafe bus else { return }
    var created: OpaquePointer?
    guard unsafe library.message_new_method_call(bus, &created, service, path, interface, member) >= 0,
      let message = unsafe created
    else { return }
    defer { _ = unsafe library.message_unref(message) }
    if !startsService { _ = unsafe library.message_set_auto_start(message, 0) }
    let writer = unsafe BusWriter(library: library, message: message)
    repeat (each arguments).write(to: writer)
    let library = library
    let listener = unsafe addListener(isOneAnswer: true) { message in
      let reader = unsafe BusReader(library: library, message: message)
      answer(reader.error.map { .failure($0) } ?? .success(reader))
      return true
    }
    _ = unsafe library.call_async(bus, nil, message, handleMessage, listener, 0)
  }

  /// Calls `body` for each signal.
  package func onSignal(
    _ service: String, _ path: String, _ interface: String, _ member: String, _ body: @escaping (BusReader) -> Void
  ) {
    guard let bus = unsafe bus else { return }
    let library = library
    let listener = unsafe addListener {
      unsafe body(BusReader(library: library, message: $0))
      return false
    }
    _ = unsafe library.match_signal_async(bus, nil, service, path, interface, member, handleMessage, nil, listener)
  }

  /// Sends a signal.
  package func emit<each Value: BusType>(
    _ path: String, _ interface: String, _ member: String, _ values: repeat each Value
  ) {
    guard let bus = unsafe bus else { return }
    var created: OpaquePointer?
    guard unsafe library.message_new_signal(bus, &created, path, interface, member) >= 0, let message = unsafe created
    else { return }
    defer { _ = unsafe library.message_unref(message) }
    let writer = unsafe BusWriter(library: library, message: message)
    repeat (each values).write(to: writer)
    _ = unsafe library.send(bus, message, nil)
  }

  /// Calls `body` for each method call to `path` or an object below it; it returns false if it does not answer the call.
  package func serve(_ path: String, _ body: @escaping (BusCall) -> Bool) {
    guard let bus = unsafe bus else { return }
    let library = library
    let listener = unsafe addListener { unsafe body(BusCall(library: library, bus: bus, message: $0)) }
    _ = unsafe library.add_fallback(bus, nil, path, handleMessage, listener)
  }

  private func addListener(
    isOneAnswer: Bool = false, _ body: @escaping (OpaquePointer) -> Bool
  ) -> UnsafeMutableRawPointer {
    lastListener += 1
    let listener = unsafe Listener(self, lastListener, isOneAnswer: isOneAnswer, body)
    listeners[lastListener] = listener
    return unsafe Unmanaged.passUnretained(listener).toOpaque()
  }

  fileprivate func remove(_ listener: Listener) { listeners[listener.number] = nil }

  // MARK: Messages in

  /// Whether a delayed message may be handled in this event-loop iteration, before the loop would wake for it.
  private var mayProcessEarly: Bool {
    let now = loop.clock.now
    return wakeTime > now && nextTime <= now && !isFrameDue()
  }

  private var interest: EventLoop.Interest {
    // A closed socket is reported all the same.
    guard let bus = unsafe bus, wakeTime <= loop.clock.now else { return [] }
    let events = unsafe library.get_events(bus)
    return events > 0 ? EventLoop.Interest(rawValue: Int16(truncatingIfNeeded: events)) : .readable
  }

  /// Handles messages that have arrived; the remaining ones follow in the next iteration. `isAwake` means that the loop runs
  /// for something else.
  package func process(isAwake: Bool = false) {
    guard !isProcessing else { return }
    isProcessing = true
    defer {
      isProcessing = false
      if unsafe bus == nil { listeners.removeAll() }
    }
    for _ in 0..<Self.maxMessagesPerIteration {
      guard let bus = unsafe bus else { return }
      let result = unsafe library.process(bus, nil)
      if result == 0 { return }
      if result < 0 {
        close()
        onDisconnect?()
        return
      }
      guard let pace = pace() else { continue }
      let now = loop.clock.now
      nextTime = max(nextTime, now - Pace.burst) + (isAwake ? pace.awake : pace.waking)
      if nextTime > now {
        wakeTime = now + pace.waking
        timer.time = wakeTime
        return
      }
    }
    if unsafe bus != nil { timer.time = loop.clock.now }
  }
}

/// Passes an answer, a signal or a call to its listener; 1 means that it is answered.
nonisolated private func handleMessage(
  message: OpaquePointer?, data: UnsafeMutableRawPointer?, error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  nonisolated(unsafe) let (message, data) = unsafe (message, data)
  return MainActor.assumeIsolated {
    guard let message = unsafe message, let data = unsafe data else { return 0 }
    let listener = unsafe Unmanaged<BusConnection.Listener>.fromOpaque(data).takeUnretainedValue()
    guard let connection = listener.connection, connection.isOpen else { return 0 }
    if listener.isOneAnswer { connection.remove(listener) }
    return unsafe listener.body(message) ? 1 : 0
  }
}
