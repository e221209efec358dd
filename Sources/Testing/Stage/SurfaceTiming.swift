internal import WaylandServer

/// When a client wants its commits to be shown: each at least for a refresh (wp_fifo_v1), or not before a time (wp_commit_timer_v1).
extension Stage {
  func handle(_ request: WpFifoManagerV1Resource.Request, of manager: WpFifoManagerV1Resource) {
    guard case .getFifo(let made, let target) = request, let surface: StageSurface = model(target) else { return }
    extend(surface, with: made, in: \.fifo, orBreak: .fifoExists, of: manager)
    made.onRequest = { [unowned self, unowned made, weak surface] in
      if case .destroy = $0 { return }
      guard let surface, surface.resource.isAlive else {
        return forbid(.fifoNoSurface, "wp_fifo_v1@\(made.id)", on: made)
      }
      switch $0 {
      case .setBarrier: surface.pending.setsBarrier = true
      case .waitBarrier: surface.pending.waitsForBarrier = true
      case .destroy: break
      }
    }
  }

  func handle(_ request: WpCommitTimingManagerV1Resource.Request, of manager: WpCommitTimingManagerV1Resource) {
    guard case .getTimer(let made, let target) = request, let surface: StageSurface = model(target) else { return }
    extend(surface, with: made, in: \.commitTimer, orBreak: .commitTimerExists, of: manager)
    made.onRequest = { [unowned self, unowned made, weak surface] in
      guard case .setTimestamp(let high, let low, let nanoseconds) = $0 else { return }
      guard let surface, surface.resource.isAlive else {
        return forbid(.commitTimerNoSurface, "wp_commit_timer_v1@\(made.id)", on: made)
      }
      if nanoseconds >= 1_000_000_000 { return forbid(.invalidTimestamp, "\(nanoseconds) ns", on: made) }
      if surface.pending.due != nil {
        return forbid(.secondTimestamp, "a second one for wl_surface@\(surface.resource.id)", on: made)
      }
      surface.pending.due = MonotonicTime(seconds: UInt64(high) << 32 | UInt64(low), nanoseconds: nanoseconds)
    }
  }
}

extension MonotonicTime {
  /// A time as the wire has it; the last one that can be counted for those after it.
  fileprivate init(seconds: UInt64, nanoseconds: UInt32) {
    let (whole, isTooLate) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let last = UInt64(Int64.max)
    self.init(nanoseconds: isTooLate || whole > last - 1_000_000_000 ? .max : Int64(whole) + Int64(nanoseconds))
  }
}
