// Owns who hears of one property's changes, and for how long.
// Must not know properties.

/// What a property is observed with: observing ends with `remove()`, or when nobody holds this any more (K-D2).
public final class PropertyObservation {
  private(set) var isRemoved = false

  /// Ends observing: nothing is told any more, not even of a change that is being told at the moment.
  public func remove() { isRemoved = true }
}

/// The observers of one thing.
final class PropertyObservers<Change> {
  private struct Entry {
    weak var token: PropertyObservation?
    let body: (Change) -> Void

    var isActive: Bool { token.map { !$0.isRemoved } ?? false }
  }

  private var entries: [Entry] = []
  /// Counts the changes of a value that were told.
  private var changeCount = 0

  func add(_ body: @escaping (Change) -> Void) -> PropertyObservation {
    entries.removeAll { !$0.isActive }
    let token = PropertyObservation()
    entries.append(Entry(token: token, body: body))
    return token
  }

  /// Tells everyone, in the order in which they came; who comes meanwhile waits for the next change.
  func tell(_ change: Change) {
    for entry in entries where entry.isActive { entry.body(change) }
  }

  /// True while somebody observes.
  var isActive: Bool { entries.contains(where: \.isActive) }
}

extension PropertyObservers where Change == Void {
  /// Tells everyone that a value changed, which they look at themselves. Where one of them changes it again, everyone is
  /// told of that at once, and nobody any more of the change before.
  func tellOfValue() {
    changeCount &+= 1
    let change = changeCount
    for entry in entries where change == changeCount && entry.isActive { entry.body(()) }
  }
}
