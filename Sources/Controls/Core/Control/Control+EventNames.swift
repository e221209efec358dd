extension Control.Event {
  /// Every event by its name in code and layout files.
  nonisolated package static let named: [(name: String, event: Control.Event)] = [
    ("touchDown", .touchDown), ("touchDragInside", .touchDragInside), ("touchDragOutside", .touchDragOutside),
    ("touchDragEnter", .touchDragEnter), ("touchDragExit", .touchDragExit), ("touchUpInside", .touchUpInside),
    ("touchUpOutside", .touchUpOutside), ("touchCancel", .touchCancel), ("valueChanged", .valueChanged),
    ("primaryActionTriggered", .primaryActionTriggered), ("editingDidBegin", .editingDidBegin),
    ("editingDidEnd", .editingDidEnd), ("editingDidCancel", .editingDidCancel),
  ]

  /// The event of that name, such as `valueChanged`; nil when there is none.
  nonisolated public init?(name: String) {
    guard let found = Control.Event.named.first(where: { $0.name == name }) else { return nil }
    self = found.event
  }
}
