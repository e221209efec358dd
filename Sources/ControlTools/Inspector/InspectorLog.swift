import Controls
import UICore

/// The latest events: what goes on, such as a moving finger, is one entry that counts.
nonisolated struct InspectorLog: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// When it was last.
    var time: MonotonicTime
    /// Which view, by its number in the tree; nil for the window.
    var view: Int?
    /// The view's name for people.
    var source: String
    /// What happened.
    var text: String
    /// How often in a row.
    var count: Int
    /// True for what is told again and again, such as motion.
    var goesOn: Bool
  }

  /// How many entries are kept.
  static let capacity = 50
  /// How far back an entry may be that goes on.
  private static let reach = 6

  /// The entries, the latest first.
  private(set) var entries: [Entry] = []

  /// Notes what happened. What `goesOn` is counted with the same a few entries before, unless the view was told of something
  /// else meanwhile that happens once.
  mutating func note(_ text: String, of source: String, view: Int?, at time: MonotonicTime, goesOn: Bool = false) {
    if goesOn {
      for index in entries.indices.prefix(Self.reach) where entries[index].view == view {
        guard entries[index].goesOn else { break }
        guard entries[index].text == text else { continue }
        entries[index].count += 1
        entries[index].time = time
        return
      }
    }
    entries.insert(Entry(time: time, view: view, source: source, text: text, count: 1, goesOn: goesOn), at: 0)
    if entries.count > Self.capacity { entries.removeLast(entries.count - Self.capacity) }
  }

  mutating func removeAll() { entries = [] }
}
