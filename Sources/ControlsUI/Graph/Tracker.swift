import Glibc
import Synchronization

/// Watches what was read while something was evaluated, until one of it changes.
final class Tracker {
  private let gate = Gate()
  private var isWatching = false
  private weak var node: ActiveNode?
  /// The thread that evaluated last, which the main actor had then.
  nonisolated private let thread = Atomic<pthread_t>(0)

  /// Calls `body`, and `node` is updated before the next frame if something that `body` read changes.
  func track(_ node: ActiveNode, _ body: () -> Void) {
    stop()
    isWatching = true
    self.node = node
    thread.store(pthread_self(), ordering: .relaxed)
    // What is called captures one object alone: that takes no allocation, neither here nor where Observation keeps it.
    withObservationTracking {
      gate.read()
      body()
    } onChange: { [self] in
      somethingChanged()
    }
  }

  /// A model may be changed on any thread, views only on the main actor's. In a program that is always the same, in tests it need not be: then
  /// the change is noted a moment later.
  nonisolated private func somethingChanged() {
    if pthread_equal(pthread_self(), thread.load(ordering: .relaxed)) != 0 {
      MainActor.assumeIsolated { changed() }
    } else {
      Task { @MainActor in changed() }
    }
  }

  private func changed() {
    guard isWatching else { return }
    isWatching = false
    node?.setNeedsUpdate()
  }

  /// Ends the watch. Otherwise a model that never changes would be watched once more by each evaluation.
  func stop() {
    guard isWatching else { return }
    isWatching = false
    gate.change()
  }
}

/// Something that every watch reads, because a watch ends only by a change of what it read.
private final class Gate: nonisolated Observable {
  private let registrar = ObservationRegistrar()
  private var count = 0

  func read() { registrar.access(self, keyPath: \.count) }

  func change() { registrar.withMutation(of: self, keyPath: \.count) { count &+= 1 } }
}
