import UICore
import WaylandServer

extension Stage {
  /// The time from one refresh to the next.
  public var refreshInterval: Duration {
    .nanoseconds(1_000_000_000_000 / Int64(max(1, outputs.first?.refresh ?? 60_000)))
  }

  /// A refresh happens now: frame callbacks and presentation feedback are answered for every surface that is seen, and
  /// buffers are given back as the policy says. Leaving it out is a missing frame; a frozen stage has none.
  public func finishFrame() {
    guard !isFrozen else { return }
    sequence += 1
    let refresh = UInt32(clamping: refreshInterval.inNanoseconds)
    for surface in surfaces where !isStarved(surface) { surface.finishFrame(refresh: refresh, sequence: sequence) }
    if releasePolicy == .atFrame { releaseBuffers() }
  }

  /// The clock moves on to the next refresh, and that happens.
  public func nextRefresh() {
    let interval = refreshInterval.inNanoseconds
    clock.now = MonotonicTime(nanoseconds: (clock.now.nanoseconds / interval + 1) * interval)
    finishFrame()
  }

  /// Gives or denies a surface its frame callbacks.
  public func starve(_ surface: StageSurface, _ isStarved: Bool) {
    starved.removeAll { $0 == ObjectIdentifier(surface) }
    if isStarved { starved.append(ObjectIdentifier(surface)) }
    surface.excusedCallbacks = surface.callbacks.count
    surface.starvingEpoch = epoch
  }

  /// True while a surface gets no frame callbacks.
  func isStarved(_ surface: StageSurface) -> Bool { starved.contains(ObjectIdentifier(surface)) }

  /// Tells a client that its content was never seen.
  func discard(_ feedback: WpPresentationFeedbackResource) {
    feedback.sendDiscarded()
    feedback.destroy()
  }
}
