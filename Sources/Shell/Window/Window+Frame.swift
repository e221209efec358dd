// The life of a frame: from "something is dirty" to the commit.

import Interface
import Wayland

extension Window {
  /// How long after a buffer that could not be had the next one of the same size is asked for.
  static let refusalInterval: Duration = .milliseconds(250)

  /// Draws what is due. Called when every message that had arrived has been handled.
  func drawIfDue() {
    guard isOpen, configure.isConfigured else { return }
    let time = application.now
    guard visibility.isVisible else {
      if runsUnseen { runUnseen() }
      // Nobody sees the window: only what the compositor waits for is committed, and drawn only where the size says so.
      guard configure.pendingSerial != nil else { return }
      if configure.size != size || laidOutFrame != frameExtent {
        resizeContent()
        draw(now: time)
      } else {
        acknowledgeOnly()
      }
      return
    }
    if needsResize { resizeContent() }
    // A configure is honoured at once, callback or not: the compositor may be waiting for it (behaviours 16 and 17).
    if configure.pendingSerial != nil, mustDrawWhole { return draw(now: time) }
    switch clock.decide(now: time, needsFrame: shown.needsFrame || mustDrawWhole) {
    case .draw:
      draw(now: time)
    case .wait(let until):
      scheduleWake(at: until)
      if configure.pendingSerial != nil { acknowledgeOnly() }
    case .nothing:
      if configure.pendingSerial != nil { acknowledgeOnly() }
    }
  }

  private func resizeContent() {
    size = configure.size
    if scale != surfaceScale.value {
      scale = surfaceScale.value
      application.rescaleCursors(over: self)
    }
    mustDrawWhole = true
    laidOutFrame = frameExtent
    shown.resize(to: surfaceSize, scale: scale)
    Log.write(.window, .info, "\(Int(size.width)) x \(Int(size.height)) at scale \(scale.factor)")
  }

  /// Acknowledges a configure that changes nothing to draw; every acknowledgement is followed by a commit.
  private func acknowledgeOnly() {
    guard let serial = configure.takeSerial() else { return }
    parts.xdgSurface.ackConfigure(serial: serial)
    parts.surface.commit()
  }

  private func draw(now start: MonotonicTime) {
    // What could not be had a moment ago is not asked for again at each event.
    if let refused, refused.size == scale.pixelSize(surfaceSize), start < refused.until { return }
    refused = nil
    application.loop.cancel(holdTimer)
    holdTimer = nil
    let presentation = presentationClock.nextRefresh(after: start) ?? clock.predictedPresentation(now: start)
    shown.prepareFrame(for: presentation)
    let pixels = scale.pixelSize(surfaceSize)
    let isOpaque = shown.isOpaque
    if swapchain.needsWholeFrame(size: pixels, isOpaque: isOpaque) { mustDrawWhole = true }
    do {
      // The content's damage is only taken when there is a buffer to draw it into.
      guard let buffer = try swapchain.reserve(size: pixels, isOpaque: isOpaque) else { return }
      var damage = shown.takeDamage()
      damage.clip(to: PixelRect(pixels))
      if mustDrawWhole { damage = Region(PixelRect(pixels)) }
      if !damage.isEmpty {
        swapchain.repair(buffer, except: damage)
        shown.draw(damage, into: buffer.pixels)
        sendState()
        swapchain.present(buffer, damage: damage, on: parts.surface)
        for rect in damage.rects {
          parts.surface.damageBuffer(
            x: Int32(rect.x), y: Int32(rect.y), width: Int32(rect.width), height: Int32(rect.height))
        }
        mustDrawWhole = false
      }
      // An animation that changed no pixel still needs the next refresh's callback.
      guard !damage.isEmpty || shown.isAnimating || configure.pendingSerial != nil else { return }
      commit(isPainted: !damage.isEmpty)
      let painting = application.now - start
      if visibility.isVisible {
        clock.noteCommit(now: application.now, painting: painting)
        watchPatience()
      }
      guard !damage.isEmpty else { return }
      activateOnce()
      frameNumber += 1
      Log.write(.frame, .debug, "frame \(frameNumber): \(damage.area) pixels, \(painting.inNanoseconds / 1000) us")
      guard onFrame != nil else { return }
      let report = FrameReport(
        number: frameNumber, size: pixels, damagedPixels: damage.area, painting: painting, presentation: presentation)
      application.outbox.post(.frame(report), to: self)
    } catch {
      // Without memory for a buffer the old picture stays.
      Log.write(.buffer, .error, "\(error)")
      refused = (pixels, start + Window.refusalInterval)
      scheduleWake(at: start + Window.refusalInterval)
    }
  }

  /// Sends what a frame of this size and scale needs besides its buffer, in the same commit (behaviour 16).
  private func sendState() {
    if let viewport = parts.viewport {
      if sentDestination != surfaceSize {
        viewport.setDestination(width: Int32(surfaceSize.width), height: Int32(surfaceSize.height))
        sentDestination = surfaceSize
      }
    } else {
      let whole = Int32(scale.ceiling)
      if sentScale != whole {
        parts.surface.setBufferScale(scale: whole)
        sentScale = whole
      }
    }
    let opaque = opaqueArea
    if sentOpaque != opaque {
      parts.setOpaque(opaque)
      sentOpaque = opaque
    }
    sendGeometry()
  }

  private func commit(isPainted: Bool) {
    if let serial = configure.takeSerial() { parts.xdgSurface.ackConfigure(serial: serial) }
    // A hidden window's commit has no refresh to wait for; what tells that it is seen again was asked for before.
    if visibility.isVisible {
      frameCallback?.discard()
      let callback = parts.surface.frame(inPlaceOf: &frameCallback)
      if callback !== frameCallback {
        callback.onEvent = { [unowned self] _ in frameDone() }
        frameCallback = callback
      }
      if isPainted { askForFeedback() }
    }
    parts.surface.commit()
  }

  private func frameDone() {
    clock.noteCallback(now: application.now)
    if !shown.needsFrame {
      application.loop.cancel(patienceTimer)
      patienceTimer = nil
    }
    noteSeen(visibility.noteSignOfLife())
  }

  private func scheduleWake(at time: MonotonicTime) {
    application.loop.cancel(holdTimer)
    holdTimer = application.loop.schedule(at: time, holdEnded)
  }

  // MARK: Being seen

  /// Looks, a second after a commit, whether its callback came; one timer serves any number of frames.
  private func watchPatience() {
    guard patienceTimer == nil, !visibility.isSuspensionKnown else { return }
    armPatience(from: application.now)
  }

  private func armPatience(from time: MonotonicTime) {
    patienceTimer = application.loop.schedule(at: time + VisibilityModel.patience) { [weak self] in
      guard let self else { return }
      patienceTimer = nil
      guard let since = clock.pendingSince else { return }
      let events = visibility.noteWaiting(since: since, now: application.now)
      if events.isEmpty { armPatience(from: since) } else { noteSeen(events) }
      application.outbox.deliver()
    }
  }

  // MARK: Presentation

  /// Asks when the frame was seen: always at first, then now and then, since the answer costs a wake-up.
  private func askForFeedback() {
    guard let presentation, application.isMonotonicPresentation, frameNumber < 8 || frameNumber % 16 == 0 else {
      return
    }
    // No more than four at a time: a compositor may be slow to answer, or never do.
    var index = feedback.firstIndex { $0?.isAlive != true }
    if index == nil, feedback.count < 4 {
      index = feedback.count
      feedback.append(nil)
    }
    guard let index else { return }
    let asked = presentation.feedback(surface: parts.surface, inPlaceOf: &feedback[index])
    guard asked !== feedback[index] else { return }
    asked.onEvent = { [unowned self] in noteFeedback($0) }
    feedback[index] = asked
  }

  private func noteFeedback(_ event: WpPresentationFeedback.Event) {
    guard case .presented(let high, let low, let nanoseconds, let refresh, _, _, _) = event else { return }
    presentationClock.notePresented(
      seconds: UInt64(high) << 32 | UInt64(low), nanoseconds: nanoseconds, refresh: .nanoseconds(Int64(refresh)),
      now: application.now)
    if let known = presentationClock.refresh { clock.refresh = known }
  }
}
