import Wayland

/// A toplevel window that shows a `WindowContent`, or a popup over one. `WindowModel` decides when something is due, and the
/// window carries it out.
public final class Window {
  /// The window's content. The program draws a decoration around it if the compositor draws none.
  public let content: any WindowContent
  /// The title that the user sees.
  public var title: String { didSet { if title != oldValue { titleChanged() } } }
  /// Called after each painted frame's commit.
  public var onFrame: ((FrameReport) -> Void)?
  /// Called after each commit of a new picture, with its memory.
  package var onCommit: ((CommittedFrame) -> Void)?
  /// Called when the compositor says whether the window is in use (`isActivated`).
  public var onActivationChange: (() -> Void)?
  /// Called when the user or the compositor asks to close the window. Nil closes it.
  public var onCloseRequest: (() -> Void)?
  /// Called with the absolute paths of files that a user drops on the window. Nil accepts none.
  public var onFilesDropped: (([String]) -> Void)?
  /// Called for each thing that a user drops on the window and that is no file of this machine, before `onFilesDropped`, so that
  /// the user can be informed. Only a window that accepts files hears of it.
  public var onDropRefused: ((DropProblem) -> Void)?
  /// True while the program must know that the compositor answers, because a user commands a machine by this window that keeps
  /// moving by itself. The compositor is then asked ten times a second; if it does not answer within `Application.answerLimit`,
  /// all input is lost with the cause `compositorFrozen`. Meanwhile, a window that shows something requests a frame callback
  /// every second even if nothing changes, so that a hidden window is noticed within two seconds if the compositor omits the
  /// callback and does not report it (xdg_toplevel's `suspended`), or reports it late.
  public var needsAnswers = false { didSet { if needsAnswers != oldValue { needChanged() } } }

  /// Nil once the application is gone, which a program may outlive with a window.
  private(set) weak var application: Application?
  /// The request that opened the window, to reopen it after a reconnection; nil once the window has ended, when nothing is
  /// delivered any more.
  private(set) var request: WindowRequest?
  let globals: Globals
  let objects: ToplevelSurface
  let loop: EventLoop
  let outbox: Outbox
  /// The parent, press and position of a popup; nil for any other window.
  var popup: PopupState?
  var textInput: TextInputState?
  /// The window as devices keep it.
  private(set) lazy var inputTarget = InputTarget(self)
  private(set) var model: WindowModel
  /// True once the window was closed, even if its connection was already lost.
  private(set) var wasClosed = false
  private let swapchain: Swapchain
  private lazy var shown = ShownContent(content, overlays: request?.options.overlays ?? []) { [weak self] in
    self?.model.clock.refresh ?? .zero
  }
  /// Measures the latency; nil if it is not requested.
  private var meter: LatencyMeter?
  /// The effects that are being carried out; kept for its storage.
  private var effects: [WindowModel.Effect] = []
  private var outputs: [Output] = []
  /// The callback of the latest commit, destroyed once it arrived.
  private var frameCallback: WlCallback?
  private let feedback: FeedbackSlots?
  /// Pictures of another process below the content; nil unless the program asked for them.
  var underlay: Underlay?
  /// The timer for everything that the window waits for.
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in timeCame() }
  /// The input areas that were sent last; nil for everywhere.
  private var inputArea: [Rect]?
  private var idleInhibitor: ZwpIdleInhibitorV1?
  private var activationToken: String?
  private var isLosingInput = false
  private var wasActivated = false
  /// The input that began while the compositor had frozen.
  private var unreportedInput = UnreportedInput()

  init(application: Application, globals: Globals, request: WindowRequest, popup: PopupState? = nil) {
    self.application = application
    self.popup = popup
    self.globals = globals
    self.request = request
    (loop, outbox) = (application.loop, application.outbox)
    content = request.content
    let options = request.options
    title = options.title
    let preferred = Size(
      width: max(options.size.width.rounded().onTheWire, 1), height: max(options.size.height.rounded().onTheWire, 1))
    objects = ToplevelSurface(globals: globals, options: options, size: preferred, popup: popup)
    swapchain = Swapchain(shm: globals.shm)
    feedback = globals[WpPresentation.self].map { FeedbackSlots($0) }
    activationToken = options.activationToken ?? (popup == nil ? Environment.takeActivationToken() : nil)
    let terms = WindowModel.Terms(
      hasViewport: objects.viewport != nil, allowsDecoration: options.hasDecoration && objects.toplevel != nil,
      keepsRunning: options.keepsRunningHidden, reportsPresentation: globals[WpPresentation.self] != nil)
    model = WindowModel(terms: terms, preferred: preferred, scale: options.scale)
    model.mustDecorate = objects.decoration == nil
    effects.reserveCapacity(16)
    // Until the compositor says more.
    if let parent = popup?.parent {
      model.surfaceScale = parent.model.surfaceScale
      outputs = parent.outputs
      outputsChanged()
    }
    content.host = self
    listen()
    updateDecoration()
    // xdg-shell: the first commit has no buffer; the compositor answers with the first configure.
    objects.surface.commit()
    guard objects.isIVI else { return }
    outbox.post(
      .call { [weak self] in
        self?.model.configure.toplevelConfigure(width: 0, height: 0, states: [])
        self?.configured(serial: 0)
      })
  }

  // MARK: For the program

  /// True while the program draws the window's decoration itself.
  package var drawsDecoration: Bool { shown.decoration != nil }
  /// The size in logical points that is shown, zero before the first frame.
  public var size: Size { model.layout.size }
  /// The pixels per point that are drawn.
  public var scale: Scale { model.layout.scale }
  /// False once the window was closed or the connection lost.
  public var isOpen: Bool { model.isOpen }
  /// True while the window counts as visible.
  public var isVisible: Bool { model.isVisible }

  /// True while the window measures its latency, from input to commit and to the screen; `latency` holds the results.
  ///
  /// Off by default, at no cost. Measuring asks the compositor about each frame, which may wake the process one more time per
  /// frame, and does not allocate per frame. Setting it again starts with empty statistics.
  public var measuresLatency: Bool {
    get { meter != nil }
    set {
      guard newValue != measuresLatency else { return }
      model.measuresLatency = newValue
      meter = newValue ? LatencyMeter(feedback: model.terms.reportsPresentation ? .reported : .missing) : nil
    }
  }

  /// The measurements since `measuresLatency` was set, also after the window's end; nil while it is not set.
  public var latency: LatencyStatistics? { meter?.statistics }

  /// True to keep the screen from blanking and locking while the window is visible, for instance while a control is held, if
  /// the compositor supports that (idle-inhibit).
  public var inhibitsIdle: Bool {
    get { model.keepsAwake }
    set { handle(.keepAwake(newValue)) }
  }

  /// Closes the window: notifies the content and destroys the objects in order. If content calls it, that happens after the
  /// content has returned and every event is delivered.
  public func close() {
    let isNew = !wasClosed
    wasClosed = true
    guard isOpen, isNew else { return }
    // The newest first: xdg-shell requires a popup's own popups to be destroyed before it, and all before their window.
    for popup in popups.reversed() { popup.close() }
    outbox.whenEmpty { [self] in
      guard isOpen else { return }
      // Before the end, since the window takes no input after it: held input is cancelled.
      loseInput(.closing)
      handle(.ended(orderly: true))
      outbox.post(.end, to: self)
    }
    outbox.deliver()
  }

  // MARK: Events and effects

  /// Passes the event to the model and carries out the effects. An effect may cause another event, such as a painted frame,
  /// whose effects come first.
  func handle(_ event: WindowModel.Event) {
    let first = effects.count
    model.handle(event, into: &effects)
    meter?.observe(event, effects[first...])
    var next = first
    while next < effects.count {
      carryOut(effects[next])
      next += 1
    }
    effects.removeLast(effects.count - first)
    timer.time = model.nextTime
  }

  private func carryOut(_ effect: WindowModel.Effect) {
    switch effect {
    case .acknowledge(let serial): objects.acknowledge(serial)
    case .commit: objects.surface.commit()
    case .resize(let size, let scale):
      shown.whole.resize(to: size, scale: scale)
      Log.write(.window, .info, "\(Int(self.size.width)) x \(Int(self.size.height)) at scale \(scale.factor)")
    case .rescaleCursors:
      for seat in seats { seat.setCursor(nil, over: self) }
    case .paint(let presentation): paint(for: presentation)
    case .askForCallback: askForCallback()
    case .forgetCallback: forgetCallback()
    case .askForFeedback: askForFeedback()
    case .sendDestination(let size):
      objects.viewport?.setDestination(width: Int32(size.width), height: Int32(size.height))
    case .sendBufferScale(let scale): objects.surface.setBufferScale(scale: scale)
    case .sendOpaque(let area): objects.setOpaque(area)
    case .sendGeometry(let area): objects.setGeometry(area)
    case .sendMinimum(let size):
      objects.toplevel?.setMinSize(width: Int32(size.width), height: Int32(size.height))
    case .keepAwake(let isWanted): keepAwake(isWanted)
    case .loseInput(let cause): loseInput(cause)
    case .notify(let event): outbox.post(.life(event), to: self)
    case .wakeContent: outbox.post(.wake, to: self)
    case .bringUpToDate:
      outbox.hold()
      shown.whole.prepareFrame(for: now)
      outbox.release()
    }
  }

  private func timeCame() {
    handle(.time(now: now))
    outbox.deliver()
  }

  /// Draws a due frame; called when all received messages are handled. A closed window draws no more.
  func turn() { if !wasClosed { handle(.turn(shown.state, now: now)) } }

  /// Draws the whole next frame, whatever is in the memory: it may have been spoiled.
  package func drawWhole() { model.drawWhole() }

  private func needChanged() {
    guard isOpen else { return }
    handle(.watched(needsAnswers))
    application?.answerNeedChanged()
  }

  var seats: [Seat] { application?.seats ?? [] }

  /// The popups over the window, oldest first.
  var popups: [Window] { application?.windows.filter { $0.popup?.parent === self } ?? [] }

  /// Queues input for the content, which receives it at the next point of delivery.
  func receive(_ event: InputEvent) {
    let isFrozen = application?.isCompositorFrozen ?? false
    guard isOpen, let event = unreportedInput.rest(of: event, isFrozen: isFrozen) else { return }
    handle(.input(event, isCancelling: isLosingInput, now: now))
    outbox.post(.input(event), to: self)
  }

  /// Cancels the held input, with the reason. Keys stay held if only positions became invalid.
  func loseInput(_ cause: InputLoss.Cause) {
    guard !isLosingInput else { return }
    isLosingInput = true
    receive(.lost(InputLoss(cause)))
    for seat in seats { seat.cancel(on: self, onlyPlaces: cause == .screenTurned) }
    isLosingInput = false
  }

  /// Delivers a posted message to the content and the application.
  func deliver(_ message: Outbox.Message) {
    guard request != nil else { return }
    switch message {
    case .input(let event): shown.whole.handle(event)
    case .life(let event):
      Log.write(.lifecycle, .info, "\(event)")
      shown.whole.handle(event)
    case .wake: shown.whole.handleWake(at: now)
    case .frame(let report): onFrame?(report)
    case .closeRequest: requestClose()
    case .end:
      end()
      application?.windowClosed(self)
    case .call: break
    }
  }

  // MARK: From the compositor

  private func listen() {
    objects.onEvent = { [unowned self] in
      switch $0 {
      case .toplevel(let event): toplevelEvent(event)
      case .sized(let width, let height): sized(width, height)
      case .configured(let serial): configured(serial: serial)
      case .placed(let x, let y): placed(x, y)
      case .closed: close()
      case .removed: application?.stripRemoved(self)
      }
    }
    objects.surface.onEvent = { [unowned self] in surfaceEvent($0) }
    objects.decoration?.onEvent = { [unowned self] in
      if case .configure(let mode) = $0 { model.mustDecorate = mode == .clientSide }
    }
    objects.fractionalScale?.onEvent = { [unowned self] in
      // A scale of 0 says nothing.
      if case .preferredScale(let in120ths) = $0, in120ths > 0 {
        model.surfaceScale.fractional = Scale(in120ths: Int(in120ths))
      }
    }
    feedback?.onEvent = { [unowned self] in noteFeedback($0, slot: $1) }
  }

  private func toplevelEvent(_ event: XdgToplevel.Event) {
    switch event {
    case .configure(let width, let height, let states):
      model.configure.toplevelConfigure(width: width, height: height, states: states)
    case .close:
      outbox.post(.closeRequest, to: self)
    case .configureBounds(let width, let height):
      model.configure.noteBounds(width: width, height: height)
    case .wmCapabilities(let capabilities):
      model.configure.noteCapabilities(capabilities)
    }
  }

  private func sized(_ width: Int32, _ height: Int32) {
    let most = popup?.largest ?? Size(width: .infinity, height: .infinity)
    func limited(_ side: Int32, _ most: Double) -> Int32 { min(side, Int32(onTheWire: max(most.rounded(.up), 1))) }
    model.configure.toplevelConfigure(
      width: limited(width, most.width), height: limited(height, most.height), states: [])
  }

  /// The space for a popup, in points: the smallest of the outputs that show the window, or of all while none does; nil if that
  /// is unknown.
  var room: Size? {
    let shown = outputs.isEmpty ? application?.server?.outputs ?? [] : outputs
    // The whole scale of an output is never below its fraction, so that it errs on the safe side.
    let fraction = shown.count == 1 ? model.surfaceScale.fractional?.factor : nil
    let sizes = shown.compactMap { $0.points(atScale: fraction) }
    guard let width = sizes.map(\.width).min(), let height = sizes.map(\.height).min() else { return nil }
    return Size(width: width.rounded(.down), height: height.rounded(.down))
  }

  private func placed(_ x: Int32, _ y: Int32) {
    guard let geometry = popup?.parent.model.layout.geometry else { return }
    popup?.origin = Point(x: Double(Int(x) + geometry.x), y: Double(Int(y) + geometry.y))
  }

  private func configured(serial: UInt32) {
    updateDecoration()
    handle(.configured(serial: serial))
    shown.decoration?.state = model.configure.state
    if model.configure.state.isActivated != wasActivated {
      wasActivated = model.configure.state.isActivated
      onActivationChange?()
    }
    let configure = model.configure
    Log.write(
      .window, .debug, "configure \(serial): \(configure.size.width) x \(configure.size.height), \(configure.state)")
  }

  private func surfaceEvent(_ event: WlSurface.Event) {
    switch event {
    case .enter(let proxy):
      guard let output = application?.server?.outputs.first(where: { $0.proxy === proxy }),
        !outputs.contains(where: { $0 === output })
      else { return }
      outputs.append(output)
      outputsChanged()
    case .leave(let proxy):
      outputs.removeAll { $0.proxy === proxy }
      outputsChanged()
    case .preferredBufferScale(let factor):
      model.surfaceScale.preferred = Int(factor)
    case .preferredBufferTransform:
      // Useful for buffers that a display could scan out directly; ours are always copied.
      break
    }
  }

  /// An output that shows the window changed, arrived or was removed; `turned` is an output whose mapping of positions changed.
  func outputsChanged(turned: Output? = nil) {
    let known = application?.server?.outputs ?? []
    outputs.removeAll { output in !known.contains { $0 === output } }
    handle(.outputs(outputs.map(\.state), isTurned: outputs.contains { $0 === turned }))
  }

  // MARK: Frames

  private func paint(for presentation: MonotonicTime) {
    let start = now
    let content = shown.whole
    content.prepareFrame(for: presentation)
    let (pixels, isOpaque) = (model.layout.pixelSize, content.isOpaque)
    do {
      // The content's damage is only taken when there is a buffer to draw it into.
      guard let buffer = try swapchain.reserve(size: pixels, isOpaque: isOpaque) else { return handle(.noBuffer) }
      var damage = content.takeDamage()
      damage.clip(to: PixelRect(pixels))
      if model.mustDrawWhole || swapchain.needsWholeFrame(size: pixels, isOpaque: isOpaque) {
        damage = Region(PixelRect(pixels))
      }
      if objects.limitsInput { sendInputArea() }
      if !damage.isEmpty {
        swapchain.repair(buffer, except: damage)
        guard buffer.withPixels({ content.draw(damage, into: $0) }) else {
          // Somebody took hold of the buffer while the content told its damage, which is not told again.
          model.drawWhole()
          return handle(.noBuffer)
        }
        swapchain.present(buffer, damage: damage, on: objects.surface)
        for rect in damage.rects {
          objects.surface.damageBuffer(
            x: Int32(rect.x), y: Int32(rect.y), width: Int32(rect.width), height: Int32(rect.height))
        }
      }
      let opaque = shown.opaqueArea(of: model.layout.surfaceSize)
      handle(.painted(shown.state, isNew: !damage.isEmpty, opaque: opaque, since: start, now: now))
      guard !damage.isEmpty else { return }
      report(damage, pixels, now - start, presentation)
      onCommit?(buffer.frame)
    } catch {
      // If allocation fails, the old frame stays and the window retries after 250 ms.
      Log.write(.buffer, .error, "\(error)")
      handle(.noMemory(now: start))
    }
  }

  /// Sends the areas where the content takes input if they changed; they apply with the next commit.
  private func sendInputArea() {
    let area = shown.whole.inputArea
    guard area != inputArea else { return }
    inputArea = area
    objects.setInput(area)
  }

  private func report(_ damage: Region, _ pixels: PixelSize, _ painting: Duration, _ presentation: MonotonicTime) {
    activateOnce()
    moveIfShown()
    let number = model.frameNumber
    Log.write(.frame, .debug, "frame \(number): \(damage.area) pixels, \(painting.inNanoseconds / 1000) us")
    guard onFrame != nil else { return }
    let report = FrameReport(
      number: number, size: pixels, damagedPixels: damage.area, painting: painting, presentation: presentation)
    outbox.post(.frame(report), to: self)
  }

  private func askForCallback() {
    frameCallback?.discard()
    if objects.surface.frame(into: &frameCallback) {
      frameCallback?.onEvent = { [unowned self] _ in handle(.callback(now: now)) }
    }
  }

  private func forgetCallback() {
    frameCallback?.discard()
    frameCallback = nil
  }

  private func askForFeedback() {
    if application?.server?.presentationOffset(now: now) == nil {
      meter?.noteUnreadableClock()
    } else if let slot = feedback?.ask(about: objects.surface) {
      meter?.noteAsked(slot: slot)
    }
  }

  private func noteFeedback(_ event: WpPresentationFeedback.Event, slot: Int) {
    switch event {
    case .presented(let high, let low, let nanoseconds, let refresh, _, _, let flags):
      guard let offset = application?.server?.presentationOffset(now: now) else { return }
      let refresh = Duration.nanoseconds(Int64(refresh))
      let time = model.clock.notePresented(
        seconds: UInt64(high) << 32 | UInt64(low), nanoseconds: nanoseconds, offset: offset,
        refresh: refresh, now: now)
      meter?.notePresented(
        slot: slot, at: time, refresh: PresentationTimes.isRefresh(refresh) ? refresh : nil,
        isSynchronized: flags.contains(.vsync), isZeroCopy: flags.contains(.zeroCopy))
    case .discarded: meter?.noteDiscarded(slot: slot)
    case .syncOutput: break
    }
  }

  // MARK: The decoration and the session

  /// Puts a decoration around the content or removes it, and reports the window's minimum size.
  private func updateDecoration() {
    if let insets = shown.decorate(model.wantsDecoration, for: self, state: model.configure.state) {
      handle(.decorated(insets))
      Log.write(.window, .info, drawsDecoration ? "draws its own decoration" : "the compositor draws the decoration")
    }
    handle(.minimum(shown.whole.minimumSize))
  }

  private func titleChanged() {
    guard isOpen else { return }
    objects.toplevel?.setTitle(title: title.onTheWire)
    shown.decoration?.title = title
  }

  private func keepAwake(_ isWanted: Bool) {
    idleInhibitor?.end()
    idleInhibitor = isWanted ? globals[ZwpIdleInhibitManagerV1.self]?.createInhibitor(surface: objects.surface) : nil
  }

  /// Rings the bell of the desktop for this window: what that is, a sound or a flash, is the desktop's choice. Returns false if the desktop has
  /// none (xdg_system_bell_v1), or the window is not open.
  @discardableResult public func ringBell() -> Bool {
    guard isOpen, let bell = globals[XdgSystemBellV1.self] else { return false }
    bell.ring(surface: objects.surface)
    return true
  }

  /// Uses the token that the window was opened with, once it shows something: before that some compositors ignore it.
  private func activateOnce() {
    guard let token = activationToken else { return }
    activationToken = nil
    // A truncated token would be invalid.
    guard token.onTheWire == token else { return }
    globals[XdgActivationV1.self]?.activate(token: token, surface: objects.surface)
  }

  // MARK: The end

  /// The connection is lost: nothing can be sent or will arrive. Notifies the content; `end()` must follow.
  func connectionLost() {
    guard isOpen else { return }
    loseInput(.disconnected)
    handle(.ended(orderly: false))
  }

  /// The compositor shows the window no longer, and a new one takes its place. Notifies the content; `end()` must follow.
  func removed() {
    guard isOpen else { return }
    for popup in popups.reversed() { popup.closeAtOnce() }
    loseInput(.hidden)
    handle(.ended(orderly: false))
  }

  /// Destroys the window's objects. A window that is kept after that keeps nothing else alive.
  func end() {
    guard request != nil else { return }
    (request, onFrame, onCommit, onCloseRequest, onFilesDropped, onDropRefused) = (nil, nil, nil, nil, nil, nil)
    timer.time = nil
    forgetCallback()
    feedback?.end()
    keepAwake(false)
    underlay?.end()
    objects.end()
    swapchain.end()
    shown.end(self)
  }
}
