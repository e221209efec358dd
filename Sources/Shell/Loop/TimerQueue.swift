// Timers in the order in which they are due. Knows no clock and no waiting.

import Interface

/// A timer's identity, to cancel it.
public struct TimerID: Hashable, Sendable {
  let value: UInt64
}

/// Pending timers. Value semantics would copy the handlers' list on every change; the loop owns the only one.
final class TimerQueue {
  private struct Entry {
    let id: TimerID
    let time: MonotonicTime
    let handler: () -> Void
  }

  private var entries: [Entry] = []
  private var lastID: UInt64 = 0

  /// When the next timer is due.
  var nextTime: MonotonicTime? { entries.first?.time }

  /// Adds a timer; timers of one time run in the order in which they were added.
  func add(at time: MonotonicTime, _ handler: @escaping () -> Void) -> TimerID {
    lastID += 1
    let id = TimerID(value: lastID)
    let index = entries.firstIndex { $0.time > time } ?? entries.count
    entries.insert(Entry(id: id, time: time, handler: handler), at: index)
    return id
  }

  /// Removes a timer; one that ran or was cancelled is ignored.
  func cancel(_ id: TimerID) {
    entries.removeAll { $0.id == id }
  }

  /// Runs what is due at `now`; timers that a handler adds wait for the next call, so that none can starve the loop.
  func run(now: MonotonicTime) {
    let newest = lastID
    while let index = entries.firstIndex(where: { $0.time > now || $0.id.value <= newest }) {
      guard entries[index].time <= now else { return }
      entries.remove(at: index).handler()
    }
  }
}
