internal import WaylandServer

/// The rules for what a surface shows.
extension StageSurface {
  /// Checks the buffer `new`, which contains `pixels`, against the content of the commit before it.
  func check(_ new: StageBuffer, _ pixels: BufferCopy, _ update: SurfaceUpdate, _ record: CommitRecord) {
    if !new.isAlive { stage?.report(.destroyedBufferAttached, "wl_surface@\(resource.id)") }
    // A commit that waits for a refresh or its time paces itself.
    let isPaced = update.pending.waitsForBarrier || update.pending.due != nil
    if hasFrameToWaitFor && record.acknowledged == nil && !isPaced {
      stage?.report(.commitBeforeFrameCallback, "wl_surface@\(resource.id)")
    }
    checkDamage(of: new, pixels, update.lasting, record)
    checkOpaqueRegion(pixels, update.lasting, record)
    checkBufferSize(new, update.lasting, record)
    checkLayout(new)
    window?.checkSize(record, update.lasting.geometry)
  }

  /// Whether the client must still wait for a frame callback: one is pending that is not excused, the surface is not starved, and
  /// the newest request is less than a second old.
  private var hasFrameToWaitFor: Bool {
    let waits = callbacks.count > excusedCallbacks || queue.contains { $0.record.asksForFrame && !$0.isExcused }
    guard waits, !isStarved, let lastFrameRequest, let stage else { return false }
    return stage.clock.now - lastFrameRequest < .seconds(1)
  }

  private func checkDamage(of new: StageBuffer, _ now: BufferCopy, _ state: LastingState, _ record: CommitRecord) {
    guard !new.wasWritten, let stage else { return }
    // What a viewport leaves out is not shown.
    let part = state.sourceRect(in: now.size)
    guard let old = newest?.picture else {
      var damaged = Region()
      for rect in record.damage { damaged.add(rect.intersection(part)) }
      if damaged.area < part.area {
        stage.report(
          .damageLies,
          "wl_surface@\(resource.id): \(damaged.area) of \(part.area) pixels damaged in the first picture"
        )
      }
      return
    }
    guard let place = now.firstDifference(from: old, in: part, outside: record.damage) else { return }
    let message = "wl_surface@\(resource.id): the pixel (\(place.x), \(place.y)) changed outside the damage"
    new.undamaged = UndamagedPixel(x: place.x, y: place.y, violation: stage.violation(.damageLies, message))
  }

  private func checkOpaqueRegion(_ new: BufferCopy, _ state: LastingState, _ record: CommitRecord) {
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
        stage?.report(
          .opaqueRegionLies, "wl_surface@\(resource.id): the pixel (\(place.x), \(place.y)) is not opaque")
        return
      }
    }
  }

  /// Images of cursors are small, and compositors keep them elsewhere.
  private func checkLayout(_ new: StageBuffer) {
    guard role.isWindow, !new.isLayoutJudged, !new.isSinglePixel else { return }
    new.isLayoutJudged = true
    guard !new.isImportable else { return }
    stage?.report(
      .bufferNotImportable,
      "wl_buffer@\(new.resource.id): in a pool of \(new.poolSize) bytes")
  }

  private func checkBufferSize(_ new: StageBuffer, _ state: LastingState, _ record: CommitRecord) {
    if new.size.width % state.scale != 0 || new.size.height % state.scale != 0 {
      stage?.forbid(
        .bufferNotDivisible, "a \(new.size.width) x \(new.size.height) buffer at buffer scale \(state.scale)",
        on: resource)
      return
    }
    // A single pixel is there to be stretched.
    guard role.isWindow, !new.isSinglePixel, let stage else { return }
    let sent = fractionalScale != nil && state.destination != nil ? sentFractional : sentWhole
    let scales = sent.acceptable(havingRead: stage.readEpoch(of: resource))
    let allowed = scales.map { $0.pixelSize(record.logicalSize) }
    // Of a buffer for several things a viewport shows a part.
    let part = state.sourceRect(in: new.size)
    let shown = PixelSize(width: part.width, height: part.height)
    if !allowed.contains(shown) {
      let wanted = allowed.map { "\($0.width) x \($0.height)" }.joined(separator: " or ")
      stage.report(
        .wrongBufferSize,
        "wl_surface@\(resource.id): \(shown.width) x \(shown.height) pixels for \(record.logicalSize.width) x \(record.logicalSize.height) points, not \(wanted)"
      )
    }
  }

  /// Checks the viewport's source in `state` against the destination and the buffer.
  func checkViewport(_ state: LastingState, _ buffer: StageBuffer?) {
    guard let viewport, let source = state.source else { return }
    if state.destination == nil, source.width != source.width.rounded() || source.height != source.height.rounded() {
      stage?.forbid(.viewportBadSize, "a source of \(source.width) x \(source.height)", on: viewport)
    }
    guard let buffer else { return }
    var whole = state
    (whole.source, whole.destination) = (nil, nil)
    let size = whole.logicalSize(of: buffer.size)
    if source.maxX > size.width || source.maxY > size.height {
      stage?.forbid(.viewportOutOfBuffer, "\(source) in a buffer of \(size.width) x \(size.height)", on: viewport)
    }
  }
}
