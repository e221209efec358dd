import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

extension RuleScene {
  /// When content is to be shown.
  @MainActor static let timing: [Violation.Rule: RuleScene] = [
    .fifoExists: RuleScene {
      let (manager, surface) = (try $0.global(WpFifoManagerV1.self), try $0.surface())
      let first = $0.keep(manager.getFifo(surface: surface))
      if !$1 { first.end() }
      $0.keep(manager.getFifo(surface: surface))
    },
    .fifoNoSurface: RuleScene {
      let surface = try $0.surface()
      let fifo = $0.keep(try $0.global(WpFifoManagerV1.self).getFifo(surface: surface))
      surface.end()
      if $1 { fifo.waitBarrier() }
      fifo.end()
    },
    .commitTimerExists: RuleScene {
      let (manager, surface) = (try $0.global(WpCommitTimingManagerV1.self), try $0.surface())
      let first = $0.keep(manager.getTimer(surface: surface))
      if !$1 { first.end() }
      $0.keep(manager.getTimer(surface: surface))
    },
    .invalidTimestamp: RuleScene {
      let timer = try $0.timer(try $0.surface())
      timer.setTimestamp(tvSecHi: 0, tvSecLo: 1, tvNsec: $1 ? 1_000_000_000 : 999_999_999)
    },
    .secondTimestamp: RuleScene {
      let surface = try $0.surface()
      let timer = try $0.timer(surface)
      timer.setTimestamp(tvSecHi: 0, tvSecLo: 1, tvNsec: 0)
      if !$1 { surface.commit() }
      timer.setTimestamp(tvSecHi: 0, tvSecLo: 1, tvNsec: 0)
    },
    .commitTimerNoSurface: RuleScene {
      let surface = try $0.surface()
      let timer = try $0.timer(surface)
      surface.end()
      if $1 { timer.setTimestamp(tvSecHi: 0, tvSecLo: 1, tvNsec: 0) }
      timer.end()
    },
  ]
}

extension RuleActor {
  func timer(_ surface: WlSurface) throws -> WpCommitTimerV1 {
    keep(try global(WpCommitTimingManagerV1.self).getTimer(surface: surface))
  }
}
