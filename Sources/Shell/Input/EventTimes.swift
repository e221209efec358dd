import Wayland

/// The times of one device's events: to the nanosecond where the compositor tells that much (input-timestamps), else in
/// whole milliseconds.
final class EventTimes {
  private let proxy: ZwpInputTimestampsV1?
  private var exact = ExactTime()

  /// Takes over a device's subscription; nil where the compositor offers none.
  init(_ proxy: ZwpInputTimestampsV1?) {
    self.proxy = proxy
    proxy?.onEvent = { [unowned self] in
      switch $0 {
      case .timestamp(let high, let low, let nanoseconds):
        exact.note(seconds: UInt64(high) << 32 | UInt64(low), nanoseconds: nanoseconds)
      }
    }
  }

  /// The time of the event that carries `milliseconds`; to be asked once for every event with a time.
  func time(_ milliseconds: UInt32) -> MonotonicTime { exact.take(milliseconds) }

  /// Ends the subscription; it comes before the device's end, which would make it inert.
  func end() { proxy?.end() }
}

/// The exact time that was told ahead of an event, until that event takes it.
nonisolated struct ExactTime: Sendable {
  private var told: MonotonicTime?

  /// zwp_input_timestamps_v1.timestamp. An impossible time is dropped.
  mutating func note(seconds: UInt64, nanoseconds: UInt32) {
    // 146 years: the nanoseconds fit 63 bits.
    let isTime = seconds < UInt64(Int64.max / 2_000_000_000) && nanoseconds < 1_000_000_000
    told = isTime ? MonotonicTime(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds)) : nil
  }

  /// The time of an event that carries `milliseconds`. One that is over a millisecond off belongs to an event that never came:
  /// the event's own time counts then.
  mutating func take(_ milliseconds: UInt32) -> MonotonicTime {
    defer { told = nil }
    guard let told, told.milliseconds &- milliseconds &+ 1 <= 2 else {
      return MonotonicTime(milliseconds: milliseconds)
    }
    return told
  }
}
