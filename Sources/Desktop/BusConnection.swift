import Shell

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// A connection to a message bus, by sd-bus. Nothing waits: messages go out and come in through the loop.
@MainActor package final class BusConnection {
  /// How many messages are handled in one turn of the loop: input never waits for more.
  package static let mostMessages = 16

  /// Called once when the bus has hung up; not after `close`.
  package var onEnd: (() -> Void)?
  /// How messages are held back while something else comes first; nil where they are not.
  package var pace: () -> Pace? = { nil }

  /// The times from one message to the next when many come.
  package struct Pace: Hashable, Sendable {
    /// In a turn that the loop makes for something else, as long as no frame is due.
    package let amongTurns: Duration
    /// Where the loop has to be woken for it.
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
  /// When the next message may be handled in a turn of the loop, and when the loop is woken for it.
  private var (nextTime, wakeTime) = (MonotonicTime.zero, MonotonicTime.zero)
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in process() }
  /// Callbacks for answers, signals and served calls, by the number that the library hands back.
  private var listeners: [Int: Listener] = [:]
  private var lastListener = 0

  /// Where a message goes that the library hands over.
  fileprivate final class Listener {
    weak var connection: BusConnection?
    let number: Int
    let isOneAnswer: Bool
    let body: (OpaquePointer) -> Bool

    init(_ connection: BusConnection, _ number: Int, isOneAnswer: Bool, _ body: @escaping (OpaquePointer) -> Bool) {
      (self.connection, self.number, self.isOneAnswer, self.body) = (connection, number, isOneAnswer, body)
    }
  }

  /// True for an address that names sockets of this machine and nothing else. The library also knows addresses that start a program
  /// (unixexec) or look a host up, which waits.
  package static func isLocal(_ address: String) -> Bool {
    let parts = address.split(separator: ";")
    return !parts.isEmpty && parts.allSatisfy { $0.hasPrefix("unix:") }
  }

  /// Connects to the bus at `address`, nil for the session's. Nil without the library or the bus, and for an address that is not
  /// `isLocal`: somebody else told it. Loads the library, which takes some milliseconds.
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
    // In the middle of a message the library may still hand it to others.
    if !isProcessing { listeners.removeAll() }
    _ = library.close(bus)
  }

  // MARK: Messages out

  /// Calls a method; `answer` gets the reply, nil for an error. A service that does not run is started only if `startsService`.
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

  /// Has `body` answer the calls of all objects at `path` and below it; false for a call that it does not know.
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

  /// True in a turn of the loop in which a message that was held back may be handled.
  private var hasTurn: Bool {
    let now = loop.clock.now
    return wakeTime > now && nextTime <= now && !isFrameDue()
  }

  private var interest: EventLoop.Interest {
    // A hang-up is told all the same.
    guard let bus, !isWaiting else { return [] }
    let events = library.events(bus)
    return events > 0 ? EventLoop.Interest(rawValue: Int16(truncatingIfNeeded: events)) : .readable
  }

  /// Handles messages that have arrived; those that are left have their turn when everything else had its own. `isAwake` says that the
  /// loop turns for something else.
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
