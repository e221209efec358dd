// Owns which of the two, content or frame, gets an event of a framed window. Pure.
// Must not know either of them.

import Interface

/// Splits events between a frame and the content inside it. A contact belongs to the one on which it began.
nonisolated struct FrameRouter: Sendable {
  private var owners: [TouchID: Bool] = [:]
  private var hovered: [SeatID: Bool] = [:]

  /// The parts of `event` in order, and whether each is the content's; the content's locations count from its own
  /// corner. `content` is its place in all that is drawn.
  mutating func route(_ event: InputEvent, content: Rect) -> [(isContent: Bool, event: InputEvent)] {
    switch event {
    case .touches(let points): return route(points, content)
    case .hover(let seat, let point): return route(seat, point, content)
    case .scroll(var scroll):
      guard content.contains(scroll.location) else { return [] }
      scroll.location = scroll.location - content.origin
      return [(true, .scroll(scroll))]
    case .key, .keyboardFocus: return [(true, event)]
    case .lost: return [(true, event), (false, event)]
    }
  }

  private mutating func route(_ points: [TouchPoint], _ content: Rect) -> [(isContent: Bool, event: InputEvent)] {
    var parts: [(isContent: Bool, points: [TouchPoint])] = []
    for var point in points {
      let isContent = point.phase == .began ? content.contains(point.location) : owners[point.id] ?? true
      switch point.phase {
      case .began: owners[point.id] = isContent
      case .moved: break
      case .ended, .cancelled: owners[point.id] = nil
      }
      if isContent { point.location = point.location - content.origin }
      // What happens at once stays together: each of the two gets one event.
      if let index = parts.firstIndex(where: { $0.isContent == isContent }) {
        parts[index].points.append(point)
      } else {
        parts.append((isContent, [point]))
      }
    }
    return parts.map { ($0.isContent, .touches($0.points)) }
  }

  private mutating func route(
    _ seat: SeatID, _ point: Point?, _ content: Rect
  ) -> [(isContent: Bool, event: InputEvent)] {
    let old = hovered[seat]
    guard let point else {
      hovered[seat] = nil
      return old.map { [($0, .hover(seat, nil))] } ?? []
    }
    let isContent = content.contains(point)
    hovered[seat] = isContent
    let place = isContent ? point - content.origin : point
    // Left first, then entered: the pointer's picture is that of the place that it came to.
    let left: [(isContent: Bool, event: InputEvent)] =
      old.map { $0 == isContent ? [] : [($0, .hover(seat, nil))] } ?? []
    return left + [(isContent, .hover(seat, place))]
  }
}
