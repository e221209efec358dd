// A window on the screen: brings together configures, frames, buffers and content.

import Interface
import Wayland

/// A toplevel window that shows a `WindowContent`.
public final class Window {
  /// What the window shows, within a frame of the program's own where the compositor draws none.
  public let content: any WindowContent
  /// The name that people see.
  public var title: String { didSet { if title != oldValue { titleChanged() } } }
  /// True while the program draws the window's frame itself.
  public var hasOwnFrame: Bool { ownFrame != nil }
  /// Called after each painted frame's commit.
  public var onFrame: ((FrameReport) -> Void)?
  /// Called when a person or the compositor asks to close the window. Nil closes it.
  public var onCloseRequest: (() -> Void)?
  /// The size in logical points that is shown, zero before the first frame.
  public internal(set) var size = Size.zero
  /// The pixels per point that are drawn.
  public internal(set) var scale = Scale.one
  /// False once the window was closed or the connection lost.
  public var isOpen: Bool { visibility.state != .ended }
  /// True to keep the screen from blanking and locking while the window is seen, where the compositor offers that
  /// (idle-inhibit). For as long as somebody holds a control, for instance.
  public var inhibitsIdle = false { didSet { updateIdleInhibitor() } }
  /// True while the program must know that the compositor answers: while a person commands by this window something that
  /// goes on by itself. The compositor is then asked ten times a second, and one that leaves `Application.answerLimit` without an
  /// answer ends all input, with the cause `compositorFrozen`.
  public var needsAnswers = false { didSet { if needsAnswers != oldValue { application.answerNeedChanged() } } }
  /// True while the window counts as seen.
  public var isVisible: Bool { visibility.isVisible }

  /// Not to be asked once the window has ended: who keeps the window may keep it longer than the application lives.
  unowned let application: Application
  /// What tells the time, also after the end.
  let time: any Clock
  let globals: Globals
  let parts: ToplevelSurface
  let swapchain: Swapchain
  let presentation: WpPresentation?
  /// False for a window that goes without a frame even where the compositor draws none.
  let allowsFrame: Bool
  /// The content within a frame of its own.
  var ownFrame: (any WindowFrame)?
  /// Who draws the frame, as the compositor said last (zxdg_toplevel_decoration_v1.configure).
  var decorationMode: ZxdgToplevelDecorationV1.Mode?
  var configure: ConfigureModel
  var clock = FrameClock()
  var presentationClock = PresentationClock()
  var visibility = VisibilityModel()
  var surfaceScale: SurfaceScale
  var outputs: [Output] = []
  /// The callback of the latest commit, ended once it came: the next one takes its place.
  var frameCallback: WlCallback?
  /// What was asked when frames are seen; ended ones serve again.
  var feedback: [WpPresentationFeedback?] = []
  var holdTimer: TimerID?
  /// Made once: a timer is set with nearly every frame.
  private(set) lazy var holdEnded: () -> Void = { [weak self] in self?.holdTimer = nil }
  var patienceTimer: TimerID?
  let keepsRunningUnseen: Bool
  /// True while nobody sees the window and the content was not told.
  var runsUnseen = false
  var unseenTimer: TimerID?
  var wakeTimer: TimerID?
  var mustDrawWhole = true
  /// The size of a buffer that could not be had, and until when none is asked for; nil when the last one could be had.
  var refused: (size: PixelSize, until: MonotonicTime)?
  private var isLettingGo = false
  /// True once the window's objects have ended: nothing is told any more.
  private var hasEnded = false
  /// True once somebody closed it, also while it went with its connection.
  private(set) var wasClosed = false
  var frameNumber = 0
  var idleInhibitor: ZwpIdleInhibitorV1?
  var activationToken: String?
  /// What the surface was told last.
  var sentScale: Int32 = 1
  var sentDestination: Size?
  var sentOpaque: Rect?
  var sentGeometry: PixelRect?
  var sentMinimum = Size.zero
  /// What the frame took and reached beyond when the content was last laid out.
  var laidOutFrame: FrameExtent?

  init(application: Application, globals: Globals, content: any WindowContent, options: WindowOptions) {
    self.application = application
    time = application.loop.clock
    self.content = content
    title = options.title
    allowsFrame = options.hasFrame
    keepsRunningUnseen = options.keepsRunningUnseen
    parts = ToplevelSurface(globals: globals, options: options)
    swapchain = Swapchain(shm: globals.shm)
    presentation = globals.presentation
    self.globals = globals
    activationToken = options.activationToken ?? Environment.takeActivationToken()
    let preferred = Size(
      width: max(options.size.width.rounded().onTheWire, 1), height: max(options.size.height.rounded().onTheWire, 1))
    configure = ConfigureModel(preferred: preferred)
    surfaceScale = SurfaceScale(wish: options.scale, allowsFractions: parts.viewport != nil)
    visibility.isSuspensionKnown = globals.wmBase.version >= 6
    content.host = self
    listen()
    updateFrame()
    // xdg-shell: the first commit has no buffer; the compositor answers with the first configure.
    parts.surface.commit()
  }

  /// Closes the window: content is told in order, objects end in order. Called by content it happens when that has returned
  /// and everything is told.
  public func close() {
    let isNew = !wasClosed
    wasClosed = true
    guard isOpen, isNew else { return }
    application.outbox.atRest { [self] in
      guard isOpen else { return }
      // While it still takes input: what is held is let go of (behaviour 2).
      letGo(.closing)
      tellEnd(orderly: true)
      application.outbox.post(.end, to: self)
    }
    application.outbox.deliver()
  }

  // MARK: What the compositor says

  private func listen() {
    parts.toplevel.onEvent = { [unowned self] in toplevelEvent($0) }
    parts.xdgSurface.onEvent = { [unowned self] in
      if case .configure(let serial) = $0 { configured(serial: serial) }
    }
    parts.surface.onEvent = { [unowned self] in surfaceEvent($0) }
    parts.decoration?.onEvent = { [unowned self] in
      if case .configure(let mode) = $0 { decorationMode = mode }
    }
    parts.fractionalScale?.onEvent = { [unowned self] in
      if case .preferredScale(let in120ths) = $0 { surfaceScale.fractional = Scale(in120ths: Int(in120ths)) }
    }
  }

  private func toplevelEvent(_ event: XdgToplevel.Event) {
    switch event {
    case .configure(let width, let height, let states):
      configure.toplevelConfigure(width: width, height: height, states: .init(wire: states))
    case .close:
      application.outbox.post(.closeRequest, to: self)
    case .configureBounds(let width, let height):
      configure.noteBounds(width: width, height: height)
    case .wmCapabilities(let capabilities):
      configure.noteCapabilities(wire: capabilities)
    }
  }

  private func configured(serial: UInt32) {
    updateFrame()
    configure.surfaceConfigure(serial: serial)
    ownFrame?.state = configure.windowState
    Log.write(
      .window, .debug,
      "configure \(serial): \(configure.size.width) x \(configure.size.height), states \(configure.states.rawValue)")
    tell(visibility.noteMapped())
    guard visibility.isSuspensionKnown else { return }
    let isSuspended = configure.states.contains(.suspended)
    // The callback of a commit from before says nothing about now.
    if isSuspended { forgetFrames() }
    noteSeen(visibility.noteSuspended(isSuspended))
  }

  private func surfaceEvent(_ event: WlSurface.Event) {
    switch event {
    case .enter(let proxy):
      guard let output = application.output(of: proxy), !outputs.contains(where: { $0 === output }) else { return }
      outputs.append(output)
      outputsChanged()
    case .leave(let proxy):
      outputs.removeAll { $0.proxy === proxy }
      outputsChanged()
    case .preferredBufferScale(let factor):
      surfaceScale.preferred = Int(factor)
    case .preferredBufferTransform:
      // Worth following for buffers that a display could show as they are; these are copied in any case.
      break
    }
  }

  /// An output that shows the window changed, came or went.
  func outputsChanged() {
    outputs.removeAll { !application.isKnown($0) }
    surfaceScale.outputs = outputs.map(\.scale)
    if let refresh = outputs.compactMap(\.refresh).min() { clock.refresh = refresh }
  }

  // MARK: Lifecycle and input

  /// Input for the content, which hears of it at the next point of delivery.
  func receive(_ event: InputEvent) {
    guard isOpen, let event = application.isCompositorFrozen ? event.withoutBeginnings : event else { return }
    // Who can be touched is seen, whatever was said before (behaviour 21).
    if event.showsLife, !isLettingGo { noteSeen(visibility.noteSignOfLife()) }
    if event.isAction { clock.noteInput(at: event.arrival(now: application.now)) }
    application.outbox.post(.input(event), to: self)
  }

  /// Tells content and application what was posted.
  func hear(_ message: Outbox.Message) {
    guard !hasEnded else { return }
    switch message {
    case .input(let event): shown.handle(event)
    case .life(let event):
      Log.write(.lifecycle, .info, "\(event)")
      shown.handle(event)
    case .wake: shown.handleWake(at: now)
    case .frame(let report): onFrame?(report)
    case .closeRequest: requestClose()
    case .end:
      end()
      application.windowClosed(self)
    case .call: break
    }
  }

  /// Ends the input that is held. What is told meanwhile, such as the last way of a finger that was lifted just before, is no
  /// sign of being seen.
  func letGo(_ cause: InputLoss.Cause) {
    guard !isLettingGo else { return }
    isLettingGo = true
    receive(.lost(InputLoss(cause)))
    application.cancelInput(on: self)
    isLettingGo = false
  }

  /// Tells the content what changed about being seen.
  func tell(_ events: [LifecycleEvent]) {
    for event in events {
      switch event {
      case .willResignActive:
        letGo(.hidden)
      case .willEnterForeground:
        forgetFrames()
      default:
        break
      }
      application.outbox.post(.life(event), to: self)
    }
    if !events.isEmpty { updateIdleInhibitor() }
  }

  /// The connection is gone: nothing can be sent or will come. The content hears of it; then `end()` is due.
  func connectionLost() {
    guard isOpen else { return }
    letGo(.disconnected)
    tellEnd(orderly: false)
  }

  /// Ends the window's objects. Whoever keeps the window keeps nothing else by it.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    onFrame = nil
    onCloseRequest = nil
    application.loop.cancel(holdTimer)
    application.loop.cancel(patienceTimer)
    application.loop.cancel(wakeTimer)
    application.loop.cancel(unseenTimer)
    frameCallback?.discard()
    frameCallback = nil
    for waiting in feedback { waiting?.discard() }
    feedback.removeAll()
    idleInhibitor?.end()
    idleInhibitor = nil
    parts.end()
    swapchain.end()
    ownFrame?.host = nil
    ownFrame = nil
    if content.host === self { content.host = nil }
  }
}

extension InputEvent {
  /// True when the event can only happen to a window that is seen.
  fileprivate var showsLife: Bool {
    switch self {
    case .touches(let points): points.contains { $0.phase == .began || $0.phase == .moved }
    case .hover(_, let location): location != nil
    case .scroll: true
    case .key(let event): event.phase == .down
    case .keyboardFocus(_, let isFocused): isFocused
    case .lost: false
    }
  }

  /// When the event happened, as its own time tells if that is on the clock of `now`: painting may have kept it waiting.
  fileprivate func arrival(now: MonotonicTime) -> MonotonicTime {
    let stamp: MonotonicTime? =
      switch self {
      case .touches(let points): points.last?.time
      case .key(let event): event.time
      case .hover, .scroll, .keyboardFocus, .lost: nil
      }
    guard let stamp else { return now }
    // Times on the wire are 32 bits of milliseconds.
    let age = UInt32(truncatingIfNeeded: now.milliseconds) &- UInt32(truncatingIfNeeded: stamp.milliseconds)
    guard age < 100 else { return now }
    return min(now, MonotonicTime(nanoseconds: (now.milliseconds - Int64(age)) * 1_000_000 + 500_000))
  }

  /// True when a person did something that should be answered at once.
  fileprivate var isAction: Bool {
    switch self {
    case .touches, .key, .scroll: true
    case .hover, .keyboardFocus, .lost: false
    }
  }
}

extension MonotonicTime {
  /// Whole milliseconds.
  fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
