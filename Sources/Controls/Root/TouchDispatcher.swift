// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// The fingers that are down on one root.
///
/// The changes of one atomic frame go to the gesture recognisers first, then to views. A recogniser may cancel a view's
/// fingers, or make the view wait for them.
@MainActor final class TouchDispatcher {
  private var active: [TouchID: Touch] = [:]

  /// The changes of fingers within one frame, in order, not yet delivered.
  private var pending: [(touch: Touch, phase: TouchPoint.Phase)] = []

  /// Storage for the fingers that one view receives, empty between uses.
  private var room: [Touch] = []

  /// The fingers whose end is being delivered to a view.
  private var ending: [Touch] = []

  /// Fingers that views wait for; some may already be lifted.
  private var delayed: [Touch] = []

  /// The recognisers that saw a finger since they were last reset.
  private(set) var recognizers: [GestureRecognizer] = []

  /// True while fingers' new phases are known but not delivered everywhere.
  private var isDelivering = false

  /// Fingers and their recognisers refer to each other: a root that is destroyed while fingers are down releases both.
  isolated deinit {
    for touch in active.values + delayed { touch.recognizers = [] }
    for recognizer in recognizers { for touch in recognizer.sequence { touch.recognizers = [] } }
  }

  func touch(_ id: TouchID) -> Touch? { active[id] }

  var isIdle: Bool { active.isEmpty }

  var touches: [Touch] { Array(active.values) }

  /// Applies one atomic frame: first every finger's new position, then recognisers and views are notified, each once per phase.
  func handle(_ points: [TouchPoint], in root: RootView) {
    isDelivering = true
    for point in points {
      if pending.contains(where: { $0.touch.id == point.id }) { deliver() }
      switch point.phase {
      case .began: begin(point, in: root)
      case .moved:
        guard let touch = active[point.id] else { continue }
        touch.update(point)
        pending.append((touch, .moved))
      case .ended, .cancelled:
        guard let touch = active.removeValue(forKey: point.id) else { continue }
        touch.update(point)
        pending.append((touch, point.phase))
      }
    }
    deliver()
    isDelivering = false
  }

  private func begin(_ point: TouchPoint, in root: RootView) {
    // A finger that is already down can only come down again if its end got lost.
    if let old = active[point.id] {
      deliver()
      active[point.id] = nil
      lose(old)
      tidy()
    }
    guard point.location.isFinite else { return }
    let view = root.hitTest(point.location)
    let isTaken = active.values.contains { $0.view != nil && $0.view === view && !$0.isExtraFinger }
    let touch = Touch(point, view: view)
    touch.isExtraFinger = isTaken && view?.isMultipleTouchEnabled != true
    touch.recognizers = recognizers(for: touch)
    if touch.isExtraFinger {
      touch.delivery = .none
    } else if touch.recognizers.contains(where: { $0.delaysTouchesBegan }) {
      touch.delivery = .delayed
      delayed.append(touch)
    }
    active[point.id] = touch
    pending.append((touch, .began))
  }

  private func recognizers(for touch: Touch) -> [GestureRecognizer] {
    var found: [GestureRecognizer] = []
    for view in ViewChain(touch.view) where view.allowsGestures {
      for recognizer in view.storedRecognizers ?? [] where recognizer.isEnabled {
        if recognizer.canReceive(touch), recognizer.shouldReceive?(touch) ?? true { found.append(recognizer) }
      }
    }
    return found
  }

  private func deliver() {
    notifyRecognizers()
    releaseDelayed()
    var group: [Touch] = []
    swap(&group, &room)
    while let first = pending.first {
      let view = first.touch.view
      group.removeAll(keepingCapacity: true)
      var kept = 0
      for index in pending.indices {
        let entry = pending[index]
        if entry.phase == first.phase, entry.touch.view === view {
          group.append(entry.touch)
        } else {
          pending[kept] = entry
          kept += 1
        }
      }
      pending.removeSubrange(kept...)
      deliver(view, &group, first.phase)
    }
    group.removeAll(keepingCapacity: true)
    room = group
    tidy()
  }

  private func notifyRecognizers() {
    guard pending.contains(where: { !$0.touch.recognizers.isEmpty }) else { return }
    // An action may remove fingers from `pending`.
    let changes = pending
    for (index, phase) in changes.lazy.map(\.phase).enumerated() {
      guard !changes[..<index].contains(where: { $0.phase == phase }) else { continue }
      var notified: [GestureRecognizer] = []
      for change in changes where change.phase == phase {
        for recognizer in change.touch.recognizers where !notified.contains(where: { $0 === recognizer }) {
          notified.append(recognizer)
          if phase == .began, !recognizers.contains(where: { $0 === recognizer }) { recognizers.append(recognizer) }
        }
      }
      for recognizer in notified {
        // Another recogniser's action may have removed the view and its touches.
        let seen = changes.compactMap { change in
          let isSeen = change.phase == phase && change.touch.phase == phase
          return isSeen && change.touch.recognizers.contains { $0 === recognizer } ? change.touch : nil
        }
        guard !seen.isEmpty else { continue }
        if phase == .began, recognizer.startsOver, recognizer.state == .failed { recognizer.startOver() }
        recognizer.receive(seen, phase)
      }
    }
  }

  /// Delivers to `view` the touches it should receive, and removes the others from `touches`.
  private func deliver(_ view: View?, _ touches: inout [Touch], _ phase: TouchPoint.Phase) {
    guard let view, view.root != nil else { return }
    if phase == .began {
      touches.removeAll { $0.delivery != .due }
      for touch in touches { touch.delivery = .delivered }
    } else {
      touches.removeAll { $0.delivery != .delivered }
    }
    guard !touches.isEmpty else { return }
    if phase == .ended { ending = touches }
    send(touches, phase, to: view)
    ending = []
  }

  private func send(_ touches: [Touch], _ phase: TouchPoint.Phase, to view: View) {
    view.root?.note(.touches(view, touches, phase))
    switch phase {
    case .began: view.touchesBegan(touches)
    case .moved: view.touchesMoved(touches)
    case .ended: view.touchesEnded(touches)
    case .cancelled: view.touchesCancelled(touches)
    }
  }

  // MARK: Requests of recognisers

  /// Takes `touches` from the views that hold them, or wait for them.
  func withdraw(_ touches: [Touch]) {
    for touch in touches { withdraw(touch) }
  }

  private func withdraw(_ touch: Touch) {
    let wasDelivered = touch.delivery == .delivered
    touch.delivery = .none
    guard wasDelivered, let view = touch.view, touch.isDown || pending.contains(where: { $0.touch === touch }) else {
      return
    }
    let phase = touch.phase
    touch.phase = .cancelled
    send([touch], .cancelled, to: view)
    // Cancelled by the recogniser only: the finger is still there.
    if touch.phase == .cancelled, !touch.isLost { touch.phase = phase }
  }

  /// Delivers to views the fingers that no recogniser withholds any more.
  private func releaseDelayed() {
    guard !delayed.isEmpty else { return }
    let ready = delayed.filter { touch in
      touch.delivery != .delayed
        || !touch.recognizers.contains { $0.delaysTouchesBegan && $0.state == .possible && $0.sees(touch) }
    }
    guard !ready.isEmpty else { return }
    delayed.removeAll { touch in ready.contains { $0 === touch } }
    for touch in ready where touch.delivery == .delayed {
      guard touch.phase != .cancelled else { continue }
      touch.delivery = .delivered
      guard let view = touch.view, view.root != nil else { continue }
      touch.asBegun { send([touch], .began, to: view) }
      // Only touches without a change in this frame.
      guard touch.delivery == .delivered, !pending.contains(where: { $0.touch === touch }) else { continue }
      if touch.windowLocation != touch.startWindowLocation, touch.isDown { send([touch], .moved, to: view) }
      if touch.phase == .ended, touch.delivery == .delivered { send([touch], .ended, to: view) }
    }
  }

  func forget(_ recognizer: GestureRecognizer) {
    for touch in recognizer.sequence { touch.recognizers.removeAll { $0 === recognizer } }
    recognizers.removeAll { $0 === recognizer }
    recognizer.forgetFingers()
    finishTouches()
  }

  /// Resets the recognisers whose fingers are all up, and delivers the changes that waited to views.
  func finishTouches() {
    if !isDelivering { tidy() }
  }

  private func tidy() {
    while !recognizers.isEmpty {
      // When one fails, another that waited for it may now succeed.
      let over = recognizers.filter { $0.resetIfOver() }
      guard !over.isEmpty else { break }
      recognizers.removeAll { recognizer in over.contains { $0 === recognizer } }
    }
    releaseDelayed()
  }

  // MARK: Losing fingers

  /// Cancels the fingers of `view` and views inside, and their gestures. Recognisers of ancestors continue: removing a scrolled
  /// view does not end a scroll.
  func cancel(in view: View) {
    // A view that is receiving several ends may not have got all of them.
    for touch in ending where touch.view?.isDescendant(of: view) ?? false { touch.isLost = true }
    // Lifted fingers count as long as their views were not notified.
    var found = Array(active.values)
    for touch in delayed + pending.map(\.touch) where !touch.isDown && !found.contains(where: { $0 === touch }) {
      found.append(touch)
    }
    let lost = found.filter { touch in
      touch.view?.isDescendant(of: view) ?? false
        || touch.recognizers.contains { $0.view?.isDescendant(of: view) ?? false }
    }
    // A fixed order, independent of the dictionary's.
    for touch in lost.sorted(by: { $0.startTime < $1.startTime }) { lose(touch, in: view) }
    for recognizer in recognizers where recognizer.view?.isDescendant(of: view) ?? true { recognizer.cancel() }
    finishTouches()
  }

  private func lose(_ touch: Touch, in view: View) {
    let outer = touch.recognizers.filter { !($0.view?.isDescendant(of: view) ?? true) }
    guard !outer.isEmpty else {
      // The finger may be down again, as a different touch.
      if active[touch.id] === touch { active[touch.id] = nil }
      return lose(touch)
    }
    for recognizer in touch.recognizers where recognizer.view?.isDescendant(of: view) ?? true { recognizer.cancel() }
    touch.recognizers = outer
    guard touch.view?.isDescendant(of: view) ?? false else { return }
    withdraw(touch)
    touch.view = nil
  }

  /// Ends a finger that is lost. Every interrupted touch ends here.
  private func lose(_ touch: Touch) {
    pending.removeAll { $0.touch === touch }
    delayed.removeAll { $0 === touch }
    touch.phase = .cancelled
    touch.isLost = true
    for recognizer in touch.recognizers { recognizer.receive([touch], .cancelled) }
    let view = touch.delivery == .delivered ? touch.view : nil
    touch.view = nil
    touch.delivery = .none
    if let view { send([touch], .cancelled, to: view) }
  }
}
