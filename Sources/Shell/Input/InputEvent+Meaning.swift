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
    case .textService, .gamepad, .lost: false
    }
  }

  /// True if the event is a user action that should be answered at once.
  var isAction: Bool {
    switch self {
    case .touches, .key, .scroll, .text, .gamepad: true
    case .hover, .keyboardFocus, .textService, .lost: false
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
      case .gamepad(let event): event.time
      case .hover, .keyboardFocus, .text, .textService, .lost: nil
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

  /// The part of `event` to deliver to the content; nil if nothing of it is left. Losses, and the ends of delivered touches and
  /// keys, are always delivered.
  mutating func rest(of event: InputEvent, isFrozen: Bool) -> InputEvent? {
    guard isFrozen || !touches.isEmpty || !keys.isEmpty else { return event }
    switch event {
    case .touches(let points):
      let rest = points.filter {
        let ends = $0.phase == .ended || $0.phase == .cancelled
        return !Self.withholds($0.id, begins: $0.phase == .began, ends: ends, isFrozen, &touches)
      }
      return rest.isEmpty ? nil : .touches(rest)
    case .key(let key):
      let (held, ends) = (HeldKey(seat: key.seat, key: key.key), key.phase == .up || key.phase == .cancelled)
      let isWithheld = Self.withholds(held, begins: key.phase == .down, ends: ends, isFrozen, &keys)
      return isWithheld || (key.phase == .repeated && isFrozen) ? nil : event
    case .scroll: return isFrozen ? nil : event
    // A text commands nothing, and what is composed must end as it began.
    case .hover, .keyboardFocus, .text, .textService, .gamepad, .lost: return event
    }
  }

  /// Whether to withhold an event of the finger or key `id`; `ids` are those whose beginning was withheld.
  private static func withholds<ID>(_ id: ID, begins: Bool, ends: Bool, _ isFrozen: Bool, _ ids: inout Set<ID>) -> Bool
  {
    if begins, isFrozen { ids.insert(id) }
    let isWithheld = begins ? isFrozen : ids.contains(id)
    if ends || !isWithheld { ids.remove(id) }
    return isWithheld
  }
}
