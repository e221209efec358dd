import Glibc
import Linux
import Wayland

/// A Wayland client. Make one, make windows, run.
///
/// Windows may be made before the compositor has answered: they come to life when it has. Everything happens on the main
/// thread, in `run` or `step`.
public final class Application {
  /// The loop that the application runs on; timers and descriptors of the program's own go there too.
  public let loop: EventLoop
  /// The windows that are open, and their popups.
  public internal(set) var windows: [Window] = []
  /// Called for SIGINT, SIGTERM and SIGHUP. Nil closes every window, which ends `run`.
  public var onTerminationSignal: ((Int32) -> Void)?
  /// The policy for a connection that ends by itself.
  public var reconnection = Reconnection.never
  /// Called when the connection is lost and will be retried. The same protocol error is reported once.
  public var onConnectionLoss: ((ShellError) -> Void)?

  /// Opens a connection.
  private let connect: () throws(ShellError) -> Connection
  private var connection: Connection?
  private var recovery = Recovery()
  /// Windows to open when the compositor has answered.
  private var waiting: [WindowRequest] = []
  private var failure: ShellError?
  private var isEnding = false
  /// The messages that wait for contents.
  let outbox = Outbox()
  /// Objects that the compositor took away and that may still have events under way.
  private var leaving: [(object: any MakesObjects, answer: WlCallback)] = []
  private var registry: WlRegistry?
  private var offers: [GlobalOffer] = []
  private var globals: Globals?
  private(set) var seats: [Seat] = []
  /// The last press or touch of this connection, and whose it was.
  private var lastPress: (seat: SeatID, serial: UInt32)?
  private var outputs: [Output] = []
  /// The watch that asks the compositor for answers.
  private var answers = AnswerWatch() { didSet { answerTimer.time = answers.nextTime } }
  private var question: WlCallback?
  private lazy var answerTimer = LoopTimer(loop: loop) { [unowned self] in take(answers.advance(to: now)) }
  private lazy var retryTimer = LoopTimer(loop: loop) { [unowned self] in retry() }
  /// Runs while a new connection has not told its globals.
  private lazy var greetingTimer = LoopTimer(loop: loop) { [unowned self] in greetingIsLate() }
  private var startup: WlCallback?
  private var inspection: WlCallback?
  /// The handlers that get a report when `inspection` is answered.
  private var inspections: [(CompositorReport) -> Void] = []
  private var signals: TerminationSignals?

  /// Connects to the compositor of the environment (WAYLAND_SOCKET, WAYLAND_DISPLAY, XDG_RUNTIME_DIR).
  ///
  /// - Throws: `ShellError.noCompositor` when nobody answers there.
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

  /// Connects over the sockets that `open` returns, one for each connection and nil while there is none: for
  /// compositors in the same process; `step` runs it.
  ///
  /// - Throws: `ShellError.noCompositor` when the first one is not a socket.
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

  /// Asks a new connection for its globals.
  private func begin(on new: Connection) {
    connection = new
    new.outbox = outbox
    let registry = new.root.getRegistry()
    registry.onEvent = { [unowned self] in registryEvent($0) }
    self.registry = registry
    new.onIdle = { [unowned self] in idle() }
    new.onEnd = { [unowned self] in lost($0) }
    // Start-up never blocks: the answer to this comes after every global has been announced.
    startup = new.root.sync()
    startup?.onEvent = { [unowned self] _ in started() }
    greetingTimer.time = now + Recovery.greetingLimit
    // At once, so that the compositor answers while the program makes what it will show.
    new.flush()
  }

  /// The current time on the loop's clock.
  public var now: MonotonicTime { loop.clock.now }

  /// The protocol objects alive on the connection, to find leaks.
  package var liveObjectCount: Int { connection?.display.liveProxyCount ?? 0 }

  /// Opens a window that shows `content`, as soon as the compositor has answered.
  ///
  /// `ready` is called with the window once it exists, before anything is shown; again with another window after the
  /// connection was lost and made anew.
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

  /// Asks for an answer that comes after the events of seats and outputs, which may have been bound only just. One answer serves
  /// every handler.
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
  /// - Throws: The reason why the connection ended, or the global that the compositor lacks.
  public func run() throws(ShellError) {
    if !isEnding { loop.run() }
    if let failure { throw failure }
  }

  /// One turn of the loop without waiting, for tests.
  ///
  /// - Throws: The reason why the connection ended, or the global that the compositor lacks.
  package func step() throws(ShellError) {
    loop.turn(waits: false)
    if let failure { throw failure }
  }

  /// Closes every window and ends `run`. Called by content, it takes effect once the call has returned and every event
  /// is delivered.
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
      // A compositor that is just starting may not have everything yet.
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

  /// A global went: seats and outputs come and go (behaviours 10, 12, 36); the rest is not used any more, but stays.
  private func remove(_ name: UInt32) {
    if let index = seats.firstIndex(where: { $0.globalName == name }) { seats.remove(at: index).end() }
    if let index = outputs.firstIndex(where: { $0.globalName == name }) {
      outputs.remove(at: index).end()
      for window in windows { window.outputsChanged() }
    }
  }

  /// Runs when every message that had arrived is dispatched: contents hear of their events, frames are drawn, and
  /// contents hear of the consequences. Changes that they make then are drawn too, in four rounds at most, because a
  /// content may never come to rest.
  private func idle() {
    for _ in 0..<4 {
      tellAll()
      // Each frame costs up to some hundred bytes of requests, and there may be room for few.
      guard connection?.isBlocked != true else { return }
      outbox.hold()
      for window in windows { window.turn() }
      outbox.release()
      endBatches()
      if outbox.isEmpty { return }
    }
    tellAll()
  }

  /// Delivers every message, also those that contents cause meanwhile, for example by handing a finger to the compositor.
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

  /// Ends `window`, which was lost with its connection: how to open it again, or nil when its content closed it.
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

  /// Ends every object of the connection; windows must be gone.
  private func endObjects() {
    for seat in seats { seat.end() }
    seats.removeAll()
    lastPress = nil
    // No more events will come.
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

  /// Ends every object and the loop.
  private func finish() {
    guard !isEnding else { return }
    isEnding = true
    retryTimer.time = nil
    endObjects()
    loop.stop()
  }
}

/// The windows' questions to the application: the seat of an event, the output of a surface.
extension Application {
  /// The distance from the clock of presentation times to the application's, as it is now: zero where both are CLOCK_MONOTONIC. Nil
  /// while it is unknown, and for a clock that can't be read.
  var presentationOffset: Duration? {
    guard let number = globals?.presentationClockID.map(Int32.init(truncatingIfNeeded:)) else { return nil }
    if number == CLOCK_MONOTONIC { return .zero }
    return MonotonicTime(onClock: number).map { now - $0 }
  }

  func output(of proxy: WlOutput?) -> Output? { outputs.first { $0.proxy === proxy } }

  func isKnown(_ output: Output) -> Bool { outputs.contains { $0 === output } }

  func seat(_ id: SeatID) -> Seat? { seats.first { $0.id == id } }

  /// Offers `text` for pasting, on the seat of the last press; false without a press or where the compositor has no clipboard.
  func copy(_ text: String) -> Bool {
    guard let lastPress, let seat = seat(lastPress.seat) else { return false }
    return seat.copy(text, serial: lastPress.serial)
  }
}

/// Protocol objects some of whose events make objects.
///
/// The compositor numbers its objects without gaps. libwayland drops an event of an ended object together with the object that
/// the event made; the next number then looks wrong and ends the connection. So such an object ends only when the compositor has
/// taken it away and has answered a `wl_display.sync`, which follows everything it sent before (`Application.retire`).
protocol MakesObjects: AnyObject {
  /// Ends the objects, those too that events made since the compositor took the maker away.
  func endObjects()
}

/// The input devices' questions to the application.
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

  /// The popup that `touch`, which is down on `window`, has opened and has come to; nil elsewhere.
  func popup(openedBy touch: TouchID, on window: ObjectIdentifier, at point: Point) -> Window? {
    windows.first { popup in
      guard let request = popup.popup, request.grab?.touch == touch, ObjectIdentifier(request.parent) == window,
        popup.isOpen, let origin = popup.popupOrigin
      else { return false }
      return Rect(origin: origin, size: popup.size).contains(point)
    }
  }

  /// Notes a press or touch: the next copy is made with its serial.
  func pressed(_ serial: UInt32, on seat: SeatID) { lastPress = (seat, serial) }

  /// Tells every window that input is lost.
  func tellLoss(_ loss: InputLoss) {
    for window in windows { window.receive(.lost(loss)) }
    if loss.cause == .terminating {
      for request in waiting where request.wasShown { outbox.post(.call { request.content.handle(.lost(loss)) }) }
    }
    outbox.deliver()
  }

  /// Ends `object`, which the compositor took away, after the last event that was on its way to it; keeps it until then.
  func retire(_ object: any MakesObjects) {
    guard let answer = connection?.root.sync() else { return object.endObjects() }
    leaving.append((object, answer))
    answer.onEvent = { [unowned self, unowned object] _ in
      object.endObjects()
      leaving.removeAll { $0.object === object }
    }
  }
}

/// The questions to the compositor whether it still answers, and the consequences when it does not.
extension Application {
  /// The time that the compositor may take to answer a question while a window `needsAnswers`, before it counts as
  /// frozen: 100 milliseconds to 2 seconds, 300 milliseconds at first. A window's input is then lost by then, counted
  /// from the compositor's last sign of life.
  public var answerLimit: Duration {
    get { answers.limit }
    set { answers.limit = newValue }
  }

  /// True while the compositor does not answer, and until it has proved that it does again. Contents do not hear of
  /// input that a person begins meanwhile.
  public var isCompositorFrozen: Bool { answers.isFrozen }

  /// Another window needs answers, or one fewer.
  func answerNeedChanged() {
    answers.setNeeded(windows.contains { $0.isOpen && $0.needsAnswers }, at: now)
  }

  /// The connection goes.
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

/// Reconnection after a lost connection.
extension Application {
  /// The connection ended by itself: windows and devices go; where it is tried anew, the contents stay.
  private func lost(_ reason: ShellError) {
    Log.write(.connection, .info, "\(reason)")
    let isNews = recovery.noteLost(reason, at: now)
    if reconnection == .never { failure = reason }
    for window in windows { window.connectionLost() }
    outbox.atRest { [unowned self] in detachWindows(from: reason, isNews: isNews) }
    outbox.deliver()
  }

  /// Ends the windows and objects of the lost connection, once contents know of the loss; contents wait for the next one.
  private func detachWindows(from reason: ShellError, isNews: Bool) {
    let lost = windows
    for window in lost {
      if let request = detach(window) { waiting.append(request) }
    }
    guard !isEnding else { return }
    guard reconnection != .never, !waiting.isEmpty else {
      // Contents that closed their windows when they heard of it wanted the end.
      if lost.isEmpty { failure = reason }
      return finish()
    }
    endObjects()
    tryAgainOrEnd()
    if isNews { onConnectionLoss?(reason) }
  }

  /// Tries again in a while; ends where the time for that is over, whatever the last attempt came to.
  private func tryAgainOrEnd() {
    if let end = recovery.end(of: reconnection), end <= now {
      failure = recovery.loss?.reason
      finish()
    } else {
      retryTimer.time = recovery.nextAttempt(now: now, policy: reconnection)
    }
  }

  /// The compositor took the connection and tells nothing: it is stopped, or only its socket is there. Without a policy it is waited for.
  private func greetingIsLate() {
    Log.write(.connection, .error, "the compositor does not answer a new connection")
    if reconnection != .never { lost(.connectionLost(errno: ETIMEDOUT)) }
  }

  private func retry() {
    // Only now: the old one may have been in the middle of its work when it ended.
    connection = nil
    do throws(ShellError) {
      begin(on: try connect())
    } catch {
      tryAgainOrEnd()
    }
  }
}
