/// The menu that a finger opens.
extension TextControl {
  /// Shows what can be done, in the window: a popup would take the keys, and an on-screen keyboard would go with them.
  func openMenu(for seat: SeatID) {
    editMenu?.close()
    let commands = EditCommand.possible(
      on: model, canPaste: root?.host?.canPaste(for: seat) ?? false, isSecret: keepsTextSecret)
    guard isEditing, !commands.isEmpty else { return }
    editMenu = Presentation(
      menuOf: commands.map(\.title), under: menuArea, of: self
    ) { [weak self] row in
      self?.perform(commands[row].command, for: seat)
      if commands[row].command == .selectAll { self?.openMenu(for: seat) }
    } onEnd: { [weak self] in
      self?.editMenu = nil
    }
  }
}
