/// The keys that are down on one root.
final class KeyDispatcher {
  private final class Held {
    let event: KeyEvent
    /// The view that handled the `down`; nil if one of the root's closures did.
    private(set) weak var view: View?
    let taker: Taker

    init(_ event: KeyEvent, _ taker: Taker, _ view: View? = nil) {
      (self.event, self.taker, self.view) = (event, taker, view)
    }

    /// True if the view that handled the key no longer exists.
    var isLeft: Bool { taker == .view && view == nil }
  }

  private enum Taker {
    case interceptor
    case view
    case handler
  }

  private var held: [Held] = []

  var isIdle: Bool { held.isEmpty }

  func handle(_ event: KeyEvent, in root: RootView) {
    held.removeAll { $0.isLeft }
    let index = held.firstIndex { $0.event.seat == event.seat && $0.event.key == event.key }
    switch event.phase {
    case .down:
      if let index { cancel(held.remove(at: index), in: root) }
      press(event, in: root)
    case .repeated:
      if let index {
        deliver(held[index], event, in: root)
      } else {
        _ = moveFocus(event, in: root)
      }
    case .up, .cancelled:
      if let index { deliver(held.remove(at: index), event, in: root) }
    }
  }

  private func press(_ event: KeyEvent, in root: RootView) {
    if root.keyInterceptor != nil, offer(Held(event, .interceptor), in: root) { return }
    if root.firstResponder != nil { root.focusRing.isHidden = false }
    var view: View? = root.firstResponder ?? root
    while let current = view {
      if offer(Held(event, .view, current), in: root) { return }
      view = current.next
    }
    if root.keyHandler != nil, offer(Held(event, .handler), in: root) { return }
    _ = moveFocus(event, in: root)
  }

  /// Offers the key to a view. It counts as held before that, because the view's reaction may cancel the key.
  private func offer(_ key: Held, in root: RootView) -> Bool {
    held.append(key)
    let isTaken = deliver(key, key.event, in: root)
    if !isTaken { held.removeAll { $0 === key } }
    return isTaken
  }

  @discardableResult private func deliver(_ held: Held, _ event: KeyEvent, in root: RootView) -> Bool {
    switch held.taker {
    case .interceptor: root.keyInterceptor?(event) ?? false
    case .view: held.view?.handleKey(event) ?? false
    case .handler: root.keyHandler?(event) ?? false
    }
  }

  private func cancel(_ held: Held, in root: RootView) {
    var event = held.event
    event.phase = .cancelled
    deliver(held, event, in: root)
  }

  /// Cancels the keys that `view` and views inside hold.
  func cancel(in view: View) {
    guard let root = view.root else { return }
    cancel(in: root) { $0.taker == .view ? $0.view?.isDescendant(of: view) ?? true : view === root }
  }

  func cancel(_ seat: SeatID, in root: RootView) {
    cancel(in: root) { $0.event.seat == seat }
  }

  private func cancel(in root: RootView, where isLost: (Held) -> Bool) {
    let lost = held.filter(isLost)
    held.removeAll(where: isLost)
    for key in lost { cancel(key, in: root) }
  }

  /// Tab and Shift+Tab go to the next and the previous view that can be focused, in the order of the tree, round and
  /// round.
  private func moveFocus(_ event: KeyEvent, in root: RootView) -> Bool {
    guard event.key == .tab || event.key == .backTab,
      event.modifiers.isDisjoint(with: [.control, .alt, .logo])
    else { return false }
    let isBackwards = event.key == .backTab || event.modifiers.contains(.shift)
    let stops = root.keyStops
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
    root.toolTips.keyboardFocused(stops[next])
    return true
  }

}

extension View {
  /// The view and its descendants that can take the focus, in Tab order.
  package var keyStops: [View] {
    guard takesKeys else { return [] }
    return (canBecomeFirstResponder ? [self] : []) + subviews.flatMap(\.keyStops)
  }
}
