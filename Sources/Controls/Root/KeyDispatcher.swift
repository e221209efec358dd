/// The keys that are down on one root.
final class KeyDispatcher {
  private final class Held {
    let event: KeyEvent
    /// The view that handled the `down`, or the root if one of its closures did.
    private(set) weak var view: View?
    let handle: (KeyEvent) -> Bool

    init(_ event: KeyEvent, of view: View, _ handle: @escaping (KeyEvent) -> Bool) {
      (self.event, self.view, self.handle) = (event, view, handle)
    }
  }

  private var held: [Held] = []

  var isIdle: Bool { held.isEmpty }

  func handle(_ event: KeyEvent, in root: RootView) {
    held.removeAll { $0.view == nil }
    let index = held.firstIndex { $0.event.seat == event.seat && $0.event.key == event.key }
    switch event.phase {
    case .down:
      if let index { cancel(held.remove(at: index)) }
      press(event, in: root)
    case .repeated:
      // One whose press was cancelled does nothing more, or a driver's held key would drive the focus about.
      if let index { _ = held[index].handle(event) }
    case .up, .cancelled:
      if let index { _ = held.remove(at: index).handle(event) }
    }
  }

  private func press(_ event: KeyEvent, in root: RootView) {
    if offer(Held(event, of: root) { [weak root] in root?.keyInterceptor?($0) ?? false }) { return }
    if root.firstResponder != nil { root.focusRing.isHidden = false }
    let modal = root.modalView
    var view: View? = root.firstResponder.flatMap { root.admitsFocus($0) ? $0 : nil } ?? modal ?? root
    while let current = view {
      if offer(Held(event, of: current) { [weak current] in current?.handleKey($0) ?? false }) { return }
      view = current === modal ? nil : current.next
    }
    if modal == nil, offer(Held(event, of: root) { [weak root] in root?.keyHandler?($0) ?? false }) { return }
    let move = Held(event, of: root) { [weak self, weak root] event in
      guard event.phase == .down || event.phase == .repeated, let self, let root else { return true }
      return moveFocus(event, in: root)
    }
    _ = offer(move)
  }

  /// Offers the key to a view. It counts as held before that, because the view's reaction may cancel the key.
  private func offer(_ key: Held) -> Bool {
    held.append(key)
    let isTaken = key.handle(key.event)
    if !isTaken { held.removeAll { $0 === key } }
    return isTaken
  }

  private func cancel(_ held: Held) {
    var event = held.event
    event.phase = .cancelled
    _ = held.handle(event)
  }

  func cancel(in view: View) { cancel { $0.view?.isDescendant(of: view) ?? true } }

  func cancel(_ seat: SeatID) { cancel { $0.event.seat == seat } }

  private func cancel(where isLost: (Held) -> Bool) {
    let lost = held.filter(isLost)
    held.removeAll(where: isLost)
    for key in lost { cancel(key) }
  }

  /// Tab and Shift+Tab go to the next and the previous view that can be focused, in the order of the tree, round and
  /// round; arrow keys to the nearest one in their direction.
  private func moveFocus(_ event: KeyEvent, in root: RootView) -> Bool {
    if let direction = FocusDirection(event.key), event.modifiers.isDisjoint(with: [.control, .alt, .logo, .shift]) {
      return root.moveFocus(direction)
    }
    guard event.key == .tab || event.key == .backTab,
      event.modifiers.isDisjoint(with: [.control, .alt, .logo])
    else { return false }
    let isBackwards = event.key == .backTab || event.modifiers.contains(.shift)
    let stops = (root.modalView ?? root).keyStops
    guard !stops.isEmpty else { return false }
    let current = stops.firstIndex { $0 === root.firstResponder } ?? (isBackwards ? 0 : stops.count - 1)
    let next = stops[(current + (isBackwards ? stops.count - 1 : 1)) % stops.count]
    root.focusByKeys(next)
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
