/// The registration of an observer, which is called as long as this is held, or until `remove()`; or of an action, which no caller
/// needs to hold.
public final class Observation {
  /// True after `remove()`.
  public private(set) var isRemoved = false
  fileprivate(set) var isAwake = true

  /// Ends the registration: the observer or action is not called any more, not even for the message or event in progress.
  public func remove() {
    isRemoved = true
    isAwake = false
  }

  /// Wakes a frame observer that had returned that it needs no more frames.
  public func setNeedsFrame() {
    if !isRemoved { isAwake = true }
  }
}

/// A reference that keeps nothing alive, for lists.
struct Weak<Object: AnyObject> {
  weak var object: Object?
}

/// Closures in the order in which they were added, each as long as its token is held.
final class ObserverList<Message, Answer> {
  private struct Entry {
    weak var token: Observation?
    let body: (Message) -> Answer

    var isOver: Bool { token?.isRemoved ?? true }
  }

  private var entries: [Entry] = []

  /// Reads each entry in place: a copy would make and destroy a weak reference.
  var hasAwake: Bool { entries.indices.contains { entries[$0].token?.isAwake ?? false } }

  func add(_ body: @escaping (Message) -> Answer) -> Observation {
    entries.removeAll(where: \.isOver)
    let token = Observation()
    entries.append(Entry(token: token, body: body))
    return token
  }

  /// Notifies all observers that are awake; `staysAwake` decides from the answer whether to notify again. Observers added
  /// meanwhile wait for the next time.
  func notify(_ message: Message, staysAwake: (Answer) -> Bool) {
    guard !entries.isEmpty else { return }
    for entry in entries {
      guard let token = entry.token, token.isAwake else { continue }
      let stays = staysAwake(entry.body(message))
      if !token.isRemoved { token.isAwake = stays }
    }
    // The closures' captures go with them.
    entries.removeAll(where: \.isOver)
  }
}

extension ObserverList where Answer == Void {
  func notify(_ message: Message) { notify(message) { true } }
}

extension RootView {
  /// Adds `body`, which is called before every frame with the time at which the frame will be visible, beginning with the next
  /// frame, as long as the token is held and it returns true. After it returns false it sleeps, and no frame is drawn for it,
  /// until the token's `setNeedsFrame()`. In the background there are no frames: the next one may come much later.
  public func observeFrames(_ body: @escaping (_ time: MonotonicTime) -> Bool) -> Observation {
    frameObservers.add(body)
  }

  /// Has `body` called at every step of the window's life, as long as the token is held.
  public func observeLifecycle(_ body: @escaping (_ event: LifecycleEvent) -> Void) -> Observation {
    lifecycleObservers.add(body)
  }
}
