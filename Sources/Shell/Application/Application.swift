import Glibc
import Linux
import Wayland

/// A Wayland client. Create one, open windows, run it.
///
/// Windows may be opened before the compositor has answered; they appear once it has. Everything happens on the main thread, in
/// `run` or `step`.
public final class Application {
  /// The states of the application's connection.
  private enum Life {
    /// A new connection whose globals are being announced.
    case greeting(Greeting)
    /// The compositor has answered.
    case serving(ServerObjects)
    /// The connection was lost, and the next attempt waits for its timer. The old connection may still be on the stack, so it
    /// is kept until then.
    case lost(Connection?)
    /// The application has ended.
    case finished(Connection?)

    var connection: Connection? {
      switch self {
      case .greeting(let greeting): greeting.connection
      case .serving(let server): server.connection
      case .lost(let connection), .finished(let connection): connection
      }
    }
  }

  /// The event loop that the application runs on; the program adds its own timers and descriptors here too.
  public let loop: EventLoop
  /// The windows that are open, and their popups.
  public internal(set) var windows: [Window] = []
  /// Called for SIGINT, SIGTERM, SIGHUP and every other signal that would end the process, except those that report a fault of
  /// its own. Nil closes every window, which ends `run`.
  public var onTerminationSignal: ((Int32) -> Void)?
  /// Called before the process is stopped by the terminal's Ctrl+Z (SIGTSTP).
  package var onStopSignal: (() -> Void)?
  /// The policy after the connection is lost.
  public var reconnection = Reconnection.never
  /// The time that the compositor may take to answer while a window `needsAnswers`, before it counts as frozen: 100
  /// milliseconds to 2 seconds, 300 milliseconds by default. A window's input is lost this long after the compositor's last
  /// sign of life.
  public var answerLimit = AnswerWatch.defaultLimit {
    didSet {
      answerLimit = AnswerWatch.allowed(answerLimit)
      server?.freezeDetector.watch.limit = answerLimit
    }
  }
  /// The user's cursor, for compositors that do not draw it themselves, as far as XCURSOR_THEME and XCURSOR_SIZE leave it open.
  /// Some desktops have it in their settings portal only (`DesktopPreferences` of the library Desktop).
  public var cursor = CursorPreference() {
    didSet {
      guard cursor != oldValue, let server else { return }
      server.globals.cursor = cursor
      for seat in server.seats { for window in windows { seat.setCursor(nil, over: window) } }
    }
  }
  /// Called when the connection is lost and will be retried. The same protocol error is reported once.
  public var onConnectionLoss: ((ShellError) -> Void)?

  /// Opens a connection.
  private let connect: () throws(ShellError) -> Connection
  private var life = Life.lost(nil)
  private var recovery = Recovery()
  /// The windows to open when the compositor has answered.
  private var waiting: [WindowRequest] = []
  private var failure: ShellError?
  /// False if no compositor can be asked for another connection.
  private var canReturn = true
  /// The queue of messages to contents.
  let outbox = Outbox()
  private lazy var retryTimer = LoopTimer(loop: loop) { [unowned self] in retry() }
  /// Set while the compositor owes the answer to a greeting or to the question of a report.
  private lazy var silenceTimer = LoopTimer(loop: loop) { [unowned self] in answerIsMissing() }
  /// The handlers that receive the next report on the compositor.
  private var inspections: [(CompositorReport) -> Void] = []
  private var signals: TerminationSignals?
  /// Runs until strips that were removed are opened again.
  private lazy var returnTimer = LoopTimer(loop: loop) { [unowned self] in openWaiting() }

  /// Connects to the compositor of the environment (WAYLAND_SOCKET, WAYLAND_DISPLAY, XDG_RUNTIME_DIR).
  ///
  /// - Throws: `ShellError.noCompositor` if no compositor answers there, `ShellError.badSocket` for a WAYLAND_SOCKET that is no
  ///   connection.
  public convenience init() throws(ShellError) {
    let loop = EventLoop()
    var isFirst = true
    var isHandedOver = false
    try self.init(loop: loop) { () throws(ShellError) in
      guard isFirst else { return try Connection.again(loop: loop) }
      isFirst = false
      let (connection, wasGiven) = try Connection.first(loop: loop)
      isHandedOver = wasGiven
      return connection
    }
    // A connection that was handed over leads nowhere but to its compositor: what listens at the usual place may be another.
    canReturn = !isHandedOver || Environment.display.value != nil
    do {
      signals = try TerminationSignals(loop: loop) { [unowned self] in
        if $0 == TerminationSignals.stopping { return stopProcess() }
        notifyLoss(InputLoss(.terminating))
        if let onTerminationSignal { onTerminationSignal($0) } else { closeAll() }
      }
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }

  /// Connects over the sockets that `open` returns, one per connection, nil while none is available. For compositors in the
  /// same process; `step` runs it.
  ///
  /// - Throws: `ShellError.noCompositor` if the first one is not a socket.
  package convenience init(clock: any MonotonicClock, open: @escaping () -> Int32?) throws(ShellError) {
    let loop = EventLoop(clock: clock)
    try self.init(loop: loop) { () throws(ShellError) in
      guard let descriptor = open() else { throw .noCompositor(display: "the given socket", errno: ENOENT) }
      return try Connection(loop: loop, descriptor: descriptor)
    }
  }

  private init(
    loop: EventLoop, connect: @escaping () throws(ShellError) -> Connection
  ) throws(ShellError) {
    self.loop = loop
    self.connect = connect
    begin(on: try connect())
  }

  private func stopProcess() {
    onStopSignal?()
    Log.write(.app, .info, "stopped by the terminal")
    kill(getpid(), SIGSTOP)
  }

  /// Requests the globals of a new connection.
  private func begin(on new: Connection) {
    new.outbox = outbox
    new.onIdle = { [unowned self] in idle() }
    new.onEnd = { [unowned self] in lost($0) }
    life = .greeting(Greeting(new) { [unowned self] in started($0) })
    silenceTimer.time = now + Recovery.silenceLimit
    // Flush at once, so that the compositor answers while the program creates its contents.
    new.send()
  }

  /// The objects of the connection; nil until the compositor has answered, and after the connection is lost.
  var server: ServerObjects? { if case .serving(let server) = life { server } else { nil } }

  private var reconnects: Bool { reconnection != .never && canReturn }

  private var isEnding: Bool { if case .finished = life { true } else { false } }

  /// The seats of the compositor; empty without a connection.
  var seats: [Seat] { server?.seats ?? [] }

  /// The current time on the loop's clock.
  public var now: MonotonicTime { loop.clock.now }

  /// The protocol objects alive on the connection, to find leaks.
  package var liveObjectCount: Int { life.connection?.display.liveProxyCount ?? 0 }

  /// Opens a window that shows `content`, as soon as the compositor has answered.
  ///
  /// `ready` is called with the window once it exists, before anything is shown. It is called again with a new window after a
  /// reconnection.
  public func openWindow(
    content: any WindowContent, options: WindowOptions, ready: @escaping (Window) -> Void = { _ in }
  ) {
    let request = WindowRequest(content: content, options: options, ready: ready)
    guard let server else { return waiting.append(request) }
    open(request, server.globals)
    outbox.deliver()
  }

  /// Opens a window, or a popup over one. The caller delivers.
  @discardableResult func open(_ request: WindowRequest, _ globals: Globals, popup: PopupState? = nil) -> Window {
    outbox.hold()
    defer { outbox.release() }
    var request = request
    request.opened = now
    let window = Window(application: self, globals: globals, request: request, popup: popup)
    windows.append(window)
    request.ready(window)
    return window
  }

  /// Calls `handler` with a report on the compositor, once its globals, seats and outputs are known.
  public func inspectCompositor(_ handler: @escaping (CompositorReport) -> Void) {
    inspections.append(handler)
    inspect()
  }

  /// Requests a report if a handler waits for one. One report serves every handler.
  private func inspect() {
    guard !inspections.isEmpty, let server else { return }
    silenceTimer.time = now + Recovery.silenceLimit
    server.inspect { [unowned self] report in
      silenceTimer.time = nil
      for handler in inspections { outbox.post(.call { handler(report) }) }
      inspections.removeAll()
    }
  }

  /// Runs until the last window is closed.
  ///
  /// - Throws: The reason why the connection was lost, or the global that the compositor lacks.
  public func run() throws(ShellError) {
    if !isEnding { loop.run() }
    if let failure { throw failure }
  }

  /// Runs one event-loop iteration without waiting, for tests.
  ///
  /// - Throws: The reason why the connection was lost, or the global that the compositor lacks.
  package func step() throws(ShellError) {
    loop.turn(waits: false)
    if let failure { throw failure }
  }

  /// Closes every window and ends `run`. If content calls it, it takes effect once the call has returned and every event is
  /// delivered.
  public func closeAll() {
    for window in windows { window.close() }
    outbox.whenEmpty { [unowned self] in
      for request in waiting where request.wasShown { outbox.post(.call { request.content.handle(.willTerminate) }) }
      waiting.removeAll()
      outbox.whenEmpty { [unowned self] in finish() }
    }
    outbox.deliver()
  }

  // MARK: From the compositor

  private func started(_ greeting: Greeting) {
    silenceTimer.time = nil
    do {
      let server = try ServerObjects(greeting, application: self, answerLimit: answerLimit)
      server.globals.cursor = cursor
      life = .serving(server)
      server.start()
      recovery.noteConnected(at: now)
      let opening = waiting
      waiting.removeAll()
      for request in opening {
        // A content may close everything while it opens.
        guard !isEnding else { return }
        open(request, server.globals)
        outbox.deliver()
      }
      inspect()
    } catch {
      guard recovery.isRunning else {
        failure = error
        return finish()
      }
      // A compositor that is just starting may not have announced everything yet.
      Log.write(.connection, .info, "\(error)")
      endObjects()
      tryAgainOrEnd()
    }
  }

  /// Runs when all received messages are dispatched: delivers events to contents, draws frames, and delivers the consequences.
  /// Changes that contents then make are drawn too, in at most four rounds, because a content may never settle.
  private func idle() {
    for _ in 0..<4 {
      deliverAll()
      // Each frame needs up to some hundred bytes of requests, and the buffer may have little space left.
      guard life.connection?.isBlocked != true else { return }
      outbox.hold()
      for window in windows { window.turn() }
      outbox.release()
      endBatches()
      if outbox.isEmpty { return }
    }
    deliverAll()
  }

  /// Delivers every message, including those that contents cause meanwhile, for example by passing a finger to the compositor.
  private func deliverAll() {
    endBatches()
    while !outbox.isEmpty {
      outbox.deliver()
      endBatches()
    }
  }

  private func endBatches() {
    for seat in seats { seat.endBatch() }
  }

  // MARK: The end

  func windowClosed(_ window: Window) {
    windows.removeAll { $0 === window }
    answerNeedChanged()
    if windows.isEmpty, waiting.isEmpty { finish() }
  }

  /// Destroys `window`, which was lost with its connection. Returns the request to reopen it, or nil if its content closed it.
  private func detach(_ window: Window) -> WindowRequest? {
    guard var request = window.request else { return nil }
    window.end()
    windows.removeAll { $0 === window }
    if window.wasClosed || window.popup != nil {
      outbox.post(.call { request.content.handle(.willTerminate) })
      return nil
    }
    request.options.size = window.model.configure.contentSize
    request.options.isFullscreen = window.isFullscreen
    request.options.activationToken = nil
    request.wasShown = true
    return request
  }

  /// Destroys every object of the connection; the windows must be destroyed before.
  private func endObjects() {
    silenceTimer.time = nil
    server?.end()
    let connection = life.connection
    life = .lost(connection)
    connection?.close()
  }

  /// Destroys every object and stops the loop.
  private func finish() {
    guard !isEnding else { return }
    retryTimer.time = nil
    returnTimer.time = nil
    endObjects()
    life = .finished(life.connection)
    loop.stop()
  }
}

/// Queries by the windows and the input devices.
extension Application {
  func seat(_ id: SeatID) -> Seat? { seats.first { $0.id == id } }

  func window(of surface: WlSurface?) -> Window? {
    guard let surface else { return nil }
    return windows.first { $0.objects.surface === surface }
  }

  /// The popup that `touch`, which is down on `window`, opened and that now lies under `point`, and the popup's origin in
  /// `window`; nil if there is no such popup.
  func popup(openedBy touch: TouchID, on window: Window?, at point: Point) -> (window: Window, origin: Point)? {
    for popup in windows {
      guard let state = popup.popup, state.grab?.touch == touch, state.parent === window, popup.isOpen,
        let origin = state.origin, Rect(origin: origin, size: popup.size).contains(point)
      else { continue }
      return (popup, origin)
    }
    return nil
  }

  /// Notifies every window that input is lost.
  func notifyLoss(_ loss: InputLoss) {
    for window in windows { window.receive(.lost(loss)) }
    if loss.cause == .terminating {
      for request in waiting where request.wasShown { outbox.post(.call { request.content.handle(.lost(loss)) }) }
    }
    outbox.deliver()
  }

  /// Destroys `object`, which the compositor removed, after the last event that is in flight to it, and keeps it until then.
  func retire(_ object: any CreatesServerObjects) {
    if let server { server.retire(object) } else { object.endObjects() }
  }
}

/// Checks whether the compositor still answers, and handles a compositor that does not.
extension Application {
  /// True while the compositor does not answer, and until it has proved that it answers again. Contents do not receive input
  /// that a user begins meanwhile.
  public var isCompositorFrozen: Bool { server?.freezeDetector.watch.isFrozen ?? false }

  /// The number of windows that need answers changed.
  func answerNeedChanged() {
    server?.freezeDetector.setNeeded(windows.contains { $0.isOpen && $0.needsAnswers })
  }

  /// The compositor does not answer: all input is lost.
  func compositorFroze() {
    for window in windows { window.loseInput(.compositorFrozen) }
    outbox.deliver()
  }
}

/// Strips, which last as long as the output that shows them.
extension Application {
  /// The shortest time between the opening of a strip and its next one: a compositor that removes each at once must not keep the
  /// program busy.
  private static let shortestStay = Duration.seconds(1)

  /// The compositor shows the strip no longer (zwlr_layer_surface_v1.closed). Its content gets another on an output that is
  /// left, or on the next that appears; until then it counts as hidden.
  func stripRemoved(_ strip: Window) {
    Log.write(.window, .info, "the compositor removed the strip")
    strip.removed()
    outbox.whenEmpty { [unowned self] in
      let opened = strip.request?.opened
      let request = detach(strip)
      guard !isEnding else { return }
      answerNeedChanged()
      guard let request else {
        if windows.isEmpty, waiting.isEmpty { finish() }
        return
      }
      waiting.append(request)
      returnTimer.time = max(now, (opened ?? now) + Application.shortestStay)
    }
  }

  /// An output appeared: strips that wait for one are opened. Those of outputs that have just gone have their timer.
  func outputAppeared() {
    guard server != nil, waiting.contains(where: \.wasShown), returnTimer.time == nil else { return }
    returnTimer.time = now
  }

  /// Opens the windows that wait for an output, if there is one.
  private func openWaiting() {
    returnTimer.time = nil
    guard let server, !server.outputs.isEmpty else { return }
    let opening = waiting
    waiting.removeAll()
    for request in opening {
      guard !isEnding else { return }
      open(request, server.globals)
      outbox.deliver()
    }
  }
}

/// Reconnection after the connection is lost.
extension Application {
  /// The connection was lost: windows and devices are destroyed. If it will be retried, the contents stay.
  private func lost(_ reason: ShellError) {
    Log.write(.connection, .info, "\(reason)")
    let isNews = recovery.noteLost(reason, at: now)
    if !reconnects { failure = reason }
    for window in windows { window.connectionLost() }
    outbox.whenEmpty { [unowned self] in detachWindows(from: reason, isNews: isNews) }
    outbox.deliver()
  }

  /// Destroys the windows and objects of the lost connection after contents are notified of the loss. Contents wait for the
  /// next connection.
  private func detachWindows(from reason: ShellError, isNews: Bool) {
    let lost = windows
    for window in lost {
      if let request = detach(window) { waiting.append(request) }
    }
    guard !isEnding else { return }
    guard reconnects, !waiting.isEmpty else {
      // Contents that closed their windows when they were notified chose to end.
      if lost.isEmpty { failure = reason }
      return finish()
    }
    endObjects()
    tryAgainOrEnd()
    if isNews { onConnectionLoss?(reason) }
  }

  /// Schedules another attempt, or ends once the time for attempts is over, whatever the result of the last one.
  private func tryAgainOrEnd() {
    if let end = recovery.end(of: reconnection), end <= now {
      failure = recovery.loss?.reason
      finish()
    } else {
      retryTimer.time = recovery.nextAttempt(now: now, policy: reconnection)
    }
  }

  /// The compositor accepted the connection but answers nothing: it is stopped, or only its socket exists.
  private func answerIsMissing() {
    Log.write(.connection, .error, "the compositor does not answer a new connection")
    lost(.connectionLost(errno: ETIMEDOUT))
  }

  private func retry() {
    // Dropped only here: the old connection may still have been on the stack.
    life = .lost(nil)
    do throws(ShellError) {
      begin(on: try connect())
    } catch {
      tryAgainOrEnd()
    }
  }
}
