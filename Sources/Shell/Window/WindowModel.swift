/// A window as a value: events go in, effects come out, and `Window` carries those out in order.
///
/// Three rules are decided here and nowhere else:
/// - *Frames* (`turn`): a frame is drawn when content needs one, the window is visible and no frame callback is pending;
///   `FrameClock` may delay it to wait for input.
/// - *Configures* (`turn`, `answer`): a configure that changes what must be drawn is answered at once, by the commit that shows
///   it; each other configure by the next commit, an empty one if no frame is due.
/// - *Visibility* (`show`, `hide`): the events that hide a window and show it again, and its content's lifecycle.
///
/// State that has no effect before the next turn is written directly into the parts: `configure`, `surfaceScale`, `clock`. The
/// model is pure: it knows no protocol object, no content and no clock.
nonisolated struct WindowModel: Sendable {
  /// The shell's and compositor's properties for this window, known from the start.
  struct Terms: Sendable {
    /// True if a viewport lets the buffer have any size.
    var hasViewport = true
    /// False for a window without a decoration even if the compositor draws none.
    var allowsDecoration = true
    /// True for content that keeps running while the window is hidden, and is not notified of it.
    var keepsRunning = false
    /// True if the compositor reports when frames were visible.
    var reportsPresentation = false
  }

  /// The content's state, read each time.
  struct Content: Sendable {
    var needsFrame = false
    var isAnimating = false
    var decoration: DecorationExtent?
  }

  /// The size, scale and state that content is laid out for.
  struct Layout: Hashable, Sendable {
    var size = Size.zero
    var scale = Scale.one
    var decoration: DecorationExtent?

    /// The surface's size in logical points: the window and the handles beyond it.
    var surfaceSize: Size {
      guard let overhang = decoration?.overhang else { return size }
      return Size(
        width: size.width + overhang.left + overhang.right, height: size.height + overhang.top + overhang.bottom)
    }

    var pixelSize: PixelSize { scale.pixelSize(surfaceSize) }

    /// The part of the surface that is the window.
    var geometry: PixelRect {
      let overhang = decoration?.overhang ?? .zero
      return PixelRect(x: Int(overhang.left), y: Int(overhang.top), width: Int(size.width), height: Int(size.height))
    }
  }

  enum Event: Sendable {
    /// xdg_surface.configure: the preceding toplevel state applies from now on.
    case configured(serial: UInt32)
    /// A decoration was put around the content, or removed (zero): its insets around a floating window.
    case decorated(EdgeInsets)
    /// The smallest size at which the content can be used.
    case minimum(Size)
    /// Input for the window; `isCancelling` while held input is cancelled.
    case input(InputEvent, isCancelling: Bool, now: MonotonicTime)
    /// The outputs that show the window; `isTurned` if the mapping of positions of one of them changed.
    case outputs([Output.State], isTurned: Bool)
    /// The window's visibility must be watched, or no longer.
    case watched(Bool)
    case callback(now: MonotonicTime)
    /// The screen must stay awake while the window is visible, or no longer.
    case keepAwake(Bool)
    /// The content asks to be woken at a time; nil cancels it.
    case wakeWanted(MonotonicTime?)
    /// All received messages are handled.
    case turn(Content, now: MonotonicTime)
    /// The answer to `Effect.paint`: the changes are in a buffer that the next commit shows. `isNew` is false if nothing changed.
    case painted(Content, isNew: Bool, opaque: Rect, since: MonotonicTime, now: MonotonicTime)
    /// The answer to `Effect.paint`: the compositor holds every buffer.
    case noBuffer
    /// The answer to `Effect.paint`: allocating a buffer failed.
    case noMemory(now: MonotonicTime)
    case time(now: MonotonicTime)
    /// The window ends: in order, or with its connection.
    case ended(orderly: Bool)
  }

  /// A step for the window to carry out.
  enum Effect: Hashable, Sendable {
    case acknowledge(UInt32)
    case commit
    /// Lays the content out for a surface of this size.
    case resize(Size, Scale)
    /// The scale changed; cursor images must be reloaded.
    case rescaleCursors
    /// Draws a frame that will be visible at this time, and answers with `painted`, `noBuffer` or `noMemory`.
    case paint(for: MonotonicTime)
    case askForCallback
    /// Ignores callbacks requested before: they may never arrive, or say nothing about the present.
    case forgetCallback
    /// Asks when the frame is visible.
    case askForFeedback
    case sendDestination(Size)
    case sendBufferScale(Int32)
    case sendOpaque(Rect)
    case sendGeometry(PixelRect)
    case sendMinimum(Size)
    case keepAwake(Bool)
    case loseInput(InputLoss.Cause)
    case notify(LifecycleEvent)
    case wakeContent
    /// Updates content that runs hidden, without drawing.
    case bringUpToDate
  }

  /// The time that a pending frame callback may take before the window counts as hidden.
  static let callbackLimit: Duration = .seconds(1)
  /// The interval at which a watched window requests a frame callback while nothing changes.
  static let watchInterval: Duration = .seconds(1)
  /// The interval at which content that runs hidden is brought up to date.
  static let hiddenInterval: Duration = .milliseconds(100)
  /// The wait after a failed allocation of a buffer before the next attempt at the same size.
  static let memoryInterval: Duration = .milliseconds(250)

  private enum Visibility: Sendable {
    case unmapped, visible, hidden, ended
  }

  private struct Sent: Sendable {
    var destination: Size?
    var bufferScale: Int32 = 1
    var opaque: Rect?
    var geometry: PixelRect?
    var minimum = Size.zero
    var keepsAwake = false
  }

  let terms: Terms
  var configure: ConfigureModel
  var surfaceScale: SurfaceScale
  var clock = FrameClock()
  /// True to ask about each frame when it was visible.
  var measuresLatency = false
  /// True if the program must draw the decoration, because there is no xdg-decoration or the compositor requested it.
  var mustDecorate = false
  /// The transform of the window's first output. The last known one is kept while there is no output, since the next output is
  /// usually the same one.
  private(set) var transform: OutputTransform?
  private(set) var keepsAwake = false
  /// The layout that the content got last.
  private(set) var layout = Layout()
  /// True until every pixel of the present layout was drawn.
  private(set) var mustDrawWhole = true
  private(set) var frameNumber = 0
  /// The due time of `Event.time`; nil if none is due. Stored, since the window reads it after each event, and a call would copy
  /// the whole model.
  private(set) var nextTime: MonotonicTime?

  private var visibility = Visibility.unmapped
  /// True while content that keeps running was not notified that it is hidden.
  private var runsHidden = false
  private var isLayoutStale = true
  private var sent = Sent()
  /// The size of the buffer that failed, and the time until which none is tried; nil if the last one succeeded.
  private var refused: (size: PixelSize, until: MonotonicTime)?
  /// The due time of a frame that waits for input or for memory.
  private var frameTime: MonotonicTime?
  private var updateTime: MonotonicTime?
  private var wakeTime: MonotonicTime?
  private var isWatched = false
  /// The last time at which an event proved that the window is visible.
  private var lastSeen = MonotonicTime.zero

  init(terms: Terms, preferred: Size, scale: Scale?) {
    self.terms = terms
    configure = ConfigureModel(preferred: preferred)
    surfaceScale = SurfaceScale(wish: scale, allowsFractions: terms.hasViewport)
  }

  /// True when frames may be drawn.
  var isVisible: Bool { visibility == .visible }
  var isOpen: Bool { visibility != .ended }
  var wantsDecoration: Bool { terms.allowsDecoration && mustDecorate }

  private var dueTime: MonotonicTime? {
    guard isOpen else { return nil }
    return earlier(earlier(earlier(wakeTime, frameTime), earlier(updateTime, callbackTime)), askingTime)
  }

  /// The time at which the pending frame callback is too late.
  private var callbackTime: MonotonicTime? {
    guard isVisible else { return nil }
    return clock.pendingSince.map { $0 + WindowModel.callbackLimit }
  }

  /// The time to request a frame callback without a frame. Compositors omit callbacks for hidden windows: those without
  /// `suspended` do nothing else, and mutter 48 sends `suspended` three seconds late. An omitted callback is only noticed if
  /// one is requested. Before the first frame none would arrive.
  private var askingTime: MonotonicTime? {
    guard isWatched, isVisible, frameNumber > 0, clock.pendingSince == nil else { return nil }
    return lastSeen + WindowModel.watchInterval
  }

  /// Takes in an event and appends its effects, in order, to `effects`.
  mutating func handle(_ event: Event, into effects: inout [Effect]) {
    defer { nextTime = dueTime }
    switch event {
    case .configured(let serial):
      let wasSuspended = configure.isSuspended
      configure.surfaceConfigure(serial: serial)
      noteConfigured(wasSuspended: wasSuspended, &effects)
    case .decorated(let insets):
      configure.decorationChanged(insets)
      isLayoutStale = true
    case .minimum(let size):
      let size = Size(width: size.width.rounded(.up).onTheWire, height: size.height.rounded(.up).onTheWire)
      if size != sent.minimum { effects.append(.sendMinimum(size)) }
      sent.minimum = size
    case .input(let input, let isCancelling, let now):
      // Events that are delivered while input is cancelled, such as the last motion of a lifted finger, do not prove visibility.
      let showsLife = input.showsLife && !isCancelling
      if showsLife, visibility == .hidden { show(&effects) }
      guard input.isAction else { break }
      let action = input.arrival(now: now)
      clock.noteInput(at: action)
      if showsLife { lastSeen = max(lastSeen, action) }
    case .outputs(let outputs, let isTurned):
      let first = outputs.lazy.compactMap(\.mapping).first?.transform
      let isElsewhere = first != nil && transform != nil && first != transform
      if isTurned || isElsewhere { effects.append(.loseInput(.screenTurned)) }
      transform = first ?? transform
      surfaceScale.ofOutputs = outputs.map(\.scale).max()
      if let refresh = outputs.compactMap(\.refresh).min() { clock.refresh = refresh }
    case .watched(let isWatched):
      self.isWatched = isWatched
    case .callback(let now):
      clock.noteCallback(now: now)
      lastSeen = now
      if visibility == .hidden { show(&effects) }
    case .keepAwake(let isWanted):
      keepsAwake = isWanted
      sendKeepsAwake(&effects)
    case .wakeWanted(let time):
      wakeTime = time
    case .turn(let content, let now):
      turn(content, now, &effects)
    case .painted(let content, let isNew, let opaque, let start, let now):
      painted(content, isNew: isNew, opaque, start, now, &effects)
    case .noBuffer:
      answer(&effects)
    case .noMemory(let now):
      let until = now + WindowModel.memoryInterval
      refused = (layout.pixelSize, until)
      frameTime = until
    case .time(let now):
      timeCame(now, &effects)
    case .ended(let orderly):
      end(orderly: orderly, &effects)
    }
  }

  // MARK: Frames and configures

  /// The next frame is drawn whole, and due.
  mutating func drawWhole() { mustDrawWhole = true }

  private mutating func turn(_ content: Content, _ now: MonotonicTime, _ effects: inout [Effect]) {
    guard isOpen, configure.isConfigured else { return }
    if runsHidden, content.isAnimating, updateTime == nil { updateTime = now + WindowModel.hiddenInterval }
    let isAsked = configure.pendingSerial != nil
    // A hidden window is drawn only if the compositor waits for it.
    guard isVisible || isAsked else { return }
    layOut(content, &effects)
    switch decide(content, now, isAsked: isAsked) {
    case .draw where refused?.size == layout.pixelSize && now < refused?.until ?? .zero:
      // A buffer size that just failed is not tried again at each event.
      answer(&effects)
    case .draw:
      refused = nil
      frameTime = nil
      effects.append(.paint(for: clock.predictedPresentation(now: now)))
    case .wait(let until):
      frameTime = until
      answer(&effects)
    case .nothing:
      answer(&effects)
    }
  }

  private mutating func layOut(_ content: Content, _ effects: inout [Effect]) {
    let wanted = Layout(size: configure.size, scale: surfaceScale.value, decoration: content.decoration)
    guard isLayoutStale || wanted != layout else { return }
    if wanted.scale != layout.scale { effects.append(.rescaleCursors) }
    layout = wanted
    isLayoutStale = false
    mustDrawWhole = true
    effects.append(.resize(layout.surfaceSize, layout.scale))
  }

  private mutating func decide(_ content: Content, _ now: MonotonicTime, isAsked: Bool) -> FrameClock.Decision {
    // Even if a callback is pending: some compositors send it only after the commit that answers their configure.
    if isAsked, mustDrawWhole { return .draw }
    guard isVisible else { return .nothing }
    return clock.decide(now: now, needsFrame: content.needsFrame || mustDrawWhole)
  }

  /// Acknowledges a configure that changes nothing to draw; every acknowledgement is followed by a commit.
  private mutating func answer(_ effects: inout [Effect]) {
    guard !mustDrawWhole, let serial = configure.takeSerial() else { return }
    effects.append(.acknowledge(serial))
    effects.append(.commit)
  }

  private mutating func painted(
    _ content: Content, isNew: Bool, _ opaque: Rect, _ start: MonotonicTime, _ now: MonotonicTime,
    _ effects: inout [Effect]
  ) {
    if isNew {
      mustDrawWhole = false
      sendState(opaque, &effects)
    }
    // An animation that changed no pixel still needs the next refresh's callback.
    guard isNew || content.isAnimating || configure.pendingSerial != nil else { return }
    if let serial = configure.takeSerial() { effects.append(.acknowledge(serial)) }
    // A hidden window asks for no callback: the one that would reveal it is still pending.
    if isVisible {
      effects.append(.askForCallback)
      // Always at first, then now and then, since the answer costs a wake-up.
      if isNew, terms.reportsPresentation, measuresLatency || frameNumber < 8 || frameNumber % 16 == 0 {
        effects.append(.askForFeedback)
      }
      clock.noteCommit(now: now, painting: now - start)
    }
    effects.append(.commit)
    if isNew { frameNumber += 1 }
  }

  /// Sends the state that a frame of this layout needs besides its buffer, in the same commit.
  private mutating func sendState(_ opaque: Rect, _ effects: inout [Effect]) {
    let whole = Int32(layout.scale.ceiling)
    if terms.hasViewport, sent.destination != layout.surfaceSize {
      sent.destination = layout.surfaceSize
      effects.append(.sendDestination(layout.surfaceSize))
    } else if !terms.hasViewport, sent.bufferScale != whole {
      sent.bufferScale = whole
      effects.append(.sendBufferScale(whole))
    }
    if sent.opaque != opaque {
      sent.opaque = opaque
      effects.append(.sendOpaque(opaque))
    }
    // Without a decoration's handles the whole surface is the window, and needs no saying.
    if layout.decoration != nil || sent.geometry != nil, sent.geometry != layout.geometry {
      sent.geometry = layout.geometry
      effects.append(.sendGeometry(layout.geometry))
    }
  }

  // MARK: Being seen

  /// Hides a window that is suspended (xdg_toplevel's state, version 6) and shows it when that ends. A configure that does not
  /// end it shows nothing: a window without frame callbacks can be resized or lose the focus and still be hidden.
  private mutating func noteConfigured(wasSuspended: Bool, _ effects: inout [Effect]) {
    if visibility == .unmapped { show(&effects) }
    guard configure.isSuspended else {
      if wasSuspended, visibility == .hidden { show(&effects) }
      return
    }
    // The callback of an earlier commit says nothing about the present.
    forgetCallback(&effects)
    hide(&effects)
  }

  private mutating func show(_ effects: inout [Effect]) {
    visibility = .visible
    forgetCallback(&effects)
    if runsHidden {
      runsHidden = false
      updateTime = nil
    } else {
      effects.append(.notify(.willEnterForeground))
      effects.append(.notify(.didBecomeActive))
    }
    sendKeepsAwake(&effects)
  }

  private mutating func hide(_ effects: inout [Effect]) {
    guard isVisible else { return }
    visibility = .hidden
    // A user who cannot see the window cannot hold it.
    effects.append(.loseInput(.hidden))
    if terms.keepsRunning { runsHidden = true } else { reportHidden(&effects) }
    sendKeepsAwake(&effects)
  }

  private mutating func end(orderly: Bool, _ effects: inout [Effect]) {
    guard isOpen else { return }
    // Content that ran hidden hears now that it was hidden, so its lifecycle has no gap.
    if isVisible || runsHidden { reportHidden(&effects) }
    visibility = .ended
    runsHidden = false
    if orderly { effects.append(.notify(.willTerminate)) }
    sendKeepsAwake(&effects)
  }

  private func reportHidden(_ effects: inout [Effect]) {
    effects.append(.notify(.willResignActive))
    effects.append(.notify(.didEnterBackground))
  }

  private mutating func forgetCallback(_ effects: inout [Effect]) {
    clock.reset()
    effects.append(.forgetCallback)
  }

  /// A hidden surface inhibits nothing anyway (idle-inhibit); releasing the inhibitor makes that explicit to every compositor.
  private mutating func sendKeepsAwake(_ effects: inout [Effect]) {
    let isWanted = keepsAwake && isVisible
    guard isWanted != sent.keepsAwake else { return }
    sent.keepsAwake = isWanted
    effects.append(.keepAwake(isWanted))
  }

  // MARK: Time

  private mutating func timeCame(_ now: MonotonicTime, _ effects: inout [Effect]) {
    if let time = frameTime, time <= now { frameTime = nil }
    if let time = callbackTime, time <= now { hide(&effects) }
    if let time = askingTime, time <= now {
      effects.append(.askForCallback)
      effects.append(.commit)
      clock.noteEmptyCommit(now: now)
    }
    if let time = updateTime, time <= now {
      updateTime = nil
      effects.append(.bringUpToDate)
    }
    if let time = wakeTime, time <= now {
      wakeTime = nil
      effects.append(.wakeContent)
    }
  }
}

/// The extent of a decoration within a window, and of its handles beyond it.
nonisolated struct DecorationExtent: Hashable, Sendable {
  var insets = EdgeInsets.zero
  var overhang = EdgeInsets.zero

  /// Whole lengths as requests can carry them.
  init(insets: EdgeInsets, overhang: EdgeInsets) {
    self.insets = insets.onTheWire
    self.overhang = overhang.onTheWire
  }
}

/// The scale of a surface by the best available source: the program's own scale, wp_fractional_scale_v1, wl_surface's
/// preferred_buffer_scale (version 6), otherwise the largest of the outputs that show it.
nonisolated struct SurfaceScale: Sendable {
  var wish: Scale?
  /// wp_fractional_scale_v1.preferred_scale.
  var fractional: Scale?
  /// wl_surface.preferred_buffer_scale.
  var preferred: Int?
  /// The largest scale of the outputs that the surface is on; nil without any. In that case (a screen that sleeps, or was
  /// unplugged) the last known scale stays, because the next output is usually the same one.
  var ofOutputs: Int? {
    didSet { ofOutputs = ofOutputs ?? oldValue }
  }
  /// True if a viewport lets the buffer have any size.
  let allowsFractions: Bool

  init(wish: Scale?, allowsFractions: Bool) {
    self.wish = wish
    self.allowsFractions = allowsFractions
  }

  var value: Scale {
    let whole = Scale(in120ths: 120 * min(max(preferred ?? ofOutputs ?? 1, 1), 100))
    let best = wish ?? fractional ?? whole
    return allowsFractions ? best : Scale(in120ths: best.ceiling * 120)
  }
}

nonisolated extension EdgeInsets {
  fileprivate var onTheWire: EdgeInsets {
    EdgeInsets(
      top: top.rounded().onTheWire, left: left.rounded().onTheWire, bottom: bottom.rounded().onTheWire,
      right: right.rounded().onTheWire)
  }
}
