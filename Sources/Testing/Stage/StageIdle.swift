internal import WaylandServer

/// A client's wish to know when nobody uses a seat (ext_idle_notification_v1), on the stage's clock.
final class StageIdleNotification {
  private let resource: ExtIdleNotificationV1Resource
  private weak var seat: StageSeat?
  private let timeout: Duration
  /// Whether it counts only the user's input, whatever wants the screen on.
  private let ignoresInhibitors: Bool
  private var since: MonotonicTime
  private var isIdle = false

  init(
    resource: ExtIdleNotificationV1Resource, seat: StageSeat, milliseconds: UInt32, ignoresInhibitors: Bool,
    now: MonotonicTime
  ) {
    (self.resource, self.seat, self.ignoresInhibitors) = (resource, seat, ignoresInhibitors)
    timeout = .milliseconds(Int64(milliseconds))
    since = now
  }

  /// Starts the time again for an event of a seat.
  func noteActivity(of seat: StageSeat, _ now: MonotonicTime) {
    if seat === self.seat { restart(now) }
  }

  private func restart(_ now: MonotonicTime) {
    since = now
    guard isIdle else { return }
    isIdle = false
    resource.sendResumed()
  }

  /// Tells the client once the time is over. `isInhibited` is whether a window keeps the screen on.
  func check(_ now: MonotonicTime, isInhibited: Bool) {
    if isInhibited, !ignoresInhibitors { return restart(now) }
    guard !isIdle, now - since >= timeout else { return }
    isIdle = true
    resource.sendIdled()
  }
}

extension StageSeat {
  /// Counts as the user's activity; each event of a device does.
  func noteActivity() {
    guard let stage else { return }
    for notification in stage.idleNotifications { notification.noteActivity(of: self, now) }
  }
}

extension Stage {
  func handle(_ request: ExtIdleNotifierV1Resource.Request) {
    let (made, timeout, bound, ignores): (ExtIdleNotificationV1Resource, UInt32, WlSeatResource?, Bool)
    switch request {
    case .destroy: return
    case .getIdleNotification(let new, let time, let seat): (made, timeout, bound, ignores) = (new, time, seat, false)
    case .getInputIdleNotification(let new, let time, let seat):
      (made, timeout, bound, ignores) = (new, time, seat, true)
    }
    guard let seat: StageSeat = model(bound) else { return }
    let notification = StageIdleNotification(
      resource: made, seat: seat, milliseconds: timeout, ignoresInhibitors: ignores, now: clock.now)
    own(notification, for: made, in: \.idleNotifications)
  }

  /// Tells clients that nobody has used a seat for long enough.
  func checkIdleness() {
    guard !idleNotifications.isEmpty else { return }
    let isInhibited = surfaces.contains { $0.isShown && $0.inhibitsIdle }
    for notification in idleNotifications { notification.check(clock.now, isInhibited: isInhibited) }
  }
}
