import Controls
import Desktop
import Shell
import UICore

/// The program's objects on the accessibility bus.
///
/// Requests are answered from the present views. Changes are found by comparing the tree sent last with the views, at most
/// twenty times a second and only after frames, so that no control needs to send notifications and none can forget to. While a
/// finger or key holds something, five requests are answered per second: input comes first, because each answer takes 100 us of
/// processor time from it.
final class AccessibleTree {
  var carryOut: (AccessibilityCommand, View) throws(AccessibilityRefusal) -> Void = {
    (command, view) throws(AccessibilityRefusal) in try view.carryOut(command)
  }

  let root: RootView
  let title: String
  let bus: BusConnection
  /// The name on the bus; empty until it is known.
  private(set) var name = ""
  /// The desktop's object, the parent of the program's.
  private(set) var desktop = (name: registry, path: rootPath)
  /// The number that the registry gives.
  var registryID = 0

  private let loop: EventLoop
  private var tokens: [Observation] = []
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in tell() }
  private var lastTold = MonotonicTime.zero
  private var told: [Int: Told] = [:]
  private var numbers = ViewNumbers(after: windowNumber, most: 2 * mostListed)

  /// The shortest time between two comparisons, without and with held input.
  private static let quietPeriod = Duration.milliseconds(50)
  private static let heldPeriod = Duration.milliseconds(100)
  /// The times between answers while input is held. An answer between two frames takes about 100 us, because its memory is not
  /// in the cache: nine a second at 60 Hz took 5.3 % of a drag's processor time, and these are five and a half.
  static let heldPace = BusConnection.Pace(amongTurns: .milliseconds(180), waking: .milliseconds(220))
  /// Limit on listed and on compared objects; either pass stays under 2 ms. Others can be requested one by one.
  static let mostListed = 500

  static let registry = "org.a11y.atspi.Registry"
  static let rootPath = "/org/a11y/atspi/accessible/root"
  static let nullPath = "/org/a11y/atspi/null"
  static let cachePath = "/org/a11y/atspi/cache"
  static let prefix = "/org/a11y/atspi/accessible"
  private static let windowNumber = 1

  /// The reasons of the objects' last refusals.
  private var refusals: [Int: String] = [:]

  /// The last sent state of an object.
  private struct Told: Equatable {
    var parent = 0
    var name = ""
    var value: AccessibilityValue?
    var text: AccessibilityText?
    var states: States = []
    var children: [Int] = []
  }

  init(root: RootView, title: String, bus: BusConnection, loop: EventLoop) {
    (self.root, self.title, self.bus, self.loop) = (root, title, bus, loop)
  }

  /// Registers the program, and answers from then on.
  func open() {
    bus.pace = { [unowned root] in root.isHeld ? Self.heldPace : nil }
    bus.isFrameDue = { [unowned root] in root.needsFrame }
    bus.serve("/org/a11y/atspi") { [unowned self] in answer($0) }
    // Its answer says which name the bus gave this program.
    bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId") { _ in
    } answer: { [weak self] in
      guard let self, let name = $0?.ownName else { return }
      self.name = name
      embed()
    }
    bus.process()
  }

  private func embed() {
    bus.call(Self.registry, Self.rootPath, "org.a11y.atspi.Socket", "Embed") { arguments in
      arguments.reference(name, Self.rootPath)
    } answer: { [weak self] answer in
      guard let self, let answer else { return }
      answer.inside("r", "so") {
        if let name = answer.text(), let path = answer.text("o") { self.desktop = (name, path) }
      }
      watch()
    }
  }

  func close() {
    timer.time = nil
    tokens = []
    bus.close()
  }

  // MARK: Objects

  /// The number of a view's object; the root is the window.
  func number(of view: View) -> Int {
    if view === root { return Self.windowNumber }
    let (number, gone) = numbers.number(of: view) { told[$0] != nil }
    for number in gone { refusals[number] = nil }
    return number
  }

  /// The object at a path; nil if absent or destroyed.
  func object(at path: String) -> AccessibleObject? {
    if path == Self.rootPath { return .application }
    guard path.hasPrefix(Self.prefix + "/"), let number = Int(path.dropFirst(Self.prefix.count + 1)) else { return nil }
    if number == Self.windowNumber { return .window }
    guard let view = numbers.view(number), view.accessibilityRoot === root, view.isAccessibilityElement else {
      return nil
    }
    return .element(view)
  }

  func path(_ number: Int) -> String { number == 0 ? Self.rootPath : "\(Self.prefix)/\(number)" }

  func path(of object: AccessibleObject) -> String {
    switch object {
    case .application: Self.rootPath
    case .window: path(Self.windowNumber)
    case .element(let view): path(number(of: view))
    }
  }

  /// The objects inside.
  func children(of object: AccessibleObject) -> [AccessibleObject] {
    switch object {
    case .application: [.window]
    case .window: (root.accessibilityElements + root.accessibilityDecoration).map { .element($0) }
    case .element(let view): view.accessibilityElements.map { .element($0) }
    }
  }

  /// The parent object; nil for the program, whose parent is the desktop.
  func parent(of object: AccessibleObject) -> AccessibleObject? {
    switch object {
    case .application: nil
    case .window: .application
    case .element(let view):
      view.accessibilityParent.map { $0 === root ? .window : .element($0) } ?? .window
    }
  }

  func name(of object: AccessibleObject) -> String {
    switch object {
    case .application, .window: title
    case .element(let view): view.accessibilityLabel ?? ""
    }
  }

  func role(of object: AccessibleObject) -> Role {
    switch object {
    case .application: .application
    case .window: .frame
    case .element(let view): Role(view.accessibilityRole)
    }
  }

  func states(of object: AccessibleObject) -> States {
    switch object {
    case .application: [.enabled, .sensitive, .showing, .visible]
    case .window:
      root.isActive ? [.active, .enabled, .sensitive, .showing, .visible] : [.enabled, .sensitive, .visible]
    case .element(let view): view.accessibleStates
    }
  }

  func interfaces(of object: AccessibleObject) -> [String] {
    let names: [String] =
      switch object {
      case .application: ["Accessible", "Application"]
      case .window: ["Accessible", "Component"]
      case .element(let view): view.accessibleInterfaces
      }
    return names.map { "org.a11y.atspi." + $0 }
  }

  /// The reason why the view refused the last request; nil if it succeeded.
  func refusal(of view: View) -> String? { refusals[number(of: view)] }

  /// Records that the view carried out a request, or the reason why it did not.
  func noteRefusal(_ reason: String?, of view: View) {
    let number = number(of: view)
    guard reason != nil || refusals[number] != nil else { return }
    refusals[number] = reason
    // Earlier changes are sent first.
    tell()
    property("accessible-description", .text(reason ?? ""), number)
    if let reason { announce(reason) }
  }

  // MARK: Changes

  private func watch() {
    tell(isFirst: true)
    tokens = [
      root.addLayoutObserver { [unowned self] in askToTell() },
      root.addActivityObserver { [unowned self] in
        switch $0 {
        case .announcement(let text): announce(text)
        case .control, .lifecycle, .tree: askToTell()
        case .touches: break
        }
      },
    ]
  }

  /// Schedules sending changes.
  private func askToTell() {
    guard timer.time == nil else { return }
    timer.time = max(loop.clock.now, lastTold + (root.isHeld ? Self.heldPeriod : Self.quietPeriod))
  }

  /// Has a screen reader say `text` at once, after what has changed before.
  private func announce(_ text: String) {
    tell()
    // 2 is assertive.
    event("Announcement", number: Self.windowNumber, detail: 2, value: .text(text))
  }

  /// Sends the changes since the last time.
  private func tell(isFirst: Bool = false) {
    timer.time = nil
    var now: [Int: Told] = [:]
    var order: [Int] = []
    collect(.window, parent: 0, into: &now, order: &order)
    let before = told
    told = now
    lastTold = loop.clock.now
    guard !isFirst else { return }
    for number in before.keys.sorted() where now[number] == nil { forget(number, from: before) }
    for number in order {
      guard let new = now[number] else { continue }
      guard let old = before[number] else {
        add(number, new)
        continue
      }
      if new != old { tellChange(of: number, from: old, to: new) }
    }
    // The old focus is removed before the new one is set.
    for isFocused in [false, true] {
      for number in order {
        let (old, new) = (before[number]?.states ?? [], now[number]?.states ?? [])
        guard new.contains(.focused) == isFocused, old.contains(.focused) != isFocused else { continue }
        state("focused", isFocused, number)
      }
    }
  }

  private func collect(
    _ object: AccessibleObject, parent: Int, into found: inout [Int: Told], order: inout [Int]
  ) {
    let number = number(of: object)
    order.append(number)
    var told = Told(parent: parent, name: name(of: object), states: states(of: object))
    if case .element(let view) = object { (told.value, told.text) = (view.accessibilityValue, view.accessibilityText) }
    let children = children(of: object).prefix(max(Self.mostListed - order.count, 0))
    told.children = children.map { self.number(of: $0) }
    found[number] = told
    for child in children where order.count < Self.mostListed {
      collect(child, parent: number, into: &found, order: &order)
    }
  }

  func number(of object: AccessibleObject) -> Int {
    switch object {
    case .application: 0
    case .window: Self.windowNumber
    case .element(let view): number(of: view)
    }
  }

  private func add(_ number: Int, _ new: Told) {
    guard let object = object(at: path(number)) else { return }
    let index = told[new.parent]?.children.firstIndex(of: number) ?? 0
    bus.emit(Self.cachePath, "org.a11y.atspi.Cache", "AddAccessible") {
      $0.cacheItem(of: object, at: index, in: self)
    }
    childEvent("add", number, index, parent: new.parent)
    if new.states.contains(.showing) { state("showing", true, number) }
  }

  private func forget(_ number: Int, from before: [Int: Told]) {
    if let old = before[number] {
      childEvent("remove", number, before[old.parent]?.children.firstIndex(of: number) ?? 0, parent: old.parent)
    }
    bus.emit(Self.cachePath, "org.a11y.atspi.Cache", "RemoveAccessible") { $0.reference(name, path(number)) }
    if numbers.view(number)?.accessibilityRoot !== root {
      numbers.forget(number)
      refusals[number] = nil
      state("defunct", true, number)
    }
  }

  private func tellChange(of number: Int, from old: Told, to new: Told) {
    if new.name != old.name { property("accessible-name", .text(new.name), number) }
    if new.value?.number != old.value?.number, let value = new.value {
      property("accessible-value", .double(value.number), number)
    }
    for (name, state) in States.told where state != .focused {
      let isSet = new.states.contains(state)
      if isSet != old.states.contains(state) { self.state(name, isSet, number) }
    }
    guard new.text != old.text, let (text, was) = new.text.flatMap({ text in old.text.map { (text, $0) } }) else {
      return
    }
    if text.text != was.text {
      if !was.text.isEmpty { textEvent("delete", was.text, number) }
      if !text.text.isEmpty { textEvent("insert", text.text, number) }
    }
    if text.caret != was.caret, let caret = text.caret {
      event("TextCaretMoved", number: number, detail: caret, value: .int(0))
    }
    if text.selection != was.selection { event("TextSelectionChanged", number: number, value: .int(0)) }
  }

  // MARK: Events

  private func state(_ name: String, _ isSet: Bool, _ number: Int) {
    event("StateChanged", name, number: number, detail: isSet ? 1 : 0, value: .int(0))
  }

  private func property(_ name: String, _ value: BusValue, _ number: Int) {
    event("PropertyChange", name, number: number, value: value)
  }

  private func textEvent(_ kind: String, _ text: String, _ number: Int) {
    event("TextChanged", kind, number: number, second: text.unicodeScalars.count, value: .text(text))
  }

  private func childEvent(_ kind: String, _ child: Int, _ index: Int, parent: Int) {
    bus.emit(path(parent), "org.a11y.atspi.Event.Object", "ChildrenChanged") { body in
      body.text(kind)
      body.int(index)
      body.int(0)
      body.inside("v", "(so)") { body.reference(name, path(child)) }
      body.inside("a", "{sv}") {}
    }
  }

  private func event(
    _ member: String, _ kind: String = "", number: Int, detail: Int = 0, second: Int = 0, value: BusValue
  ) {
    bus.emit(path(number), "org.a11y.atspi.Event.Object", member) { body in
      body.text(kind)
      body.int(detail)
      body.int(second)
      body.variant(value)
      body.inside("a", "{sv}") {}
    }
  }
}

extension BusWriter {
  /// Writes a reference to an object: the name of its connection, and its path.
  func reference(_ name: String, _ path: String) {
    inside("r", "so") {
      text(name)
      text(path, "o")
    }
  }

  /// Writes the data that a cache keeps of an object, which is at `index` in its parent.
  func cacheItem(of object: AccessibleObject, at index: Int, in tree: AccessibleTree) {
    inside("r", "(so)(so)(so)iiassusau") {
      let parent = tree.parent(of: object)
      reference(tree.name, tree.path(of: object))
      reference(tree.name, AccessibleTree.rootPath)
      if let parent {
        reference(tree.name, tree.path(of: parent))
      } else {
        reference(tree.desktop.name, tree.desktop.path)
      }
      int(index)
      int(tree.children(of: object).count)
      inside("a", "s") { tree.interfaces(of: object).forEach { text($0) } }
      text(tree.name(of: object))
      unsigned(tree.role(of: object).number)
      text("")
      inside("a", "u") { tree.states(of: object).words.forEach { unsigned($0) } }
    }
  }
}

extension AccessibleTree {
  /// The index among the children of the object's parent.
  func index(of object: AccessibleObject) -> Int {
    guard let parent = parent(of: object) else { return -1 }
    let number = number(of: object)
    return children(of: parent).firstIndex { self.number(of: $0) == number } ?? -1
  }
}

extension RootView {
  /// True while a finger or key holds something.
  var isHeld: Bool { !isInputIdle }
}
