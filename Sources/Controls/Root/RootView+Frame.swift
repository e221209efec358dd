/// A frame is a list of passes. What waits for a frame is marked at any time, by input, timers and code; the passes then run once, in
/// this order, each over all that is marked. No pass is run by another.
extension RootView {
  /// How often the observers of the layout are called in a frame: enough for some that follow each other, and an end for two that quarrel.
  private static let mostFollowingRounds = 4

  /// The passes before drawing: values first, then sizes and places, then what stands on places.
  func runPasses(for time: MonotonicTime) {
    isDamageTaken = false
    lastFrameTime = time
    if !isInBackground {
      frameObservers.notify(time) { $0 }
      animator.advance(to: time)
    }
    updateAndLayOut()
    notifyOfLayout()
    keepLaterUpdates()
    for shown in presentations { shown.follow() }
    placeFocusRing()
    hoverDispatcher.update(self)
    sendTextInput()
  }

  /// The pass that draws: each stale view into a layer of its own. Returns the region that changed, in buffer pixels, and resets it.
  func takeDrawnRegion() -> Region {
    drawStale()
    isDamageTaken = true
    swap(&damaged, &taken)
    damaged.removeAll()
    return taken
  }

  /// The pass that paints: the layers in `region`, from the back to the front. A frame that nobody asked for damage of draws first.
  func paint(_ region: Region, into buffer: PixelBuffer) {
    if !isDamageTaken { drawStale() }
    painter.paint(self, region: region, into: buffer)
  }

  /// Tells the observers of the layout. All of them follow a layout of one of them before it is drawn.
  private func notifyOfLayout() {
    for _ in 0..<Self.mostFollowingRounds {
      layoutObservers.notify(())
      guard needsLayout || hasLayoutInside || !updates.isEmpty else { break }
      updateAndLayOut()
    }
  }

  /// Reports the text that receives key input to the window if it changed; positions are known only after layout.
  private func sendTextInput() {
    let state = firstResponder?.textInputState
    guard state != sentTextInput else { return }
    sentTextInput = state
    host?.setTextInput(state)
  }
}
