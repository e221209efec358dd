// Owns which view a held key belongs to, and moving the focus by Tab.
// Must not know what views do with keys.

/// The keys that are down on one root.
final class KeyDispatcher {
  private struct Held {
    var event: KeyEvent
    /// The view that took the `down`; nil when one of the root's closures did.
    weak var view: View?
    var taker: Taker
  }

  /// Who took a key.
  private enum Taker {
    case interceptor
    case view
    case handler
  }

  private var held: [Held] = []

  func handle(_ event: KeyEvent, in root: RootView) {
    let index = held.firstIndex { $0.event.seat == event.seat && $0.event.key == event.key }
    switch event.phase {
    case .down:
      if let index { release(held.remove(at: index), as: .cancelled, in: root) }
      press(event, in: root)
    case .repeated:
      if let index {
        tell(held[index], event, in: root)
      } else {
        _ = moveFocus(event, in: root)
      }
    case .up, .cancelled:
      if let index { tell(held.remove(at: index), event, in: root) }
    }
  }

  private func press(_ event: KeyEvent, in root: RootView) {
    if root.keyInterceptor?(event) ?? false {
      held.append(Held(event: event, view: nil, taker: .interceptor))
      return
    }
    if root.firstResponder != nil { root.focusRing.isHidden = false }
    var view: View? = root.firstResponder ?? root
    while let current = view {
      if current.handleKey(event) {
        held.append(Held(event: event, view: current, taker: .view))
        return
      }
      view = current.next
    }
    if root.keyHandler?(event) ?? false {
      held.append(Held(event: event, view: nil, taker: .handler))
    } else {
      _ = moveFocus(event, in: root)
    }
  }

  private func tell(_ held: Held, _ event: KeyEvent, in root: RootView) {
    switch held.taker {
    case .interceptor: _ = root.keyInterceptor?(event)
    case .view: _ = held.view?.handleKey(event)
    case .handler: _ = root.keyHandler?(event)
    }
  }

  private func release(_ held: Held, as phase: KeyEvent.Phase, in root: RootView) {
    var event = held.event
    event.phase = phase
    tell(held, event, in: root)
  }

  /// Cancels the keys that `view` and views inside hold.
  func cancel(in view: View) {
    guard let root = view.root else { return }
    cancel(in: root) { $0.taker == .view ? $0.view?.isDescendant(of: view) ?? true : view === root }
  }

  /// Cancels the keys that the seat holds.
  func cancel(_ seat: SeatID, in root: RootView) {
    cancel(in: root) { $0.event.seat == seat }
  }

  private func cancel(in root: RootView, where isLost: (Held) -> Bool) {
    let lost = held.filter(isLost)
    held.removeAll(where: isLost)
    for key in lost { release(key, as: .cancelled, in: root) }
  }

  /// Tab and Shift+Tab go to the next and the previous view that can be focused, in the order of the tree, round and
  /// round.
  private func moveFocus(_ event: KeyEvent, in root: RootView) -> Bool {
    guard event.key == .tab || event.key == .backTab,
      event.modifiers.isDisjoint(with: [.control, .alt, .logo])
    else { return false }
    let isBackwards = event.key == .backTab || event.modifiers.contains(.shift)
    var stops: [View] = []
    collect(root, &stops)
    guard !stops.isEmpty else { return false }
    let current = stops.firstIndex { $0 === root.firstResponder }
    let next: Int
    if let current {
      next = (current + (isBackwards ? stops.count - 1 : 1)) % stops.count
    } else {
      next = isBackwards ? stops.count - 1 : 0
    }
    root.setFirstResponder(stops[next])
    root.focusRing.isHidden = false
    return true
  }

  private func collect(_ view: View, _ stops: inout [View]) {
    guard !view.isHidden, view.alpha > 0, view.isUserInteractionEnabled else { return }
    if view.canBecomeFirstResponder { stops.append(view) }
    for inner in view.subviews { collect(inner, &stops) }
  }
}
