import Wayland

/// The times of one device's events: in nanoseconds if the compositor reports them (input-timestamps), otherwise in whole
/// milliseconds.
final class EventTimes {
  private let proxy: ZwpInputTimestampsV1?
  private var exact = ExactTime()

  /// Takes over a device's subscription; nil if the compositor offers none.
  init(_ proxy: ZwpInputTimestampsV1?) {
    self.proxy = proxy
    proxy?.onEvent = { [unowned self] in
      switch $0 {
      case .timestamp(let high, let low, let nanoseconds):
        exact.note(seconds: UInt64(high) << 32 | UInt64(low), nanoseconds: nanoseconds)
      }
    }
  }

  /// The time of the event that carries `milliseconds`; call it once for every event with a time.
  func time(_ milliseconds: UInt32) -> MonotonicTime { exact.take(milliseconds) }

  /// Destroys the subscription. Must precede the destruction of the device, which would make it inert.
  func end() { proxy?.end() }
}

/// The exact time announced before an event, until that event takes it.
nonisolated struct ExactTime: Sendable {
  private var exactTime: MonotonicTime?

  /// zwp_input_timestamps_v1.timestamp. An impossible time is dropped.
  mutating func note(seconds: UInt64, nanoseconds: UInt32) {
    // 146 years: the nanoseconds fit 63 bits.
    let isTime = seconds < UInt64(Int64.max / 2_000_000_000) && nanoseconds < 1_000_000_000
    exactTime = isTime ? MonotonicTime(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds)) : nil
  }

  /// The time of an event that carries `milliseconds`. An exact time more than a millisecond off belongs to an event that never
  /// arrived; the event's own time is used then.
  mutating func take(_ milliseconds: UInt32) -> MonotonicTime {
    defer { exactTime = nil }
    guard let exactTime, exactTime.milliseconds &- milliseconds &+ 1 <= 2 else {
      return MonotonicTime(milliseconds: milliseconds)
    }
    return exactTime
  }
}
