import Controls

/// An object of AT-SPI, with a path, a role, states and interfaces.
enum AccessibleObject {
  /// The program.
  case application
  /// Its window.
  case window
  /// An element of the window's tree.
  case element(View)
}

/// Roles, as AT-SPI numbers them (AtspiRole).
nonisolated struct Role: Hashable {
  let number: UInt32
  let name: String

  static let application = Role(number: 75, name: "application")
  static let frame = Role(number: 23, name: "frame")
  private static let table: [AccessibilityRole: Role] = [
    .alert: Role(number: 2, name: "alert"), .button: Role(number: 43, name: "push button"),
    .choice: Role(number: 11, name: "combo box"), .dial: Role(number: 15, name: "dial"),
    .group: Role(number: 39, name: "panel"), .image: Role(number: 27, name: "image"),
    .indicator: Role(number: 103, name: "level bar"), .label: Role(number: 29, name: "label"),
    .list: Role(number: 31, name: "list"), .menuItem: Role(number: 35, name: "menu item"),
    .number: Role(number: 52, name: "spin button"),
    .slider: Role(number: 51, name: "slider"), .toggle: Role(number: 62, name: "toggle button"),
    .textField: Role(number: 79, name: "entry"),
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
  /// The view's state for AT-SPI.
  var accessibleStates: States {
    var states: States = [.visible]
    if isShown { states.insert(.showing) }
    if !isAccessibilityDisabled { states.formUnion([.enabled, .sensitive]) }
    if canBecomeFirstResponder { states.insert(.focusable) }
    if isAccessibilityFocused { states.insert(.focused) }
    if accessibilityRole == .menuItem { states.insert(.selectable) }
    if let accessibilityIsExpanded {
      states.formUnion(accessibilityIsExpanded ? [.expandable, .expanded] : .expandable)
    }
    if let isOn = accessibilityIsOn {
      let isToggle = accessibilityRole == .toggle
      if isToggle { states.insert(.checkable) }
      if isOn { states.formUnion(isToggle ? [.checked, .pressed] : .pressed) }
    } else {
      if isAccessibilitySelected { states.insert(.selected) }
      if accessibilityRole == .button, (self as? Control)?.isHighlighted == true { states.insert(.pressed) }
    }
    if let text = accessibilityText {
      states.formUnion(text.isEditable ? [.editable, .singleLine] : .readOnly)
    }
    return states
  }

  /// The interfaces of the view's object.
  var accessibleInterfaces: [String] {
    var names = ["Accessible", "Component"]
    if !accessibilityActions.isEmpty { names.append("Action") }
    if accessibilityValue != nil { names.append("Value") }
    if let text = accessibilityText { names += text.isEditable ? ["Text", "EditableText"] : ["Text"] }
    return names
  }
}
