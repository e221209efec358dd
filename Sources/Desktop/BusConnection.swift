import Shell

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// A connection to a message bus, by sd-bus. It never blocks: messages are sent and received through the loop.
@MainActor package final class BusConnection {
  /// The maximum number of messages handled in one event-loop iteration, so that input never waits for more.
  package static let mostMessages = 16

  /// Called once when the bus has hung up; not after `close`.
  package var onEnd: (() -> Void)?
  /// How messages are delayed while something else has priority; nil if they are not.
  package var pace: () -> Pace? = { nil }

  /// The minimum times between messages if many arrive.
  package struct Pace: Hashable, Sendable {
    /// In an iteration that the loop runs for something else, as long as no frame is due.
    package let amongTurns: Duration
    /// If the loop has to be woken for it.
    package let waking: Duration
    /// How much unused allowance is saved up for a burst.
    package static let burst = Duration.seconds(1)

    package init(amongTurns: Duration, waking: Duration) { (self.amongTurns, self.waking) = (amongTurns, waking) }
  }
  /// True while a frame is due, which no message is to delay.
  package var isFrameDue: () -> Bool = { false }

  private let loop: EventLoop
  private let library: BusLibrary
  private var bus: OpaquePointer?
  private(set) var descriptor: Int32 = -1
  private var isProcessing = false
  /// When the next message may be handled in an iteration, and when the loop is woken for it.
  private var (nextTime, wakeTime) = (MonotonicTime.zero, MonotonicTime.zero)
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in process() }
  /// Callbacks for answers, signals and served calls, by the number that the library returns.
  private var listeners: [Int: Listener] = [:]
  private var lastListener = 0

  /// The receiver of a message from the library.
  fileprivate final class Listener {
    weak var connection: BusConnection?
    let number: Int
    let isOneAnswer: Bool
    let body: (OpaquePointer) -> Bool

    init(_ connection: BusConnection, _ number: Int, isOneAnswer: Bool, _ body: @escaping (OpaquePointer) -> Bool) {
      (self.connection, self.number, self.isOneAnswer, self.body) = (connection, number, isOneAnswer, body)
    }
  }

  /// True for an address that names only sockets of this machine. The library also knows addresses that start a program
  /// (unixexec) or look up a host, which blocks.
  package static func isLocal(_ address: String) -> Bool {
    let parts = address.split(separator: ";")
    return !parts.isEmpty && parts.allSatisfy { $0.hasPrefix("unix:") }
  }

  /// Connects to the bus at `address`, nil for the session's. Nil without the library or the bus, and for an address that is
  /// not `isLocal`, since it may come from another program. Loads the library, which takes some milliseconds.
  package init?(to address: String? = nil, loop: EventLoop) {
    if let address, !Self.isLocal(address) {
      Log.write(.app, .error, "a message bus that is not on this machine is not gone to")
      return nil
    }
    guard let library = BusLibrary() else { return nil }
    (self.loop, self.library) = (loop, library)
    var opened: OpaquePointer?
    if let address {
      guard library.make(&opened) >= 0, let made = opened else { return nil }
      guard library.setAddress(made, address) >= 0, library.setClient(made, 1) >= 0, library.start(made) >= 0 else {
        _ = library.close(made)
        return nil
      }
    } else if library.openUser(&opened) < 0 {
      return nil
    }
    guard let opened else { return nil }
    bus = opened
    descriptor = library.descriptor(opened)
    loop.watch(
      .init(
        descriptor: descriptor, prepare: { [unowned self] in interest },
        handle: { [unowned self] in if !$0.isEmpty || hasTurn { process(isAwake: hasTurn) } }))
  }

  isolated deinit { close() }

  /// True until the end.
  package var isOpen: Bool { bus != nil }

  /// Ends the connection: no listener is called any more.
  package func close() {
    guard let bus else { return }
    self.bus = nil
    loop.unwatch(descriptor)
    // In the middle of a message the library may still pass it to others.
    if !isProcessing { listeners.removeAll() }
    _ = library.close(bus)
  }

  // MARK: Messages out

  /// Calls a method; `answer` receives the reply, nil for an error. A service that does not run is started only if
  /// `startsService`.
  package func call(
    _ service: String, _ path: String, _ interface: String, _ member: String, startsService: Bool = true,
    _ arguments: (BusWriter) -> Void = { _ in }, answer: ((BusReader?) -> Void)? = nil
  ) {
    guard let bus else { return }
    var made: OpaquePointer?
    guard library.newCall(bus, &made, service, path, interface, member) >= 0, let message = made else { return }
    defer { _ = library.unref(message) }
    if !startsService { _ = library.setAutoStart(message, 0) }
    arguments(BusWriter(library: library, message: message))
    let library = library
    let listener = listen(isOneAnswer: true) { message in
      answer?(library.isError(message, nil) == 0 ? BusReader(library: library, message: message) : nil)
      return true
    }
    _ = library.call(bus, nil, message, messageCame, listener, 0)
  }

  /// Has `body` called at each signal.
  package func onSignal(
    _ service: String, _ path: String, _ interface: String, _ member: String, _ body: @escaping (BusReader) -> Void
  ) {
    guard let bus else { return }
    let library = library
    let listener = listen {
      body(BusReader(library: library, message: $0))
      return false
    }
    _ = library.matchSignal(bus, nil, service, path, interface, member, messageCame, nil, listener)
  }

  /// Sends a signal.
  package func emit(_ path: String, _ interface: String, _ member: String, _ arguments: (BusWriter) -> Void) {
    guard let bus else { return }
    var made: OpaquePointer?
    guard library.newSignal(bus, &made, path, interface, member) >= 0, let message = made else { return }
    defer { _ = library.unref(message) }
    arguments(BusWriter(library: library, message: message))
    _ = library.send(bus, message, nil)
  }

  /// Adds `body` to answer the calls of all objects at `path` and below it; it returns false for an unknown call.
  package func serve(_ path: String, _ body: @escaping (BusRequest) -> Bool) {
    guard let bus else { return }
    let library = library
    let listener = listen { body(BusRequest(library: library, bus: bus, message: $0)) }
    _ = library.serve(bus, nil, path, messageCame, listener)
  }

  private func listen(
    isOneAnswer: Bool = false, _ body: @escaping (OpaquePointer) -> Bool
  ) -> UnsafeMutableRawPointer {
    lastListener += 1
    let listener = Listener(self, lastListener, isOneAnswer: isOneAnswer, body)
    listeners[lastListener] = listener
    return Unmanaged.passUnretained(listener).toOpaque()
  }

  fileprivate func forget(_ listener: Listener) { listeners[listener.number] = nil }

  // MARK: Messages in

  private var isWaiting: Bool { wakeTime > loop.clock.now }

  /// True in an event-loop iteration in which a delayed message may be handled.
  private var hasTurn: Bool {
    let now = loop.clock.now
    return wakeTime > now && nextTime <= now && !isFrameDue()
  }

  private var interest: EventLoop.Interest {
    // A hang-up is reported all the same.
    guard let bus, !isWaiting else { return [] }
    let events = library.events(bus)
    return events > 0 ? EventLoop.Interest(rawValue: Int16(truncatingIfNeeded: events)) : .readable
  }

  /// Handles messages that have arrived; those that are left follow when everything else was handled. `isAwake` means that the
  /// loop runs for something else.
  package func process(isAwake: Bool = false) {
    guard !isProcessing else { return }
    isProcessing = true
    defer {
      isProcessing = false
      if bus == nil { listeners.removeAll() }
    }
    for _ in 0..<Self.mostMessages {
      guard let bus else { return }
      let result = library.process(bus, nil)
      if result == 0 { return }
      if result < 0 {
        close()
        onEnd?()
        return
      }
      guard let pace = pace() else { continue }
      let now = loop.clock.now
      nextTime = max(nextTime, now - Pace.burst) + (isAwake ? pace.amongTurns : pace.waking)
      if nextTime > now {
        wakeTime = now + pace.waking
        timer.time = wakeTime
        return
      }
    }
    if bus != nil { timer.time = loop.clock.now }
  }
}

/// An answer, a signal or a call.
nonisolated private func messageCame(
  message: OpaquePointer?, data: UnsafeMutableRawPointer?, error: UnsafeMutableRawPointer?
) -> Int32 {
  nonisolated(unsafe) let (message, data) = (message, data)
  return MainActor.assumeIsolated {
    guard let message, let data else { return 0 }
    let listener = Unmanaged<BusConnection.Listener>.fromOpaque(data).takeUnretainedValue()
    guard let connection = listener.connection, connection.isOpen else { return 0 }
    if listener.isOneAnswer { connection.forget(listener) }
    return listener.body(message) ? 1 : 0
  }
}
