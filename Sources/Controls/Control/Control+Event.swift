extension Control {
  /// An event of a control: a set, so that one action may be registered for several.
  nonisolated public struct Event: OptionSet, Hashable, Sendable {
    /// The events as bits.
    public let rawValue: UInt32

    /// Events from their bits. Bits 24...27 are free for applications, as `application(_:)` gives them.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// A finger came down on the control.
    public static let touchDown = Event(rawValue: 1 << 0)
    /// A finger that holds the control moved inside it.
    public static let touchDragInside = Event(rawValue: 1 << 1)
    /// A finger that holds the control moved outside it.
    public static let touchDragOutside = Event(rawValue: 1 << 2)
    /// A finger that holds the control re-entered it.
    public static let touchDragEnter = Event(rawValue: 1 << 3)
    /// A finger that holds the control left it.
    public static let touchDragExit = Event(rawValue: 1 << 4)
    /// A finger that held the control was lifted inside it.
    public static let touchUpInside = Event(rawValue: 1 << 5)
    /// A finger that held the control was lifted outside it.
    public static let touchUpOutside = Event(rawValue: 1 << 6)
    /// A finger that held the control was cancelled.
    public static let touchCancel = Event(rawValue: 1 << 7)
    /// The user changed the value. A change by code does not send it.
    public static let valueChanged = Event(rawValue: 1 << 8)
    /// The control's main action: a tap, or Space or Enter.
    public static let primaryActionTriggered = Event(rawValue: 1 << 9)
    /// The user began to change the value.
    public static let editingDidBegin = Event(rawValue: 1 << 10)
    /// The user finished changing the value: it is final.
    public static let editingDidEnd = Event(rawValue: 1 << 11)
    /// A change of the value was broken off by the system.
    public static let editingDidCancel = Event(rawValue: 1 << 12)

    /// Those of a value that a user edits: its changes, and the beginning and end around them.
    package static let edits: Event = [.valueChanged, .editingDidBegin, .editingDidEnd, .editingDidCancel]

    /// Every event there is.
    public static let allEvents = Event(rawValue: .max)

    /// An application-defined event; `number` is 0...3, others are clamped.
    public static func application(_ number: Int) -> Event {
      Event(rawValue: 1 << UInt32(24 + number.clamped(to: 0...3)))
    }
  }
}

extension Control.Event {
  /// Every event by its name in code and layout files, in the order of the bits, with the moment at which it is sent.
  nonisolated package static let named: [(name: String, about: String, event: Control.Event)] = [
    ("touchDown", "a finger came down on the control", .touchDown),
    ("touchDragInside", "a finger that holds the control moved inside it", .touchDragInside),
    ("touchDragOutside", "a finger that holds the control moved outside it", .touchDragOutside),
    ("touchDragEnter", "a finger that holds the control re-entered it", .touchDragEnter),
    ("touchDragExit", "a finger that holds the control left it", .touchDragExit),
    ("touchUpInside", "a finger that held the control was lifted inside it", .touchUpInside),
    ("touchUpOutside", "a finger that held the control was lifted outside it", .touchUpOutside),
    ("touchCancel", "a finger or key that held the control was cancelled", .touchCancel),
    ("valueChanged", "the user changed the value", .valueChanged),
    ("primaryActionTriggered", "the control's main action: a tap, or Space or Enter", .primaryActionTriggered),
    ("editingDidBegin", "the user began to change the value", .editingDidBegin),
    ("editingDidEnd", "the user finished changing the value: it is final", .editingDidEnd),
    ("editingDidCancel", "a change of the value was broken off", .editingDidCancel),
  ]

  /// The event with the given name, such as `valueChanged`; nil if no event has it.
  nonisolated public init?(name: String) {
    guard let found = Control.Event.named.first(where: { $0.name == name }) else { return nil }
    self = found.event
  }
}
