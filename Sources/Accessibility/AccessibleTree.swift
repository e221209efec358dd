import Controls
internal import DBus
import Shell
import UICore

/// The program's objects on the accessibility bus.
///
/// Calls are answered from the present views. Changes are found by comparing the last sent tree with the views, at most twenty
/// times a second and only after frames, so that no control needs to send notifications and none can forget to. While a finger
/// or key holds something, five calls are answered per second: input comes first, because each answer takes 100 us of
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
  private var observations: [ObservationToken] = []
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in sendChanges() }
  /// The last sent state of each object, and when it was sent.
  private var sent: [Int: Snapshot] = [:]
  private var lastSent = MonotonicTime.zero
  private var numbers = ViewNumbers(after: windowNumber, limit: 2 * maxListed)

  /// The shortest time between two comparisons, without and with held input.
  private static let idlePeriod = Duration.milliseconds(50)
  private static let heldPeriod = Duration.milliseconds(100)
  /// The times between answers while input is held: 180 ms are 5.5 answers a second. An answer between two frames takes about
  /// 100 us, because its memory is not in the cache; nine a second took 5.3 % of a drag's processor time at 60 Hz.
  static let heldPace = BusConnection.Pace(awake: .milliseconds(180), waking: .milliseconds(220))
  /// The maximum number of listed and of compared objects; either pass stays under 2 ms. Others can be requested one by one.
  static let maxListed = 500

  static let registry = "org.a11y.atspi.Registry"
  static let rootPath = "/org/a11y/atspi/accessible/root"
  static let nullPath = "/org/a11y/atspi/null"
  static let cachePath = "/org/a11y/atspi/cache"
  static let prefix = "/org/a11y/atspi/accessible"
  private static let windowNumber = 1

  /// The reasons of the objects' last refusals.
  private var refusals: [Int: String] = [:]

  private struct Snapshot: Equatable {
    let parent: Int
    let name: String
    let value: AccessibilityValue?
    let text: AccessibilityText?
    let states: States
    let children: [Int]
  }

  init(root: RootView, title: String, bus: BusConnection, loop: EventLoop) {
    (self.root, self.title, self.bus, self.loop) = (root, title, bus, loop)
  }

  /// Registers the program, and answers from then on.
  func open() {
    bus.pace = { [unowned root] in root.isHeld ? Self.heldPace : nil }
    bus.isFrameDue = { [unowned root] in root.needsFrame }
    bus.serve("/org/a11y/atspi") { [unowned self] in answer($0) }
    // The receiver of its answer is the name that the bus gave this program.
    bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId") { [weak self] in
      guard let self, let name = try? $0.get().receiver else { return }
      self.name = name
      embed()
    }
    bus.process()
  }

  private func embed() {
    bus.call(Self.registry, Self.rootPath, "org.a11y.atspi.Socket", "Embed", reference(0)) { [weak self] in
      guard let self, case .success(let answer) = $0 else { return }
      if let (name, path) = answer.read(AccessibleReference.self)?.fields { desktop = (name, path.path) }
      observe()
    }
  }

  func close() {
    timer.time = nil
    observations = []
    bus.close()
  }

  // MARK: Objects

  /// The number of a view's object; the root is the window.
  func number(of view: View) -> Int {
    if view === root { return Self.windowNumber }
    let (number, removed) = numbers.number(of: view) { sent[$0] != nil }
    for number in removed { refusals[number] = nil }
    return number
  }

  var application: Accessible { Accessible(tree: self, node: nil) }
  var window: Accessible { Accessible(tree: self, node: root) }

  /// The object at a path; nil if no object ever had it, or if its view is destroyed or hidden.
  func object(at path: String) -> Accessible? {
    if path == Self.rootPath { return application }
    guard path.hasPrefix(Self.prefix + "/"), let number = Int(path.dropFirst(Self.prefix.count + 1)) else { return nil }
    if number == Self.windowNumber { return window }
    guard let view = numbers.view(number), view.accessibilityRoot === root, view.isAccessibilityElement else {
      return nil
    }
    return Accessible(tree: self, node: view)
  }

  func path(_ number: Int) -> String { number == 0 ? Self.rootPath : "\(Self.prefix)/\(number)" }

  /// The reason why the view refused the last command; nil if it did not.
  func refusal(of view: View) -> String? { refusals[number(of: view)] }

  /// Records that the view carried out a command (nil), or the reason of its refusal.
  func noteRefusal(_ reason: String?, of view: View) {
    let number = number(of: view)
    guard reason != nil || refusals[number] != nil else { return }
    refusals[number] = reason
    // Earlier changes are sent first.
    sendChanges()
    sendProperty("accessible-description", reason ?? "", number)
    if let reason { announce(reason) }
  }

  // MARK: Changes

  private func observe() {
    sendChanges(isFirst: true)
    observations = [
      root.observeLayout { [unowned self] in scheduleChanges() },
      root.observeActivity { [unowned self] in
        switch $0 {
        case .announcement(let text): announce(text)
        case .control, .lifecycle, .tree: scheduleChanges()
        case .touches: break
        }
      },
    ]
  }

  private func scheduleChanges() {
    guard timer.time == nil else { return }
    timer.time = max(loop.clock.now, lastSent + (root.isHeld ? Self.heldPeriod : Self.idlePeriod))
  }

  /// Has a screen reader say `text` at once, after earlier changes.
  private func announce(_ text: String) {
    sendChanges()
    // 2 is assertive.
    send("Announcement", number: Self.windowNumber, detail: 2, value: text)
  }

  /// Sends the changes since the last time; the first time it only records the state.
  private func sendChanges(isFirst: Bool = false) {
    timer.time = nil
    var now: [Int: Snapshot] = [:]
    var order: [Int] = []
    collect(window, parent: 0, into: &now, order: &order)
    let before = sent
    sent = now
    lastSent = loop.clock.now
    guard !isFirst else { return }
    for number in before.keys.sorted() where now[number] == nil { sendRemoval(of: number, from: before) }
    for number in order {
      guard let new = now[number] else { continue }
      guard let old = before[number] else {
        sendAddition(of: number, new)
        continue
      }
      if new != old { sendChange(of: number, from: old, to: new) }
    }
    // The old focus is removed before the new one is set.
    for isFocused in [false, true] {
      for number in order {
        let (old, new) = (before[number]?.states ?? [], now[number]?.states ?? [])
        guard new.contains(.focused) == isFocused, old.contains(.focused) != isFocused else { continue }
        sendState("focused", isFocused, number)
      }
    }
  }

  private func collect(_ object: Accessible, parent: Int, into found: inout [Int: Snapshot], order: inout [Int]) {
    let number = object.number
    order.append(number)
    let children = object.children.prefix(max(Self.maxListed - order.count, 0))
    found[number] = Snapshot(
      parent: parent, name: object.name, value: object.view?.accessibilityValue, text: object.view?.accessibilityText,
      states: object.states, children: children.map(\.number))
    for child in children where order.count < Self.maxListed {
      collect(child, parent: number, into: &found, order: &order)
    }
  }

  // MARK: Signals

  private func sendAddition(of number: Int, _ new: Snapshot) {
    guard let object = object(at: path(number)) else { return }
    let index = sent[new.parent]?.children.firstIndex(of: number) ?? 0
    bus.emit(Self.cachePath, "org.a11y.atspi.Cache", "AddAccessible", cacheItem(of: object, at: index))
    sendChild("add", number, index, parent: new.parent)
    if new.states.contains(.showing) { sendState("showing", true, number) }
  }

  private func sendRemoval(of number: Int, from before: [Int: Snapshot]) {
    if let old = before[number] {
      sendChild("remove", number, before[old.parent]?.children.firstIndex(of: number) ?? 0, parent: old.parent)
    }
    bus.emit(Self.cachePath, "org.a11y.atspi.Cache", "RemoveAccessible", reference(number))
    if numbers.view(number)?.accessibilityRoot !== root {
      numbers.remove(number)
      refusals[number] = nil
      sendState("defunct", true, number)
    }
  }

  private func sendChange(of number: Int, from old: Snapshot, to new: Snapshot) {
    if new.name != old.name { sendProperty("accessible-name", new.name, number) }
    if new.value?.number != old.value?.number, let value = new.value {
      sendProperty("accessible-value", value.number, number)
    }
    for (name, state) in States.published where state != .focused {
      let isSet = new.states.contains(state)
      if isSet != old.states.contains(state) { sendState(name, isSet, number) }
    }
    guard new.text != old.text, let text = new.text, let previous = old.text else { return }
    if text.text != previous.text {
      if !previous.text.isEmpty { sendText("delete", previous.text, number) }
      if !text.text.isEmpty { sendText("insert", text.text, number) }
    }
    if text.caret != previous.caret, let caret = text.caret {
      send("TextCaretMoved", number: number, detail: caret, value: 0)
    }
    if text.selection != previous.selection { send("TextSelectionChanged", number: number, value: 0) }
  }

  private func sendState(_ name: String, _ isSet: Bool, _ number: Int) {
    send("StateChanged", name, number: number, detail: isSet ? 1 : 0, value: 0)
  }

  private func sendProperty(_ name: String, _ value: some BusType, _ number: Int) {
    send("PropertyChange", name, number: number, value: value)
  }

  private func sendText(_ kind: String, _ text: String, _ number: Int) {
    send("TextChanged", kind, number: number, second: text.unicodeScalars.count, value: text)
  }

  private func sendChild(_ kind: String, _ child: Int, _ index: Int, parent: Int) {
    send("ChildrenChanged", kind, number: parent, detail: index, value: reference(child))
  }

  private func send(
    _ member: String, _ kind: String = "", number: Int, detail: Int = 0, second: Int = 0, value: some BusType
  ) {
    bus.emit(
      path(number), "org.a11y.atspi.Event.Object", member, kind, detail, second, BusVariant(value),
      BusDictionary<String, BusVariant>())
  }
}

extension RootView {
  var isHeld: Bool { !isInputIdle }
}
