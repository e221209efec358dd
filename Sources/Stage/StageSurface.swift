/// A wl_surface with its content, its scale and outputs, and the record of its commits.
package final class StageSurface {
  /// The use of the surface.
  package enum Role: Hashable, Sendable {
    case none, window, cursor
  }

  package let resource: WlSurfaceResource
  package internal(set) var role = Role.none
  /// The buffer shown, even if it is released already; nil while nothing is shown.
  package internal(set) var buffer: StageBuffer?
  /// A copy of the pixels shown; nil while nothing is shown, or if the stage checks nothing.
  package internal(set) var picture: Picture?
  /// The commits since the last `forgetCommits()`, oldest first.
  package internal(set) var commits: [CommitRecord] = []
  /// The outputs for which the surface received `enter`.
  package internal(set) var outputs: [StageOutput] = []
  /// The size in logical points; zero while nothing is shown.
  package internal(set) var logicalSize = Size.zero

  /// The client's xdg_activation requests for the surface: the token, and whether the surface showed a buffer then.
  package internal(set) var activations: [(token: String, isMapped: Bool)] = []
  /// True while the client has an idle inhibitor for the surface.
  package var inhibitsIdle: Bool { !idleInhibitors.isEmpty }

  var idleInhibitors: [ZwpIdleInhibitorV1Resource] = []
  unowned let stage: Stage
  weak var window: StageXDGSurface?
  var viewport: WpViewportResource?
  /// The object that sends the surface fractional scales; nil if the client did not create one.
  package internal(set) var fractionalScale: WpFractionalScaleV1Resource?
  var pending = PendingState()
  var coming = LastingState()
  var state = LastingState()
  /// The committed frame callbacks that are not answered, oldest first.
  var callbacks: [WlCallbackResource] = []
  /// How many of the oldest `callbacks` the client need not wait for, because it requested them before it could know of the last
  /// change of `isStarved`.
  var excusedCallbacks = 0
  /// The earliest time at which the client may have requested the newest frame callback; nil before the first.
  private var lastFrameRequest: MonotonicTime?
  /// True while the surface gets no frame callbacks.
  var isStarved = false
  /// The step in which `isStarved` last changed; -1 if it never did.
  var starvingEpoch = -1
  /// The presentation feedback requested for the newest content and not answered.
  var feedback: [WpPresentationFeedbackResource] = []
  private var sentFractional: SentScales
  private var sentWhole = SentScales(.one)

  init(resource: WlSurfaceResource, stage: Stage) {
    self.resource = resource
    self.stage = stage
    sentFractional = SentScales(stage.scale)
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// True while a committed frame callback is not answered.
  package var waitsForFrame: Bool { !callbacks.isEmpty }

  /// The commits that attached a buffer.
  package var contentCommits: [CommitRecord] { commits.filter(\.hasContent) }

  /// Clears `commits`, to count later ones.
  package func forgetCommits() { commits.removeAll() }

  /// True while a buffer is shown.
  package var isMapped: Bool { buffer != nil }
  /// The region that takes input, in logical points; nil for the whole surface.
  package var inputRegion: Region? { state.input }

  /// Sends `enter` for `output`; does nothing if the surface is on it already.
  package func enter(_ output: StageOutput) {
    guard !outputs.contains(where: { $0 === output }) else { return }
    outputs.append(output)
    for bound in output.resources where bound.client == resource.client { resource.sendEnter(output: bound) }
    sendWholeScale()
  }

  /// Sends `enter` for an output that the surface is on and that the client has bound only now.
  func bound(_ bound: WlOutputResource) {
    guard bound.client == resource.client else { return }
    resource.sendEnter(output: bound)
    sendWholeScale()
  }

  /// Sends `leave` for `output`; does nothing unless the surface is on it.
  package func leave(_ output: StageOutput) {
    guard let index = outputs.firstIndex(where: { $0 === output }) else { return }
    outputs.remove(at: index)
    for bound in output.resources where bound.client == resource.client { resource.sendLeave(output: bound) }
    sendWholeScale()
  }

  /// Sends the surface its scale: in 120ths if it has a fractional-scale object, and rounded up since version 6 of wl_surface.
  package func prefer(_ scale: Scale) {
    if let fractionalScale {
      sentFractional.say(scale, epoch: stage.epoch)
      fractionalScale.sendPreferredScale(scale: UInt32(scale.in120ths))
    }
    if resource.version >= 6 {
      sentWhole.say(Scale(Double(scale.ceiling)), epoch: stage.epoch)
      resource.sendPreferredBufferScale(factor: Int32(scale.ceiling))
    }
  }

  /// Records the scale that a client infers before version 6 of wl_surface: the largest of the surface's outputs that it bound.
  func sendWholeScale() {
    let known = outputs.filter { $0.resources.contains { $0.client == resource.client } }
    guard resource.version < 6, let largest = known.map(\.scale).max() else { return }
    sentWhole.say(Scale(Double(largest)), epoch: stage.epoch)
  }

  private func handle(_ request: WlSurfaceResource.Request) {
    switch request {
    case .destroy: checkDestroy()
    case .attach(let buffer, let x, let y):
      if (x != 0 || y != 0) && resource.version >= 5 {
        stage.forbid("wl_surface.attach with an offset", on: resource, .invalidOffset)
      }
      pending.attachment = (stage.model(buffer)).map { .buffer($0) } ?? .nothing
    case .damage(let x, let y, let width, let height):
      pending.surfaceDamage.append(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
    case .damageBuffer(let x, let y, let width, let height):
      pending.bufferDamage.append(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
    case .frame(let callback): pending.callbacks.append(callback)
    case .setOpaqueRegion(let region):
      coming.opaque = (stage.model(region) as StageRegion?)?.pixels ?? Region()
    case .setInputRegion(let region): coming.input = (stage.model(region) as StageRegion?)?.pixels
    case .commit: commit()
    case .setBufferTransform(let transform): coming.transform = transform
    case .setBufferScale(let scale):
      if scale < 1 {
        stage.forbid("a buffer scale of \(scale)", on: resource, .invalidScale)
      }
      coming.scale = max(1, Int(scale))
    case .offset: break
    }
  }

  private func checkDestroy() {
    if let window, window.resource.isAlive {
      stage.forbid(
        "wl_surface@\(resource.id) before its xdg_surface@\(window.resource.id)", as: .destroyOrder,
        on: window.resource,
        .defunctRoleObject)
    }
  }

  /// Drops the content, the callbacks and the feedback; called when the wl_surface is destroyed in any way.
  func ended() {
    hide()
    callbacks.removeAll()
    feedback.removeAll()
  }
}

extension StageSurface {
  /// Applies the pending state, checks and records the commit, and holds its buffer.
  func commit() {
    let pending = self.pending
    self.pending = PendingState()
    state = coming
    var record = CommitRecord(time: stage.clock.now, earliest: stage.lastRead)
    record.acknowledged = window?.takeAcknowledged()
    window?.toplevel?.committed()
    record.asksForFrame = !pending.callbacks.isEmpty
    record.asksForFeedback = !pending.feedback.isEmpty
    switch pending.attachment {
    case .buffer(let new):
      if let window, window.agreed == nil {
        stage.forbid(
          "wl_surface@\(resource.id) has a buffer before the first configure", as: .bufferBeforeConfigure,
          on: window.resource, .unconfiguredBuffer)
      } else {
        describe(new, pending, &record)
        let pixels = stage.checks ? new.picture() : nil
        if let pixels { check(new, pixels, record) }
        show(new, pixels, record)
      }
    case .nothing:
      record.unmaps = true
      hide()
    case nil:
      if !pending.bufferDamage.isEmpty || !pending.surfaceDamage.isEmpty {
        stage.report(.damageWithoutBuffer, "wl_surface@\(resource.id)")
      }
    }
    if record.hasContent || record.unmaps { feedback.forEach { stage.discard($0) } }
    feedback = record.hasContent || record.unmaps ? pending.feedback : feedback + pending.feedback
    callbacks += pending.callbacks
    if record.asksForFrame { lastFrameRequest = record.earliest }
    if stage.readEpoch(of: resource) < starvingEpoch { excusedCallbacks = callbacks.count }
    commits.append(record)
    window?.committed(record)
    stage.onCommit?(self, record)
    if record.hasContent, let buffer, stage.releasePolicy == .immediately { stage.release(buffer) }
  }

  private func describe(_ new: StageBuffer, _ pending: PendingState, _ record: inout CommitRecord) {
    let whole = PixelRect(new.size)
    record.hasContent = true
    record.bufferSize = new.size
    record.logicalSize = state.logicalSize(of: new.size)
    record.damage =
      pending.bufferDamage.map { $0.intersection(whole) }
      + pending.surfaceDamage.map { state.bufferRect($0, of: new.size) }
    record.damage.removeAll(where: \.isEmpty)
    var union = Region()
    for rect in record.damage { union.add(rect) }
    record.damagedPixels = union.area
  }

  private func show(_ new: StageBuffer, _ pixels: Picture?, _ record: CommitRecord) {
    let old = buffer
    picture = pixels
    buffer = new
    logicalSize = record.logicalSize
    stage.hold(new, picture: picture)
    if let old, old !== new { stage.replaced(old) }
    if old == nil && stage.entersOutput && role == .window, let output = stage.outputs.first { enter(output) }
  }

  private func hide() {
    if let buffer { stage.replaced(buffer) }
    buffer = nil
    picture = nil
    logicalSize = .zero
  }

  /// Answers the frame callbacks and the feedback; `refresh` is the interval in nanoseconds.
  func finishFrame(refresh: UInt32, sequence: UInt64) {
    let callbacks = self.callbacks
    self.callbacks.removeAll()
    excusedCallbacks = 0
    for callback in callbacks {
      callback.sendDone(callbackData: stage.clock.now.milliseconds)
      callback.destroy()
    }
    let feedback = self.feedback
    self.feedback.removeAll()
    let time = stage.presentationTime?(stage.clock.now) ?? PresentationTime(stage.clock.now, refresh: refresh)
    for answer in feedback {
      for output in outputs {
        for bound in output.resources where bound.client == resource.client { answer.sendSyncOutput(output: bound) }
      }
      answer.sendPresented(
        tvSecHi: UInt32(truncatingIfNeeded: time.seconds >> 32), tvSecLo: UInt32(truncatingIfNeeded: time.seconds),
        tvNsec: time.nanoseconds, refresh: time.refresh, seqHi: UInt32(truncatingIfNeeded: sequence >> 32),
        seqLo: UInt32(truncatingIfNeeded: sequence), flags: .vsync)
      answer.destroy()
    }
  }

  // MARK: Checks

  /// Checks the buffer `new`, which contains `pixels`, against the content that is still shown.
  private func check(_ new: StageBuffer, _ pixels: Picture, _ record: CommitRecord) {
    if !new.isAlive { stage.report(.protocolError, "wl_surface@\(resource.id) attached a buffer that has ended") }
    if hasFrameToWaitFor && record.acknowledged == nil {
      stage.report(
        .commitBeforeFrameCallback, "wl_surface@\(resource.id) commits again while its frame callback is pending")
    }
    checkDamage(pixels, record)
    checkOpaqueRegion(pixels, record)
    checkBufferSize(new, record)
    window?.checkSize(record)
  }

  /// Whether the client must still wait for a frame callback: one is pending that is not excused, the surface is not starved, and
  /// the newest request is less than a second old.
  private var hasFrameToWaitFor: Bool {
    guard callbacks.count > excusedCallbacks, !isStarved, let lastFrameRequest else { return false }
    return stage.clock.now - lastFrameRequest < .seconds(1)
  }

  private func checkDamage(_ now: Picture, _ record: CommitRecord) {
    guard let old = picture, old.size == now.size, old.hasAlpha == now.hasAlpha else {
      if record.damagedPixels < now.size.area {
        stage.report(
          .damageLies,
          "wl_surface@\(resource.id): \(record.damagedPixels) of \(now.size.area) pixels damaged in the first picture of this size"
        )
      }
      return
    }
    if let place = now.firstDifference(from: old, outside: record.damage) {
      stage.report(
        .damageLies, "wl_surface@\(resource.id): the pixel (\(place.x), \(place.y)) changed outside the damage")
    }
  }

  private func checkOpaqueRegion(_ new: Picture, _ record: CommitRecord) {
    guard new.hasAlpha, !state.opaque.isEmpty, state.transform == .normal, state.source == nil else { return }
    let x = Double(new.size.width) / record.logicalSize.width
    let y = Double(new.size.height) / record.logicalSize.height
    let bounds = PixelRect(
      x: 0, y: 0, width: Int(record.logicalSize.width.rounded(.up)), height: Int(record.logicalSize.height.rounded(.up))
    )
    for rect in state.opaque.rects.map({ $0.intersection(bounds) }) {
      let inner = PixelRect(
        left: Int((Double(rect.x) * x).rounded(.up)), top: Int((Double(rect.y) * y).rounded(.up)),
        right: Int((Double(rect.maxX) * x).rounded(.down)), bottom: Int((Double(rect.maxY) * y).rounded(.down)))
      for part in record.damage {
        guard let place = new.firstTransparent(in: part.intersection(inner)) else { continue }
        stage.report(
          .opaqueRegionLies, "wl_surface@\(resource.id): the pixel (\(place.x), \(place.y)) is not opaque")
        return
      }
    }
  }

  private func checkBufferSize(_ new: StageBuffer, _ record: CommitRecord) {
    if new.size.width % state.scale != 0 || new.size.height % state.scale != 0 {
      stage.forbid(
        "a \(new.size.width) x \(new.size.height) buffer at buffer scale \(state.scale)", as: .wrongBufferSize,
        on: resource, .invalidSize)
      return
    }
    guard role == .window else { return }
    let sent = fractionalScale != nil && state.destination != nil ? sentFractional : sentWhole
    let scales = sent.acceptable(havingRead: stage.readEpoch(of: resource))
    let allowed = scales.map { $0.pixelSize(record.logicalSize) }
    if !allowed.contains(new.size) {
      let wanted = allowed.map { "\($0.width) x \($0.height)" }.joined(separator: " or ")
      stage.report(
        .wrongBufferSize,
        "wl_surface@\(resource.id): \(new.size.width) x \(new.size.height) pixels for \(record.logicalSize.width) x \(record.logicalSize.height) points, not \(wanted)"
      )
    }
  }
}

/// A commit, as the stage read it.
nonisolated package struct CommitRecord: Sendable {
  /// The time at which the stage read it.
  package var time: MonotonicTime
  /// The earliest time at which the client may have made it: that of the read before, which left nothing unread.
  package var earliest: MonotonicTime
  /// True if the commit attached a buffer. Not set for a buffer before the first configure, which is a violation.
  package var hasContent = false
  /// True if the commit removes the content (a null buffer).
  package var unmaps = false
  /// The attached buffer's size; zero without content.
  package var bufferSize = PixelSize.zero
  /// The surface's size in logical points after the commit; zero without content.
  package var logicalSize = Size.zero
  /// The damage in buffer pixels, clipped to the buffer; rectangles may overlap. Empty without content.
  package var damage: [PixelRect] = []
  /// The number of pixels that the damage covers. It is too high if `Region.add` had to join rectangles.
  package var damagedPixels = 0
  /// True if the commit requests a frame callback.
  package var asksForFrame = false
  /// True if the commit requests presentation feedback.
  package var asksForFeedback = false
  /// The serial of the configure acknowledged since the previous commit; nil if no configure was acknowledged.
  package var acknowledged: UInt32?

  /// The damaged fraction of the buffer, from 0 to 1.
  package var damagedFraction: Double { bufferSize.isEmpty ? 0 : Double(damagedPixels) / Double(bufferSize.area) }

  /// True if the commit attached no buffer (nor null), acknowledged nothing, and requested neither callback nor feedback. Changed
  /// regions, scale or geometry are not considered.
  package var isEmpty: Bool {
    !hasContent && !unmaps && damage.isEmpty && !asksForFrame && !asksForFeedback && acknowledged == nil
  }
}

/// The state that applies to the next commit only.
struct PendingState {
  /// The argument of wl_surface.attach.
  enum Attachment {
    case buffer(StageBuffer)
    case nothing
  }

  var attachment: Attachment?
  var bufferDamage: [PixelRect] = []
  var surfaceDamage: [PixelRect] = []
  var callbacks: [WlCallbackResource] = []
  var feedback: [WpPresentationFeedbackResource] = []
}

/// The state that persists from commit to commit. Requests change the copy in `coming`.
struct LastingState {
  var scale = 1
  var transform = WlOutputResource.Transform.normal
  /// The viewport's destination in logical points; nil if it is not set.
  var destination: PixelSize?
  /// The viewport's source, in logical points of the buffer after its transform and scale; nil if it is not set.
  var source: Rect?
  var opaque = Region()
  var input: Region?
  var geometry: PixelRect?

  /// The surface's size in logical points with a buffer of `size` pixels.
  func logicalSize(of size: PixelSize) -> Size {
    if let destination { return Size(width: Double(destination.width), height: Double(destination.height)) }
    if let source { return source.size }
    let isTurned = transform.rawValue & 1 == 1
    return Size(
      width: Double(isTurned ? size.height : size.width) / Double(scale),
      height: Double(isTurned ? size.width : size.height) / Double(scale))
  }

  /// The pixels that a rectangle in surface coordinates touches, in a buffer of `size`. For rotated or cropped surfaces, simply
  /// the whole buffer: no client of this project damages those in surface coordinates.
  func bufferRect(_ rect: PixelRect, of size: PixelSize) -> PixelRect {
    guard transform == .normal, source == nil else { return PixelRect(size) }
    let logical = logicalSize(of: size)
    let x = Double(size.width) / max(logical.width, 1)
    let y = Double(size.height) / max(logical.height, 1)
    return PixelRect(
      left: Int(clamping: (Double(rect.x) * x).rounded(.down)), top: Int(clamping: (Double(rect.y) * y).rounded(.down)),
      right: Int(clamping: (Double(rect.maxX) * x).rounded(.up)),
      bottom: Int(clamping: (Double(rect.maxY) * y).rounded(.up))
    ).intersection(PixelRect(size))
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

  /// The scales that a client may use if it has surely read everything up to the step `epoch`: the last scale by then and all
  /// later ones.
  func acceptable(havingRead epoch: Int) -> [Scale] {
    sent[(sent.lastIndex { $0.epoch <= epoch } ?? 0)...].map(\.scale)
  }
}

/// A wl_region, in logical points.
final class StageRegion {
  private(set) var pixels = Region()

  init(resource: WlRegionResource) {
    resource.onRequest = { [unowned self] in
      switch $0 {
      case .destroy: break
      case .add(let x, let y, let width, let height):
        pixels.add(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
      case .subtract(let x, let y, let width, let height):
        pixels.subtract(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
      }
    }
  }
}

extension Stage {
  /// Handles a request to a viewporter.
  func handle(_ request: WpViewporterResource.Request, of viewporter: WpViewporterResource) {
    guard case .getViewport(let viewport, let target) = request, let surface: StageSurface = model(target) else {
      return
    }
    if let old = surface.viewport, old.isAlive {
      forbid("a second viewport of wl_surface@\(surface.resource.id)", on: viewporter, .viewportExists)
    }
    surface.viewport = viewport
    viewport.onRequest = { [unowned self, weak surface, unowned viewport] in
      handle($0, of: viewport, on: surface)
    }
    viewport.whenDestroyed { [weak surface, weak viewport] in
      guard let surface, surface.viewport === viewport else { return }
      surface.viewport = nil
      surface.coming.destination = nil
      surface.coming.source = nil
    }
  }

  private func handle(
    _ request: WpViewportResource.Request, of viewport: WpViewportResource, on surface: StageSurface?
  ) {
    if case .destroy = request { return }
    guard let surface, surface.resource.isAlive else {
      forbid("wp_viewport@\(viewport.id) used after its surface", as: .destroyOrder, on: viewport, .noSurface)
      return
    }
    switch request {
    case .destroy: break
    case .setSource(let x, let y, let width, let height):
      surface.coming.source = width < 0 ? nil : Rect(x: x, y: y, width: width, height: height)
    case .setDestination(let width, let height):
      if width == -1 && height == -1 {
        surface.coming.destination = nil
      } else if width < 1 || height < 1 {
        forbid("a viewport of \(width) x \(height)", on: viewport, .badValue)
      } else {
        surface.coming.destination = PixelSize(width: Int(width), height: Int(height))
      }
    }
  }
}
