// Owns which finger belongs to which view, from down to up.
// Must not know what views do with fingers.

/// The fingers that are down on one root.
final class TouchDispatcher {
  private var active: [TouchID: Touch] = [:]

  /// What happened to fingers within one frame, in order, not yet told.
  private var pending: [(touch: Touch, phase: TouchPoint.Phase)] = []

  /// The fingers that are down, in no order.
  var touches: [Touch] { Array(active.values) }

  /// Applies one atomic frame: first every finger's new place, then views are told, each once per phase.
  func handle(_ points: [TouchPoint], in root: RootView) {
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
  }

  private func begin(_ point: TouchPoint, in root: RootView) {
    // A finger that is down already can only come down again if its end got lost.
    if let old = active.removeValue(forKey: point.id) { cancel(old) }
    guard point.location.isFinite else { return }
    let view = root.hitTest(point.location)
    let isTaken = active.values.contains { $0.view != nil && $0.view === view }
    let owner = isTaken && view?.isMultipleTouchEnabled != true ? nil : view
    let touch = Touch(point, view: owner)
    active[point.id] = touch
    pending.append((touch, .began))
  }

  private func deliver() {
    while let first = pending.first {
      let view = first.touch.view
      var group: [Touch] = []
      pending.removeAll { entry in
        guard entry.phase == first.phase, entry.touch.view === view else { return false }
        group.append(entry.touch)
        return true
      }
      guard let view, view.root != nil else { continue }
      switch first.phase {
      case .began: view.touchesBegan(group)
      case .moved: view.touchesMoved(group)
      case .ended: view.touchesEnded(group)
      case .cancelled: view.touchesCancelled(group)
      }
    }
  }

  /// Cancels the fingers of `view` and views inside; what they do later is ignored.
  func cancel(in view: View) {
    let lost = active.values.filter { $0.view?.isDescendant(of: view) ?? false }
    // A fixed order, whatever the dictionary's.
    for touch in lost.sorted(by: { $0.startTime < $1.startTime }) {
      active[touch.id] = nil
      cancel(touch)
    }
  }

  private func cancel(_ touch: Touch) {
    pending.removeAll { $0.touch === touch }
    touch.phase = .cancelled
    let view = touch.view
    touch.view = nil
    view?.touchesCancelled([touch])
  }
}
