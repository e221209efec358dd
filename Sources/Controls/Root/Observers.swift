// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// The registration of an observer, which is called as long as this is held, or until `remove()`; or of an action, which no caller
/// needs to hold.
@MainActor public final class ObservationToken {
  fileprivate let state = ObservationState()

  /// True after `remove()`.
  public var isRemoved: Bool { state.isRemoved }

  var isAwake: Bool { state.isAwake }

  isolated deinit { state.remove() }

  /// Ends the registration: the observer or action is not called any more, not even for the message or event in progress.
  public func remove() { state.remove() }

  /// Wakes a frame observer that had returned that it needs no more frames.
  public func setNeedsFrame() {
    if !state.isRemoved { state.isAwake = true }
  }
}

/// What a list knows of a registration. The list holds it and not the registration, whose end removes it: to read a weak reference for
/// each observer of each frame would cost more than to notify it.
private final class ObservationState {
  private(set) var isRemoved = false
  var isAwake = true

  func remove() {
    isRemoved = true
    isAwake = false
  }
}

/// A reference that keeps nothing alive, for lists.
struct Weak<Object: AnyObject> {
  weak var object: Object?
}

/// Closures in the order in which they were added, each as long as its token is held.
final class ObserverList<Message, Answer> {
  private struct Entry {
    let state: ObservationState
    let body: (Message) -> Answer
  }

  private var entries: [Entry] = []

  var hasAwake: Bool { entries.contains { $0.state.isAwake } }

  func add(_ body: @escaping (Message) -> Answer) -> ObservationToken {
    removeEnded()
    let token = ObservationToken()
    entries.append(Entry(state: token.state, body: body))
    return token
  }

  /// The closures' captures go with them.
  private func removeEnded() {
    if entries.contains(where: { $0.state.isRemoved }) { entries.removeAll { $0.state.isRemoved } }
  }

  /// Notifies all observers that are awake; `staysAwake` decides from the answer whether to notify again. Observers added
  /// meanwhile wait for the next time.
  func notify(_ message: Message, staysAwake: (Answer) -> Bool) {
    guard !entries.isEmpty else { return }
    for entry in entries {
      guard entry.state.isAwake else { continue }
      let stays = staysAwake(entry.body(message))
      if !entry.state.isRemoved { entry.state.isAwake = stays }
    }
    removeEnded()
  }
}

extension ObserverList where Answer == Void {
  func notify(_ message: Message) { notify(message) { true } }
}

extension RootView {
  /// Adds `body`, which is called before every frame with the time at which the frame will be visible, beginning with the next
  /// frame, as long as the token is held and it returns true. After it returns false it sleeps, and no frame is drawn for it,
  /// until the token's `setNeedsFrame()`. In the background there are no frames: the next one may come much later.
  public func observeFrames(_ body: @escaping (_ time: MonotonicTime) -> Bool) -> ObservationToken {
    frameObservers.add(body)
  }

  /// Has `body` called at every step of the window's life, as long as the token is held.
  public func observeLifecycle(_ body: @escaping (_ event: LifecycleEvent) -> Void) -> ObservationToken {
    lifecycleObservers.add(body)
  }
}
