internal import WaylandServer

extension StageSurface {
  /// Takes what the client requested since the last commit, and applies it once it is ready; or keeps it for the parent's next commit, if
  /// the surface is a synchronized subsurface.
  func commit() {
    var update = SurfaceUpdate(pending: pending, lasting: coming)
    pending = PendingState()
    if var waiting = cached {
      waiting.add(update)
      update = waiting
    }
    cached = update
    if subsurface?.isSynchronized != true { submitCached() }
  }

  /// Submits the commits that were kept, if there are any, with those that descendants kept for this one.
  func submitCached() {
    guard let update = takeCached() else { return }
    queue.append(update)
    applyReady()
  }

  /// Submits the kept commits of this surface and of those descendants that no longer wait for a parent.
  func submitUnsynchronized() {
    guard subsurface?.isSynchronized != true else { return }
    submitCached()
    for child in subsurfaces { child.surface.submitUnsynchronized() }
  }

  /// Takes the kept commits with those of the descendants, and judges them: they are the client's work of now, whenever they apply.
  private func takeCached() -> SurfaceUpdate? {
    guard var update = cached else { return nil }
    cached = nil
    judge(&update)
    for child in update.lasting.stack.compactMap(\.subsurface?.surface) {
      guard let part = child.takeCached() else { continue }
      // What waits from before the child was synchronized goes first.
      update.parts += (child.queue + [part]).map { (child, $0) }
      child.heldParts += child.queue.count + 1
      child.queue = []
    }
    return update
  }

  // MARK: Waiting

  /// Applies the commits that wait, in their order, as far as they are ready.
  func applyReady() {
    while let next = queue.first, isReady(next) {
      queue.removeFirst()
      applyWhole(next)
    }
  }

  private func isReady(_ update: SurfaceUpdate) -> Bool {
    guard let stage, heldParts == 0 else { return false }
    if update.pending.waitsForBarrier, hasBarrier, subsurface?.isSynchronized != true { return false }
    return update.due.map { $0 <= stage.clock.now } ?? true
  }

  /// Applies a commit, then those of the descendants that came with it.
  private func applyWhole(_ update: SurfaceUpdate) {
    apply(update)
    for (child, part) in update.parts {
      child.heldParts -= 1
      if child.subsurface?.parent === self { child.applyWhole(part) } else { child.drop(part) }
      child.applyReady()
    }
  }

  /// Drops the commits that wait, as the surface has lost its role.
  private func dropQueue() {
    let dropped = queue
    queue = []
    dropped.forEach(drop)
  }

  private func drop(_ update: SurfaceUpdate) {
    update.pending.feedback.forEach { stage?.discard($0) }
    if case .buffer(let buffer) = update.pending.attachment {
      buffer.waitingCommits -= 1
      stage?.release(buffer)
    }
    for (child, part) in update.parts {
      child.heldParts -= 1
      child.drop(part)
      child.applyReady()
    }
  }

  // MARK: Judging

  /// Judges a commit against those before it, applied or not, and takes its pixels: from now on they are the compositor's.
  private func judge(_ update: inout SurfaceUpdate) {
    guard let stage else { return }
    var record = CommitRecord(time: stage.clock.now, earliest: stage.lastRead)
    record.acknowledged = window?.takeAcknowledged()
    record.target = update.pending.due
    window?.toplevel?.committed()
    layer?.willCommit()
    record.asksForFrame = !update.pending.callbacks.isEmpty
    record.asksForFeedback = !update.pending.feedback.isEmpty
    switch update.pending.attachment {
    case .buffer(let new):
      if !accept(new, &update, &record) { update.pending.attachment = nil }
    case .nothing:
      record.unmaps = true
      newest = nil
      // The handshake starts again with the client's next request.
      window?.committed(record)
    case nil:
      if !update.pending.bufferDamage.isEmpty || !update.pending.surfaceDamage.isEmpty {
        stage.report(.damageWithoutBuffer, "wl_surface@\(resource.id)")
      }
    }
    checkViewport(update.lasting, newest?.buffer)
    lock?.judge(record, newest.map { update.lasting.logicalSize(of: $0.buffer.size) })
    if record.asksForFrame { lastFrameRequest = record.earliest }
    update.isExcused = stage.readEpoch(of: resource) < starvingEpoch
    update.record = record
  }

  /// Checks a buffer and takes its pixels; returns false if it comes too early, or is not whole.
  private func accept(_ new: StageBuffer, _ update: inout SurfaceUpdate, _ record: inout CommitRecord) -> Bool {
    guard let stage else { return false }
    if let window, window.hasRole, window.agreed == nil {
      stage.forbidEarlyBuffer(.bufferBeforeConfigure, of: self, on: window.resource)
      guard stage.acceptsEarlyBuffers else { return false }
    }
    if let layer, layer.acknowledged == nil {
      stage.forbidEarlyBuffer(.layerBufferBeforeConfigure, of: self, on: layer.resource)
      guard stage.acceptsEarlyBuffers else { return false }
    }
    stage.checkAgain(new)
    let pixels = stage.checks ? new.picture() : nil
    guard stage.checks ? pixels != nil : new.isWhole else {
      stage.forbid(.poolShrunk, "wl_buffer@\(new.resource.id) lies beyond the end of its file", on: new.resource)
      return false
    }
    describe(new, update, &record)
    if let pixels { check(new, pixels, update, record) }
    update.picture = pixels
    newest = (new, pixels)
    new.waitingCommits += 1
    stage.hold(new, picture: pixels)
    return true
  }

  private func describe(_ new: StageBuffer, _ update: SurfaceUpdate, _ record: inout CommitRecord) {
    let whole = PixelRect(new.size)
    record.hasContent = true
    record.bufferSize = new.size
    record.logicalSize = update.lasting.logicalSize(of: new.size)
    record.damage =
      update.pending.bufferDamage.map { $0.intersection(whole) }
      + update.pending.surfaceDamage.map { update.lasting.bufferRect($0, of: new.size) }
    record.damage.removeAll(where: \.isEmpty)
    var union = Region()
    for rect in record.damage { union.add(rect) }
    record.damagedPixels = union.area
  }

  // MARK: Applying

  private func apply(_ update: SurfaceUpdate) {
    guard let stage else { return }
    let pending = update.pending
    let wasShown = isShown
    var record = update.record
    record.applied = stage.clock.now
    state = update.lasting
    switch pending.attachment {
    case .buffer(let new): show(new, update.picture, record)
    case .nothing: showNothing()
    // A viewport or a scale may give the same buffer another size.
    case nil: if let buffer { logicalSize = state.logicalSize(of: buffer.size) }
    }
    if pending.setsBarrier { hasBarrier = true }
    if record.hasContent || record.unmaps { feedback.forEach { stage.discard($0) } }
    feedback = record.hasContent || record.unmaps ? pending.feedback : feedback + pending.feedback
    callbacks += pending.callbacks
    if update.isExcused { excusedCallbacks = callbacks.count }
    commits.append(record)
    if !record.unmaps { window?.committed(record) }
    if let toplevel = window?.toplevel { stage.appSessions.forEach { $0.follow(toplevel) } }
    layer?.committed(record)
    stage.desktop?.applied(self, wasShown: wasShown)
    stage.onCommit?(self, record)
    if record.hasContent, let buffer, stage.releasePolicy == .immediately { stage.release(buffer) }
  }

  private func show(_ new: StageBuffer, _ pixels: BufferCopy?, _ record: CommitRecord) {
    guard let stage else { return }
    let old = buffer
    picture = pixels
    buffer = new
    logicalSize = record.logicalSize
    new.waitingCommits -= 1
    if let old, old !== new { stage.replaced(old) }
    if old == nil && stage.entersOutput && role.isWindow, let output = stage.outputs.first { enter(output) }
  }

  /// Shows nothing any more, and drops what waits to be shown.
  func hide() {
    dropQueue()
    newest = nil
    showNothing()
  }

  private func showNothing() {
    if let buffer { stage?.replaced(buffer) }
    buffer = nil
    picture = nil
    logicalSize = .zero
  }
}

/// A commit, as the stage read it.
nonisolated public struct CommitRecord: Sendable {
  /// The time at which the stage read it.
  public var time: MonotonicTime
  /// The time at which it applied: later than `time` if it waited for a refresh (wp_fifo_v1), its own time (wp_commit_timer_v1) or a commit
  /// before it.
  public var applied = MonotonicTime.zero
  /// The time before which it is not to be shown; nil if the client gave none.
  public var target: MonotonicTime?
  /// The earliest time at which the client may have made it: that of the read before, which left nothing unread.
  public var earliest: MonotonicTime
  /// True if the commit attached a buffer. Not set for a buffer before the first configure, which is a violation.
  public var hasContent = false
  /// True if the commit removes the content (a null buffer).
  public var unmaps = false
  /// The attached buffer's size; zero without content.
  public var bufferSize = PixelSize.zero
  /// The surface's size in logical points after the commit; zero without content.
  public var logicalSize = Size.zero
  /// The damage in buffer pixels, clipped to the buffer; rectangles may overlap. Empty without content.
  public var damage: [PixelRect] = []
  /// The number of pixels that the damage covers. It is too high if `Region.add` had to join rectangles.
  public var damagedPixels = 0
  /// True if the commit requests a frame callback.
  public var asksForFrame = false
  /// True if the commit requests presentation feedback.
  public var asksForFeedback = false
  /// The serial of the configure acknowledged since the previous commit; nil if no configure was acknowledged.
  public var acknowledged: UInt32?

  /// The damaged fraction of the buffer, from 0 to 1.
  public var damagedFraction: Double { bufferSize.isEmpty ? 0 : Double(damagedPixels) / Double(bufferSize.area) }

  /// True if the commit attached no buffer (nor null), acknowledged nothing, and requested neither callback nor feedback. Changed
  /// regions, scale or geometry are not considered.
  public var isEmpty: Bool {
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
  /// Whether the next commit that waits does so until a refresh after this one.
  var setsBarrier = false
  /// Whether it waits while a commit before it has set a barrier.
  var waitsForBarrier = false
  /// The time before which it is not to be shown; nil for none.
  var due: MonotonicTime?
}

/// The state that a commit applies.
struct SurfaceUpdate {
  var pending: PendingState
  var lasting: LastingState
  /// What the judge noted; the pixels of a new buffer, unless the stage checks nothing.
  var record = CommitRecord(time: .zero, earliest: .zero)
  var picture: BufferCopy?
  /// Whether the client may draw on without waiting for the frame callbacks up to this one.
  var isExcused = false
  /// The kept commits of synchronized descendants that apply with it, in their order.
  var parts: [(surface: StageSurface, update: SurfaceUpdate)] = []

  /// The time before which neither it nor its parts may be shown; nil for none.
  var due: MonotonicTime? { parts.reduce(pending.due) { [$0, $1.update.due].compactMap(\.self).max() } }

  /// Adds what a later commit brings.
  mutating func add(_ later: SurfaceUpdate) {
    lasting = later.lasting
    pending.attachment = later.pending.attachment ?? pending.attachment
    pending.bufferDamage += later.pending.bufferDamage
    pending.surfaceDamage += later.pending.surfaceDamage
    pending.callbacks += later.pending.callbacks
    pending.feedback += later.pending.feedback
    pending.setsBarrier = pending.setsBarrier || later.pending.setsBarrier
    pending.waitsForBarrier = pending.waitsForBarrier || later.pending.waitsForBarrier
    pending.due = [pending.due, later.pending.due].compactMap(\.self).max()
  }
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
  /// The factor for the alpha of every pixel; UInt32.max is 1.
  var multiplier = UInt32.max
  var contentType = WpContentTypeV1Resource.TypeCode.none
  var presentationHint = WpTearingControlV1Resource.PresentationHint.vsync
  /// The surface itself (nil) and its subsurfaces, lowest first, each with its place in this surface's logical points.
  var stack: [(subsurface: StageSubsurface?, place: Point)] = [(nil, .zero)]

  /// The surface's size in logical points with a buffer of `size` pixels.
  func logicalSize(of size: PixelSize) -> Size {
    if let destination { return Size(width: Double(destination.width), height: Double(destination.height)) }
    if let source { return source.size }
    let isTurned = transform.rawValue & 1 == 1
    return Size(
      width: Double(isTurned ? size.height : size.width) / Double(scale),
      height: Double(isTurned ? size.width : size.height) / Double(scale))
  }

  /// The pixels of a buffer of `size` that a viewport's source shows; all without one, and, simply, of a turned buffer.
  func sourceRect(in size: PixelSize) -> PixelRect {
    guard let source, transform == .normal else { return PixelRect(size) }
    let scale = Double(scale)
    return PixelRect(
      left: Int(clamping: (source.minX * scale).rounded(.down)),
      top: Int(clamping: (source.minY * scale).rounded(.down)),
      right: Int(clamping: (source.maxX * scale).rounded(.up)),
      bottom: Int(clamping: (source.maxY * scale).rounded(.up))
    ).intersection(PixelRect(size))
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
