/// A direction on the screen, the same in every language.
nonisolated public enum FocusDirection: String, CaseIterable, Hashable, Sendable {
  /// Towards the top edge.
  case up
  /// Towards the bottom edge.
  case down
  /// Towards the left edge.
  case left
  /// Towards the right edge.
  case right

  /// The direction of an arrow key; nil for any other key.
  init?(_ key: Key) {
    switch key {
    case .up: self = .up
    case .down: self = .down
    case .left: self = .left
    case .right: self = .right
    default: return nil
    }
  }
}

/// Finds the nearest of several rectangles in a direction, by geometry alone.
nonisolated struct FocusSearch: Hashable, Sendable {
  /// How much more a distance across the direction counts than one along it: what lies straight ahead comes first.
  private static let acrossFactor = 2.0

  let direction: FocusDirection

  /// The index of the nearest of `places` from `start`; nil if none lies in the direction. Of several that are equally near, the first one.
  func nearest(from start: Rect, among places: [Rect]) -> Int? {
    var best: (index: Int, distance: Double)?
    for (index, place) in places.enumerated() {
      guard let distance = distance(from: start, to: place), distance < best?.distance ?? .infinity else { continue }
      best = (index, distance)
    }
    return best?.index
  }

  /// The distance from `start` to `place`; nil if it does not lie in the direction: both its middle and its farther edge have to be beyond
  /// those of the start.
  func distance(from start: Rect, to place: Rect) -> Double? {
    let (from, to) = (span(start), span(place))
    guard to.end > from.end, (to.start + to.end) / 2 > (from.start + from.end) / 2 else { return nil }
    let along = max(to.start - from.end, 0)
    let across = max(to.low - from.high, from.low - to.high, 0)
    // Among those straight ahead at the same distance, the one whose middle is nearest.
    let offset = abs((to.low + to.high) - (from.low + from.high)) / 2
    return along + Self.acrossFactor * across + offset * 1e-3
  }

  /// The limits of a rectangle: along the direction, growing with it, and across it.
  private func span(_ rect: Rect) -> (start: Double, end: Double, low: Double, high: Double) {
    switch direction {
    case .up: (-rect.maxY, -rect.minY, rect.minX, rect.maxX)
    case .down: (rect.minY, rect.maxY, rect.minX, rect.maxX)
    case .left: (-rect.maxX, -rect.minX, rect.minY, rect.maxY)
    case .right: (rect.minX, rect.maxX, rect.minY, rect.maxY)
    }
  }
}

extension RootView {
  /// Moves the focus to the nearest view that can have it in a direction on the screen, as arrow keys do that no view uses: for encoders and
  /// the pads of gamepads. Without a focus the first view gets it, upwards and to the left the last. It changes no value and presses nothing.
  /// Returns false if there is no such view.
  @discardableResult public func moveFocus(_ direction: FocusDirection) -> Bool {
    let stops = (modalView ?? self).keyStops
    guard let current = firstResponder, current !== self else {
      guard let end = direction == .up || direction == .left ? stops.last : stops.first else { return false }
      focusByKeys(end)
      return true
    }
    let others = stops.filter { $0 !== current }
    let search = FocusSearch(direction: direction)
    guard let next = search.nearest(from: current.windowFrame, among: others.map(\.windowFrame)) else { return false }
    focusByKeys(others[next])
    return true
  }

  /// Moves the focus to `view` on behalf of who uses keys, and so sees the ring around it.
  func focusByKeys(_ view: View) {
    setFirstResponder(view)
    focusRing.isHidden = false
    toolTips.keyboardFocused(view, in: self)
  }
}

/// Moves the focus by the crosses of gamepads, a step for each press.
final class PadFocus {
  private var held: [SeatID: GamepadState.Extras] = [:]

  func handle(_ event: GamepadEvent, in root: RootView) {
    guard event.phase == .changed else {
      held[event.seat] = nil
      return
    }
    let pressed = event.state.extras.subtracting(held[event.seat] ?? [])
    held[event.seat] = event.state.extras
    // Nobody sees where the focus goes in a window that is not shown, and a hand that drives or edits by this gamepad means something else.
    guard root.isActive, !event.state.isHeld else { return }
    for direction in FocusDirection.allCases where pressed.contains(direction.button) { root.moveFocus(direction) }
  }
}

nonisolated extension FocusDirection {
  /// The direction of a gamepad's cross.
  fileprivate var button: GamepadState.Extras {
    switch self {
    case .up: .padUp
    case .down: .padDown
    case .left: .padLeft
    case .right: .padRight
    }
  }
}
