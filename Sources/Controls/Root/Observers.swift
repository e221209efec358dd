// Owns lists of closures that want to hear of something, and the tokens that end it.
// Must not know what they hear.

/// What an observer was added with: dropping it does not end observing, `remove` does.
public final class Observer {
  private(set) var isRemoved = false
  fileprivate(set) var isAwake = true

  /// Ends observing.
  public func remove() {
    isRemoved = true
    isAwake = false
  }

  /// Of a frame observer: asks for frames again after it said that it needs none.
  public func setNeedsFrame() {
    if !isRemoved { isAwake = true }
  }
}

/// Closures in the order in which they were added.
final class ObserverList<Message, Answer> {
  private var entries: [(token: Observer, body: (Message) -> Answer)] = []

  /// True while an observer wants to be told.
  var hasAwake: Bool { entries.contains { $0.token.isAwake } }

  func add(_ body: @escaping (Message) -> Answer) -> Observer {
    let token = Observer()
    entries.append((token, body))
    return token
  }

  /// Tells everyone who is awake; `staysAwake` reads from the answer whether to tell again.
  func tell(_ message: Message, staysAwake: (Answer) -> Bool) {
    guard !entries.isEmpty else { return }
    for entry in entries where entry.token.isAwake {
      let stays = staysAwake(entry.body(message))
      if !entry.token.isRemoved { entry.token.isAwake = stays }
    }
    entries.removeAll { $0.token.isRemoved }
  }
}

extension RootView {
  /// Has `body` called before every frame with the time at which the frame will be seen, beginning with the next frame,
  /// as long as it returns true. After false it sleeps, and no frame is made for it, until the token's
  /// `setNeedsFrame()`. In the background there are no frames: the next one may come much later.
  @discardableResult public func addFrameObserver(
    _ body: @escaping (_ time: MonotonicTime) -> Bool
  ) -> Observer {
    frameObservers.add(body)
  }

  /// Has `body` called at every step of the window's life.
  @discardableResult public func addLifecycleObserver(
    _ body: @escaping (_ event: LifecycleEvent) -> Void
  ) -> Observer {
    lifecycleObservers.add(body)
  }
}
