nonisolated extension InputEvent {
  /// True if the event can only happen to a visible window.
  var showsLife: Bool {
    switch self {
    case .touches(let points): points.contains { $0.phase == .began || $0.phase == .moved }
    case .hover(_, let location): location != nil
    case .scroll: true
    case .key(let event): event.phase == .down
    case .keyboardFocus(_, let isFocused): isFocused
    case .text: true
    case .lost: false
    }
  }

  /// True if the event is a user action that should be answered at once.
  var isAction: Bool {
    switch self {
    case .touches, .key, .scroll, .text: true
    case .hover, .keyboardFocus, .lost: false
    }
  }

  /// The time when the event happened, by its own timestamp if that is on the clock of `now`, since painting may have delayed
  /// its delivery.
  func arrival(now: MonotonicTime) -> MonotonicTime { happened(within: 100, before: now) ?? now }

  /// The event's own time; for whole milliseconds the middle of its millisecond, or `now` if that is in the same one. Nil for
  /// an event without a time, or one that is not within the given milliseconds before `now` and so on a different clock.
  func happened(within milliseconds: UInt32, before now: MonotonicTime) -> MonotonicTime? {
    let stamp: MonotonicTime? =
      switch self {
      case .touches(let points): points.last?.time
      case .key(let event): event.time
      case .scroll(let event): event.time
      case .hover, .keyboardFocus, .text, .lost: nil
      }
    guard let stamp else { return nil }
    // Times on the wire are 32 bits of milliseconds.
    let age = now.milliseconds &- stamp.milliseconds
    guard age < milliseconds else { return nil }
    // Exact times have all their bits (`EventTimes`).
    if stamp.nanoseconds % 1_000_000 != 0, stamp <= now, now - stamp < .milliseconds(Int64(milliseconds)) {
      return stamp
    }
    return min(now, MonotonicTime(nanoseconds: (now.nanoseconds / 1_000_000 - Int64(age)) * 1_000_000 + 500_000))
  }
}

/// The fingers and keys whose beginning was withheld from a content because the compositor had frozen: a user who sees an
/// outdated picture must not command anything. The content receives nothing else of them either, up to their end.
nonisolated struct UnreportedInput {
  private struct HeldKey: Hashable {
    let seat: SeatID
    let key: Key
  }

  private var touches: Set<TouchID> = []
  private var keys: Set<HeldKey> = []

  /// The part of `event` to deliver to the content; nil if absent. Losses, and the ends of delivered touches and keys,
  /// are always delivered.
  mutating func rest(of event: InputEvent, isFrozen: Bool) -> InputEvent? {
    guard isFrozen || !touches.isEmpty || !keys.isEmpty else { return event }
    switch event {
    case .touches(let points):
      let rest = points.filter { !isUnreported($0, isFrozen) }
      return rest.isEmpty ? nil : .touches(rest)
    case .key(let key): return isUnreported(key, isFrozen) ? nil : event
    case .scroll: return isFrozen ? nil : event
    // A text commands nothing, and what is composed must end as it began.
    case .hover, .keyboardFocus, .text, .lost: return event
    }
  }

  private mutating func isUnreported(_ point: TouchPoint, _ isFrozen: Bool) -> Bool {
    switch point.phase {
    case .began:
      if isFrozen { touches.insert(point.id) } else { touches.remove(point.id) }
      return isFrozen
    case .moved: return touches.contains(point.id)
    case .ended, .cancelled: return touches.remove(point.id) != nil
    }
  }

  private mutating func isUnreported(_ event: KeyEvent, _ isFrozen: Bool) -> Bool {
    let key = HeldKey(seat: event.seat, key: event.key)
    switch event.phase {
    case .down:
      if isFrozen { keys.insert(key) } else { keys.remove(key) }
      return isFrozen
    case .repeated: return isFrozen || keys.contains(key)
    case .up, .cancelled: return keys.remove(key) != nil
    }
  }
}
