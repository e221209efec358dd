import Glibc
import Linux
import Wayland

/// A Wayland client. Create one, open windows, run it.
///
/// Windows may be opened before the compositor has answered; they appear once it has. Everything happens on the main thread, in
/// `run` or `step`.
public final class Application {
  /// The event loop that the application runs on; the program adds its own timers and descriptors here too.
  public let loop: EventLoop
  /// The windows that are open, and their popups.
  public internal(set) var windows: [Window] = []
  /// Called for SIGINT, SIGTERM and SIGHUP. Nil closes every window, which ends `run`.
  public var onTerminationSignal: ((Int32) -> Void)?
  /// The policy after the connection is lost.
  public var reconnection = Reconnection.never
  /// Called when the connection is lost and will be retried. The same protocol error is reported once.
  public var onConnectionLoss: ((ShellError) -> Void)?

  /// Opens a connection.
  private let connect: () throws(ShellError) -> Connection
  private var connection: Connection?
  private var recovery = Recovery()
  /// The windows to open when the compositor has answered.
  private var waiting: [WindowRequest] = []
  private var failure: ShellError?
  private var isEnding = false
  /// The queue of messages to contents.
  let outbox = Outbox()
  /// Removed objects whose last events may still be in flight, each with the sync that ends them.
  private var leaving: [(object: any MakesObjects, answer: WlCallback)] = []
  private var registry: WlRegistry?
  private var offers: [GlobalOffer] = []
  private var globals: Globals?
  private(set) var seats: [Seat] = []
  /// The last press or touch on this connection, with its seat.
  private var lastPress: (seat: SeatID, serial: UInt32)?
  private var outputs: [Output] = []
  /// The watch that asks the compositor for answers.
  private var answers = AnswerWatch() { didSet { answerTimer.time = answers.nextTime } }
  private var question: WlCallback?
  private lazy var answerTimer = LoopTimer(loop: loop) { [unowned self] in take(answers.advance(to: now)) }
  private lazy var retryTimer = LoopTimer(loop: loop) { [unowned self] in retry() }
  /// Runs until a new connection has announced its globals.
  private lazy var greetingTimer = LoopTimer(loop: loop) { [unowned self] in greetingIsLate() }
  private var startup: WlCallback?
  private var inspection: WlCallback?
  /// The handlers that receive a report when `inspection` is answered.
  private var inspections: [(CompositorReport) -> Void] = []
  private var signals: TerminationSignals?

  /// Connects to the compositor of the environment (WAYLAND_SOCKET, WAYLAND_DISPLAY, XDG_RUNTIME_DIR).
  ///
  /// - Throws: `ShellError.noCompositor` if no compositor answers there.
  public convenience init() throws(ShellError) {
    let loop = EventLoop()
    var isFirst = true
    try self.init(loop: loop) { () throws(ShellError) in
      defer { isFirst = false }
      return try isFirst ? Connection(loop: loop) : Connection.again(loop: loop)
    }
    signals = try TerminationSignals(loop: loop) { [unowned self] in
      tellLoss(InputLoss(.terminating))
      if let onTerminationSignal { onTerminationSignal($0) } else { closeAll() }
    }
  }

  /// Connects over the sockets that `open` returns, one per connection, nil while none is available. For compositors in the
  /// same process; `step` runs it.
  ///
  /// - Throws: `ShellError.noCompositor` if the first one is not a socket.
  package convenience init(clock: any Clock, open: @escaping () -> Int32?) throws(ShellError) {
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

  /// Requests the globals of a new connection.
  private func begin(on new: Connection) {
    connection = new
    new.outbox = outbox
    let registry = new.root.getRegistry()
    registry.onEvent = { [unowned self] in registryEvent($0) }
    self.registry = registry
    new.onIdle = { [unowned self] in idle() }
    new.onEnd = { [unowned self] in lost($0) }
    // Start-up never blocks. The answer to this sync arrives after every global has been announced.
    startup = new.root.sync()
    startup?.onEvent = { [unowned self] _ in started() }
    greetingTimer.time = now + Recovery.greetingLimit
    // Flush at once, so that the compositor answers while the program creates its contents.
    new.flush()
  }

  /// The current time on the loop's clock.
  public var now: MonotonicTime { loop.clock.now }

  /// The protocol objects alive on the connection, to find leaks.
  package var liveObjectCount: Int { connection?.display.liveProxyCount ?? 0 }

  /// Opens a window that shows `content`, as soon as the compositor has answered.
  ///
  /// `ready` is called with the window once it exists, before anything is shown. It is called again with a new window after a
  /// reconnection.
  public func openWindow(
    content: any WindowContent, options: WindowOptions, ready: @escaping (Window) -> Void = { _ in }
  ) {
    let request = WindowRequest(content: content, options: options, ready: ready)
    if globals != nil { open(request) } else { waiting.append(request) }
  }

  private func open(_ request: WindowRequest) {
    guard let globals, !isEnding else { return }
    outbox.hold()
    let window = Window(application: self, globals: globals, request: request)
    windows.append(window)
    request.ready(window)
    outbox.release()
    outbox.deliver()
  }

  /// Opens a popup over a window.
  func openPopup(_ content: any WindowContent, _ popup: PopupRequest, _ globals: Globals) -> Window {
    let options = WindowOptions(title: "", applicationID: "", size: popup.placement.size)
    outbox.hold()
    let window = Window(
      application: self, globals: globals, request: WindowRequest(content: content, options: options) { _ in },
      popup: popup)
    windows.append(window)
    outbox.release()
    return window
  }

  /// Calls `handler` with a report on the compositor, once its globals, seats and outputs are known.
  public func inspectCompositor(_ handler: @escaping (CompositorReport) -> Void) {
    inspections.append(handler)
    inspect()
  }

  /// Sends a sync whose answer follows the events of seats and outputs, which may have just been bound. One answer serves every
  /// handler.
  private func inspect() {
    guard globals != nil, inspection == nil, !inspections.isEmpty else { return }
    inspection = connection?.root.sync()
    inspection?.onEvent = { [unowned self] _ in
      inspection = nil
      var report = CompositorReport(offers: offers)
      report.seats = seats.map(\.summary)
      report.outputs = outputs.map(\.summary)
      report.displays = outputs.compactMap(\.display)
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
    outbox.atRest { [unowned self] in
      for request in waiting where request.wasShown { outbox.post(.call { request.content.handle(.willTerminate) }) }
      waiting.removeAll()
      outbox.atRest { [unowned self] in finish() }
    }
    outbox.deliver()
  }

  // MARK: From the compositor

  private func registryEvent(_ event: WlRegistry.Event) {
    switch event {
    case .global(let name, let interface, let version):
      let offer = GlobalOffer(name: name, interface: interface, version: version)
      offers.append(offer)
      if globals != nil { adopt(offer) }
    case .globalRemove(let name):
      offers.removeAll { $0.name == name }
      remove(name)
    }
  }

  private func started() {
    startup = nil
    greetingTimer.time = nil
    guard let registry else { return }
    do {
      globals = try Globals(registry: registry, offers: offers)
      for offer in offers { adopt(offer) }
      recovery.noteConnected(at: now)
      let opening = waiting
      waiting.removeAll()
      for request in opening { open(request) }
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

  /// Binds a global of a kind that may exist any number of times.
  private func adopt(_ offer: GlobalOffer) {
    guard let globals, let registry, let row = GlobalRequirement.of(offer.interface) else { return }
    let version = min(offer.version, row.preferred)
    switch offer.interface {
    case "wl_seat":
      let proxy = registry.bind(name: offer.name, WlSeat.self, version: version)
      seats.append(Seat(proxy: proxy, globalName: offer.name, globals: globals, application: self))
    case "wl_output":
      let proxy = registry.bind(name: offer.name, WlOutput.self, version: version)
      let output = Output(proxy: proxy, globalName: offer.name)
      output.onChange = { [unowned self, unowned output] isTurned in
        for window in windows { window.outputsChanged(turned: isTurned ? output : nil) }
      }
      outputs.append(output)
    default:
      break
    }
  }

  /// A global was removed. Seats and outputs are destroyed; other bindings are kept but unused.
  private func remove(_ name: UInt32) {
    if let index = seats.firstIndex(where: { $0.globalName == name }) { seats.remove(at: index).end() }
    if let index = outputs.firstIndex(where: { $0.globalName == name }) {
      outputs.remove(at: index).end()
      for window in windows { window.outputsChanged() }
    }
  }

  /// Runs when all received messages are dispatched: delivers events to contents, draws frames, and delivers the consequences.
  /// Changes that contents then make are drawn too, in at most four rounds, because a content may never settle.
  private func idle() {
    for _ in 0..<4 {
      tellAll()
      // Each frame needs up to some hundred bytes of requests, and the buffer may have little space left.
      guard connection?.isBlocked != true else { return }
      outbox.hold()
      for window in windows { window.turn() }
      outbox.release()
      endBatches()
      if outbox.isEmpty { return }
    }
    tellAll()
  }

  /// Delivers every message, including those that contents cause meanwhile, for example by passing a finger to the compositor.
  private func tellAll() {
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
    if windows.isEmpty { finish() }
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
    request.options.size = window.model.configure.preferred
    request.options.isFullscreen = window.isFullscreen
    request.options.activationToken = nil
    request.wasShown = true
    return request
  }

  /// Destroys every object of the connection; the windows must be destroyed before.
  private func endObjects() {
    for seat in seats { seat.end() }
    seats.removeAll()
    lastPress = nil
    // No more events will arrive.
    for (object, _) in leaving { object.endObjects() }
    leaving.removeAll()
    for output in outputs { output.end() }
    outputs.removeAll()
    globals?.end()
    globals = nil
    offers.removeAll()
    forgetQuestion()
    startup = nil
    greetingTimer.time = nil
    inspection = nil
    registry = nil
    connection?.close()
  }

  /// Destroys every object and stops the loop.
  private func finish() {
    guard !isEnding else { return }
    isEnding = true
    retryTimer.time = nil
    endObjects()
    loop.stop()
  }
}

/// Queries by the windows: the seat of an event, the output of a surface.
extension Application {
  /// The present offset from the clock of presentation times to the application's clock; zero if both are CLOCK_MONOTONIC. Nil
  /// while it is unknown, or if the clock cannot be read.
  var presentationOffset: Duration? {
    guard let number = globals?.presentationClockID.map(Int32.init(truncatingIfNeeded:)) else { return nil }
    if number == CLOCK_MONOTONIC { return .zero }
    return MonotonicTime(onClock: number).map { now - $0 }
  }

  func output(of proxy: WlOutput?) -> Output? { outputs.first { $0.proxy === proxy } }

  func isKnown(_ output: Output) -> Bool { outputs.contains { $0 === output } }

  func seat(_ id: SeatID) -> Seat? { seats.first { $0.id == id } }

  /// Offers `text` for pasting, on the seat of the last press. Returns false if there was no press or the compositor has no
  /// clipboard.
  func copy(_ text: String) -> Bool {
    guard let lastPress, let seat = seat(lastPress.seat) else { return false }
    return seat.copy(text, serial: lastPress.serial)
  }
}

/// Protocol objects some of whose events create objects.
///
/// The compositor numbers its objects without gaps. libwayland drops an event of a destroyed object together with the object
/// that the event created; the next number then looks wrong and ends the connection. Therefore, destroy such an object only
/// after the compositor has removed it and has answered a `wl_display.sync`, which follows everything it sent before
/// (`Application.retire`).
protocol MakesObjects: AnyObject {
  /// Destroys the objects, including those that events created since the compositor removed their maker.
  func endObjects()
}

/// Queries by the input devices.
extension Application {
  func window(of surface: WlSurface?) -> Window? {
    guard let surface else { return nil }
    return windows.first { $0.objects.surface === surface }
  }

  func window(identified id: ObjectIdentifier) -> Window? {
    windows.first { ObjectIdentifier($0) == id }
  }

  /// The popups over `window`, oldest first.
  func popups(of window: Window) -> [Window] { windows.filter { $0.popup?.parent === window } }

  /// The popup that `touch`, which is down on `window`, has opened and has moved over; nil if absent.
  func popup(openedBy touch: TouchID, on window: ObjectIdentifier, at point: Point) -> Window? {
    windows.first { popup in
      guard let request = popup.popup, request.grab?.touch == touch, ObjectIdentifier(request.parent) == window,
        popup.isOpen, let origin = popup.popupOrigin
      else { return false }
      return Rect(origin: origin, size: popup.size).contains(point)
    }
  }

  /// Records a press or touch; the next copy uses its serial.
  func pressed(_ serial: UInt32, on seat: SeatID) { lastPress = (seat, serial) }

  /// Notifies every window that input is lost.
  func tellLoss(_ loss: InputLoss) {
    for window in windows { window.receive(.lost(loss)) }
    if loss.cause == .terminating {
      for request in waiting where request.wasShown { outbox.post(.call { request.content.handle(.lost(loss)) }) }
    }
    outbox.deliver()
  }

  /// Destroys `object`, which the compositor removed, after the last event that is in flight to it, and keeps it until then.
  func retire(_ object: any MakesObjects) {
    guard let answer = connection?.root.sync() else { return object.endObjects() }
    leaving.append((object, answer))
    answer.onEvent = { [unowned self, unowned object] _ in
      object.endObjects()
      leaving.removeAll { $0.object === object }
    }
  }
}

/// Checks whether the compositor still answers, and handles a compositor that does not.
extension Application {
  /// The time that the compositor may take to answer while a window `needsAnswers`, before it counts as frozen: 100
  /// milliseconds to 2 seconds, 300 milliseconds by default. A window's input is lost this long after the compositor's last
  /// sign of life.
  public var answerLimit: Duration {
    get { answers.limit }
    set { answers.limit = newValue }
  }

  /// True while the compositor does not answer, and until it has proved that it answers again. Contents do not receive input
  /// that a user begins meanwhile.
  public var isCompositorFrozen: Bool { answers.isFrozen }

  /// The number of windows that need answers changed.
  func answerNeedChanged() {
    answers.setNeeded(windows.contains { $0.isOpen && $0.needsAnswers }, at: now)
  }

  /// Forgets the pending question, because the connection is closing.
  private func forgetQuestion() {
    question = nil
    answers.reset()
  }

  private func answered() {
    let wasFrozen = answers.isFrozen
    take(answers.noteAnswer(at: now))
    if wasFrozen, !answers.isFrozen { Log.write(.connection, .info, "the compositor answers again") }
  }

  private func take(_ step: AnswerWatch.Step) {
    switch step {
    case .nothing:
      break
    case .ask:
      guard let root = connection?.root else { return }
      let asked = root.sync(inPlaceOf: &question)
      guard asked !== question else { return }
      asked.onEvent = { [unowned self] _ in answered() }
      question = asked
    case .freeze:
      Log.write(.connection, .error, "the compositor has not answered for \(answers.limit)")
      for window in windows { window.loseInput(.compositorFrozen) }
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
    if reconnection == .never { failure = reason }
    for window in windows { window.connectionLost() }
    outbox.atRest { [unowned self] in detachWindows(from: reason, isNews: isNews) }
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
    guard reconnection != .never, !waiting.isEmpty else {
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

  /// The compositor accepted the connection but announces nothing: it is stopped, or only its socket exists. Without a
  /// reconnection policy, keep waiting.
  private func greetingIsLate() {
    Log.write(.connection, .error, "the compositor does not answer a new connection")
    if reconnection != .never { lost(.connectionLost(errno: ETIMEDOUT)) }
  }

  private func retry() {
    // Dropped only here: the old connection may still have been on the stack.
    connection = nil
    do throws(ShellError) {
      begin(on: try connect())
    } catch {
      tryAgainOrEnd()
    }
  }
}
