/// Queues every message for contents until it can be delivered: input, losses, lifecycle events.
///
/// Devices, seats and windows post while they change. Content is called only at two points of an event-loop iteration: after
/// the compositor's messages are dispatched, and around a frame. Content therefore never meets a half-changed device or window.
/// Windows are destroyed when the queue is empty (`whenEmpty`), so `willTerminate` is a content's last event.
final class Outbox {
  /// A message for a window's content, or for the application that opened the window.
  enum Message {
    case input(InputEvent)
    case life(LifecycleEvent)
    /// The time has come at which content asked to be woken.
    case wake
    /// A frame was committed.
    case frame(FrameReport)
    /// The user or the compositor asks to close the window.
    case closeRequest
    /// The last message of a window, after which its objects are destroyed.
    case end
    /// A call that belongs to no open window.
    case call(() -> Void)
  }

  private struct Entry {
    var window: Window?
    var message: Message
  }

  /// The messages of a late frame: a mouse at 1000 Hz, two refreshes. Space for them is reserved, so that it does not allocate
  /// later.
  private static let usualCount = 64

  private var waiting: [Entry] = []
  /// The messages being delivered; swapped with `waiting`, so that a steady frame allocates nothing.
  private var delivering: [Entry] = []
  private var steps: [() -> Void] = []
  /// The touch lists that may wait at once without an allocation: those of a frame that is eight refreshes late.
  private static let usualLists = 8
  /// The storage of delivered touch lists.
  private var lists: [[TouchPoint]] = []
  private var holds = 0
  private var isDelivering = false

  init() {
    waiting.reserveCapacity(Outbox.usualCount)
    delivering.reserveCapacity(Outbox.usualCount)
    for _ in 0..<Outbox.usualLists {
      var list: [TouchPoint] = []
      list.reserveCapacity(2)
      lists.append(list)
    }
  }

  /// True when no message and no step waits.
  var isEmpty: Bool { waiting.isEmpty && steps.isEmpty }

  /// Queues `message` for the next point of delivery.
  func post(_ message: Message, to window: Window? = nil) {
    waiting.append(Entry(window: window, message: message))
  }

  /// Runs `step` once, when the queue is empty.
  func whenEmpty(_ step: @escaping () -> Void) { steps.append(step) }

  /// Returns an empty list for posting touches, with the storage of a delivered list.
  func touchList() -> [TouchPoint] {
    var list = lists.popLast() ?? []
    list.removeAll(keepingCapacity: true)
    return list
  }

  /// Makes `deliver` do nothing until `release`, because a device or window is in the middle of a change. Holds nest.
  func hold() { holds += 1 }

  /// Takes a `hold` back. The caller delivers.
  func release() { holds -= 1 }

  /// Delivers all messages in order, then the steps, then the messages that those posted. Does nothing within itself and between
  /// `hold` and `release`.
  func deliver() {
    guard holds == 0, !isDelivering else { return }
    isDelivering = true
    while true {
      if !waiting.isEmpty {
        swap(&waiting, &delivering)
        for index in delivering.indices { deliverMessage(at: index) }
        delivering.removeAll(keepingCapacity: true)
      } else if !steps.isEmpty {
        steps.removeFirst()()
      } else {
        break
      }
    }
    isDelivering = false
  }

  private func deliverMessage(at index: Int) {
    let entry = delivering[index]
    // `entry` becomes the only owner of its list of touches: only then the list's storage can be reused.
    delivering[index].message = .end
    delivering[index].window = nil
    if case .call(let body) = entry.message { body() } else { entry.window?.deliver(entry.message) }
    if case .input(.touches(let points)) = entry.message, lists.count < Outbox.usualCount { lists.append(points) }
  }
}
