package import WaylandServer

/// A wl_surface with its content, its scale and outputs, and the record of its commits.
public final class StageSurface {
  /// The use of the surface, which never changes once it has one.
  public enum Role: Hashable, Sendable {
    /// No use yet.
    case none
    /// A window; a popup; a layer surface, such as a panel; a window on an in-vehicle display.
    case toplevel, popup, layer, ivi
    /// What is shown while the session is locked.
    case lock
    /// A part of another surface; the image of a pointer or a stylus; the image of a drag.
    case subsurface, cursor, dragIcon

    /// True for the roles of a window: everything that a shell protocol gives.
    public var isWindow: Bool { [.toplevel, .popup, .layer, .ivi, .lock].contains(self) }
  }

  package let resource: WlSurfaceResource
  /// The use that the client gave it.
  public internal(set) var role = Role.none
  /// The buffer shown, even if it is released already; nil while nothing is shown.
  public internal(set) var buffer: StageBuffer?
  /// A copy of the pixels shown; nil while nothing is shown, or if the stage checks nothing.
  public internal(set) var picture: BufferCopy?
  /// The commits since the last `forgetCommits()`, oldest first. Each is recorded when it applies: a synchronized subsurface's with its
  /// parent's, one that waits for a refresh or its time when it is ready.
  public internal(set) var commits: [CommitRecord] = []
  /// The outputs for which the surface received `enter`.
  public internal(set) var outputs: [StageOutput] = []
  /// The size in logical points; zero while nothing is shown.
  public internal(set) var logicalSize = Size.zero

  /// The client's xdg_activation requests for the surface: the token, and whether the surface showed a buffer then.
  public internal(set) var activations: [(token: String, isMapped: Bool)] = []
  /// True while the client has an idle inhibitor for the surface.
  public var inhibitsIdle: Bool { !idleInhibitors.isEmpty }

  var idleInhibitors: [ZwpIdleInhibitorV1Resource] = []
  private(set) weak var stage: Stage?
  weak var window: StageXDGSurface?
  weak var layer: StageLayerSurface?
  weak var lock: StageLockSurface?
  /// The surface's place below or above its parent; nil unless it is a subsurface.
  public internal(set) weak var subsurface: StageSubsurface?
  var viewport: WpViewportResource?
  /// The object that sends the surface fractional scales; nil if the client did not create one.
  var fractionalScale: WpFractionalScaleV1Resource?
  /// The objects with which the client says more of the surface; nil for those that it did not create.
  var alphaModifier: WpAlphaModifierSurfaceV1Resource?
  var contentTypeObject: WpContentTypeV1Resource?
  var tearingControl: WpTearingControlV1Resource?
  var fifo: WpFifoV1Resource?
  var commitTimer: WpCommitTimerV1Resource?
  var pending = PendingState()
  var coming = LastingState()
  var state = LastingState()
  /// The commits of a synchronized subsurface that wait for the parent's; nil without such commits.
  var cached: SurfaceUpdate?
  /// The commits that wait for a refresh, for their time or for one of these before them, oldest first.
  var queue: [SurfaceUpdate] = []
  /// The number of commits that wait as parts of an ancestor's; later ones wait for them.
  var heldParts = 0
  /// True from a commit that sets a barrier until the next refresh.
  var hasBarrier = false
  /// The buffer of the last commit with its pixels, applied or not; nil if it shows nothing.
  var newest: (buffer: StageBuffer, picture: BufferCopy?)?
  /// The committed frame callbacks that are not answered, oldest first.
  var callbacks: [WlCallbackResource] = []
  /// How many of the oldest `callbacks` the client need not wait for, because it requested them before it could know of the last
  /// change of `isStarved`.
  var excusedCallbacks = 0
  /// The earliest time at which the client may have requested the newest frame callback; nil before the first.
  var lastFrameRequest: MonotonicTime?
  /// True while the surface gets no frame callbacks.
  var isStarved = false
  /// Whether it gets frame callbacks: it is not starved, nor hidden by the lock of the session.
  var getsFrames: Bool { !isStarved && (stage?.isLocked != true || root.role == .lock) }
  /// The step in which `isStarved` last changed; -1 if it never did.
  var starvingEpoch = -1
  /// The presentation feedback requested for the newest content and not answered.
  var feedback: [WpPresentationFeedbackResource] = []
  /// The feedback requested for content that the coming refresh shows, although its frame callback is answered.
  var comingFeedback: [WpPresentationFeedbackResource] = []
  var sentFractional: SentScales
  var sentWhole = SentScales(.one)

  init(resource: WlSurfaceResource, stage: Stage) {
    self.resource = resource
    self.stage = stage
    sentFractional = SentScales(stage.scale)
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// True while a committed frame callback is not answered.
  public var waitsForFrame: Bool { !callbacks.isEmpty }

  /// The number of commits that wait for a refresh (wp_fifo_v1), for their time (wp_commit_timer_v1) or for one of these before them.
  public var waitingCommits: Int { queue.count }

  /// The commits that attached a buffer.
  public var contentCommits: [CommitRecord] { commits.filter(\.hasContent) }

  /// Clears `commits`, to count later ones.
  public func forgetCommits() { commits.removeAll() }

  /// True while the surface has a buffer. A subsurface is shown only if its parent is shown too: see `isShown`.
  public var isMapped: Bool { buffer != nil }
  /// True while the surface shows a buffer, or will with the next commit.
  var hasBuffer: Bool {
    if case .buffer = pending.attachment { return true }
    return isMapped
  }
  /// The top-left corner on the screen of the window geometry or the layer surface; nil until the desktop or a script places it.
  public internal(set) var place: Point?
  /// The place on the screen of the surface's own top-left corner.
  public var origin: Point {
    if let subsurface, let parent = subsurface.parent { return parent.origin + subsurface.place }
    let geometry = state.geometry ?? .zero
    return corner - Point(x: Double(geometry.x), y: Double(geometry.y))
  }
  /// The place on the screen of the geometry of a window or popup, or of a layer surface.
  package var corner: Point { window?.place ?? place ?? .zero }
  /// The window, layer surface or other surface whose tree of subsurfaces and popups the surface is in.
  public var root: StageSurface { (subsurface?.parent ?? window?.popup?.parentSurface)?.root ?? self }
  /// The way from a position in the geometry of the surface's window to the same on the surface: a subsurface or a popup.
  package var offset: Point { root.corner - origin }
  /// True while the surface and, for a subsurface, all its ancestors have a buffer.
  public var isShown: Bool { isMapped && (role != .subsurface || subsurface?.parent?.isShown == true) }
  /// The region that takes input, in logical points; nil for the whole surface.
  public var inputRegion: Region? { state.input }
  /// The subsurfaces of the last commit, lowest first. Those before `isAboveParent` are below this surface.
  public var subsurfaces: [StageSubsurface] { state.stack.compactMap(\.subsurface) }

  /// The topmost surface of this tree of subsurfaces that takes input at `point`, in logical points of this surface, and the point
  /// in that surface's own; nil if none takes input there.
  public func hit(_ point: Point) -> (surface: StageSurface, point: Point)? {
    guard isMapped else { return nil }
    for layer in state.stack.reversed() {
      if let child = layer.subsurface {
        if let hit = child.surface.hit(point - layer.place) { return hit }
      } else if takesInput(at: point) {
        return (self, point)
      }
    }
    return nil
  }

  private func takesInput(at point: Point) -> Bool {
    guard point.x >= 0, point.y >= 0, point.x < logicalSize.width, point.y < logicalSize.height else { return false }
    return state.input?.contains(x: Int(point.x), y: Int(point.y)) ?? true
  }

  /// Gives the surface a role. Returns false if it has a different one.
  func take(_ new: Role) -> Bool {
    guard role == .none || role == new else { return false }
    role = new
    return true
  }

  /// Sends `enter` for `output`; does nothing if the surface is on it already.
  public func enter(_ output: StageOutput) {
    guard !outputs.contains(where: { $0 === output }) else { return }
    outputs.append(output)
    for bound in output.resources where bound.hasClient(of: resource) { resource.sendEnter(output: bound) }
    sendWholeScale()
  }

  /// Sends `enter` for an output that the surface is on and that the client has bound only now.
  func bound(_ bound: WlOutputResource) {
    guard bound.hasClient(of: resource) else { return }
    resource.sendEnter(output: bound)
    sendWholeScale()
  }

  /// Sends `leave` for `output`; does nothing unless the surface is on it.
  public func leave(_ output: StageOutput) {
    guard let index = outputs.firstIndex(where: { $0 === output }) else { return }
    outputs.remove(at: index)
    for bound in output.resources where bound.hasClient(of: resource) { resource.sendLeave(output: bound) }
    sendWholeScale()
  }

  /// Sends the surface its scale: in 120ths if it has a fractional-scale object, and rounded up since version 6 of wl_surface.
  public func prefer(_ scale: Scale) {
    guard let stage else { return }
    if let fractionalScale {
      sentFractional.say(scale, epoch: stage.epoch)
      fractionalScale.sendPreferredScale(scale: UInt32(scale.in120ths))
    }
    if resource.version >= 6 {
      sentWhole.say(Scale(Double(scale.ceiling)), epoch: stage.epoch)
      resource.sendPreferredBufferScale(factor: Int32(scale.ceiling))
    }
  }

  /// The scale that its client was last asked for.
  var preferredScale: Scale { fractionalScale != nil ? sentFractional.last : sentWhole.last }

  /// Sends the transform that the surface's buffers should have, as that of a rotated output (since version 6 of wl_surface).
  public func prefer(_ transform: OutputTransform) {
    guard resource.version >= 6 else { return }
    resource.sendPreferredBufferTransform(transform: .init(rawValue: UInt32(transform.rawValue)))
  }

  /// Sends any number as the fractional scale in 120ths, even 0, which no compositor sends; the rules do not follow it. Does nothing
  /// if the client created no fractional-scale object.
  public func sendFractionalScale(in120ths scale: UInt32) { fractionalScale?.sendPreferredScale(scale: scale) }

  /// Records the scale that a client infers before version 6 of wl_surface: the largest of the surface's outputs that it bound.
  func sendWholeScale() {
    let known = outputs.filter { $0.resources.contains { $0.hasClient(of: resource) } }
    guard let stage, resource.version < 6, let largest = known.map(\.scale).max() else { return }
    sentWhole.say(Scale(Double(largest)), epoch: stage.epoch)
  }

  private func handle(_ request: WlSurfaceResource.Request) {
    guard let stage else { return }
    switch request {
    case .destroy:
      checkDestroy()
      stage.desktop?.remove(self)
    case .attach(let buffer, let x, let y):
      if (x != 0 || y != 0) && resource.version >= 5 {
        stage.forbid(.attachOffset, "an offset of (\(x), \(y))", on: resource)
      }
      let buffer: StageBuffer? = stage.model(buffer)
      if buffer != nil, let window, !window.hasRole {
        stage.forbid(.bufferBeforeConfigure, "a buffer before there is a role", on: window.resource)
      }
      pending.attachment = buffer.map { .buffer($0) } ?? .nothing
    case .damage(let x, let y, let width, let height):
      pending.surfaceDamage.append(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
    case .damageBuffer(let x, let y, let width, let height):
      pending.bufferDamage.append(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
    case .frame(let callback): pending.callbacks.append(callback)
    case .setOpaqueRegion(let region):
      coming.opaque = (stage.model(region) as StageRegion?)?.pixels ?? Region()
    case .setInputRegion(let region): coming.input = (stage.model(region) as StageRegion?)?.pixels
    case .commit: commit()
    case .setBufferTransform(let transform):
      guard transform.rawValue < 8 else {
        return stage.forbid(.invalidTransform, "the transform \(transform.rawValue)", on: resource)
      }
      coming.transform = transform
    case .setBufferScale(let scale):
      guard scale >= 1 else { return stage.forbid(.invalidScale, "a buffer scale of \(scale)", on: resource) }
      coming.scale = Int(scale)
    case .offset: break
    }
  }

  private func checkDestroy() {
    let object =
      window.flatMap { $0.resource.isAlive ? "xdg_surface@\($0.resource.id)" : nil }
      ?? layer.map { "zwlr_layer_surface_v1@\($0.id)" } ?? lock.map(\.wireName)
    if let object { stage?.forbid(.surfaceBeforeRole, "wl_surface@\(resource.id) before its \(object)", on: resource) }
  }

  /// Drops the content, the callbacks and the feedback; called when the wl_surface is destroyed in any way.
  func ended() {
    hide()
    callbacks.removeAll()
    feedback.removeAll()
    comingFeedback.removeAll()
  }

  /// Answers the frame callbacks and the feedback; `refresh` is the interval in nanoseconds.
  func finishFrame(refresh: UInt32, sequence: UInt64) {
    guard let stage else { return }
    let callbacks = self.callbacks
    self.callbacks.removeAll()
    excusedCallbacks = 0
    for callback in callbacks {
      callback.sendDone(callbackData: stage.clock.now.milliseconds)
      callback.destroy()
    }
    let shown = comingFeedback + (stage.showsOneRefreshLater ? [] : feedback)
    comingFeedback = stage.showsOneRefreshLater ? feedback : []
    feedback.removeAll()
    let time = stage.presentationTime?(stage.clock.now) ?? PresentationTime(stage.clock.now, refresh: refresh)
    for answer in shown {
      for output in outputs {
        for bound in output.resources where bound.hasClient(of: resource) { answer.sendSyncOutput(output: bound) }
      }
      answer.sendPresented(
        tvSecHi: UInt32(truncatingIfNeeded: time.seconds >> 32), tvSecLo: UInt32(truncatingIfNeeded: time.seconds),
        tvNsec: time.nanoseconds, refresh: time.refresh, seqHi: UInt32(truncatingIfNeeded: sequence >> 32),
        seqLo: UInt32(truncatingIfNeeded: sequence), flags: .vsync)
      answer.destroy()
    }
  }
}

/// The scales that a client was sent, with the steps that sent them: a client need not follow those that it has not read.
struct SentScales {
  private var sent: [(scale: Scale, epoch: Int)]

  init(_ scale: Scale) {
    sent = [(scale, -1)]
  }

  /// Records that `scale` is sent with the step `epoch`, if it changed.
  mutating func say(_ scale: Scale, epoch: Int) {
    if scale != sent.last?.scale { sent.append((scale, epoch)) }
  }

  /// The scale that was sent last.
  var last: Scale { sent.last?.scale ?? .one }

  /// The scales that a client may use if it has surely read everything up to the step `epoch`: the last scale by then and all
  /// later ones.
  func acceptable(havingRead epoch: Int) -> [Scale] {
    sent[(sent.lastIndex { $0.epoch <= epoch } ?? 0)...].map(\.scale)
  }
}
