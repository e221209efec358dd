// Owns where pointers are and what picture they have.
// Must not know what views do about it.

/// The pointers over one root, one per seat.
final class HoverDispatcher {
  private struct Pointer {
    var point: Point
    weak var view: View?
    var cursor: CursorShape?
  }

  private var pointers: [SeatID: Pointer] = [:]
  /// Among them may be the root, which owns this: it must not be kept alive by its own pointers.
  private var hovered: [Hovered] = []

  private struct Hovered {
    weak var view: View?
  }

  /// The seat's pointer moved, or left (nil).
  func move(_ seat: SeatID, to point: Point?, in root: RootView) {
    if let point, point.isFinite {
      pointers[seat, default: Pointer(point: point)].point = point
    } else {
      pointers[seat] = nil
    }
    refresh(root)
  }

  /// Looks again at what is under the pointers: views may have moved.
  func update(_ root: RootView) {
    guard !pointers.isEmpty else { return }
    refresh(root)
    updateCursors(root)
  }

  private func refresh(_ root: RootView) {
    var now: [View] = []
    for seat in pointers.keys {
      guard let point = pointers[seat]?.point else { continue }
      let hit = root.hitTest(point)
      pointers[seat]?.view = hit
      var view = hit
      while let current = view {
        if !now.contains(where: { $0 === current }) { now.append(current) }
        view = current.superview
      }
    }
    let old = hovered.compactMap(\.view)
    hovered = now.map { Hovered(view: $0) }
    for view in old where view.isHovered && !now.contains(where: { $0 === view }) {
      view.isHovered = false
      view.hoverDidChange()
    }
    for view in now where !view.isHovered {
      view.isHovered = true
      view.hoverDidChange()
    }
  }

  /// Tells the window which pictures the pointers need. A view that a pointer holds keeps its own.
  func updateCursors(_ root: RootView) {
    guard let host = root.host else { return }
    for (seat, pointer) in pointers {
      let held = root.touchDispatcher.touches.first { $0.id == TouchID(seat: seat, contact: .pointer) }?.view
      let cursor = (held ?? pointer.view)?.cursor ?? .arrow
      guard cursor != pointer.cursor else { continue }
      pointers[seat]?.cursor = cursor
      host.setCursor(cursor, for: seat)
    }
  }
}
