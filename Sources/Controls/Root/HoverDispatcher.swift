/// The pointers over one root, one per seat.
final class HoverDispatcher {
  private struct Pointer {
    let seat: SeatID
    var point: Point
    weak var view: View?
    var cursor: CursorShape?
  }

  private var pointers: [Pointer] = []
  /// Storage for the views under pointers, empty between uses.
  private var room: [View] = []
  /// Weak: the root may be among them, and it owns this dispatcher.
  private var hovered: [Weak<View>] = []
  private var turn = 0

  /// The seat's pointer moved, or left (nil).
  func move(_ seat: SeatID, to point: Point?, in root: RootView) {
    let index = pointers.firstIndex { $0.seat == seat }
    switch (point, index) {
    case (let point?, let index?) where point.isFinite: pointers[index].point = point
    case (let point?, nil) where point.isFinite: pointers.append(Pointer(seat: seat, point: point))
    case (_, let index?): pointers.remove(at: index)
    default: break
    }
    refresh(root)
  }

  func view(under seat: SeatID) -> View? { pointers.first { $0.seat == seat }?.view }

  /// Finds the views under the pointers again, since views may have moved.
  func update(_ root: RootView) {
    guard !pointers.isEmpty else { return }
    refresh(root)
    updateCursors(root)
  }

  private func refresh(_ root: RootView) {
    var now: [View] = []
    swap(&now, &room)
    for index in pointers.indices {
      let hit = root.hitTest(pointers[index].point)
      pointers[index].view = hit
      for view in ViewChain(hit) where !now.contains(where: { $0 === view }) { now.append(view) }
    }
    if !isHovered(now) { hover(now) }
    now.removeAll(keepingCapacity: true)
    room = now
  }

  private func isHovered(_ views: [View]) -> Bool {
    guard views.count == hovered.count else { return false }
    return views.indices.allSatisfy { views[$0] === hovered[$0].object }
  }

  private func hover(_ now: [View]) {
    let old = hovered.compactMap(\.object)
    hovered = now.map { Weak(object: $0) }
    turn += 1
    let own = turn
    // A handler may move the pointer, which then takes precedence, or remove views.
    for view in old where turn == own && view.isHovered && !now.contains(where: { $0 === view }) {
      view.isHovered = false
      view.hoverDidChange()
    }
    for view in now where turn == own && !view.isHovered && view.root != nil {
      view.isHovered = true
      view.hoverDidChange()
    }
  }

  /// Reports to the window which cursor images the pointers need. A view that a pointer holds keeps its own.
  func updateCursors(_ root: RootView) {
    guard let host = root.host else { return }
    for index in pointers.indices {
      let seat = pointers[index].seat
      let held = root.touchDispatcher.touch(TouchID(seat: seat, contact: .pointer))?.view
      let view = held ?? pointers[index].view
      let cursor = view?.cursor(at: view?.convert(pointers[index].point, from: nil) ?? .zero) ?? .arrow
      guard cursor != pointers[index].cursor else { continue }
      pointers[index].cursor = cursor
      host.setCursor(cursor, for: seat)
    }
  }
}
