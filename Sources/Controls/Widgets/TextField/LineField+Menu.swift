/// The menu that a finger opens.
extension LineField {
  /// Shows what can be done, in the window: a popup would take the keys, and an on-screen keyboard would go with them.
  func openMenu(for seat: SeatID) {
    editMenu?.close()
    let commands = EditCommand.possible(
      on: model, canPaste: root?.host?.canPaste(for: seat) ?? false, isSecret: keepsTextSecret)
    guard isEditing, !commands.isEmpty else { return }
    let xs = selectedXs
    let start = max(xs.map(\.lowerBound).min() ?? caretArea.minX, 0)
    let end = min(xs.map(\.upperBound).max() ?? caretArea.maxX, bounds.width)
    editMenu = Presentation(
      menuOf: commands.map(\.title), under: Rect(x: start, y: 0, width: max(end - start, 1), height: bounds.height),
      of: self
    ) { [weak self] row in
      self?.perform(commands[row].command, for: seat)
      if commands[row].command == .selectAll { self?.openMenu(for: seat) }
    } onEnd: { [weak self] in
      self?.editMenu = nil
    }
  }
}
