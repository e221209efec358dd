import Controls
import UICore

/// An object of AT-SPI: the program, its window, or an element of the window's tree.
struct Accessible {
  let tree: AccessibleTree
  /// The view behind the object: the root for the window, nil for the program.
  let node: View?

  var isWindow: Bool { node === tree.root }
  /// The view of an element; nil for the program and its window.
  var view: View? { isWindow ? nil : node }
  var element: AccessibleElement? { view.map { AccessibleElement(tree: tree, view: $0) } }
  var text: AccessibleText? {
    element.flatMap { element in element.view.accessibilityText.map { AccessibleText(element, $0) } }
  }

  var number: Int { node.map { tree.number(of: $0) } ?? 0 }
  var children: [Accessible] {
    guard let node else { return [tree.window] }
    let decoration = isWindow ? tree.root.accessibilityDecoration : []
    return (node.accessibilityElements + decoration).map { Accessible(tree: tree, node: $0) }
  }
  /// The parent; nil for the program, whose parent is the desktop.
  var parent: Accessible? {
    guard let node else { return nil }
    return isWindow ? tree.application : Accessible(tree: tree, node: node.accessibilityParent ?? tree.root)
  }
  var index: Int { parent?.children.firstIndex { $0.node === node } ?? -1 }

  var name: String { view.map { $0.accessibilityLabel ?? "" } ?? tree.title }
  var description: String { view.flatMap { tree.refusal(of: $0) ?? $0.toolTip } ?? "" }
  var role: Role { view.map { Role($0.accessibilityRole) } ?? (isWindow ? .frame : .application) }
  var states: States {
    if let view { return view.accessibleStates }
    let states: States = [.enabled, .sensitive, .visible]
    guard isWindow else { return states.union(.showing) }
    return tree.root.isActive ? states.union([.active, .showing]) : states
  }
  var interfaces: [String] {
    let names = view?.accessibleInterfaces ?? ["Accessible", isWindow ? "Component" : "Application"]
    return names.map { "org.a11y.atspi." + $0 }
  }

  var attributes: [(key: String, value: String)] {
    var attributes = [(key: "toolkit", value: "cockpit")]
    guard let view else { return attributes }
    // Screen readers say it in place of the number.
    if let text = view.accessibilityValue?.text, !text.isEmpty { attributes.append(("valuetext", text)) }
    if !view.name.isEmpty { attributes.append(("id", view.name)) }
    return attributes
  }

  /// The frame in points, relative to the window, or to the parent's frame if `origin` is 2. A frame relative to the screen is
  /// relative to the window too, since Wayland does not report a window's position.
  func frame(from origin: UInt32 = 1) -> Rect {
    element.map { $0.frame(of: $0.view.bounds, from: origin) } ?? tree.root.bounds
  }

  /// A point of a call, relative to the window.
  func point(_ x: Int, _ y: Int, from origin: UInt32) -> Point {
    let point = Point(x: Double(x), y: Double(y))
    guard origin == 2, let parent = view?.accessibilityParent else { return point }
    return point + parent.accessibilityPlace(of: parent.bounds).origin
  }

  func hitTest(_ point: Point) -> Accessible? {
    let root = tree.root
    let hit =
      if let view {
        view.accessibilityHitTest(point - view.accessibilityPlace(of: view.bounds).origin)
      } else {
        root.accessibilityHitTest(point) ?? root.accessibilityDecorationHitTest(point)
          ?? (isWindow && root.bounds.contains(point) ? root : nil)
      }
    return hit.map { Accessible(tree: tree, node: $0) }
  }
}

/// Roles, as AT-SPI numbers them (AtspiRole).
nonisolated struct Role: Hashable {
  let number: UInt32
  let name: String

  static let application = Role(number: 75, name: "application")
  static let frame = Role(number: 23, name: "frame")
  private static let table: [AccessibilityRole: Role] = [
    .alert: Role(number: 2, name: "alert"), .button: Role(number: 43, name: "push button"),
    .checkBox: Role(number: 7, name: "check box"),
    .choice: Role(number: 11, name: "combo box"), .dial: Role(number: 15, name: "dial"),
    .dialog: Role(number: 16, name: "dialog"),
    .group: Role(number: 39, name: "panel"), .heading: Role(number: 83, name: "heading"),
    .image: Role(number: 27, name: "image"),
    .indicator: Role(number: 103, name: "level bar"), .label: Role(number: 29, name: "label"),
    .list: Role(number: 31, name: "list"), .menuItem: Role(number: 35, name: "menu item"),
    .number: Role(number: 52, name: "spin button"), .passwordField: Role(number: 40, name: "password text"),
    .slider: Role(number: 51, name: "slider"), .toggle: Role(number: 62, name: "toggle button"),
    .textField: Role(number: 79, name: "entry"), .textView: Role(number: 61, name: "text"),
  ]

  private init(number: UInt32, name: String) { (self.number, self.name) = (number, name) }

  /// A view without a role that the program made an element is a panel.
  init(_ role: AccessibilityRole) { self = Self.table[role] ?? Role(number: 39, name: "panel") }
}

/// States, as AT-SPI numbers their bits (AtspiStateType).
nonisolated struct States: OptionSet, Hashable {
  let rawValue: UInt64

  static let active = States(rawValue: 1 << 1)
  static let checked = States(rawValue: 1 << 4)
  static let editable = States(rawValue: 1 << 7)
  static let enabled = States(rawValue: 1 << 8)
  static let expandable = States(rawValue: 1 << 9)
  static let expanded = States(rawValue: 1 << 10)
  static let focusable = States(rawValue: 1 << 11)
  static let focused = States(rawValue: 1 << 12)
  static let multiLine = States(rawValue: 1 << 17)
  static let pressed = States(rawValue: 1 << 20)
  static let selectable = States(rawValue: 1 << 22)
  static let selected = States(rawValue: 1 << 23)
  static let sensitive = States(rawValue: 1 << 24)
  static let showing = States(rawValue: 1 << 25)
  static let singleLine = States(rawValue: 1 << 26)
  static let visible = States(rawValue: 1 << 30)
  static let checkable = States(rawValue: 1 << 41)
  static let readOnly = States(rawValue: 1 << 43)

  /// The states whose changes are sent, by their names in events.
  static let published: [(name: String, state: States)] = [
    ("active", .active), ("checked", .checked), ("enabled", .enabled), ("expanded", .expanded), ("focused", .focused),
    ("pressed", .pressed),
    ("selected", .selected), ("sensitive", .sensitive), ("showing", .showing),
  ]

  /// Both halves, as messages have them.
  var words: [UInt32] { [UInt32(truncatingIfNeeded: rawValue), UInt32(truncatingIfNeeded: rawValue >> 32)] }
}

extension View {
  var accessibleStates: States {
    var states: States = [.visible]
    if isInSight { states.insert(.showing) }
    if !isAccessibilityDisabled { states.formUnion([.enabled, .sensitive]) }
    if canBecomeFirstResponder { states.insert(.focusable) }
    if isAccessibilityFocused { states.insert(.focused) }
    if accessibilityRole == .menuItem { states.insert(.selectable) }
    if let accessibilityIsExpanded {
      states.formUnion(accessibilityIsExpanded ? [.expandable, .expanded] : .expandable)
    }
    if let isOn = accessibilityIsOn {
      let isToggle = accessibilityRole == .toggle || accessibilityRole == .checkBox
      if isToggle { states.insert(.checkable) }
      if isOn { states.formUnion(isToggle ? [.checked, .pressed] : .pressed) }
    } else {
      if isAccessibilitySelected { states.insert(.selected) }
      if accessibilityRole == .button, (self as? Control)?.isHighlighted == true { states.insert(.pressed) }
    }
    if let text = accessibilityText {
      let lines: States = accessibilityRole == .textView ? .multiLine : .singleLine
      states.formUnion(text.isEditable ? lines.union(.editable) : .readOnly)
    }
    return states
  }

  var accessibleInterfaces: [String] {
    var names = ["Accessible", "Component"]
    if !accessibilityActions.isEmpty { names.append("Action") }
    if accessibilityValue != nil { names.append("Value") }
    if let text = accessibilityText { names += text.isEditable ? ["Text", "EditableText"] : ["Text"] }
    return names
  }
}
