// Windows whose content goes on while nobody sees it, because it was asked for.

import Interface

extension Window {
  /// How often content that runs unseen is brought up to date.
  static let unseenInterval: Duration = .milliseconds(100)

  /// Something changed about being seen. Content that keeps running is not told; but nothing is drawn either.
  func noteSeen(_ events: [LifecycleEvent]) {
    guard keepsRunningUnseen, !events.isEmpty else { return tell(events) }
    if visibility.isVisible, !runsUnseen { return tell(events) }
    runsUnseen = !visibility.isVisible
    Log.write(.lifecycle, .info, runsUnseen ? "unseen, and running" : "seen again")
    if runsUnseen {
      // Who can't see it can't hold it (behaviour 2).
      letGo(.hidden)
      runUnseen()
    } else {
      application.loop.cancel(unseenTimer)
      unseenTimer = nil
      forgetFrames()
    }
    updateIdleInhibitor()
  }

  /// Brings animated content up to date now and then: no frame callbacks come that would.
  func runUnseen() {
    guard unseenTimer == nil, shown.isAnimating else { return }
    unseenTimer = application.loop.schedule(at: application.now + Window.unseenInterval) { [weak self] in
      guard let self else { return }
      unseenTimer = nil
      guard runsUnseen else { return }
      application.outbox.hold()
      shown.prepareFrame(for: application.now)
      application.outbox.release()
      runUnseen()
      application.outbox.deliver()
    }
  }

  /// Callbacks that were asked for while hidden may never come.
  func forgetFrames() {
    clock.reset()
    frameCallback?.discard()
    frameCallback = nil
  }

  /// The window ends: what was not told before is told now, so that the content's life has no gap.
  func tellEnd(orderly: Bool) {
    if runsUnseen {
      runsUnseen = false
      tell([.willResignActive, .didEnterBackground])
    }
    tell(visibility.noteEnd(orderly: orderly))
  }
}
