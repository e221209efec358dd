import Controls
import Shell
import UICore

/// Shows the driver the battery and the Wi-Fi of this machine, while the window is in sight.
///
/// A machine that has neither is asked once each time the window comes in sight, and wakes nobody after that.
final class MachinePart: SessionPart {
  /// How often the machine is asked.
  static let period = Duration.seconds(10)
  /// How many periods an answer may take before what is shown counts as unknown.
  private static let patience = 2

  private let source: any MachineSource
  private let display: TelemetryDisplay
  private weak var scene: CockpitScene?
  private weak var relay: ContentRelay?
  private let loop: EventLoop
  private(set) var watch: MachineWatch
  private var lifecycle: ObservationToken?
  /// The periods since the question that waits for its answer; nil if none does.
  private var waiting: Int?
  /// When the machine is asked next, or is given up; nil if nobody waits.
  var nextTime: MonotonicTime? { timer.time }
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in timeCame() }

  init(
    _ source: any MachineSource, to display: TelemetryDisplay, usesNetwork: Bool, relay: ContentRelay, loop: EventLoop
  ) {
    (self.source, self.display, self.relay, self.loop) = (source, display, relay, loop)
    scene = relay.scene
    watch = MachineWatch(usesNetwork: usesNetwork)
    source.onState = { [unowned self] in answered($0) }
    lifecycle = relay.scene.observeLifecycle { [unowned self] event in
      switch event {
      case .didBecomeActive: if waiting == nil { ask() }
      case .willResignActive: timer.time = nil
      default: break
      }
    }
  }

  func end() { timer.time = nil }

  /// True while somebody can see what is shown.
  private var isInSight: Bool { scene?.isActive == true }

  private func ask() {
    waiting = 0
    timer.time = loop.clock.now + Self.period
    source.ask()
  }

  private func timeCame() {
    guard isInSight else { return }
    guard let periods = waiting else { return ask() }
    waiting = periods + 1
    if periods + 1 < Self.patience {
      timer.time = loop.clock.now + Self.period
    } else {
      // Nothing is done until the answer comes, however late.
      watch.noteSilence()
      show()
    }
  }

  private func answered(_ state: MachineState) {
    waiting = nil
    watch.note(state)
    show()
    timer.time = state.isEmpty || !isInSight ? nil : loop.clock.now + Self.period
  }

  private func show() {
    let notice = watch.notice
    guard notice != display.machine else { return }
    relay?.record(.machine(notice)) { display.show(notice) }
  }
}
