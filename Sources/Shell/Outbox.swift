// What content is to be told, and when it may be told.
// Must not know what devices and windows do with their own state.

import Interface

/// The one queue of everything that content hears: input, losses, steps of its life.
///
/// Devices, seats and windows post while they change; content is called at two points of the loop's turn only, when the
/// messages that had arrived are dispatched and around a frame. So nothing that content does meets anything half done.
/// What ends windows waits until the queue is empty (`atRest`), so that a content's last event is its last.
final class Outbox {
  /// What is told.
  enum Message {
    case input(InputEvent)
    case life(LifecycleEvent)
    /// The time has come that content asked to be woken at.
    case wake
    /// A frame was committed.
    case frame(FrameReport)
    /// A person or the compositor asks to close the window.
    case closeRequest
    /// Nothing more is told: the window's objects end.
    case end
    /// Something for nobody's window.
    case call(() -> Void)
  }

  private struct Entry {
    var window: Window?
    var message: Message
  }

  /// Lists for touches that wait to serve again; more are not kept.
  private static let mostLists = 32

  private var waiting: [Entry] = []
  /// What is being told; swapped with `waiting`, so that the storage of both serves again.
  private var telling: [Entry] = []
  private var steps: [() -> Void] = []
  private var lists: [[TouchPoint]] = []
  private var holds = 0
  private var isDelivering = false

  /// True when nothing waits to be told or done.
  var isEmpty: Bool { waiting.isEmpty && steps.isEmpty }

  /// Tells `message` at the next point of delivery.
  func post(_ message: Message, to window: Window? = nil) {
    waiting.append(Entry(window: window, message: message))
  }

  /// Does `step` once everything is told.
  func atRest(_ step: @escaping () -> Void) { steps.append(step) }

  /// An empty list for touches to post, which needs no memory once touches have been told.
  func touchList() -> [TouchPoint] {
    guard var list = lists.popLast() else { return [] }
    list.removeAll(keepingCapacity: true)
    return list
  }

  /// Until `release`, `deliver` does nothing: something is in the middle of a change.
  func hold() { holds += 1 }

  /// Takes a `hold` back; what was posted meanwhile waits for `deliver`.
  func release() { holds -= 1 }

  /// Tells all that waits, in order, and what follows from it. Does nothing within itself and between `hold` and `release`.
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
    // The entry here is the only one that holds a list of touches, which then serves again.
    telling[index].message = .end
    telling[index].window = nil
    if case .call(let body) = entry.message { body() } else { entry.window?.hear(entry.message) }
    if case .input(.touches(let points)) = entry.message, lists.count < Outbox.mostLists { lists.append(points) }
  }
}
