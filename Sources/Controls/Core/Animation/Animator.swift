/// The views of one root that have running animations.
final class Animator {
  private struct Entry {
    weak var view: View?
  }

  private var entries: [Entry] = []

  /// True while any animation runs.
  var isAnimating: Bool { entries.contains { !($0.view?.animations.isEmpty ?? true) } }

  func add(_ view: View) {
    if !entries.contains(where: { $0.view === view }) { entries.append(Entry(view: view)) }
  }

  func advance(to time: MonotonicTime) {
    guard !entries.isEmpty else { return }
    for entry in entries { entry.view?.advanceAnimations(to: time) }
    entries.removeAll { $0.view?.animations.isEmpty ?? true }
  }

  func removeAll() {
    let old = entries
    entries = []
    for entry in old { entry.view?.removeAllAnimations() }
  }
}
