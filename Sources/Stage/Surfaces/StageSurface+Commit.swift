import UICore
import WaylandServer

extension StageSurface {
  /// Takes the pending state over and checks it.
  func commit() {
    let pending = self.pending
    self.pending = PendingState()
    state = coming
    var record = CommitRecord(time: stage.clock.now, earliest: stage.lastRead)
    record.acknowledged = window?.takeAcknowledged()
    record.asksForFrame = !pending.callbacks.isEmpty
    record.asksForFeedback = !pending.feedback.isEmpty
    switch pending.attachment {
    case .buffer(let new):
      if let window, !window.allowsBuffer {
        stage.forbid(
          .bufferBeforeConfigure, "wl_surface@\(resource.id) has a buffer before the first configure",
          on: window.resource, code: XdgSurfaceResource.ErrorCode.unconfiguredBuffer)
      } else {
        describe(new, pending, &record)
        check(new, record)
        show(new, record)
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
    record.damagedPixels = DamageArea.pixels(in: record.damage)
  }

  private func show(_ new: StageBuffer, _ record: CommitRecord) {
    let old = buffer
    picture = stage.checks ? new.picture() : nil
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

  /// Answers the frame callbacks and the feedback.
  func finishFrame(refresh: UInt32, sequence: UInt64) {
    let callbacks = self.callbacks
    self.callbacks.removeAll()
    excusedCallbacks = 0
    for callback in callbacks {
      callback.sendDone(callbackData: stage.clock.milliseconds)
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
}
