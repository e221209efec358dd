internal import WaylandServer

extension StageSurface {
  /// Applies what the client requested since the last commit, or keeps it for the parent's next commit if the surface is a
  /// synchronized subsurface.
  func commit() {
    var update = SurfaceUpdate(pending: pending, lasting: coming)
    pending = PendingState()
    if var waiting = cached {
      waiting.add(update)
      update = waiting
    }
    cached = update
    if subsurface?.isSynchronized != true { applyCached() }
  }

  /// Applies the commits that were kept, if there are any, and those that descendants kept for this one.
  func applyCached() {
    guard let update = cached else { return }
    cached = nil
    apply(update)
    for child in subsurfaces { child.surface.applyCached() }
  }

  /// Applies the kept commits of this surface and of those descendants that no longer wait for a parent.
  func applyUnsynchronized() {
    guard subsurface?.isSynchronized != true else { return }
    applyCached()
    for child in subsurfaces { child.surface.applyUnsynchronized() }
  }

  private func apply(_ update: SurfaceUpdate) {
    guard let stage else { return }
    let pending = update.pending
    let wasShown = isShown
    state = update.lasting
    var record = CommitRecord(time: stage.clock.now, earliest: stage.lastRead)
    record.acknowledged = window?.takeAcknowledged()
    window?.toplevel?.committed()
    layer?.willCommit()
    record.asksForFrame = !pending.callbacks.isEmpty
    record.asksForFeedback = !pending.feedback.isEmpty
    switch pending.attachment {
    case .buffer(let new): take(new, pending, &record)
    case .nothing:
      record.unmaps = true
      hide()
    case nil:
      if !pending.bufferDamage.isEmpty || !pending.surfaceDamage.isEmpty {
        stage.report(.damageWithoutBuffer, "wl_surface@\(resource.id)")
      }
      // A viewport or a scale may give the same buffer another size.
      if let buffer { logicalSize = state.logicalSize(of: buffer.size) }
    }
    checkViewport()
    if record.hasContent || record.unmaps { feedback.forEach { stage.discard($0) } }
    feedback = record.hasContent || record.unmaps ? pending.feedback : feedback + pending.feedback
    callbacks += pending.callbacks
    if record.asksForFrame { lastFrameRequest = record.earliest }
    if stage.readEpoch(of: resource) < starvingEpoch { excusedCallbacks = callbacks.count }
    commits.append(record)
    window?.committed(record)
    layer?.committed(record)
    stage.desktop?.applied(self, wasShown: wasShown)
    stage.onCommit?(self, record)
    if record.hasContent, let buffer, stage.releasePolicy == .immediately { stage.release(buffer) }
  }

  /// Checks and shows a buffer, unless it comes too early.
  private func take(_ new: StageBuffer, _ pending: PendingState, _ record: inout CommitRecord) {
    guard let stage else { return }
    if let window, window.hasRole, window.agreed == nil {
      stage.forbidEarlyBuffer(.bufferBeforeConfigure, of: self, on: window.resource)
      guard stage.acceptsEarlyBuffers else { return }
    }
    if let layer, layer.acknowledged == nil {
      stage.forbidEarlyBuffer(.layerBufferBeforeConfigure, of: self, on: layer.resource)
      guard stage.acceptsEarlyBuffers else { return }
    }
    stage.checkAgain(new)
    let pixels = stage.checks ? new.picture() : nil
    guard stage.checks ? pixels != nil : new.isWhole else {
      return stage.forbid(
        .poolShrunk, "wl_buffer@\(new.resource.id) lies beyond the end of its file", on: new.resource)
    }
    describe(new, pending, &record)
    if let pixels { check(new, pixels, record) }
    show(new, pixels, record)
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

  private func show(_ new: StageBuffer, _ pixels: BufferCopy?, _ record: CommitRecord) {
    guard let stage else { return }
    let old = buffer
    picture = pixels
    buffer = new
    logicalSize = record.logicalSize
    stage.hold(new, picture: picture)
    if let old, old !== new { stage.replaced(old) }
    if old == nil && stage.entersOutput && role.isWindow, let output = stage.outputs.first { enter(output) }
  }

  /// Shows nothing any more.
  func hide() {
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
}

/// The state that a commit applies.
struct SurfaceUpdate {
  var pending: PendingState
  var lasting: LastingState

  /// Adds what a later commit brings.
  mutating func add(_ later: SurfaceUpdate) {
    lasting = later.lasting
    pending.attachment = later.pending.attachment ?? pending.attachment
    pending.bufferDamage += later.pending.bufferDamage
    pending.surfaceDamage += later.pending.surfaceDamage
    pending.callbacks += later.pending.callbacks
    pending.feedback += later.pending.feedback
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
