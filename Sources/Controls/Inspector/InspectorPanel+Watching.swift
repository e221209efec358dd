// Owns following what happens in the tree while the panel is in it.
// Must not know how anything is shown.

import Interface

/// What a panel watches with, and what it knows to be out of date.
struct InspectorWatch {
  /// The shortest time between two looks.
  static let interval = Duration.milliseconds(100)

  var layout: Observer?
  var activity: Observer?
  /// When watching began.
  var start = MonotonicTime.zero
  /// When it last looked, and the wake-up for what happened since.
  var lastLook: MonotonicTime?
  var nextLook: WakeUp?
  /// True when views came or went, or have other names.
  var isTreeStale = true
}

extension InspectorPanel {
  /// True while the panel is in a tree.
  var isWatching: Bool { watch.layout != nil }

  func beginWatching() {
    guard let root, let front, !isWatching else { return }
    // What was left of another root.
    tree = InspectorTree()
    log.removeAll()
    watch = InspectorWatch()
    watch.start = root.now
    watch.activity = root.activityObservers.add { [weak self] in self?.noticed($0) }
    root.insertSubview(mark, at: root.subviews.firstIndex { $0 === front } ?? root.subviews.count)
    watch.layout = root.addLayoutObserver { [weak self] in self?.laidOut() }
    showTree()
    outline.open(levels: outline.count(upTo: 200) <= 200 ? .max : 2)
  }

  func endWatching() {
    guard isWatching else { return }
    watch.activity?.remove()
    watch.layout?.remove()
    watch.nextLook?.cancel()
    watch = InspectorWatch()
    mark.removeFromSuperview()
    chosenView = nil
    outline.items = []
    log.removeAll()
  }

  // MARK: Looking

  /// A frame is about to be drawn: the mark follows at once, the rest when it is due.
  private func laidOut() {
    follow()
    somethingHappened()
  }

  /// Puts the mark around the chosen view.
  func follow() { mark.follow(chosenView, chosenView.map { tree.typeName(of: $0) } ?? "") }

  /// Looks now, or as soon as that may be again.
  private func somethingHappened() {
    guard let root, isWatching else { return }
    guard let last = watch.lastLook, root.now - last < InspectorWatch.interval else { return look() }
    guard watch.nextLook?.isWaiting != true else { return }
    watch.nextLook = root.wake(at: last + InspectorWatch.interval) { [weak self] in self?.look() }
  }

  private func look() {
    guard let root, isWatching else { return }
    watch.nextLook?.cancel()
    watch.lastLook = root.now
    if let chosenView, chosenView.root !== root { self.chosenView = nil }
    if chosenView == nil, outline.selection != nil { chosenViewDidChange() }
    if watch.isTreeStale { showTree() }
    showPage()
  }

  /// Shows the tree as it is now.
  func showTree() {
    guard let root else { return }
    watch.isTreeStale = false
    outline.items = tree.items(root.subviews.filter { $0 !== front && !isOwn($0) })
    outline.selection = chosenView.map { tree.id(of: $0) }
  }

  // MARK: Events

  private func noticed(_ activity: RootActivity) {
    guard let root else { return }
    switch activity {
    case .tree(let view):
      if watch.isTreeStale || view === root || isOwn(view) || view === front {
        // The root's own subviews: those of the inspector come and go too.
        if view === root { watch.isTreeStale = true }
        return
      }
      watch.isTreeStale = true
    case .touches(let view, let touches, let phase):
      guard !isOwn(view) else { return }
      for touch in touches { note("Touch \(phase.title)\(touch.id.contact.title)", of: view, goesOn: phase == .moved) }
    case .control(let control, let events):
      guard !isOwn(control) else { return }
      for (name, event) in Control.Event.named where events.contains(event) {
        note(PropertyName(name).title, of: control, goesOn: event.goesOn)
      }
    case .lifecycle(let event):
      log.note(event.title, of: "Window", view: nil, at: root.now)
    }
    somethingHappened()
  }

  private func note(_ text: String, of view: View, goesOn: Bool) {
    guard let root else { return }
    log.note(text, of: tree.title(of: view), view: tree.id(of: view), at: root.now, goesOn: goesOn)
  }
}

extension TouchPoint.Phase {
  nonisolated fileprivate var title: String {
    switch self {
    case .began: "Began"
    case .moved: "Moved"
    case .ended: "Ended"
    case .cancelled: "Cancelled"
    }
  }
}

extension TouchID.Contact {
  /// Which finger of several, for people.
  nonisolated fileprivate var title: String {
    switch self {
    case .finger(let number): number == 0 ? "" : " (finger \(number))"
    case .pointer: " (pointer)"
    case .pen: " (pen)"
    }
  }
}

extension Control.Event {
  /// True for what is told again and again while a finger moves.
  nonisolated fileprivate var goesOn: Bool {
    self == .touchDragInside || self == .touchDragOutside || self == .valueChanged
  }
}

extension LifecycleEvent {
  nonisolated fileprivate var title: String {
    switch self {
    case .willEnterForeground: "Will Enter Foreground"
    case .didBecomeActive: "Did Become Active"
    case .willResignActive: "Will Resign Active"
    case .didEnterBackground: "Did Enter Background"
    case .willTerminate: "Will Terminate"
    }
  }
}

extension OutlineList {
  /// How many things there are in all, counted no farther than `limit`.
  func count(upTo limit: Int) -> Int {
    var count = 0
    func add(_ items: [OutlineItem]) {
      for item in items where count <= limit {
        count += 1
        add(item.children)
      }
    }
    add(items)
    return count
  }
}
