import UICore

/// An event, or a part of one, for one of the two.
nonisolated struct RoutedEvent {
  /// Whether it is the content's.
  var isContent: Bool
  var event: InputEvent
}

/// Splits events between a decoration and the content inside it. A contact belongs to the one on which it began.
nonisolated struct DecorationRouter: Sendable {
  private var owners: [TouchID: Bool] = [:]
  private var hovered: [SeatID: Bool] = [:]
  /// What the two are told of fingers; kept for their storage.
  private var inner: [TouchPoint] = []
  private var outer: [TouchPoint] = []

  /// The parts of `event`, at most one for each of the two, in order; the content's locations count from its own corner.
  /// `content` is its place in all that is drawn.
  mutating func route(_ event: InputEvent, content: Rect) -> (first: RoutedEvent?, second: RoutedEvent?) {
    switch event {
    case .touches(let points): return route(points, content)
    case .hover(let seat, let point): return route(seat, point, content)
    case .scroll(var scroll):
      guard content.contains(scroll.location) else { return (nil, nil) }
      scroll.location = scroll.location - content.origin
      return (RoutedEvent(isContent: true, event: .scroll(scroll)), nil)
    case .key, .keyboardFocus: return (RoutedEvent(isContent: true, event: event), nil)
    case .lost: return (RoutedEvent(isContent: true, event: event), RoutedEvent(isContent: false, event: event))
    }
  }

  /// What happens at once stays together: each of the two gets one event, first the one whose finger is first.
  private mutating func route(_ points: [TouchPoint], _ content: Rect) -> (first: RoutedEvent?, second: RoutedEvent?) {
    inner.removeAll(keepingCapacity: true)
    outer.removeAll(keepingCapacity: true)
    var isContentFirst: Bool?
    for var point in points {
      let isContent = point.phase == .began ? content.contains(point.location) : owners[point.id] ?? true
      switch point.phase {
      case .began: owners[point.id] = isContent
      case .moved: break
      case .ended, .cancelled: owners[point.id] = nil
      }
      if isContentFirst == nil { isContentFirst = isContent }
      if isContent {
        point.location = point.location - content.origin
        inner.append(point)
      } else {
        outer.append(point)
      }
    }
    let parts = (
      inner.isEmpty ? nil : RoutedEvent(isContent: true, event: .touches(inner)),
      outer.isEmpty ? nil : RoutedEvent(isContent: false, event: .touches(outer))
    )
    return isContentFirst == false ? (parts.1, parts.0) : parts
  }

  private mutating func route(
    _ seat: SeatID, _ point: Point?, _ content: Rect
  ) -> (first: RoutedEvent?, second: RoutedEvent?) {
    let old = hovered[seat]
    guard let point else {
      hovered[seat] = nil
      return (old.map { RoutedEvent(isContent: $0, event: .hover(seat, nil)) }, nil)
    }
    let isContent = content.contains(point)
    if old != isContent { hovered[seat] = isContent }
    let place = isContent ? point - content.origin : point
    // Left first, then entered: the pointer's picture is that of the place that it came to.
    let left = old.flatMap { $0 == isContent ? nil : RoutedEvent(isContent: $0, event: .hover(seat, nil)) }
    return (left, RoutedEvent(isContent: isContent, event: .hover(seat, place)))
  }
}
