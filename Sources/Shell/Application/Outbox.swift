/// Holds every message for contents until it can be delivered: input, losses, lifecycle events.
///
/// Devices, seats and windows post while they change. Content is called at two points of the loop's turn only: after the
/// compositor's messages are dispatched, and around a frame. So content never meets a device or window half changed. Windows
/// end when the queue is empty (`atRest`), so that `willTerminate` is a content's last event.
final class Outbox {
  /// A message for a window's content, or for the application that opened the window.
  enum Message {
    case input(InputEvent)
    case life(LifecycleEvent)
    /// The time has come that content asked to be woken at.
    case wake
    /// A frame was committed.
    case frame(FrameReport)
    /// A person or the compositor asks to close the window.
    case closeRequest
    /// The last message of a window: its objects end.
    case end
    /// A call that belongs to no open window.
    case call(() -> Void)
  }

  private struct Entry {
    var window: Window?
    var message: Message
  }

  /// The most lists of touches that are kept for reuse: no test posted more in one turn.
  private static let mostLists = 32
  /// The fingers that a list has room for at first.
  private static let usualFingers = 4

  private var waiting: [Entry] = []
  /// The messages being delivered; swapped with `waiting`, so that a steady frame allocates nothing.
  private var telling: [Entry] = []
  private var steps: [() -> Void] = []
  private var lists: [[TouchPoint]] = []
  private var holds = 0
  private var isDelivering = false

  /// An outbox with room for the messages of a late frame (a mouse of 1000 Hz, two refreshes), so that it allocates nothing later.
  init() {
    waiting.reserveCapacity(Outbox.mostLists * 2)
    telling.reserveCapacity(Outbox.mostLists * 2)
    for _ in 0..<Outbox.mostLists {
      var list: [TouchPoint] = []
      list.reserveCapacity(Outbox.usualFingers)
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
  func atRest(_ step: @escaping () -> Void) { steps.append(step) }

  /// An empty list to post touches with; its storage is that of a list delivered before.
  func touchList() -> [TouchPoint] {
    guard var list = lists.popLast() else { return [] }
    list.removeAll(keepingCapacity: true)
    return list
  }

  /// Makes `deliver` do nothing until `release`: a device or window is in the middle of a change. Holds nest.
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
        swap(&waiting, &telling)
        for index in telling.indices { tell(index) }
        telling.removeAll(keepingCapacity: true)
      } else if !steps.isEmpty {
        steps.removeFirst()()
      } else {
        break
      }
    }
    isDelivering = false
  }

  private func tell(_ index: Int) {
    let entry = telling[index]
    // `entry` becomes the only owner of its list of touches: only then the list's storage can be reused.
    telling[index].message = .end
    telling[index].window = nil
    if case .call(let body) = entry.message { body() } else { entry.window?.hear(entry.message) }
    if case .input(.touches(let points)) = entry.message, lists.count < Outbox.mostLists { lists.append(points) }
  }
}
