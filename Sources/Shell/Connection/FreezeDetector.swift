import Wayland

/// Asks the compositor for answers while a window needs them, and reports a compositor that does not answer.
final class FreezeDetector {
  var onFreeze: () -> Void = {}

  private let root: WlDisplay
  var watch = AnswerWatch() { didSet { timer.time = watch.nextTime } }
  private var pendingSync: WlCallback?
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in perform(watch.advance(to: loop.clock.now)) }
  private let loop: EventLoop

  init(root: WlDisplay, loop: EventLoop, limit: Duration) {
    (self.root, self.loop) = (root, loop)
    watch.limit = limit
  }

  func setNeeded(_ isNeeded: Bool) { watch.setNeeded(isNeeded, at: loop.clock.now) }

  /// Stops asking for good: the connection is closing.
  func end() {
    pendingSync = nil
    watch.reset()
  }

  private func answered() {
    let wasFrozen = watch.isFrozen
    perform(watch.noteAnswer(at: loop.clock.now))
    if wasFrozen, !watch.isFrozen { Log.write(.connection, .info, "the compositor answers again") }
  }

  private func perform(_ step: AnswerWatch.Step) {
    switch step {
    case .nothing:
      break
    case .ask: ask()
    case .freeze: freeze()
    case .freezeAndAsk:
      ask()
      freeze()
    }
  }

  private func ask() {
    if root.sync(into: &pendingSync) { pendingSync?.onEvent = { [unowned self] _ in answered() } }
  }

  private func freeze() {
    Log.write(.connection, .error, "the compositor has not answered for \(watch.limit)")
    onFreeze()
  }
}
